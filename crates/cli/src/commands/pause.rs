//! `uphold pause`.

use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;
use uphold::LocalHost;
use uphold::journal::{Pause, system_time, time as stored_time};
use uphold::model::parse_duration;
use uphold::resource::{Accounts, Clock};
use uphold_wire::{Format, ListedPause, PauseList};

use crate::address_pattern::AddressPattern;
use crate::journal::StoredPauses;
use crate::time_text::Now;
use crate::{CliError, Exit, Session, clean};

const EXAMPLES: &str = "\
Examples:
  uphold pause                                       everything, for two hours
  uphold pause service.nginx --for 30m               one resource
  uphold pause module.web --why 'disk is replaced'   everything in a module
  uphold pause 'file[\"/etc/nginx/*\"]' 'package.*'    patterns
  uphold pause --list                                what is paused, by whom, and until when
  uphold resume                                      end all pauses";

/// Leave resources unchanged for a while
///
/// Until the pause expires, plan, apply and watch check the paused resources, report how they differ, and do not change
/// them. Their dependents go on. A notification to a paused resource is delivered after the pause. Without RESOURCES,
/// everything is paused.
///
/// A running watch takes notice at once, and repairs the resources when the pause ends. `uphold resume` ends it early.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PauseArgs {
    /// Resource, block with for_each, or module; * and ? are wildcards [default: everything]
    #[arg(value_name = "RESOURCES")]
    resources: Vec<AddressPattern>,
    /// Expire after this long
    #[arg(long = "for", value_name = "DURATION", value_parser = span, default_value = "2h")]
    span: Duration,
    /// Reason, for others who see the pause
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// List the pauses, and pause nothing
    #[arg(long, conflicts_with_all = ["resources", "span", "why"])]
    list: bool,
}

/// Longer ones are mistakes: a setting of the configuration, such as `audit`, is for good.
const LONGEST: Duration = Duration::from_hours(24 * 365);

fn span(text: &str) -> Result<Duration, String> {
    let span = parse_duration(text).filter(|span| !span.is_zero());
    let span = span.ok_or("write a duration such as 30m, 2h or 1h30m")?;
    if span > LONGEST { Err("a pause lasts at most a year".to_owned()) } else { Ok(span) }
}

pub(crate) fn run(args: &PauseArgs, session: &mut Session) -> Result<Exit, CliError> {
    let PauseArgs { resources, span, why, list } = args;
    let stored = StoredPauses::open(session)?;
    if *list {
        let pauses = stored.list(&mut session.ui)?;
        show(&pauses, session);
        return Ok(Exit::Success);
    }
    let now = LocalHost::new().now();
    let until = now + *span;
    // It is shown on one line.
    let reason = why.iter().flat_map(|why| why.split_whitespace()).collect::<Vec<_>>().join(" ");
    stored.add(resources, until, Some(reason).filter(|reason| !reason.is_empty()))?;
    if session.flags.json {
        let pauses = stored.list(&mut session.ui)?;
        show(&pauses, session);
    } else if !session.flags.quiet {
        paused(resources, until, now, session);
        warn_of_uncovered(resources, now, session);
    }
    Ok(Exit::Success)
}

fn paused(resources: &[AddressPattern], until: SystemTime, now: SystemTime, session: &mut Session) {
    let until = Now::new(now, TimeZone::system()).clock(until);
    let names: Vec<String> = resources.iter().map(ToString::to_string).collect();
    let what = if names.is_empty() { "everything".to_owned() } else { names.join(", ") };
    let resume = names.iter().fold(session.flags.command("resume"), |resume, name| resume.word(name));
    session.ui.data(format_args!("Paused {} until {until}.\n", clean(&what)));
    session.ui.data(format_args!("To resume: {resume}\n"));
    let is_own = session.flags.state.is_none() && session.flags.root.is_none();
    if is_own && LocalHost::new().current_uid() != 0 {
        session.ui.talk("note: this pauses the runs of this user; those of root have pauses of their own\n");
    }
}

/// Warns of addresses that cover no resource that was applied here. They may name a resource that is yet to be applied.
fn warn_of_uncovered(resources: &[AddressPattern], now: SystemTime, session: &mut Session) {
    let Ok(journal) = session.journal() else { return };
    let applied = journal.records().and_then(|records| records.applied(stored_time(now)).ok());
    let applied =
        applied.map(|(applied, _)| applied.all().map(|one| one.address.clone()).collect::<Vec<_>>());
    let Some(applied) = applied.filter(|applied| !applied.is_empty()) else { return };
    let covers = |pattern: &AddressPattern| applied.iter().any(|address| pattern.covers_address(address));
    for pattern in resources.iter().filter(|pattern| !covers(pattern)) {
        let name = pattern.to_string();
        let name = clean(&name);
        session.ui.talk(format_args!("warning: {name} covers no resource that was applied here\n"));
    }
}

/// Prints pauses, for people or as JSON.
pub(super) fn show(pauses: &[Pause], session: &mut Session) {
    if session.flags.json {
        let pauses = pauses.iter().cloned().map(|pause| ListedPause {
            addresses: pause.addresses,
            by: pause.user,
            reason: pause.reason,
            since: system_time(pause.since),
            until: system_time(pause.until),
        });
        let format_version = PauseList::VERSION;
        session.ui.json_line(&PauseList { format_version, pauses: pauses.collect() });
        return;
    }
    if pauses.is_empty() {
        session.ui.data("Nothing is paused.\n");
    }
    let now = Now::new(LocalHost::new().now(), TimeZone::system());
    for pause in pauses {
        let words = now.paused(system_time(pause.until), &pause.user, pause.reason.as_deref());
        session.ui.data(format_args!("{}: {words}\n", clean(&names(pause))));
    }
}

/// The paused resources, for people.
pub(super) fn names(pause: &Pause) -> String {
    if pause.is_total() { "everything".to_owned() } else { pause.addresses.join(", ") }
}
