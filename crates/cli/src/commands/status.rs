//! `uphold status`.

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use uphold::LocalHost;
use uphold::model::closest;
use uphold::resource::Clock;
use uphold_status::{Answer, Ask, Overview, ResourceStatus, Snapshot, State, read_snapshot};

use crate::address::Address;
use crate::error::CliError;
use crate::exit::Exit;
use crate::paint::Paint;
use crate::session::Session;
use crate::socket_path;
use crate::status::{Now, details, followed, list, overview};

const EXAMPLES: &str = "\
Examples:
  uphold status                             how it stands, what is wrong, what happened lately
  uphold status --all                       every resource
  uphold status 'file[\"/etc/motd\"]'         all about one: what changed it, when and why
  uphold status --follow                    what happens from now on
  uphold status --json | jq .totals         the same for programs
  uphold status --recheck                   have everything looked at now";

/// Ask a running watch how it goes
///
/// A watch answers its own user and root over a socket, which is below /run/uphold for root, and else below
/// $XDG_RUNTIME_DIR.
///
/// Exit code 0 says that everything is held, 2 that something is pending, differs, or that the configuration on disk
/// was refused, 1 that something failed, or that no watch is running.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatusArgs {
    /// One resource, or everything in a block with for_each or a module
    #[arg(value_name = "RESOURCE", conflicts_with_all = ["all", "follow"])]
    resource: Option<Address>,
    /// List every resource
    #[arg(long)]
    all: bool,
    /// Go on with what happens, until the watch ends
    #[arg(long, short, conflicts_with = "all")]
    follow: bool,
    /// Have the configuration read again
    #[arg(long, group = "wish", conflicts_with_all = ["resource", "all", "follow"])]
    reload: bool,
    /// Have everything looked at now
    #[arg(long, group = "wish", conflicts_with_all = ["resource", "all", "follow"])]
    recheck: bool,
    /// Where the watch listens
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
}

/// Runs it.
pub(crate) fn run(args: &StatusArgs, session: &mut Session) -> Result<Exit, CliError> {
    let path = socket_path::given_or_usual(args.socket.clone())?;
    match args {
        StatusArgs { reload: true, .. } => {
            wish(Ask::Reload, "the configuration is read again", &path, session)
        }
        StatusArgs { recheck: true, .. } => wish(Ask::Recheck, "everything is looked at", &path, session),
        StatusArgs { follow: true, .. } => follow(&path, session),
        StatusArgs { resource: Some(address), .. } => one(address, &path, session),
        StatusArgs { all, .. } => show(*all, &path, session),
    }
}

/// This moment, where the user is.
fn now() -> Now {
    Now::new(LocalHost::new().now(), TimeZone::system())
}

fn wish(ask: Ask, words: &str, path: &Path, session: &mut Session) -> Result<Exit, CliError> {
    let accepted = Answer::to(ask, path)?.line()?;
    match (session.flags.json, accepted) {
        (true, Some(line)) => session.ui.json(&line),
        _ if session.flags.quiet => {}
        _ => session.ui.talk(format_args!("{words}\n")),
    }
    Ok(Exit::Success)
}

fn show(all: bool, path: &Path, session: &mut Session) -> Result<Exit, CliError> {
    // Programs get everything; a screen needs less than that.
    let ask = if all || session.flags.json { Ask::Status } else { Ask::Overview };
    let snapshot = answer(ask, path, session)?;
    if !session.flags.json && !session.flags.quiet {
        let (now, paint) = (now(), Paint::new(session.ui.is_data_coloured()));
        session.ui.data(overview(&snapshot.overview, &now, paint));
        if all {
            session.ui.data(format_args!("\n{}", list(&snapshot.resources, &now, paint)));
        }
    }
    Ok(exit(&snapshot.overview))
}

/// What the watch answers, which programs get as it came.
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
        let paint = Paint::new(session.ui.is_data_coloured());
        let snapshot = answer.snapshot()?;
        session.ui.data(overview(&snapshot.overview, &now(), paint));
        session.ui.data("\n");
        session.ui.flush();
    }
    while let Some(line) = answer.line()? {
        match session.flags.json {
            true => session.ui.json(&line),
            false => {
                let paint = Paint::new(session.ui.is_data_coloured());
                followed(&line, &now(), paint).into_iter().for_each(|line| session.ui.data(line));
            }
        }
        session.ui.flush();
        if session.ui.is_closed() {
            break;
        }
    }
    Ok(Exit::Success)
}

/// All about one resource, or about each of several.
fn one(address: &Address, path: &Path, session: &mut Session) -> Result<Exit, CliError> {
    let snapshot = Answer::to(Ask::Status, path)?.snapshot()?;
    let all = &snapshot.resources;
    let found: Vec<&ResourceStatus> = all.iter().filter(|status| address.covers(&status.resource)).collect();
    if found.is_empty() {
        return Err(nothing(address, all));
    }
    let (now, paint) = (now(), Paint::new(session.ui.is_data_coloured()));
    for status in &found {
        match session.flags.json {
            true => session.ui.json_line(status),
            false => session.ui.data(details(status, all, &now, paint)),
        }
    }
    let has_failed = |status: &&ResourceStatus| matches!(status.state, State::Failed(_) | State::Blocked(_));
    let is_open =
        |status: &&ResourceStatus| status.is_pending() || matches!(status.state, State::Differs { .. });
    Ok(code(found.iter().any(has_failed), found.iter().any(is_open)))
}

fn nothing(address: &Address, all: &[ResourceStatus]) -> CliError {
    let error = CliError::new(format!("{address}: the watch holds no such resource"));
    let names: Vec<String> = all.iter().map(|status| status.resource.to_string()).collect();
    match closest(&address.canonical(), names.iter().map(String::as_str)) {
        Some(near) => error.hint(format!("did you mean {near}?")),
        None => error.hint("`uphold status --all` lists all of them"),
    }
}

fn exit(overview: &Overview) -> Exit {
    let totals = &overview.totals;
    let is_open = totals.pending > 0 || totals.differ > 0 || overview.refused.is_some();
    code(totals.failed + totals.blocked > 0, is_open)
}

fn code(has_failed: bool, is_open: bool) -> Exit {
    match (has_failed, is_open) {
        (true, _) => Exit::Failure,
        (false, true) => Exit::Pending,
        (false, false) => Exit::Success,
    }
}
