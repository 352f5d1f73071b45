//! Packages and repositories on disposable hosts, with a real apt.

mod package;
