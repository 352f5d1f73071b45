//! `uphold history`.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use uphold::LocalHost;
use uphold::journal::{ActionFilter, BrokenChain, Journal, Records, Run, Runs, time, verify_audit_log};
use uphold::model::parse_duration;
use uphold::resource::Clock;

use crate::history::{RunPage, Statistics, list_line, wire};
use crate::journal::run_number;

use crate::{CliError, Exit, Session, text_files};

const EXAMPLES: &str = "\
Examples:
  uphold history                                 the newest runs
  uphold history 812                             one run, with each change and its reason
  uphold history --resource 'file[\"/etc/motd\"]'  the runs that changed a resource
  uphold history --since 2d                      the runs of the last two days
  uphold history --stat                          totals, and the resources that change most often
  uphold history --verify                        check that no line was changed
  uphold history --json | jq -r .run";

/// Show the runs that changed this machine, and what they changed
///
/// Each apply, watch and undo is recorded in the journal: its user, configuration and commit, and for each change the
/// differences, the reason, the result and the duration. Secrets are not recorded. Runs are kept for 400 days, and up
/// to 64 MiB.
///
/// Exit code 1: there is no such run, or --verify found a changed line.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HistoryArgs {
    /// Number of a run, as in the list
    #[arg(value_parser = run_number)]
    run: Option<u64>,
    /// Only runs that changed this resource: its address, or its name such as a path, which also finds edits of the file
    #[arg(long, value_name = "ADDRESS", conflicts_with = "run")]
    resource: Option<String>,
    /// Only runs since this time, and their changes: a duration before now, a date, or a date and time
    #[arg(long, value_name = "TIME", value_parser = since, conflicts_with = "run")]
    since: Option<SystemTime>,
    /// Show at most N runs
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Show totals instead of runs
    #[arg(long, conflicts_with = "run")]
    stat: bool,
    /// Check the digest of every line, each of which includes that of the line before
    #[arg(long, conflicts_with_all = ["run", "resource", "since", "stat"])]
    verify: bool,
    /// With --verify: check this audit log instead of the journal
    #[arg(long, value_name = "FILE", requires = "verify")]
    audit_log: Option<PathBuf>,
}

/// `2d`, `90m`, `2026-11-17` or `2026-11-17T12:00`.
fn since(text: &str) -> Result<SystemTime, String> {
    let now = LocalHost::new().now();
    let span = parse_duration(text).or_else(|| {
        let days = text.strip_suffix('d')?.parse::<u32>().ok()?;
        SignedDuration::from_hours(i64::from(days) * 24).try_into().ok()
    });
    if let Some(span) = span {
        return now.checked_sub(span).ok_or_else(|| "that is too long ago".to_owned());
    }
    let local = |time: DateTime| time.to_zoned(TimeZone::system()).ok().map(|time| time.timestamp());
    let date = text.parse::<Timestamp>().ok().or_else(|| local(text.parse().ok()?));
    date.map(SystemTime::from).ok_or_else(|| "write 2d, 90m, 2026-11-17 or 2026-11-17T12:00".to_owned())
}

pub(crate) fn run(args: &HistoryArgs, session: &mut Session) -> Result<Exit, CliError> {
    if let Some(path) = &args.audit_log {
        return verify_log(path, session);
    }
    let journal = session.journal()?;
    let Some(records) = journal.records() else { return Err(too_new(&journal)) };
    let runs = records.runs();
    if args.verify {
        return verify(&runs, session);
    }
    let root = session.root_name()?;
    if let Some(number) = args.run {
        let Some(run) = runs.get(number).map_err(|failure| unreadable(&failure))? else {
            let list = session.flags.command("history");
            return Err(
                CliError::new(format!("there is no run {number}")).hint(format!("`{list}` lists them"))
            );
        };
        return Ok(show(&run, &root, session));
    }
    let is_filtered = args.resource.is_some() || args.since.is_some();
    let renamed = args.resource.as_ref().map(|address| with_address(address, &records)).unwrap_or_default();
    let filter = ActionFilter { resource: args.resource.clone(), renamed, since: args.since.map(time) };
    let selected: Box<dyn Iterator<Item = _>> = if is_filtered {
        Box::new(runs.filtered(filter).map_err(|failure| unreadable(&failure))?)
    } else {
        Box::new(runs.newest_first().map_err(|failure| unreadable(&failure))?)
    };
    if args.stat {
        let all: Vec<Run> = selected.collect::<Result<_, _>>().map_err(|failure| unreadable(&failure))?;
        session.ui.data(Statistics::of(&all));
        return Ok(Exit::Success);
    }
    let mut selected = selected.peekable();
    if selected.peek().is_none() && !session.flags.json {
        session.ui.data(if is_filtered { "No run matches.\n" } else { "No run was recorded yet.\n" });
    }
    for run in selected.by_ref().take(args.limit) {
        let run = run.map_err(|failure| unreadable(&failure))?;
        if session.flags.json {
            session.ui.json_line(&wire(&run));
        } else if args.resource.is_some() {
            show(&run, &root, session);
        } else {
            let line = list_line(&run, &root, session.ui.data_paint());
            session.ui.data(line);
        }
    }
    if selected.peek().is_some() && !session.flags.json {
        session.ui.talk("There are older runs; show more with --limit.\n");
    }
    Ok(Exit::Success)
}

/// Kinds and identities of the applied resources with this address, which may have had another one in earlier runs.
fn with_address(address: &str, records: &Records) -> Vec<(String, String)> {
    let Ok((applied, _)) = records.read_applied() else { return Vec::new() };
    let found = applied.all().filter(|one| one.address == address);
    found.map(|one| (one.key.kind.clone(), one.key.identity.clone())).collect()
}

fn show(run: &Run, own_root: &str, session: &mut Session) -> Exit {
    if session.flags.json {
        session.ui.json_line(&wire(run));
        return Exit::Success;
    }
    let page = RunPage { run, own_root, paint: session.ui.data_paint(), verbose: session.flags.verbose };
    session.ui.data(page);
    if let Some(damage) = &run.damage {
        session.ui.talk(format_args!("warning: {damage}\n"));
    }
    Exit::Success
}

fn verify(runs: &Runs, session: &mut Session) -> Result<Exit, CliError> {
    let broken = runs.verify().map_err(|failure| unreadable(&failure))?;
    verified(broken, session)
}

fn verify_log(path: &Path, session: &mut Session) -> Result<Exit, CliError> {
    let text = text_files::read(path, &LocalHost::new())?;
    verified(verify_audit_log(text.as_bytes(), &path.display().to_string()), session)
}

fn verified(broken: Option<BrokenChain>, session: &mut Session) -> Result<Exit, CliError> {
    match broken {
        None => {
            session.ui.data("Every line of the history is as it was written.\n");
            Ok(Exit::Success)
        }
        Some(broken) => Err(CliError::new(format!("the history was changed or damaged: {broken}"))),
    }
}

fn too_new(journal: &Journal) -> CliError {
    let version = journal.newer().map(ToString::to_string).unwrap_or_default();
    CliError::new(format!("a newer version wrote this journal: {version}")).hint("use that version")
}

fn unreadable(failure: &uphold::journal::Failure) -> CliError {
    CliError::new("cannot read the history").because(failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_times() {
        for text in ["2d", "90m", "1h30m", "2026-11-17", "2026-11-17T12:00", "2026-11-17T12:00:00Z"] {
            assert!(since(text).is_ok(), "{text}");
        }
        for text in ["", "yesterday", "17.11.2026", "d", "-2d"] {
            assert!(since(text).is_err(), "{text}");
        }
    }
}
