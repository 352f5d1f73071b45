//! The kinds of the network on a disposable host, which has a network of its own.

mod firewall;
mod links;
mod routes;
