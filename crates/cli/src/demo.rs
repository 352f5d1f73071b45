//! The built-in example of `--demo`, and its root directory.

use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use uphold::resource::{Access, Clock, FileEdits, Files};
use uphold::{LocalHost, Mode};

use crate::report::show_error;
use crate::text_files::absolute;
use crate::{CliError, Session};

/// The name and the text of the example.
pub(crate) const TEXT: (&str, &str) = ("demo.hcl", include_str!("demo.hcl"));

/// The mode of the root directory.
const ACCESS: Access = Access { mode: Some(0o755), uid: None, gid: None };

/// Acts in the root directory of the example: `--root`, which apply creates if it is missing, or a new temporary
/// directory. That of a plan is removed; that of an apply stays, so that the user can look at it.
pub(crate) fn in_root<T>(
    mode: Mode,
    session: &mut Session,
    act: impl FnOnce(&mut Session) -> T,
) -> Result<T, CliError> {
    let host = LocalHost::new();
    if let Some(root) = &session.flags.root {
        let root = absolute(root)?;
        if mode == Mode::Apply && host.look(&root)?.is_none() {
            host.make_directory(&root, &ACCESS)?;
        }
        return Ok(act(session));
    }
    let root = temporary_directory().join(unique_name(&host));
    host.make_directory(&root, &ACCESS)?;
    session.flags.root = Some(root.clone());
    let result = act(session);
    match mode {
        Mode::Plan => {
            host.remove_directory(&root).unwrap_or_else(|error| show_error(&error.into(), &mut session.ui));
        }
        Mode::Apply => {
            let again = session.flags.command("apply").word("--demo");
            let root = root.display();
            session.ui.talk(format_args!("The root of the example is {root}. Apply it again: {again}\n"));
        }
    }
    Ok(result)
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
