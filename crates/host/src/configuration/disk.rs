//! Configuration files and directories on the disk.

use std::fs::{DirEntry, File, FileType};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use memmap2::{Advice, MmapMut};
use rustix::io::Errno;
use uphold_resource::{Error, ErrorKind, Result, UNSAFE_LINK_HINT};

use crate::archive::LARGEST;
use crate::dir_entry::words;
use crate::io_error::current_user;
use crate::walk::Stop;
use crate::{calls, source};

/// Bytes that are read at once when a file is read in pieces.
const PIECE: usize = 64 * 1024;

/// Blocks of at least this size are mapped outside the heap. When one is freed, glibc raises that threshold and from then on
/// keeps freed memory up to twice the block's size; but not for a block larger than 32 MiB. Of such a block, only the part
/// that is written to uses memory.
const LARGE: usize = 128 << 10;
const NEVER_KEPT: usize = 33 << 20;

/// Reads a regular file. Never blocks: a pipe or a device is refused.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    let file = open_regular(path)?;
    let size = calls::fstat(&file).map_or(0, |stat| stat.st_size);
    // One byte more, so that the end is detected without growing.
    read_into(buffer(usize::try_from(size).unwrap_or(0) + 1), file)
}

/// Files of at least this size are read into huge pages: that is one page fault instead of 512.
const HUGE: usize = 1 << 20;

/// Reads a regular file into memory that stays until the process ends.
pub(super) fn read_until_exit(path: &Path) -> Result<&'static [u8]> {
    let mut file = open_regular(path)?;
    let size = calls::fstat(&file).map_or(0, |stat| stat.st_size);
    let size = usize::try_from(size).unwrap_or(0);
    if size < HUGE {
        return read_into(Vec::with_capacity(size + 1), file).map(|content| &*content.leak());
    }
    // One byte more, so that the end is detected without growing.
    let mut memory = MmapMut::map_anon(size + 1).map_err(|error| reason(error, "file"))?;
    // Without huge pages it is only slower.
    let _ = memory.advise(Advice::HugePage);
    let length = fill(&mut memory, &mut file).map_err(|error| reason(error, "file"))?;
    if length > size {
        // It grew meanwhile.
        let content = read_into(memory[..length].to_vec(), file)?;
        return Ok(content.leak());
    }
    Ok(&Box::leak(Box::new(memory))[..length])
}

/// Reads up to the end of the source or of the memory.
fn fill(memory: &mut [u8], source: &mut File) -> std::io::Result<usize> {
    let mut length = 0;
    while length < memory.len() {
        match source.read(&mut memory[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// Reads a regular file in pieces.
pub(super) fn read_pieces(path: &Path, take: &mut dyn FnMut(&[u8])) -> Result<()> {
    let mut source = open_regular(path)?.take(LARGEST + 1);
    let mut buffer = vec![0; PIECE];
    loop {
        match source.read(&mut buffer) {
            Ok(0) if source.limit() == 0 => return Err(too_large()),
            Ok(0) => return Ok(()),
            Ok(length) => take(&buffer[..length]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(reason(error, "file")),
        }
    }
}

fn open_regular(path: &Path) -> Result<File> {
    let file = source::open_for_configuration(path).map_err(|stop| match stop {
        Stop::System(errno) => refused(errno, "file"),
        Stop::Unsafe(link) => unsafe_link(&link),
    })?;
    let stat = calls::fstat(&file).map_err(|errno| refused(errno, "file"))?;
    if rustix::fs::FileType::from_raw_mode(stat.st_mode) != rustix::fs::FileType::RegularFile {
        let what = format!("it is {}, not a regular file", words(&stat));
        return Err(Error::new(ErrorKind::WrongType, what));
    }
    // Checked before reading, so that a huge file costs nothing.
    if u64::try_from(stat.st_size).is_ok_and(|size| size > LARGEST) {
        return Err(too_large());
    }
    Ok(File::from(file))
}

/// The path without `..`. The part up to the last `..` is resolved, because a symbolic link in it changes the parent; if it
/// does not exist, nothing below it does, and `..` is resolved by name.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let parts: Vec<Component<'_>> = path.components().collect();
    let Some(last) = parts.iter().rposition(|part| *part == Component::ParentDir) else {
        return path.to_owned();
    };
    let (above, below) = parts.split_at(last + 1);
    let above: PathBuf = above.iter().collect();
    calls::canonical(&above).unwrap_or_else(|_| by_name(&above)).join(below.iter().collect::<PathBuf>())
}

fn by_name(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

/// Opens a stream. Blocks until a writer opens it.
pub(super) fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|error| reason(error, "file"))
}

/// An empty buffer for `size` bytes that returns its memory to the system when it is dropped.
fn buffer(size: usize) -> Vec<u8> {
    Vec::with_capacity(if size < LARGE { size } else { size.max(NEVER_KEPT) })
}

/// Reads a stream to its end, up to the size limit.
pub(super) fn read_stream(source: impl Read) -> Result<Vec<u8>> {
    read_into(Vec::new(), source)
}

fn read_into(mut content: Vec<u8>, source: impl Read) -> Result<Vec<u8>> {
    let read = source.take(LARGEST + 1).read_to_end(&mut content);
    match read.map(u64::try_from) {
        Ok(Ok(0..=LARGEST)) => Ok(content),
        Ok(_) => Err(too_large()),
        Err(error) => Err(reason(error, "file")),
    }
}

/// The names in a directory, sorted. Those of directories, and of links to them, end with `/`. A name that is not UTF-8 is
/// converted, so that reading it reports a missing file instead of silently ignoring it.
pub(super) fn list(path: &Path) -> Result<Vec<String>> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let fail = |error| reason(error, "directory");
    let mut names = Vec::new();
    for entry in calls::entries(path).map_err(fail)? {
        let name = entry.file_name().to_string_lossy().into_owned();
        names.push(if is_directory(&entry) { name + "/" } else { name });
    }
    names.sort_unstable();
    Ok(names)
}

fn is_directory(entry: &DirEntry) -> bool {
    match entry.file_type() {
        Ok(kind) if !kind.is_symlink() => kind.is_dir(),
        // A link, or a file system that does not report types.
        _ => leads_to(&entry.path(), |kind| kind.is_dir()),
    }
}

/// Whether `path` leads to something of this type.
pub(super) fn leads_to(path: &Path, is_wanted: impl Fn(FileType) -> bool) -> bool {
    calls::metadata(path).is_ok_and(|about| is_wanted(about.file_type()))
}

fn refused(errno: Errno, what: &str) -> Error {
    reason(errno.into(), what)
}

/// A short reason for an error. The caller adds the path.
fn reason(error: std::io::Error, what: &str) -> Error {
    use std::io::ErrorKind as Io;
    match error.kind() {
        Io::NotFound => Error::new(ErrorKind::Missing, format!("no such {what}")),
        Io::NotADirectory if what == "directory" => Error::new(ErrorKind::WrongType, "it is not a directory"),
        Io::NotADirectory => Error::new(ErrorKind::Missing, format!("no such {what}")),
        Io::PermissionDenied => {
            Error::new(ErrorKind::Denied, format!("permission denied for user {}", current_user()))
        }
        _ => Error::failed("cannot be read").because(error),
    }
}

fn unsafe_link(link: &Path) -> Error {
    let what = format!("{} is a symbolic link in a directory that others can write", link.display());
    Error::new(ErrorKind::UnsafeLink, what).hint(UNSAFE_LINK_HINT)
}

fn too_large() -> Error {
    Error::new(ErrorKind::Invalid, "it is larger than 64 MiB")
}
