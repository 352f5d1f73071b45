//! `uphold pending`.

use jiff::tz::TimeZone;
use uphold::LocalHost;
use uphold::journal::{DueNotification, system_time, time};
use uphold::resource::Clock;
use uphold_wire::Format as _;
use uphold_wire::history::PendingNotification;

use crate::diagnostics::count;
use crate::journal::{LockTimeout, who};
use crate::time_text::Now;
use crate::{CliError, Exit, Session, clean};

const EXAMPLES: &str = "\
Examples:
  uphold pending                          list notifications that were not delivered
  uphold pending --drop service.nginx     forget those of a resource
  uphold pending --json | jq -r .address";

/// Show notifications that were not delivered yet
///
/// A notification, such as the reload of a service after its file changed, stays pending if its run was interrupted or
/// its action failed. The next apply or watch of the same configuration delivers it.
///
/// Exit code 2: something is pending.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PendingArgs {
    /// Forget the notifications of this resource; can be repeated
    #[arg(long, value_name = "ADDRESS")]
    drop: Vec<String>,
    #[command(flatten)]
    timeout: LockTimeout,
}

pub(crate) fn run(args: &PendingArgs, session: &mut Session) -> Result<Exit, CliError> {
    if !args.drop.is_empty() {
        return forget(args, session);
    }
    let journal = session.journal()?;
    let view = journal.read_pending().map_err(|failure| unreadable(&failure))?;
    if let Some(damage) = view.damage {
        session.ui.talk(format_args!("warning: {damage}\n"));
    }
    if session.flags.json {
        let is_pending = !view.due.is_empty();
        view.due.into_iter().for_each(|due| session.ui.json_line(&wire(due)));
        return Ok(Exit::of(true, is_pending));
    }
    if view.due.is_empty() {
        session.ui.data("No notification is pending.\n");
        return Ok(Exit::Success);
    }
    let now = Now::new(LocalHost::new().now(), TimeZone::system());
    let verb = if view.due.len() == 1 { "is" } else { "are" };
    session.ui.data(format_args!("{} {verb} pending:\n", count(view.due.len(), "notification")));
    for due in &view.due {
        let text = described(due, &now);
        session.ui.data(text);
    }
    let (pronoun, noun) = if view.due.len() == 1 { ("it", "it") } else { ("them", "one") };
    let forget = session.flags.command("pending").word("--drop").word(&view.due[0].address);
    session.ui.data(format_args!(
        "The next apply of the configuration delivers {pronoun}. To forget {noun}: {forget}\n"
    ));
    Ok(Exit::Pending)
}

fn described(due: &DueNotification, now: &Now) -> String {
    let DueNotification { address, verb, notifiers, more, run, time, error, target, .. } = due;
    let since = now.clock(system_time(*time));
    let run = run.map(|run| format!(" (run {run})")).unwrap_or_default();
    let more = if *more == 0 { String::new() } else { format!(" and {more} more") };
    let by = notifiers.join(", ");
    let mut text = format!("  {address} {verb}, since {since}{run}, because {by}{more} changed\n");
    if !target.configuration.is_empty() {
        text += &format!("    configuration: {}\n", target.configuration);
    }
    if let Some(error) = error {
        text += &format!("    delivery failed: {error}\n");
    }
    text.lines().map(|line| format!("{}\n", clean(line))).collect()
}

/// Drops notifications, under the lock: a run that delivers them must not write at the same time.
fn forget(args: &PendingArgs, session: &mut Session) -> Result<Exit, CliError> {
    let locked = args.timeout.lock("pending", Vec::new(), session)?;
    let now = time(LocalHost::new().now());
    let (pending, damage) = locked.journal().pending(now).map_err(|failure| unreadable(&failure))?;
    if let Some(damage) = damage {
        session.ui.talk(format_args!("warning: {damage}\n"));
    }
    let due = pending.due();
    if let Some(unknown) = args.drop.iter().find(|address| !due.iter().any(|due| due.address == **address)) {
        return Err(CliError::new(format!("no notification of {unknown} is pending"))
            .hint(format!("`{}` lists them", session.flags.command("pending"))));
    }
    let user = who().user;
    for one in due.iter().filter(|due| args.drop.contains(&due.address)) {
        pending.drop_due(one.n, &user);
        session.ui.data(format_args!("Forgot {} {}.\n", clean(&one.address), clean(&one.verb)));
    }
    pending.compact();
    match pending.failure() {
        Some(failure) => Err(CliError::new("cannot write the journal").because(&failure)),
        None => Ok(Exit::Success),
    }
}

fn unreadable(failure: &uphold::journal::Failure) -> CliError {
    CliError::new("cannot read the journal").because(failure)
}

fn wire(due: DueNotification) -> PendingNotification {
    PendingNotification {
        format_version: PendingNotification::VERSION,
        address: due.address,
        action: due.verb,
        since: due.time.to_string(),
        run: due.run,
        notifiers: due.notifiers,
        more_notifiers: due.more,
        configuration: due.target.configuration,
        error: due.error,
    }
}
