//! The flags of the watch command.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;
use uphold::model::parse_duration;
use uphold::{Steering, WatchRequest};
use uphold_status::{MetricsServer, StatusModel, StatusServer, default_socket, metrics_address};

use crate::CliError;
use crate::journal::LockFlags;

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Watch options")]
pub(crate) struct WatchFlags {
    /// Report differences and change nothing
    ///
    /// Exit code 2: something differs.
    #[arg(long)]
    pub(crate) audit: bool,
    /// Exit when nothing changed and nothing was due for this long
    #[arg(long, value_name = "DURATION", value_parser = span)]
    until_converged: Option<Duration>,
    /// Exit after this long
    #[arg(long, value_name = "DURATION", value_parser = span)]
    max_runtime: Option<Duration>,
    /// Check every resource at this interval, or `never`
    ///
    /// This finds changes that the kernel does not report.
    #[arg(long, value_name = "DURATION", value_parser = span_or_never, default_value = "30m")]
    recheck: SpanOrNever,
    /// Poll values that the kernel does not report at this interval
    ///
    /// Such as facts, the time, and files in /proc and /sys.
    #[arg(long, value_name = "DURATION", value_parser = span, default_value = "10s")]
    pub(crate) refresh: Duration,
    /// Allow N removals of resources that are no longer declared
    ///
    /// As for `uphold apply`, at the start and at each reload of the configuration.
    #[arg(long, value_name = "N")]
    pub(super) allow_removals: Option<usize>,
    /// Socket for `uphold status`, or `none`
    ///
    /// The default is below /run/uphold for root, and below $XDG_RUNTIME_DIR for other users.
    #[arg(long, value_name = "PATH")]
    pub(crate) socket: Option<PathBuf>,
    /// Serve Prometheus metrics at PORT (on loopback) or ADDRESS:PORT
    #[arg(long, value_name = "ADDR", value_parser = metrics_address)]
    pub(crate) metrics: Option<SocketAddr>,
    /// Print log lines instead of the terminal view
    #[arg(long)]
    pub(crate) plain: bool,
    #[command(flatten)]
    pub(super) lock: LockFlags,
}

/// The value of `--socket` that disables the socket.
const NO_SOCKET: &str = "none";

impl WatchFlags {
    /// The path given with `--socket`, unless it disables the socket.
    pub(super) fn given_socket(&self) -> Option<&Path> {
        self.socket.as_deref().filter(|path| *path != Path::new(NO_SOCKET))
    }

    pub(super) fn request(&self) -> WatchRequest {
        WatchRequest {
            audit: self.audit,
            recheck: self.recheck,
            until_converged: self.until_converged,
            max_runtime: self.max_runtime,
            window_zone: Some(TimeZone::system()),
            ..WatchRequest::default()
        }
    }
}

const FIX: &str = "write a duration such as 30s, 10m or 1h30m";

/// A duration greater than zero.
fn span(text: &str) -> Result<Duration, String> {
    parse_duration(text).filter(|span| !span.is_zero()).ok_or_else(|| FIX.to_owned())
}

/// The alias hides the `Option` from clap, which would take it for a flag that can be left out.
type SpanOrNever = Option<Duration>;

fn span_or_never(text: &str) -> Result<SpanOrNever, String> {
    match text {
        "never" => Ok(None),
        text => span(text).map(Some).map_err(|_| format!("{FIX}, or never")),
    }
}

// The status socket and the metrics server of a watch.

/// The servers that the flags enable. Both stop when this is dropped.
pub(super) struct Servers {
    pub(super) status: Option<StatusServer>,
    _metrics: Option<MetricsServer>,
}

impl Servers {
    pub(super) fn start(
        flags: &WatchFlags,
        board: &StatusModel,
        steering: &Steering,
    ) -> Result<Self, CliError> {
        let given = flags.given_socket().map(PathBuf::from);
        let path = if flags.socket.is_some() { given } else { user_socket() };
        let start = |path: PathBuf| {
            let path = std::path::absolute(&path).unwrap_or(path);
            let (reload, recheck) = (steering.clone(), steering.clone());
            let steering = uphold_status::Steering {
                reload: Box::new(move || reload.reload()),
                recheck: Box::new(move || recheck.recheck()),
            };
            StatusServer::start(&path, board.clone(), steering)
        };
        let status = path.map(start).transpose().map_err(|error| {
            let error = CliError::from(error);
            let hint = "use another socket with --socket PATH, or none with --socket none";
            if flags.socket.is_some() { error } else { error.or_hint(hint) }
        })?;
        let metrics = |address| MetricsServer::start(address, board.clone(), env!("CARGO_PKG_VERSION"));
        Ok(Self { status, _metrics: flags.metrics.map(metrics).transpose()? })
    }
}

/// The default socket of this user; none if the user has no runtime directory.
#[expect(clippy::disallowed_methods, reason = "only the command reads the environment, no library does")]
fn user_socket() -> Option<PathBuf> {
    let runtime_directory = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    default_socket(runtime_directory.as_deref(), "watch")
}

/// The socket given to `uphold status`, or the default one.
pub(crate) fn socket_to_ask(given: Option<PathBuf>) -> Result<PathBuf, CliError> {
    given.or_else(user_socket).ok_or_else(|| {
        let error = CliError::new("cannot find the socket of the watch: XDG_RUNTIME_DIR is not set");
        error.hint("give it with --socket PATH, here and for `uphold watch`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_durations() {
        let check = |text: &str, expected: Option<SpanOrNever>| {
            assert_eq!(span_or_never(text).ok(), expected, "{text}");
        };
        check("1h30m", Some(Some(Duration::from_secs(5400))));
        check("never", Some(None));
        check("0s", None);
        check("10", None);
        check("", None);
    }
}
