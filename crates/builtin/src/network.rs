//! The kinds `firewall`, `network_link` and `route`.

mod address;
mod firewall;
mod network_link;
mod route;

use std::fmt;

use uphold_kit::tool::NO_SECRETS;
use uphold_kit::{machine, tool};
use uphold_resource::{Act, Claim, Command, Error, ErrorKind, Output, Property, Reading, Result};

pub use address::{Address, Addresses, Prefixed};
pub use firewall::{Family, Firewall, FirewallChange, FirewallGoal, FirewallState, FirewallWishes, Ruleset};
pub use network_link::{
    HardwareAddress, NetworkLink, NetworkLinkChange, NetworkLinkGoal, NetworkLinkState, NetworkLinkWishes,
};
pub use route::{Destination, Route, RouteChange, RouteGoal, RouteState, RouteType, RouteWishes};

// Changing the kernel's network with external tools.

/// Runs a tool that changes something. `what` describes the failure, as in "cannot load the table web".
///
/// # Errors
/// If it cannot be started, or fails; with the end of its output.
fn change(command: &Command, what: &str, host: &Act<'_>) -> Result<()> {
    tool::run(command, what, host).map(drop).map_err(advised)
}

/// The error for a tool that failed.
fn refusal(output: &Output, program: &str, what: &str) -> Error {
    advised(tool::refusal(output, program, &NO_SECRETS, what))
}

fn advised(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Denied => error.hint("run Uphold as root"),
        _ => error,
    }
}

/// The error for a missing `ip`.
fn without_ip(error: Error, what: &str) -> Error {
    let hint = (error.kind() == ErrorKind::Missing).then_some("install the package iproute2");
    let error = error.while_(what);
    hint.into_iter().fold(error, Error::hint)
}

/// Fails below another root: `what` needs a running kernel.
fn must_run(what: &str, host: &Reading<'_>) -> Result<()> {
    machine::must_run(what, "when you build an image, declare the `file` that configures it at boot", host)
}

// Names of network links.

/// The name of a network link: up to 15 letters, digits and `_.+@-`.
#[derive(Clone, Debug, PartialEq, Eq, Property)]
#[example("eth0")]
#[pattern("^[A-Za-z0-9_][A-Za-z0-9_.+@-]{0,14}$")]
pub struct LinkName(pub String);

impl LinkName {
    /// The claim of a resource that creates the link, and of its dependents.
    fn claim(&self) -> Claim {
        Claim::Other("network link", self.0.as_str().into())
    }

    /// The claim of one end of a pair that also creates the other one.
    fn claim_of_end(&self) -> Claim {
        Claim::Other("end of a pair of links", self.0.as_str().into())
    }
}

impl fmt::Display for LinkName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
