//! Users, groups, keys, crontabs and rules for sudo on disposable hosts, from plan to removal.

mod crontabs;
mod examples;
mod groups;
mod keys;
mod many;
mod removal;
mod sudo;
mod users;

use uphold_testbed::Bed;

/// None on a machine that cannot have test hosts.
fn bed() -> Option<Bed> {
    Bed::open(env!("CARGO_BIN_EXE_uphold"))
}
