//! The built-in example of `--demo`, and its root directory.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use uphold::resource::{Access, Clock, FileEdits, Files};
use uphold::{LocalHost, Mode};

use crate::text_files::absolute;
use crate::{CliError, Session, Ui};

/// The name and the text of the example.
pub(crate) const TEXT: (&str, &str) = ("demo.hcl", include_str!("demo.hcl"));

/// The mode of the root directory.
const ACCESS: Access = Access { mode: Some(0o755), uid: None, gid: None };

/// Sets the root directory of the example: `--root`, which apply creates if it is missing, or a new temporary
/// directory, which is returned.
pub(crate) fn prepare_root(mode: Mode, session: &mut Session) -> Result<Option<PathBuf>, CliError> {
    let host = LocalHost::new();
    if let Some(root) = &session.flags.root {
        let root = absolute(root)?;
        if mode == Mode::Apply && host.look(&root)?.is_none() {
            host.make_directory(&root, &ACCESS)?;
        }
        return Ok(None);
    }
    let root = temporary_directory().join(unique_name(&host));
    host.make_directory(&root, &ACCESS)?;
    session.flags.root = Some(root.clone());
    Ok(Some(root))
}

/// Removes the temporary directory of a plan; that of an apply stays, so that the user can look at it.
pub(crate) fn leave_root(root: &Path, mode: Mode, ui: &mut Ui) -> Result<(), CliError> {
    match mode {
        Mode::Plan => LocalHost::new().remove_directory(root)?,
        Mode::Apply => ui.talk(format_args!(
            "The root of the example is {root}. Apply it again: uphold apply --demo --root {root}\n",
            root = root.display()
        )),
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "only the command reads the environment, no library does")]
fn temporary_directory() -> PathBuf {
    std::env::temp_dir()
}

/// A new name; creating the directory fails if another process took it.
fn unique_name(host: &LocalHost) -> String {
    let now = host.now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("uphold-demo-{}-{}", std::process::id(), now.subsec_nanos())
}
