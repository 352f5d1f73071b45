//! Places that other users cannot lead elsewhere.

use std::path::Path;

use uphold_resource::{
    Error, ErrorKind, Reading, Result, UNSAFE_LINK_HINT, Writers, doubt_words, settled_path,
};

/// Fails if another user could exchange what is at `path`, or a directory on the way, or put something there.
///
/// Programs that write a device or a whole file take a path. If others could plant a link, they would choose what is
/// overwritten; since they cannot, the path means the same file until the program has ended.
///
/// # Errors
/// [`ErrorKind::UnsafeLink`].
pub(super) fn check(path: &Path, host: &Reading<'_>) -> Result<()> {
    let writers = Writers::root_and(host.accounts().current_uid());
    let place = match settled_path(path, &writers, host)? {
        Ok(place) => place,
        Err(why) => return Err(refusal(path, &why)),
    };
    // In a sticky directory, others can put something at a free name.
    for directory in place.ancestors().skip(1) {
        let Some(found) = host.files().look(directory)? else { continue };
        return match writers.doubt_of(&found, host) {
            Some(doubt) => Err(refusal(path, &doubt_words(doubt, directory, host)?)),
            None => Ok(()),
        };
    }
    Ok(())
}

fn refusal(path: &Path, why: &str) -> Error {
    let what = format!("{} is not safe to be overwritten: {why}", path.display());
    Error::new(ErrorKind::UnsafeLink, what).hint(UNSAFE_LINK_HINT)
}
