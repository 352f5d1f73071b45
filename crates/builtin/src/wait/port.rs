//! `wait_port`: until something accepts connections, or nothing does any more.

use std::time::Duration;

use uphold_resource::{
    Act, Error, ErrorKind, Interest, Port, Property, Reading, Resource, Result, Step, Value, Watching,
};

use super::pace::takes_time;
use crate::script::only_looks;

/// How often a port is asked again once the wait is over, at most: each time is a connection that the other side may
/// write into its log.
const HELD: Duration = Duration::from_secs(10);

/// Waits until something accepts connections at a TCP port, or until nothing does any more.
///
/// It changes nothing. What depends on it waits with it, and everything else goes on. The meta argument
/// `timeout` says how long it waits in all. A host whose name is not known is waited for as well.
///
/// Nothing reports when a port changes: `uphold watch` asks again every 10 seconds once the wait is over, or at the
/// pace of `every` if that is slower.
///
/// ```hcl
/// task "start the database" {
///   check = "pgrep -x postgres"
///   apply = "pg_ctl start -D /var/lib/postgres"
/// }
///
/// wait_port "database" {
///   port       = 5432
///   timeout    = "2m"
///   depends_on = [task["start the database"]]
/// }
/// ```
#[derive(Debug, Clone, Resource)]
#[resource(kind = "wait_port", also("wait_for", "wait_for_port"), interests, permanent)]
pub struct WaitPort {
    /// What it is called.
    #[name]
    pub name: String,
    /// The TCP port.
    #[required]
    pub port: Port,
    /// The host that is asked.
    #[also("address", "hostname")]
    #[default("localhost")]
    #[check(is_host, "must be a name or an address, without a port")]
    pub host: String,
    /// What is waited for: "open", something accepts connections, or "closed", nothing does.
    #[default(PortState::Open)]
    pub state: PortState,
    /// How long to wait before the next look.
    #[also("sleep", "delay", "interval")]
    #[default("1s")]
    #[check(takes_time, "must be longer than 0s")]
    pub every: Duration,
    /// How long one look may take. A host that does not answer in this time is not open.
    #[default("5s")]
    #[check(takes_time, "must be longer than 0s")]
    pub connect_timeout: Duration,
}

/// Whether a port accepts connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum PortState {
    /// Something accepts connections.
    Open,
    /// Nothing does.
    Closed,
}

/// Whether this can name a host, whatever the form: only resolving it can tell whether there is one.
/// An address has no colon or several; one alone is before a port.
fn is_host(value: &Value) -> bool {
    let Value::Text(text) = value else { return false };
    let foreign = |c: char| c.is_whitespace() || c.is_control() || c == '/';
    !text.is_empty() && !text.contains(foreign) && text.matches(':').count() != 1
}

impl Resource for WaitPort {
    fn load(&self, host: &Reading<'_>) -> Result<Option<WaitPortState>> {
        match host.listens(&self.host, self.port.0, self.connect_timeout) {
            Ok(open) if open == (self.state == PortState::Open) => Ok(Some(WaitPortState {})),
            Ok(_) => Err(self.not_yet()),
            // Names come and go with what serves them.
            Err(error) if error.kind() == ErrorKind::Missing => Err(self.not_yet().because(error)),
            Err(error) => Err(error),
        }
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        only_looks("wait_port")
    }
}

impl Watching for WaitPort {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Interval(self.every.max(HELD)));
    }
}

impl WaitPort {
    fn not_yet(&self) -> Error {
        let found = match self.state {
            PortState::Open => "is not open",
            PortState::Closed => "is still open",
        };
        Error::not_yet(format!("port {} of {} {found}", self.port.0, self.host), self.every)
    }
}
