//! Unpacking an archive into a directory.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use uphold_resource::{
    Access, Act, Context, Entry as Found, EntryKind, Place, Problem, Property, Receiver, Result, Type, Value,
};

use uphold_kit::archives::broken;

use super::comparison::Expected;
use super::manifest::{Body, Entry};

/// The number of bytes written at once.
const PIECE: usize = 64 * 1024;

/// The mode of parent directories that the archive does not list.
const PARENT_MODE: u32 = 0o755;

/// The mode bits that are needed to write into a directory.
const WRITABLE: u32 = 0o700;

/// An extraction in progress.
pub(crate) struct Extraction<'a> {
    directory: &'a Path,
    expected: Expected,
    host: &'a Act<'a>,
    /// The differences to resolve; none to unpack everything.
    differing: Option<&'a Differing>,
    /// Directories that are known to exist.
    made: HashSet<PathBuf>,
    /// Directories that get their final mode at the end, because they must stay writable until then.
    final_modes: BTreeMap<PathBuf, u32>,
}

impl<'a> Extraction<'a> {
    pub(crate) fn new(
        directory: &'a Path,
        expected: Expected,
        differing: Option<&'a Differing>,
        host: &'a Act<'a>,
    ) -> Self {
        Self { directory, expected, host, differing, made: HashSet::new(), final_modes: BTreeMap::new() }
    }

    /// Creates the target directory if it does not exist.
    pub(crate) fn begin(&mut self) -> Result<()> {
        self.make_parents(Path::new(""))
    }

    /// Unpacks one entry if it differs.
    pub(crate) fn take(&mut self, entry: &Entry, content: &mut dyn Read) -> Result<()> {
        let why = match self.differing {
            None => Some(Why::Content),
            Some(differing) => differing.why(&entry.path),
        };
        let Some(why) = why else { return Ok(()) };
        let parent = entry.path.parent().unwrap_or(Path::new(""));
        self.make_parents(parent)?;
        let path = self.directory.join(&entry.path);
        let access = self.access(self.expected.mode(entry));
        match &entry.body {
            Body::Directory => self.directory(&entry.path, access),
            Body::File { .. } if matches!(why, Why::Mode | Why::Owner) => {
                uphold_resource::set_access(&path, "a regular file", &access, self.host)
            }
            Body::File { .. } => self.file(&path, access, content),
            Body::Link(target) => self.link(&path, target, why, access),
            // The ownership of a hard link changes with its target.
            Body::HardLink(_) if why == Why::Owner => Ok(()),
            Body::HardLink(target) => {
                self.clear_other(&path)?;
                self.host.edits().make_hard_link(&path, &self.directory.join(target))
            }
        }
    }

    fn access(&self, mode: u32) -> Access {
        Access { mode: Some(mode), uid: self.expected.uid, gid: self.expected.gid }
    }

    fn look(&self, path: &Path) -> Result<Option<Found>> {
        self.host.files().look(path)
    }

    /// Creates missing parent directories.
    fn make_parents(&mut self, path: &Path) -> Result<()> {
        let missing: Vec<&Path> =
            path.ancestors().take_while(|parent| !self.made.contains(*parent)).collect();
        for parent in missing.into_iter().rev() {
            let whole = self.directory.join(parent);
            if self.look(&whole)?.is_none() {
                let mode = self.expected.directory_mode.unwrap_or(PARENT_MODE);
                self.make(&whole, parent, mode)?;
            }
            self.made.insert(parent.to_owned());
        }
        Ok(())
    }

    fn make(&mut self, whole: &Path, path: &Path, mode: u32) -> Result<()> {
        self.host.edits().make_directory(whole, &self.access(mode | WRITABLE))?;
        if mode | WRITABLE != mode {
            self.final_modes.insert(path.to_owned(), mode);
        }
        Ok(())
    }

    fn directory(&mut self, path: &Path, access: Access) -> Result<()> {
        let whole = self.directory.join(path);
        let mode = access.mode.unwrap_or(PARENT_MODE);
        self.final_modes.remove(path);
        match self.look(&whole)? {
            None => self.make(&whole, path, mode)?,
            Some(_) if mode | WRITABLE == mode => {
                uphold_resource::set_access(&whole, "a directory", &access, self.host)?;
            }
            Some(_) => _ = self.final_modes.insert(path.to_owned(), mode),
        }
        self.made.insert(path.to_owned());
        Ok(())
    }

    fn file(&self, path: &Path, access: Access, content: &mut dyn Read) -> Result<()> {
        let mut receiver = self.host.edits().receive(path)?;
        if let Err(error) = copy(content, receiver.as_mut()) {
            // A partial file cannot be resumed.
            return receiver.discard().and(Err(error));
        }
        let replace_other = self.look(path)?.is_some_and(|found| found.kind != EntryKind::Directory);
        receiver.put(&Place { access, verify: None, replace_other })
    }

    /// A symbolic link has an owner but no permissions.
    fn link(&self, path: &Path, target: &Path, why: Why, access: Access) -> Result<()> {
        if why != Why::Owner {
            self.clear_other(path)?;
            self.host.edits().make_link(path, target)?;
        }
        if access.uid.is_none() && access.gid.is_none() {
            return Ok(());
        }
        uphold_resource::set_access(path, "a symbolic link", &Access { mode: None, ..access }, self.host)
    }

    /// A device, socket or FIFO must be removed before it can be replaced.
    fn clear_other(&self, path: &Path) -> Result<()> {
        match self.look(path)?.map(|found| found.kind) {
            Some(EntryKind::Other(_)) => self.host.edits().remove_file(path),
            _ => Ok(()),
        }
    }

    /// Sets the final modes of directories.
    pub(crate) fn finish(self) -> Result<()> {
        for (path, mode) in self.final_modes.iter().rev() {
            uphold_resource::set_access(
                &self.directory.join(path),
                "a directory",
                &self.access(*mode),
                self.host,
            )?;
        }
        Ok(())
    }
}

/// Copies all of `content`, replacing data received earlier.
fn copy(content: &mut dyn Read, receiver: &mut (dyn Receiver + '_)) -> Result<()> {
    receiver.restart()?;
    let mut buffer = vec![0; PIECE];
    loop {
        match content.read(&mut buffer).map_err(broken)? {
            0 => return Ok(()),
            read => receiver.append(&buffer[..read])?,
        }
    }
}

// Differences between a directory and an archive.

/// The maximum number of differences shown; there may be thousands.
const SHOWN: usize = 20;

/// Paths below the directory that differ from the archive, each with a reason. Empty once converged.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Differing(BTreeMap<PathBuf, Why>);

/// How an entry differs from the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// It does not exist.
    Missing,
    /// It has another type or content.
    Content,
    /// Its permissions differ.
    Mode,
    /// Its owner or group differs.
    Owner,
    /// It is not in the archive.
    Unmanaged {
        /// Whether it is a directory, which is removed with its content.
        is_directory: bool,
    },
}

impl Why {
    fn words(self) -> &'static str {
        match self {
            Why::Missing => "missing",
            Why::Content => "content",
            Why::Mode => "mode",
            Why::Owner => "owner",
            Why::Unmanaged { is_directory: false } => "not in the archive",
            Why::Unmanaged { is_directory: true } => "directory that is not in the archive",
        }
    }
}

impl Differing {
    /// Records the result for the entry at `path`; of several entries with one name the last counts.
    pub(crate) fn note(&mut self, path: &Path, why: Option<Why>) {
        match why {
            Some(why) => self.0.insert(path.to_owned(), why),
            None => self.0.remove(path),
        };
    }

    /// The difference recorded for the entry at `path`.
    pub(crate) fn why(&self, path: &Path) -> Option<Why> {
        self.0.get(path).copied()
    }

    /// Entries that are not in the archive, and whether each is a directory.
    pub(crate) fn unmanaged(&self) -> impl Iterator<Item = (&Path, bool)> {
        self.0.iter().filter_map(|(path, why)| match why {
            Why::Unmanaged { is_directory } => Some((path.as_path(), *is_directory)),
            _ => None,
        })
    }
}

impl Property for Differing {
    const TYPE: &'static Type =
        &Type::Named { name: "empty list", doc: "the differences, which must be none", example: "[]" };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::List(items) if items.is_empty() => Ok(Self::default()),
            _ => Err(Problem::new(Some(value), "must be an empty list", "do not set it: it is always empty")),
        }
    }

    fn to_value(&self) -> Value {
        let shown = self.0.iter().take(SHOWN);
        let shown = shown.map(|(path, why)| format!("{} ({})", path.display(), why.words()));
        let more = self.0.len().checked_sub(SHOWN).filter(|more| *more > 0);
        Value::list(shown.chain(more.map(|more| format!("and {more} more"))).map(Value::text))
    }
}

impl fmt::Debug for Differing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_entry_of_a_name_counts() {
        let mut differing = Differing::default();
        differing.note(Path::new("a"), Some(Why::Content));
        differing.note(Path::new("b"), Some(Why::Unmanaged { is_directory: false }));
        differing.note(Path::new("a"), None);
        assert_eq!(format!("{differing:?}"), r#"["b (not in the archive)"]"#);
        assert_eq!(differing.unmanaged().count(), 1);
        assert_eq!(Differing::from_value(&Value::list([]), &Context::NOTHING), Ok(Differing::default()));
        assert!(Differing::from_value(&differing.to_value(), &Context::NOTHING).is_err());
    }

    #[test]
    fn shows_at_most_twenty() {
        let mut differing = Differing::default();
        (0..1000).for_each(|at| differing.note(Path::new(&format!("f{at:04}")), Some(Why::Missing)));
        let Value::List(shown) = differing.to_value() else { panic!("it is a list") };
        assert_eq!((shown.len(), shown.last()), (21, Some(&Value::text("and 980 more"))));
    }
}
