//! What goes into a tar archive.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use tar::{Builder, EntryType, Header};
use uphold_resource::{AbsolutePath, Entry, EntryKind, Error, ErrorKind, Reading, Result};

use super::product::unwritable;
use crate::archive::PathPattern;

/// Where names in the archive come from, and what is left out.
pub(crate) struct Members<'a> {
    pub(crate) inputs: &'a [AbsolutePath],
    pub(crate) base: Option<&'a AbsolutePath>,
    pub(crate) exclude: &'a [PathPattern],
    /// The archive itself, which is never one of them.
    pub(crate) archive: &'a Path,
}

/// Something that goes into the archive: where it is, and what.
struct Member {
    path: PathBuf,
    entry: Entry,
}

impl Members<'_> {
    /// Writes them all, sorted by their names. Times and owners are not noted, so that the same files always give the
    /// same archive.
    pub(crate) fn pack(&self, to: &mut dyn Write, host: &Reading<'_>) -> Result<()> {
        let mut builder = Builder::new(to);
        for (name, member) in self.find(host)? {
            append(&mut builder, &name, &member, host)?;
        }
        builder.into_inner().map(drop).map_err(unwritable)
    }

    /// All that goes in, by name. Costs a look for each.
    fn find(&self, host: &Reading<'_>) -> Result<BTreeMap<PathBuf, Member>> {
        let mut found = BTreeMap::new();
        for input in self.inputs {
            let mut ahead = vec![(input.to_path_buf(), self.name(input)?)];
            while let Some((path, name)) = ahead.pop() {
                if self.is_left_out(&path, &name) {
                    continue;
                }
                let entry = host.files().look(&path)?.ok_or_else(|| missing(&path))?;
                if entry.kind == EntryKind::Directory {
                    let inside = host.files().list(&path)?;
                    ahead.extend(inside.iter().map(|inside| (path.join(inside), name.join(inside))));
                }
                // The base itself has no name.
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

    fn name(&self, input: &AbsolutePath) -> Result<PathBuf> {
        let name = match self.base {
            Some(base) => input.strip_prefix(&**base).ok(),
            None => input.file_name().map(Path::new),
        };
        name.map(Path::to_owned).ok_or_else(|| {
            let what = format!("{input} cannot be named in the archive");
            Error::new(ErrorKind::Invalid, what).hint("set `base` to a directory that it is in")
        })
    }

    /// The archive, and what Uphold keeps beside it while it is made, never go into it.
    fn is_left_out(&self, path: &Path, name: &Path) -> bool {
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
            let file = Exactly { file: host.files().open(path)?, left: entry.size };
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
            let what = format!("{} is {words}, which cannot be packed", path.display());
            Err(Error::new(ErrorKind::WrongType, what).hint("leave it out with `exclude`"))
        }
    }
}

/// As much of a file as was seen of it: what is written meanwhile is left out, and what is cut off is an error.
struct Exactly<R> {
    file: R,
    left: u64,
}

impl<R: Read> Read for Exactly<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.file.read(&mut buffer[..room])?;
        self.left -= read as u64;
        match read == 0 && room > 0 {
            true => Err(io::ErrorKind::UnexpectedEof.into()),
            false => Ok(read),
        }
    }
}

fn changed(path: &Path, error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            Error::failed(format!("{} became shorter while it was packed", path.display()))
        }
        _ => unwritable(error),
    }
}

fn missing(path: &Path) -> Error {
    let what = format!("{} does not exist", path.display());
    Error::new(ErrorKind::Missing, what).hint("create it first, or take it out of `inputs`")
}

fn twice(name: &Path, one: &Path, other: &Path) -> Error {
    let what =
        format!("{} and {} would both be {} in the archive", one.display(), other.display(), name.display());
    Error::new(ErrorKind::Invalid, what).hint("set `base` to a directory that all of `inputs` are in")
}
