//! Packages and repositories on disposable hosts, with a real apt.

mod cache;
mod dnf;
mod failure;
mod key;
mod lock;
mod order;
mod package;
mod repository;
mod sandbox;
mod transaction;
