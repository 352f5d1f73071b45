//! The network kinds on a disposable host with its own network namespace.

mod firewall;
mod links;
mod routes;
