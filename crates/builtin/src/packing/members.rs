//! The content of a tar archive.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use tar::{Builder, EntryType, Header};
use uphold_kit::generated_file::unwritable;
use uphold_resource::{AbsolutePath, Entry, EntryKind, Error, ErrorKind, Reading, Result};

use crate::archive::PathPattern;

/// The files of an archive, and how they are named.
pub(crate) struct Members<'a> {
    pub(crate) inputs: &'a [AbsolutePath],
    pub(crate) base: Option<&'a AbsolutePath>,
    pub(crate) exclude: &'a [PathPattern],
    /// The archive itself, which is never included.
    pub(crate) archive: &'a Path,
}

/// A file to add.
struct Member {
    path: PathBuf,
    entry: Entry,
}

impl Members<'_> {
    /// Writes all files, sorted by name. Times and owners are not stored, so that the same files always give the
    /// same archive.
    pub(crate) fn pack(&self, to: &mut dyn Write, host: &Reading<'_>) -> Result<()> {
        let mut builder = Builder::new(to);
        for (name, member) in self.find(host)? {
            append(&mut builder, &name, &member, host)?;
        }
        builder.into_inner().map(drop).map_err(unwritable)
    }

    /// All files to add, by name in the archive. Costs one `lstat` for each.
    fn find(&self, host: &Reading<'_>) -> Result<BTreeMap<PathBuf, Member>> {
        let mut found = BTreeMap::new();
        for input in self.inputs {
            let mut ahead = vec![(input.to_path_buf(), name_of(input, self.base)?)];
            while let Some((path, name)) = ahead.pop() {
                if self.is_excluded(&path, &name) {
                    continue;
                }
                let entry = host.files().look(&path)?.ok_or_else(|| missing(&path))?;
                if entry.kind == EntryKind::Directory {
                    let inside = host.files().list(&path)?;
                    ahead.extend(inside.iter().map(|inside| (path.join(inside), name.join(inside))));
                }
                // The base directory itself has no name.
                if name.as_os_str().is_empty() {
                    continue;
                }
                if let Some(other) = found.insert(name.clone(), Member { path: path.clone(), entry })
                    && other.path != path
                {
                    return Err(twice(&name, &other.path, &path));
                }
            }
        }
        Ok(found)
    }

    /// The archive itself, and files that Uphold keeps next to it, are never included.
    fn is_excluded(&self, path: &Path, name: &Path) -> bool {
        let own = self.archive.file_name().unwrap_or_default().as_bytes();
        let sibling = path.parent() == self.archive.parent()
            && path
                .file_name()
                .is_some_and(|name| name.as_bytes().starts_with(&[b".", own, b".uphold-"].concat()));
        path == self.archive
            || sibling
            || self.exclude.iter().any(|pattern| pattern.matches(name.as_os_str().as_bytes()))
    }
}

fn append(
    builder: &mut Builder<&mut dyn Write>,
    name: &Path,
    Member { path, entry }: &Member,
    host: &Reading<'_>,
) -> Result<()> {
    let mut header = Header::new_gnu();
    header.set_mode(entry.mode & 0o777);
    header.set_mtime(0);
    match &entry.kind {
        EntryKind::File => {
            header.set_entry_type(EntryType::Regular);
            header.set_size(entry.size);
            let file = Exactly { file: host.open(path)?, left: entry.size };
            builder.append_data(&mut header, name, file).map_err(|error| changed(path, error))
        }
        EntryKind::Directory => {
            header.set_entry_type(EntryType::Directory);
            header.set_size(0);
            builder.append_data(&mut header, name, io::empty()).map_err(unwritable)
        }
        EntryKind::Link(target) => {
            header.set_entry_type(EntryType::Symlink);
            header.set_mode(0o777);
            header.set_size(0);
            builder.append_link(&mut header, name, target).map_err(unwritable)
        }
        EntryKind::Other(words) => {
            let what = format!("{} is {words}, which a tar archive cannot contain", path.display());
            Err(Error::new(ErrorKind::WrongType, what).hint("skip it with `exclude`"))
        }
    }
}

/// Reads a file up to the size that it had before: later additions are ignored, and a truncation is an error.
struct Exactly<R> {
    file: R,
    left: u64,
}

impl<R: Read> Read for Exactly<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.file.read(&mut buffer[..room])?;
        self.left -= read as u64;
        if read == 0 && room > 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(read) }
    }
}

fn changed(path: &Path, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            Error::failed(format!("{} was truncated while it was being packed", path.display()))
        }
        _ => unwritable(error),
    }
}

fn missing(path: &Path) -> Error {
    let what = format!("{} does not exist", path.display());
    Error::new(ErrorKind::Missing, what).hint("create it with another resource, or remove it from `inputs`")
}

/// The name of an input in the archive.
///
/// # Errors
/// If it is not below `base`.
pub(super) fn name_of(input: &AbsolutePath, base: Option<&AbsolutePath>) -> Result<PathBuf> {
    let name = match base {
        Some(base) => input.strip_prefix(&**base).ok(),
        None => input.file_name().map(Path::new),
    };
    name.map(Path::to_owned).ok_or_else(|| {
        let what = format!("{input} is not below `base`, so it has no name in the archive");
        Error::new(ErrorKind::Invalid, what).hint("set `base` to a parent directory of all `inputs`")
    })
}

fn twice(name: &Path, one: &Path, other: &Path) -> Error {
    let what =
        format!("{} and {} would both be {} in the archive", one.display(), other.display(), name.display());
    Error::new(ErrorKind::Invalid, what).hint("set `base` to a parent directory of all `inputs`")
}
