//! A board, its socket and its metrics, with real sockets and real clients.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests look at real sockets, and ask from threads and processes of their own"
)]

mod board;
mod happened;
mod hostile;
mod metrics;
mod place;
mod prometheus;
mod socket;
mod wire;
