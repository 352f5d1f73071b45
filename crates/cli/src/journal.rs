//! The journal of the managed machine, as commands use it.

mod audit_log;
mod commit;
mod lock;
mod pauses;
mod recorded_runs;
mod recording;
mod subject;
mod who;

use std::path::{Path, PathBuf};

use uphold::LocalHost;
use uphold::journal::{Journal, Location, Problem, Surroundings};
use uphold::resource::{Accounts, ErrorKind};

pub(crate) use lock::{LockFlags, LockTimeout, LockedJournal};
pub(crate) use pauses::{MachinePauses, StoredPauses};
pub(crate) use recorded_runs::{RecordedRuns, RunToUndo, run_number, run_words};
pub(crate) use recording::{Recording, plan_journal};
pub(crate) use subject::Subject;
pub(crate) use who::who;

use crate::{CliError, Session};

/// The environment variable with the state directory; `--state` overrides it.
const STATE: &str = "UPHOLD_STATE";

impl Session {
    /// The journal of the managed machine. It may not exist yet.
    pub(crate) fn journal(&self) -> Result<Journal, CliError> {
        let directory = self.flags.state.clone().or_else(|| variable(STATE).map(PathBuf::from));
        let (state_home, home) = (variable("XDG_STATE_HOME"), variable("HOME"));
        let location = Location::find(&Surroundings {
            directory: directory.as_deref(),
            root: self.flags.root.as_deref(),
            is_root: LocalHost::new().current_uid() == 0,
            state_home: state_home.as_deref().map(Path::new),
            home: home.as_deref().map(Path::new),
        });
        let Some(location) = location else {
            return Err(
                CliError::new("there is no place for the journal: HOME is not set").hint("use --state DIR")
            );
        };
        if let Location::Path(path) = &location {
            check_trusted_location(path)?;
        }
        Journal::open(location).map_err(|problem| unusable(&problem))
    }
}

/// Another user who can redirect the path would choose where this user writes.
fn check_trusted_location(path: &Path) -> Result<(), CliError> {
    let path = uphold::current_directory()?.join(path);
    for path in path.ancestors() {
        match uphold::check_trusted(path) {
            // The nearest existing path is enough: the check includes all directories above it.
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::Missing => {}
            Err(error) => {
                return Err(CliError::new("cannot use the state directory").because(&error).hint(ELSEWHERE));
            }
        }
    }
    Ok(())
}

const ELSEWHERE: &str = "choose one that only you and root can write, with --state DIR";

impl Session {
    /// The root of the managed machine, without links.
    #[expect(
        clippy::disallowed_methods,
        reason = "the root is a directory of this machine, whatever is managed"
    )]
    pub(crate) fn root_name(&self) -> Result<String, CliError> {
        let Some(root) = &self.flags.root else { return Ok("/".to_owned()) };
        let absolute = || Ok::<_, CliError>(uphold::current_directory()?.join(root));
        let root = root.canonicalize().or_else(|_| absolute())?;
        Ok(root.display().to_string())
    }

    /// The root whose runs count; none if all do, because the state directory is a part of the root.
    pub(crate) fn root_of_runs(&self) -> Result<Option<String>, CliError> {
        let is_shared = self.flags.state.is_some() || variable(STATE).is_some();
        if is_shared { self.root_name().map(Some) } else { Ok(None) }
    }
}

/// Another user could write into an untrusted directory, and so choose what this user runs.
fn unusable(problem: &Problem) -> CliError {
    let error = CliError::new("cannot use the state directory").because(problem);
    match problem {
        // Its content may be forged: it must not be made one's own.
        Problem::Untrusted(..) => error.hint(ELSEWHERE),
        Problem::Io(..) => error.hint("choose another one with --state DIR"),
    }
}

#[expect(clippy::disallowed_methods, reason = "only the command reads the environment, no library does")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
