//! Services, units and timers on disposable hosts: a booted systemd, and runit.
#![expect(clippy::disallowed_methods, reason = "the tests measure how long a repair takes")]

mod failing;
mod notified;
mod offline;
mod own_watch;
mod runit;
mod service;
mod sysvinit;
mod timer;
mod unit;
mod watching;
