//! Runs the programs of one manifest, one at a time unless it allows more.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use uphold_resource::{Command, Error, ErrorKind, Exit, Level, Output, Reading, Result};

use super::call::Call;
use super::command::{Inputs, command};
use super::failure::failure;
use super::trace::{Line, lines};
use crate::manifest::{Manifest, SecurityContext};

/// Starts a command, either to load or to change a resource.
pub(crate) type Start<'a> = &'a dyn Fn(&Command) -> Result<Output>;

/// The programs of one manifest.
#[derive(Debug, Default)]
pub(crate) struct Runner {
    /// Held while a program runs: a manifest does not tell what is safe to run concurrently.
    turn: Mutex<()>,
}

impl Runner {
    /// Runs a program to its end.
    ///
    /// # Errors
    /// If it cannot be started, does not exit with status 0, or times out.
    pub(crate) fn run(
        &self,
        manifest: &Manifest,
        call: &Call<'_>,
        host: &Reading<'_>,
        start: Start<'_>,
    ) -> Result<Output> {
        let what = format!("cannot `{}` {}", call.operation, manifest.type_name);
        check_user(manifest, call, host)?;
        let inputs = Inputs {
            type_name: &manifest.type_name,
            version: &manifest.version,
            path: &manifest.path_argument(),
            content: manifest.content(),
        };
        let mut command = command(call, &inputs)?;
        command.dir = Some(manifest.directory.clone());
        command.only_trusted = true;
        command.timeout = Some(manifest.own.timeout.unwrap_or(call.operation.default_timeout()));
        let _turn =
            (!manifest.own.parallel).then(|| self.turn.lock().unwrap_or_else(PoisonError::into_inner));
        let output = begin(manifest, command, host, start).map_err(|error| error.while_(&what))?;
        let said = if call.secret { Vec::new() } else { lines(&output.stderr) };
        report(&said, host);
        if output.dropped > 0 {
            let dropped = output.dropped;
            let text = format!(
                "its program wrote too much to standard error: the first {dropped} bytes were dropped"
            );
            host.report(Level::Warning, &text);
        }
        if output.success() {
            return Ok(output);
        }
        let meaning = match output.exit {
            Exit::Code(code) => manifest.exit_codes.get(&code),
            _ => None,
        };
        Err(failure(&what, &output, meaning, &said))
    }
}

/// Starts the program from `PATH`, or else from the manifest's directory. A program that could not be started has
/// changed nothing.
fn begin(manifest: &Manifest, mut command: Command, host: &Reading<'_>, start: Start<'_>) -> Result<Output> {
    let beside = manifest.directory.join(&command.program);
    let is_beside = command.program.contains('/');
    if is_beside {
        command.program = text(&beside);
    }
    let started = start(&command);
    if !started.as_ref().is_err_and(|error| error.kind() == ErrorKind::Missing) {
        return started;
    }
    check_directory(manifest, host)?;
    if is_beside || host.files().look(&beside)?.is_none() {
        return started;
    }
    command.program = text(&beside);
    start(&command)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn check_user(manifest: &Manifest, call: &Call<'_>, host: &Reading<'_>) -> Result<()> {
    let is_root = host.accounts().current_uid() == 0;
    let (users, hint) = match call.method.context {
        SecurityContext::Elevated if !is_root => ("only by root", "run Uphold as root"),
        SecurityContext::Restricted if is_root => {
            ("only by users other than root", "run Uphold as another user")
        }
        _ => return Ok(()),
    };
    let what = format!("`{}` of {} may be run {users}", call.operation, manifest.type_name);
    Err(Error::new(ErrorKind::Denied, what).hint(hint))
}

/// Below another root, programs run inside, so the directory must exist there.
fn check_directory(manifest: &Manifest, host: &Reading<'_>) -> Result<()> {
    if host.files().look(&manifest.directory)?.is_some() {
        return Ok(());
    }
    let directory = manifest.directory.display();
    let what = format!(
        "cannot run {}: the directory of its manifest, {directory}, does not exist there",
        manifest.type_name
    );
    let hint =
        "with --root its program runs inside the root: put manifest and program at the same path there";
    Err(Error::new(ErrorKind::Missing, what).hint(hint))
}

fn report(said: &[Line], host: &Reading<'_>) {
    for line in said {
        if let Line::Message { level, text, .. } = line {
            host.report(*level, text);
        }
    }
}
