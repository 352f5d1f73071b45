//! Paths that other users cannot redirect.

use std::path::Path;

use uphold_resource::{
    Error, ErrorKind, Reading, Result, UNSAFE_LINK_HINT, Writers, trusted_path, untrusted_words,
};

/// Fails if another user could replace the file at `path` or one of its parent directories, or create it.
///
/// Programs that write to a device or a whole file take a path. If other users could plant a link, they would
/// choose what is overwritten. Otherwise the path refers to the same file until the program has ended.
///
/// # Errors
/// [`ErrorKind::UnsafeLink`].
pub(super) fn check(path: &Path, host: &Reading<'_>) -> Result<()> {
    let writers = Writers::root_and(host.accounts().current_uid());
    let place = match trusted_path(path, &writers, host)? {
        Ok(place) => place,
        Err(why) => return Err(refusal(path, &why)),
    };
    // In a sticky directory, other users can create a missing name.
    for directory in place.ancestors().skip(1) {
        let Some(found) = host.files().look(directory)? else { continue };
        return match writers.untrusted_reason(&found, host) {
            Some(doubt) => Err(refusal(path, &untrusted_words(doubt, directory, host)?)),
            None => Ok(()),
        };
    }
    Ok(())
}

fn refusal(path: &Path, why: &str) -> Error {
    let what = format!("{} is not safe to overwrite: {why}", path.display());
    Error::new(ErrorKind::UnsafeLink, what).hint(UNSAFE_LINK_HINT)
}
