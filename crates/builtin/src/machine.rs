//! What kind of machine it is, as far as kinds go by that.

use std::time::Duration;

use uphold_resource::{Error, ErrorKind, Reading, Result, Value, Want};

/// How often what only the kernel knows, and nobody reports, is looked at in a watch.
pub(crate) const LIVE: Duration = Duration::from_secs(5);

/// Whether this is the machine that runs, and not the files of one below another root.
pub(crate) fn is_running(host: &Reading<'_>) -> Result<bool> {
    Ok(host.facts().fact("is_running")? == Value::Bool(true))
}

/// Whether the system is Debian or made from it.
pub(crate) fn is_debian(host: &Reading<'_>) -> Result<bool> {
    Ok(host.facts().fact("os.family")? == Value::text("debian"))
}

/// Fails below another root: `what` needs a kernel that runs. The fix is `hint`.
pub(crate) fn must_run(what: &str, hint: &str, host: &Reading<'_>) -> Result<()> {
    if is_running(host)? {
        return Ok(());
    }
    let what = format!("{what} needs a machine that runs, and below another root none does");
    Err(Error::new(ErrorKind::Unsupported, what).hint(hint))
}

/// Completes a wish about the running machine that is true unless the user says otherwise: below another
/// root, where nothing runs, it is left out. To ask for it there is an error; `what` says what was asked.
pub(crate) fn complete(wish: &mut Want<bool>, what: &str, host: &Reading<'_>) -> Result<()> {
    match wish.get() {
        Some(true) => must_run(what, "leave it out for an image", host),
        Some(false) => Ok(()),
        None if is_running(host)? => Ok(()),
        None => {
            *wish = Want::of(false);
            Ok(())
        }
    }
}
