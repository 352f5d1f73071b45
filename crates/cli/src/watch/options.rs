//! How the machine is held: flags of the watch command.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use uphold::WatchRequest;
use uphold_status::MetricsAddress;

use super::span_flag::{SpanOrNever, span, span_or_never};

/// How it is held, for how long, and who can ask.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "How the machine is held")]
pub(crate) struct HoldFlags {
    /// Look and report, never change; exit code 2 says that something differs
    #[arg(long)]
    pub(crate) audit: bool,
    /// End when nothing was changed, and nothing is due, for this long
    #[arg(long, value_name = "SPAN", value_parser = span)]
    until_converged: Option<Duration>,
    /// End after this long in any case
    #[arg(long, value_name = "SPAN", value_parser = span)]
    max_runtime: Option<Duration>,
    /// How often everything is looked at, whether something is reported or not: a span, or never
    #[arg(long, value_name = "SPAN", value_parser = span_or_never, default_value = "30m")]
    recheck: SpanOrNever,
    /// How often values are asked for that nobody reports: facts, the time, files of the kernel
    #[arg(long, value_name = "SPAN", value_parser = span, default_value = "10s")]
    pub(crate) refresh: Duration,
    /// Where `uphold status` asks: a path, or none; below /run/uphold or $XDG_RUNTIME_DIR unless set
    #[arg(long, value_name = "PATH")]
    pub(crate) socket: Option<SocketFlag>,
    /// Serve Prometheus metrics: a port, which means loopback, or an address with a port
    #[arg(long, value_name = "ADDR")]
    pub(crate) metrics: Option<MetricsAddress>,
    /// Print lines with their time, also on a terminal
    #[arg(long)]
    pub(crate) plain: bool,
}

/// A path, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SocketFlag {
    /// There is no socket.
    None,
    /// It is here.
    At(PathBuf),
}

impl FromStr for SocketFlag {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(if text == "none" { SocketFlag::None } else { SocketFlag::At(PathBuf::from(text)) })
    }
}

impl HoldFlags {
    /// What is asked of the engine.
    pub(super) fn request(&self) -> WatchRequest {
        WatchRequest {
            audit: self.audit,
            recheck: self.recheck.0,
            until_converged: self.until_converged,
            max_runtime: self.max_runtime,
            ..WatchRequest::default()
        }
    }
}
