//! The embedded example, and a folder for it.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use uphold::resource::{Access, Clock, FileEdits, Files};
use uphold::{LocalHost, Mode};

use crate::error::CliError;
use crate::session::Session;
use crate::ui::Ui;

/// The example, with its name.
pub(crate) const TEXT: (&str, &str) = ("demo.hcl", include_str!("demo.hcl"));

/// How the folder is made.
const ACCESS: Access = Access { mode: Some(0o755), uid: None, gid: None };

/// Gives the example a folder that stands for the machine: what `--root` names, which apply makes
/// if it is missing, or a new one among the temporary files. Returns the new one.
pub(crate) fn prepare_root(mode: Mode, session: &mut Session) -> Result<Option<PathBuf>, CliError> {
    let host = LocalHost::new();
    match &session.flags.root {
        Some(root) if mode == Mode::Apply => make_if_missing(root, &host).map(|()| None),
        Some(_) => Ok(None),
        None => {
            let root = temporary_directory().join(name(&host));
            host.make_directory(&root, &ACCESS)?;
            session.flags.root = Some(root.clone());
            Ok(Some(root))
        }
    }
}

/// A planned example leaves nothing behind; an applied one is there to be looked at.
pub(crate) fn part_with(root: &Path, mode: Mode, ui: &mut Ui) -> Result<(), CliError> {
    match mode {
        Mode::Plan => LocalHost::new().remove_directory(root)?,
        Mode::Apply => ui.talk(format_args!(
            "The example's machine is {root}. Again: uphold apply --demo --root {root}\n",
            root = root.display()
        )),
    }
    Ok(())
}

fn make_if_missing(root: &Path, host: &LocalHost) -> Result<(), CliError> {
    let nowhere = |error| CliError::new("there is no current directory").because(&error);
    let root = std::path::absolute(root).map_err(nowhere)?;
    if host.look(&root)?.is_none() {
        host.make_directory(&root, &ACCESS)?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the command takes up what its user set; no library does")]
fn temporary_directory() -> PathBuf {
    std::env::temp_dir()
}

/// A name that nobody else has: making it would fail otherwise.
fn name(host: &LocalHost) -> String {
    let now = host.now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("uphold-demo-{}-{}", std::process::id(), now.subsec_nanos())
}
