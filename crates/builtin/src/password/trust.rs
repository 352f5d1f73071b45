//! Whether another user could have chosen a password.

use std::path::Path;

use uphold_resource::{Error, ErrorKind, Reading, Result, Writers, trusted_path, untrusted_words};

/// Fails if a user other than root, the user that Uphold runs as and the declared `owner` could have written the
/// file at `path`, or can replace it. A file that does not exist yet passes.
///
/// # Errors
/// [`ErrorKind::Rejected`].
pub(super) fn check(path: &Path, owner: Option<u32>, host: &Reading<'_>) -> Result<()> {
    let own = host.accounts().current_uid();
    let writers = Writers::root_and(own).and(owner.unwrap_or(own));
    let place = trusted_path(path, &writers, host)?.map_err(|why| refusal(path, &why))?;
    let found = host.files().look(&place)?;
    match found.and_then(|entry| writers.untrusted_reason(&entry, host)) {
        Some(doubt) => Err(refusal(path, &untrusted_words(doubt, &place, host)?)),
        None => Ok(()),
    }
}

fn refusal(path: &Path, why: &str) -> Error {
    let what = format!("another user could have chosen the password in {}: {why}", path.display());
    let hint =
        "use a path that only root can write to, or set `owner` to the user who may choose the password";
    Error::new(ErrorKind::Rejected, what).hint(hint)
}
