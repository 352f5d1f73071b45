//! Packages and repositories on disposable hosts, with a real apt.

mod cache;
mod dnf;
mod failure;
mod ground;
mod key;
mod lock;
mod order;
mod package;
mod repository;
mod transaction;
