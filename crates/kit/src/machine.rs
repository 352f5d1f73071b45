//! Facts about the machine that several kinds need.

use std::time::Duration;

use uphold_resource::{Error, ErrorKind, Reading, Result, Value, Want, Wish};

/// How often a watch checks kernel state for which there are no change events.
pub const LIVE: Duration = Duration::from_secs(5);

/// Whether this is a running system, and not a file tree below another root.
pub fn is_running(host: &Reading<'_>) -> Result<bool> {
    Ok(host.facts().fact("is_running")? == Value::Bool(true))
}

/// Where paths of the machine are, for messages.
pub fn location(host: &Reading<'_>) -> String {
    match host.files().root() {
        Some(root) => format!("below the root directory {}", root.display()),
        None => "on the machine".to_owned(),
    }
}

/// Whether the system is Debian or a derivative.
pub fn is_debian(host: &Reading<'_>) -> Result<bool> {
    Ok(host.facts().fact("os.family")? == Value::text("debian"))
}

/// Fails below another root: `what` needs a running kernel.
pub fn must_run(what: &str, hint: &str, host: &Reading<'_>) -> Result<()> {
    if is_running(host)? {
        return Ok(());
    }
    let what = format!("{what} needs a running system, but the root is another directory (`--root`)");
    Err(Error::new(ErrorKind::Unsupported, what).hint(hint))
}

/// The wish for a property about the running system that defaults to true: below another root, where nothing runs, it
/// defaults to false. Setting it to true there is an error; `what` describes the property.
pub fn live_default(declared: &Want<bool>, what: &str, host: &Reading<'_>) -> Result<Wish<bool>> {
    match declared.get() {
        Some(true) => {
            must_run(what, "remove it when you build an image", host)?;
            Ok(Wish::Declared)
        }
        Some(false) => Ok(Wish::Declared),
        None => Ok(if is_running(host)? { Wish::Declared } else { Wish::Set(false) }),
    }
}
