//! Disposable Debian hosts for tests, and stories that are told on them.
//!
//! A [`Host`] is an overlay on one unpacked Debian root, with namespaces of its own, plain or with systemd as its first
//! process. It stands after a fraction of a second, and ends with the test, whatever becomes of that. A [`Story`] is
//! what every kind has to go through on a real machine: planned, applied, drifted, repaired, removed. A
//! [`Repository`] has packages for apt that the test made up.
//!
//! Only root can make hosts. Elsewhere [`Bed::open`] says why, loudly, and gives nothing; where the variable `CI` is
//! set, or `UPHOLD_BED` is `require`, that fails instead. With `UPHOLD_BED=skip` there are none anywhere.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "it makes real machines for tests, beside the product and not in it"
)]

mod bed;
mod digest;
mod host;
mod life;
mod package;
mod place;
mod ran;
mod repository;
mod root;
mod running;
mod setup;
mod story;
mod why;

pub use bed::Bed;
pub use digest::Digest;
pub use host::Host;
pub use package::Package;
pub use ran::Ran;
pub use repository::Repository;
pub use root::Root;
pub use running::Running;
pub use setup::Setup;
pub use story::Story;
pub use why::Why;
