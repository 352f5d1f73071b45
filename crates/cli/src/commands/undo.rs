//! `uphold undo`.

use uphold::journal::{ActionBegin, Records, Run, UndoRequest};

use crate::address::{self, Address};
use crate::journal::{LockFlags, LockedJournal, RecordedRuns, RunToUndo, Subject, run_number, run_words};
use crate::reversal::{Confirmation, Reversal, WayBack};
use crate::run::refuse;
use crate::{CliError, Exit, Session};

const EXAMPLES: &str = "\
Examples:
  uphold undo                               undo the newest run, after a question
  uphold undo 812                           undo run 812
  uphold undo 812 --target service.nginx    only this resource
  uphold undo --yes                         do not ask";

/// Bring back the state before a run
///
/// A resource that the run created is removed, a removed one is created again, and an updated one gets the previous
/// values of the properties that the run changed. A resource that was changed since is left as it is. The effects of
/// commands and of actions such as `restart` cannot be undone. Everything that is not undone is listed with the reason.
/// A change that repaired drift, as in most runs of a watch, is undone like any other: the drift comes back.
///
/// The changes are shown first, and made after a question. They are a run of their own, which can be undone as well.
/// Nothing is notified.
///
/// Without RUN, the newest run is undone that changed a state, as far as it is not undone already. An undo does not count;
/// one that was interrupted is continued.
///
/// Exit code 0: every change of the run is undone. 1: something failed, or a state could not be brought back. 2: the
/// question was answered no, or there was no terminal to ask.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct UndoArgs {
    /// Number of the run
    #[arg(value_parser = run_number)]
    run: Option<u64>,
    /// Only this resource; can be repeated
    ///
    /// An address such as 'file["/etc/motd"]', service.nginx or module.web.
    #[arg(long = "target", value_name = "ADDRESS")]
    targets: Vec<Address>,
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    lock: LockFlags,
}

pub(crate) fn run(args: &UndoArgs, session: &mut Session) -> Result<Exit, CliError> {
    let undone = args.lock.lock("undo", &Subject::default(), session);
    let undone = undone.and_then(|locked| undo(args, locked, session));
    Ok(undone.unwrap_or_else(|error| refuse(&error, session)))
}

fn undo(args: &UndoArgs, locked: Option<LockedJournal>, session: &mut Session) -> Result<Exit, CliError> {
    let runs = RecordedRuns::open(session)?;
    let found = match args.run {
        Some(number) => Some(runs.get(number)?),
        None => runs.newest_to_undo(|found| is_left_to_undo(found, runs.records(), session))?,
    };
    let Some(found) = found else {
        session.ui.talk("There is no run to undo.\n");
        return Ok(Exit::Success);
    };
    expect_undamaged(&found.run, session)?;
    expect_targets(&args.targets, &found.run)?;
    let selects = |begin: &ActionBegin| {
        let is_target =
            args.targets.is_empty() || args.targets.iter().any(|address| address.covers_text(&begin.address));
        is_target && !found.undone.contains(found.run.begin.run, begin)
    };
    let back = way_back(&found, &selects, runs.records(), session)?;
    let undeclared = back.undeclared(&found.run, &selects);
    let run = found.run;
    let number = run.begin.run;
    Reversal {
        verb: "undo",
        heading: format!("Undo of {}:", run_words(&run)),
        question: "Undo",
        nothing: format!("Everything is as before run {number}."),
        back,
        subject: Subject::of_undo(&run, Some(number)),
        declared_by: Some(run.begin.paths).filter(|_| run.begin.mode != "undo"),
        undeclared,
    }
    .carry_out(args.confirmation, locked, session)
}

/// Compares the machine with the states before the selected actions of a run.
fn way_back(
    found: &RunToUndo,
    selects: &dyn Fn(&ActionBegin) -> bool,
    records: &Records,
    session: &Session,
) -> Result<WayBack, CliError> {
    let runs = std::slice::from_ref(&found.run);
    let request =
        UndoRequest { runs, later: &found.later, selects, skips_changes_between: false, only_values: false };
    WayBack::new(&request, records, session)
}

/// Whether something of a run can still be undone. A run whose changes are all refused counts until something of it was
/// undone: a user has to see the reasons, but must not be held up by them.
fn is_left_to_undo(found: &RunToUndo, records: &Records, session: &Session) -> Result<bool, CliError> {
    let number = found.run.begin.run;
    if found.run.damage.is_some() {
        return Ok(true);
    }
    let back = way_back(found, &|begin| !found.undone.contains(number, begin), records, session)?;
    Ok(back.changes_something() || (back.leaves_state() && !found.undone.has_any(number)))
}

fn expect_undamaged(run: &Run, session: &Session) -> Result<(), CliError> {
    let Some(damage) = &run.damage else { return Ok(()) };
    let error = CliError::new(format!("run {} cannot be undone: {damage}", run.begin.run));
    let restore = session.flags.command("restore").word("FILE");
    Err(error.hint(format!("`{restore}` brings one file back, if its record is not damaged")))
}

/// Fails if the run did nothing with one of the targets.
fn expect_targets(targets: &[Address], run: &Run) -> Result<(), CliError> {
    let addresses = || run.actions.iter().map(|action| &action.begin.address);
    let unused = targets.iter().find(|target| !addresses().any(|address| target.covers_text(address)));
    let Some(target) = unused else { return Ok(()) };
    let message = format!("--target {target}: run {} did not change it", run.begin.run);
    let names: Vec<String> = addresses().cloned().collect();
    Err(address::unknown(target, message, &names, "leave out --target to undo the whole run"))
}
