//! `uphold restore`.

use std::path::{Component, Path, PathBuf};

use uphold::journal::{ActionBegin, Run, UndoRequest};

use crate::journal::{LockFlags, LockedJournal, RecordedRuns, Subject, run_number, run_words};
use crate::reversal::{Confirmation, Reversal, WayBack};
use crate::run::refuse;
use crate::{CliError, Exit, Session};

/// The kind whose name is the path of a whole file.
const FILE: &str = "file";

const EXAMPLES: &str = "\
Examples:
  uphold restore /etc/ssh/sshd_config             as before the newest run that changed it
  uphold restore /etc/ssh/sshd_config --at 812    as before run 812";

/// Bring back the previous content of a file
///
/// The file gets the content that it had before the newest run that changed it, and its mode and owner if the run changed
/// them. A file that the run created is removed. If the file was changed since, it is left as it is.
///
/// The change is shown first, and made after a question. It is a run of its own, which can be undone.
///
/// Exit code 0: the file is as before the run. 1: something failed, or the file was changed since. 2: the question was
/// answered no, or there was no terminal to ask.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RestoreArgs {
    /// Path of the file
    file: PathBuf,
    /// As it was before this run [default: the newest that changed the file]
    #[arg(long, value_name = "RUN", value_parser = run_number)]
    at: Option<u64>,
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    lock: LockFlags,
}

pub(crate) fn run(args: &RestoreArgs, session: &mut Session) -> Result<Exit, CliError> {
    let locked = args.lock.lock("restore", &Subject::default(), session);
    let restored = locked.and_then(|locked| restore(args, locked, session));
    Ok(restored.unwrap_or_else(|error| refuse(&error, session)))
}

fn restore(
    args: &RestoreArgs,
    locked: Option<LockedJournal>,
    session: &mut Session,
) -> Result<Exit, CliError> {
    let runs = RecordedRuns::open(session)?;
    let file = absolute(&args.file)?;
    let path = file.to_string_lossy();
    let concerns = |begin: &ActionBegin| concerns(begin, &path);
    let changed = |run: &Run| run.actions.iter().any(|action| concerns(&action.begin));
    let since = match args.at {
        Some(number) => {
            runs.get(number)?;
            runs.since(number)?
        }
        None => runs.until(changed)?,
    };
    let since: Vec<Run> = since.into_iter().filter(changed).collect();
    let Some(oldest) = since.last() else {
        let error = CliError::new(format!("no recorded run changed {path}"));
        return Err(match args.at {
            Some(number) => CliError::new(format!("neither run {number} nor a later one changed {path}")),
            None => error,
        });
    };
    let (heading, subject) =
        (format!("{path} as before {}:", run_words(oldest)), Subject::of_undo(oldest, None));
    let declared_by = Some(oldest.begin.paths.clone());
    let request = UndoRequest {
        runs: &since,
        later: &[],
        selects: &concerns,
        skips_changes_between: args.at.is_some(),
        only_values: false,
    };
    let back = WayBack::new(&request, runs.records(), session)?;
    let nothing = format!("{path} is as before run {}.", oldest.begin.run);
    Reversal {
        verb: "restore",
        heading,
        question: "Restore",
        nothing,
        back,
        subject,
        declared_by,
        undeclared: Vec::new(),
    }
    .carry_out(args.confirmation, locked, session)
}

/// Whether an action changed the file, or a part of it.
fn concerns(begin: &ActionBegin, path: &str) -> bool {
    let edited = begin.recovery.as_ref().and_then(|recovery| recovery.file.as_ref());
    (begin.key.kind == FILE && begin.key.identity == path) || edited.is_some_and(|file| file.path == path)
}

/// The path from the root, without `.` and `..`. Links are not resolved: a resource has the path as declared.
fn absolute(path: &Path) -> Result<PathBuf, CliError> {
    let mut absolute = uphold::current_directory()?;
    for part in path.components() {
        match part {
            Component::RootDir | Component::Prefix(_) => absolute = PathBuf::from("/"),
            Component::CurDir => {}
            Component::ParentDir => _ = absolute.pop(),
            Component::Normal(name) => absolute.push(name),
        }
    }
    Ok(absolute)
}
