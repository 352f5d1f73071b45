//! The kind `archive`.

mod comparison;
mod extraction;
mod manifest;
mod selection;

use std::path::Path;

use comparison::{Comparison, Expected};
use extraction::Extraction;
use manifest::{Entry, Manifest};
use uphold_kit::checksum::{Algorithm, Checksum};
use uphold_kit::{archives, checksum, machine, parent};
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Desired, EntryKind, Error, ErrorKind, Found, GroupName,
    Interest, Look, Map, Mode, Previous, Reading, Resource, Result, SourceFile, Step, UserName, Want,
    Watching, Wish, wrong_type,
};

pub use extraction::Differing;
pub use manifest::Limits;
pub use selection::{PathPattern, Selection};

/// The content of an archive, unpacked into a directory.
///
/// Supports tar archives, plain or compressed with gzip, xz, Zstandard or bzip2, and zip archives; the format is
/// detected from the content. Each entry is compared with the directory: type, content, permissions and link
/// targets, but not times. Only entries that differ are unpacked again. The comparison reads the whole archive at
/// each check; for a large archive, set `creates` instead. Files that are not in the archive are kept unless
/// `purge` is set.
///
/// Nothing is written outside the directory: an archive with an entry that leads outside, goes through a link or is
/// a device is refused as a whole, before anything is unpacked. Set-id bits are dropped.
///
/// Removing it removes the entries of the archive, and directories that are empty then.
///
/// ```hcl
/// download "/var/cache/app.tar.gz" {
///   url      = "https://example.org/app-1.2.tar.gz"
///   checksum = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
/// }
///
/// archive "/opt/app" {
///   source           = "/var/cache/app.tar.gz"
///   strip_components = 1
///   exclude          = ["doc"]
///   owner            = "root"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "archive",
    also("archive_file", "unarchive", "extract", "untar", "unzip"),
    claims,
    interests
)]
pub struct Archive {
    /// Directory to unpack into; defaults to the block's label. Created if it does not exist.
    #[also("dest", "destination", "target")]
    #[name]
    pub path: AbsolutePath,
    /// The archive. A relative path is a file next to the configuration, an absolute path a file on the machine.
    #[also("src", "archive")]
    #[required]
    pub source: SourceFile,
    /// Entries that differ from the archive. Always managed: the list must be empty.
    pub differing: Want<Differing>,
    /// Selection and renaming of entries.
    #[flatten(settings)]
    pub selection: Selection,
    /// Owner of all unpacked files. If it is not set, new files belong to the user that Uphold runs as. Owners in
    /// the archive are ignored.
    #[also("user")]
    pub owner: Option<UserName>,
    /// Group of all unpacked files.
    pub group: Option<GroupName>,
    /// Mode of all files, instead of the modes in the archive.
    pub file_mode: Option<Mode>,
    /// Mode of all directories, instead of the modes in the archive.
    #[also("mode", "dir_mode")]
    pub directory_mode: Option<Mode>,
    /// Remove files from the directory that are not in the archive, unless another resource manages them.
    #[default(false)]
    pub purge: bool,
    /// A path that exists once the archive is unpacked; a relative path starts at `path`. If it exists, nothing is
    /// compared and the archive is not read.
    #[relative_to(path)]
    #[claim(none)]
    pub creates: Option<AbsolutePath>,
    /// Allow symbolic links in the archive to point outside the directory. They are never followed while unpacking.
    #[default(false)]
    pub outside_links: bool,
    /// Limits of size and number of entries.
    #[flatten(settings)]
    pub limits: Limits,
}

impl Resource for Archive {
    fn prepare(&self, look: &Look<'_>) -> Result<ArchiveWishes> {
        self.expected(look)?;
        Ok(ArchiveWishes { differing: Wish::Set(Differing::default()) })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        if let Some(creates) = &self.creates {
            let there = look.files().look(creates)?;
            return Ok(there.map(|_| ArchiveState { differing: Differing::default() }).into());
        }
        match look.files().look(&self.path)?.map(|entry| entry.kind) {
            None => self.check_source(look).map(|()| Found::Absent),
            Some(EntryKind::Directory) => self.compare(look),
            Some(kind) => Err(wrong_type(&*self.path, kind.words(), "a directory")
                .hint("remove it, or choose another path")),
        }
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(&self.path, look)
    }

    /// Needed for removal, too: the archive lists the files to remove. A file next to the configuration is already
    /// part of it.
    fn inputs(&self, _: Desired, host: &Reading<'_>) -> Map {
        match &self.source {
            SourceFile::OnMachine(source) => {
                checksum::input("source", Checksum::of_file(source, Algorithm::Sha256, host))
            }
            SourceFile::Beside(_) => Map::new(),
        }
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { .. } => self.unpack(None, host),
            Step::Update { current, .. } => self.unpack(Some(&current.differing), host),
            Step::Remove { .. } => self.remove(host),
        }
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Create { .. } if self.creates.is_none() => Previous::VALUES,
            _ => Previous::none("the files that it replaced or removed are not kept"),
        }
    }
}

/// No other resource may provide `creates`.
impl Claiming for Archive {
    fn add_claims(&self, claims: &mut Claims) {
        if let Some(creates) = &self.creates {
            claims.hold(Claim::Path(creates.to_path_buf()));
        }
    }
}

/// Any path in the directory may be an entry.
impl Watching for Archive {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        if self.creates.is_none() {
            interests.push(Interest::Tree(self.path.to_path_buf()));
        }
    }
}

impl Archive {
    fn expected(&self, host: &Reading<'_>) -> Result<Expected> {
        let bits = |mode: &Option<Mode>| mode.as_ref().map(Mode::bits);
        Ok(Expected {
            uid: self.owner.as_ref().map(|owner| owner.id(host)).transpose()?,
            gid: self.group.as_ref().map(|group| group.id(host)).transpose()?,
            file_mode: bits(&self.file_mode),
            directory_mode: bits(&self.directory_mode),
        })
    }

    fn manifest(&self) -> Manifest<'_> {
        Manifest::new(&self.selection, self.limits, self.outside_links)
    }

    /// Calls `visit` for each entry to unpack. Unsafe entries fail.
    fn walk(
        &self,
        manifest: &mut Manifest<'_>,
        host: &Reading<'_>,
        visit: &mut dyn FnMut(&Entry, &mut dyn std::io::Read) -> Result<()>,
    ) -> Result<()> {
        let archive = self.source.open(host).map_err(|error| missing(&self.source, error, host))?;
        let mut archive_failed = true;
        let walked = archives::walk(archive, &mut |item, content| match manifest.admit(&item)? {
            Some(entry) => visit(&entry, content).inspect_err(|_| archive_failed = false),
            None => Ok(()),
        });
        walked.map_err(|error| {
            if archive_failed { error.while_(format!("cannot unpack {}", self.source)) } else { error }
        })
    }

    fn check_source(&self, host: &Reading<'_>) -> Result<()> {
        self.walk(&mut self.manifest(), host, &mut |_, _| Ok(()))
    }

    fn compare(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let mut manifest = self.manifest();
        // The owner does not matter for removal.
        let expected = if self.differing.is_set() { self.expected(look)? } else { Expected::default() };
        let mut comparison = Comparison::new(&self.path, expected, look);
        self.walk(&mut manifest, look, &mut |entry, content| comparison.take(entry, content))?;
        if self.purge {
            comparison.find_unmanaged(&manifest)?;
        }
        let exists = comparison.is_unpacked();
        Ok(exists.then_some(ArchiveState { differing: comparison.differing }).into())
    }

    fn unpack(&self, differing: Option<&Differing>, host: &Act<'_>) -> Result<()> {
        // Checks the whole archive before anything is written.
        self.check_source(host)?;
        let mut extraction = Extraction::new(&self.path, self.expected(host)?, differing, host);
        extraction.begin()?;
        let mut manifest = self.manifest();
        self.walk(&mut manifest, host, &mut |entry, content| extraction.take(entry, content))?;
        extraction.finish()?;
        if self.purge { self.purge(&manifest, host) } else { Ok(()) }
    }

    /// Removes files that are not in the archive.
    fn purge(&self, manifest: &Manifest<'_>, host: &Act<'_>) -> Result<()> {
        let mut comparison = Comparison::new(&self.path, Expected::default(), host);
        comparison.find_unmanaged(manifest)?;
        let mut unmanaged = comparison.differing.unmanaged();
        unmanaged.try_for_each(|(path, is_directory)| {
            let path = self.path.join(path);
            if is_directory { host.edits().remove_tree(&path) } else { host.edits().remove_file(&path) }
        })
    }

    /// Removes all entries of the archive: directories last, and only if they are empty.
    fn remove(&self, host: &Act<'_>) -> Result<()> {
        let mut manifest = self.manifest();
        self.walk(&mut manifest, host, &mut |_, _| Ok(()))?;
        let mut gone = Comparison::new(&self.path, Expected::default(), host);
        for path in manifest.paths().into_iter().rev() {
            gone.remove(path, host)?;
        }
        remove_if_empty(&self.path, host)
    }
}

/// Removes a directory if it is empty.
fn remove_if_empty(path: &Path, host: &Act<'_>) -> Result<()> {
    match host.files().list(path) {
        Ok(names) if names.is_empty() => host.edits().remove_directory(path),
        Err(error) if error.kind() != ErrorKind::Missing => Err(error),
        _ => Ok(()),
    }
}

fn missing(source: &SourceFile, error: Error, host: &Reading<'_>) -> Error {
    match error.kind() {
        ErrorKind::Missing => {
            let what = format!("the archive {source} does not exist {}", machine::location(host));
            let hint = "create it with a `download` or another resource; a file next to the configuration has a relative path";
            Error::new(ErrorKind::Missing, what).hint(hint)
        }
        _ => error,
    }
}
