//! Search for the file of a program.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use uphold_resource::Command;

use crate::calls;
use crate::process::search_path;

/// A string that identifies the version of a program: its path, and the attributes that change with the file. `program` is
/// searched in `PATH`, then in `directory`; `None` if it does not exist.
pub fn program_stamp(program: &str, directory: &Path) -> Option<String> {
    let command = Command { dir: Some(directory.to_owned()), ..Command::new(program, [""; 0]) };
    let path = find(&command).or_else(|| Some(directory.join(program)).filter(|path| is_executable(path)))?;
    let about = calls::metadata(&path).ok()?;
    let (dev, ino, size) = (about.dev(), about.ino(), about.size());
    let times = [about.mtime(), about.mtime_nsec(), about.ctime(), about.ctime_nsec()];
    Some(format!("{} {dev} {ino} {size} {times:?}", path.display()))
}

/// The file that the system executes for a command on this machine; `None` if it would not start.
pub(crate) fn find(command: &Command) -> Option<PathBuf> {
    let from = command.dir.as_deref().unwrap_or(Path::new("."));
    if command.program.contains('/') {
        return Some(from.join(&command.program)).filter(|path| is_executable(path));
    }
    let mut places =
        search_path(command).into_iter().map(|directory| from.join(directory).join(&command.program));
    places.find(|path| is_executable(path))
}

/// Whether this is a file that any user may execute.
pub(crate) fn is_executable(path: &Path) -> bool {
    calls::metadata(path).is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}
