//! The kind `wait_port`.

use std::time::Duration;

use uphold_kit::read_only;
use uphold_resource::{
    Act, Error, ErrorKind, Found, Interest, Look, Port, Property, Reading, Resource, Result, Step, Value,
    Watching,
};

use super::takes_time;

/// The minimum interval of checks in a watch once the wait is over: each check is a connection that the server may
/// log.
const WATCH_INTERVAL: Duration = Duration::from_secs(10);

/// Waits until a TCP port accepts connections, or until it does not.
///
/// It changes nothing. Its dependents wait, too; all other resources continue. Set the meta argument `timeout` to
/// limit the total time. It also waits for a host whose name cannot be resolved yet.
///
/// There are no events for changes of a port: once the wait is over, `uphold watch` checks it every 10 seconds, or
/// at the interval of `every` if that is longer.
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
    /// Name of the wait; defaults to the block's label.
    #[name]
    pub name: String,
    /// TCP port.
    #[required]
    pub port: Port,
    /// Host name or address.
    #[also("address", "hostname")]
    #[default("localhost")]
    #[check(is_host, "must be a host name or an address, without a port")]
    pub host: String,
    /// State to wait for: `"open"` or `"closed"`.
    #[default(PortState::Open)]
    pub state: PortState,
    /// Interval between checks.
    #[also("sleep", "delay", "interval")]
    #[default("1s")]
    #[check(takes_time, "must be longer than 0s")]
    pub every: Duration,
    /// Time limit of one check. A host that does not respond in this time counts as closed.
    #[default("5s")]
    #[check(takes_time, "must be longer than 0s")]
    pub connect_timeout: Duration,
}

/// Whether a port accepts connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum PortState {
    /// It accepts connections.
    Open,
    /// It does not accept connections.
    Closed,
}

/// Whether this can be a host name or address; only resolving it shows whether it exists. An address has no colon
/// or several; a single one would precede a port.
fn is_host(value: &Value) -> bool {
    let Value::Text(text) = value else { return false };
    let foreign = |c: char| c.is_whitespace() || c.is_control() || c == '/';
    !text.is_empty() && !text.contains(foreign) && text.matches(':').count() != 1
}

impl Resource for WaitPort {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        match look.listens(&self.host, self.port.0, self.connect_timeout) {
            Ok(open) if open == (self.state == PortState::Open) => Ok(Found::This(WaitPortState {})),
            Ok(_) => Err(self.not_yet()),
            // A name may become resolvable later.
            Err(error) if error.kind() == ErrorKind::Missing => Err(self.not_yet().because(error)),
            Err(error) => Err(error),
        }
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        read_only::refuse("wait_port")
    }
}

impl Watching for WaitPort {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Interval(self.every.max(WATCH_INTERVAL)));
    }
}

impl WaitPort {
    fn not_yet(&self) -> Error {
        let found = match self.state {
            PortState::Open => "is not open yet",
            PortState::Closed => "is still open",
        };
        Error::not_yet(format!("port {} of {} {found}", self.port.0, self.host), self.every)
    }
}
