//! The floor of a durable tree: all files are written, synced once, renamed, and their directories synced.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, fchown};
use std::path::Path;

use super::{below, owner, write_directory};
use crate::bench::configuration::{Content, DIRECTORIES, FILE_MODE, directory_path, file_path};

pub(super) fn write_all(root: &Path, count: usize) -> io::Result<()> {
    let owner = owner()?;
    let mut content = Content::new();
    let directories: Vec<_> = (0..DIRECTORIES).map(|index| below(root, &directory_path(index))).collect();
    fs::create_dir_all(below(root, "/srv"))?;
    directories.iter().try_for_each(|path| write_directory(path, owner))?;
    let files: Vec<_> = (0..count).map(|index| below(root, &file_path(index))).collect();
    for (index, path) in files.iter().enumerate() {
        write_temporary(&path.with_extension("new"), content.of(index), owner)?;
    }
    rustix::fs::syncfs(File::open(root)?)?;
    files.iter().try_for_each(|path| fs::rename(path.with_extension("new"), path))?;
    directories.iter().try_for_each(|path| File::open(path)?.sync_all())
}

fn write_temporary(path: &Path, content: &str, (user, group): (u32, u32)) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(content.as_bytes())?;
    fchown(&file, Some(user), Some(group))?;
    file.set_permissions(Permissions::from_mode(FILE_MODE))
}
