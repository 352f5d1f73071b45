//! `uphold status`.

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use uphold::LocalHost;
use uphold::resource::Clock;
use uphold_status::{Answer, Ask, Overview, ResourceStatus, Snapshot, State, read_snapshot};

use crate::address::{self, Address};
use crate::status::{details, followed, list, overview};
use crate::time_text::Now;
use crate::watch::socket_to_ask;
use crate::{CliError, Exit, Session};

const EXAMPLES: &str = "\
Examples:
  uphold status                             totals, problems and recent events
  uphold status --all                       every resource
  uphold status 'file[\"/etc/motd\"]'         details of a resource: when and why it changed
  uphold status --follow                    events as they happen
  uphold status --json | jq .totals         the status as JSON
  uphold status --recheck                   check every resource now";

/// Show the status of a running watch
///
/// The watch answers its own user and root over a socket, below /run/uphold for root and below $XDG_RUNTIME_DIR for
/// other users.
///
/// Exit code 0: everything is as declared. 1: something failed, or no watch is running. 2: something is pending,
/// differs or is paused, or the configuration on disk is invalid.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatusArgs {
    /// Resource, block with for_each, or module
    #[arg(value_name = "RESOURCE", conflicts_with_all = ["all", "follow"])]
    resource: Option<Address>,
    /// List every resource
    #[arg(long)]
    all: bool,
    /// Show events as they happen, until the watch ends
    #[arg(long, short, conflicts_with = "all")]
    follow: bool,
    /// Make the watch reload its configuration
    #[arg(long, group = "request", conflicts_with_all = ["resource", "all", "follow"])]
    reload: bool,
    /// Make the watch check every resource now
    #[arg(long, group = "request", conflicts_with_all = ["resource", "all", "follow"])]
    recheck: bool,
    /// Socket of the watch
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
}

pub(crate) fn run(args: &StatusArgs, session: &mut Session) -> Result<Exit, CliError> {
    let path = socket_to_ask(args.socket.clone())?;
    match args {
        StatusArgs { reload: true, .. } => {
            request(Ask::Reload, "the watch reloads its configuration", &path, session)
        }
        StatusArgs { recheck: true, .. } => {
            request(Ask::Recheck, "the watch checks every resource", &path, session)
        }
        StatusArgs { follow: true, .. } => follow(&path, session),
        StatusArgs { resource: Some(address), .. } => one(address, &path, session),
        StatusArgs { all, .. } => show(*all, &path, session),
    }
}

/// The current time, in the time zone of the user.
fn now() -> Now {
    Now::new(LocalHost::new().now(), TimeZone::system())
}

fn request(ask: Ask, words: &str, path: &Path, session: &mut Session) -> Result<Exit, CliError> {
    let accepted = Answer::to(ask, path)?.line()?;
    match (session.flags.json, accepted) {
        (true, Some(line)) => session.ui.json(&line),
        _ if session.flags.quiet => {}
        _ => session.ui.talk(format_args!("{words}\n")),
    }
    Ok(Exit::Success)
}

fn show(all: bool, path: &Path, session: &mut Session) -> Result<Exit, CliError> {
    // JSON always contains every resource; the overview for people needs less.
    let ask = if all || session.flags.json { Ask::Status } else { Ask::Overview };
    let snapshot = answer(ask, path, session)?;
    if !session.flags.json && !session.flags.quiet {
        let (now, paint) = (now(), session.ui.data_paint());
        session.ui.data(overview(&snapshot.overview, &now, paint));
        if all {
            session.ui.data(format_args!("\n{}", list(&snapshot.resources, &now, paint)));
        }
    }
    Ok(exit(&snapshot.overview))
}

/// Requests a snapshot; with --json, prints the answer unchanged.
fn answer(ask: Ask, path: &Path, session: &mut Session) -> Result<Snapshot, CliError> {
    let mut answer = Answer::to(ask, path)?;
    if !session.flags.json {
        return Ok(answer.snapshot()?);
    }
    let line = answer.needed()?;
    session.ui.json(&line);
    Ok(read_snapshot(&line)?)
}

fn follow(path: &Path, session: &mut Session) -> Result<Exit, CliError> {
    let mut answer = Answer::to(Ask::Follow, path)?;
    if !session.flags.json {
        let paint = session.ui.data_paint();
        let snapshot = answer.snapshot()?;
        session.ui.data(overview(&snapshot.overview, &now(), paint));
        session.ui.data("\n");
        session.ui.flush();
    }
    while let Some(line) = answer.line()? {
        let paint = session.ui.data_paint();
        if session.flags.json {
            session.ui.json(&line);
        } else if let Some(line) = followed(&line, &now(), paint) {
            session.ui.data(line);
        }
        session.ui.flush();
        if session.ui.is_closed() {
            break;
        }
    }
    Ok(Exit::Success)
}

/// Shows the details of each resource that the address covers.
fn one(address: &Address, path: &Path, session: &mut Session) -> Result<Exit, CliError> {
    let snapshot = Answer::to(Ask::Status, path)?.snapshot()?;
    let all = &snapshot.resources;
    let found: Vec<&ResourceStatus> = all.iter().filter(|status| address.covers(&status.resource)).collect();
    if found.is_empty() {
        let names: Vec<String> = all.iter().map(|status| status.resource.to_string()).collect();
        let message = format!("{address}: the watch manages no such resource");
        return Err(address::unknown(address, message, &names, "`uphold status --all` lists all resources"));
    }
    let (now, paint) = (now(), session.ui.data_paint());
    for status in &found {
        if session.flags.json {
            session.ui.json_line(status);
        } else {
            session.ui.data(details(status, all, &now, paint));
        }
    }
    let has_failed = |status: &&ResourceStatus| matches!(status.state, State::Failed(_) | State::Blocked(_));
    let is_open = |status: &&ResourceStatus| status.is_pending() || is_different(&status.state);
    Ok(Exit::of(!found.iter().any(has_failed), found.iter().any(is_open)))
}

fn is_different(state: &State) -> bool {
    matches!(state, State::Differs { .. } | State::Paused { .. })
}

fn exit(overview: &Overview) -> Exit {
    let totals = &overview.totals;
    let is_open = totals.pending > 0 || totals.differs + totals.paused > 0 || overview.reload_error.is_some();
    Exit::of(totals.failed + totals.blocked == 0, is_open)
}
