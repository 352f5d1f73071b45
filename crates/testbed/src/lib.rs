//! Disposable Debian hosts for tests, and stories: the life of a resource on a real host.
//!
//! A [`Host`] is an overlay on one unpacked Debian root, with namespaces of its own, plain or with systemd as its first
//! process. It starts within a fraction of a second, and ends with the test, even if that crashes. A [`Story`] takes a
//! configuration through plan, apply, drift, repair and removal. A [`Repository`] offers made-up packages to apt.
//!
//! Only root can create hosts. For other users [`Bed::open`] prints the reason and returns `None`; if the variable `CI`
//! is set, or `UPHOLD_BED` is `require`, it panics instead. `UPHOLD_BED=skip` creates no hosts at all.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "it creates real machines for tests, and is no part of the product"
)]

mod digest;
mod host;
mod isolation;
mod package;
mod process;
mod repository;
mod root;
mod story;

pub use digest::Digest;
pub use host::Running;
pub use host::{Host, Ran};
pub use isolation::{STATE, isolate, own_state, tied_command};
pub use package::Package;
pub use process::Unavailable;
pub use repository::Repository;
pub use repository::{Bed, Setup};
pub use root::Root;
pub use story::Story;
