//! An archive that is unpacked.

use std::path::Path;

use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Desired, EntryKind, Error, ErrorKind, GroupName, Interest,
    Map, Mode, Reading, Resource, Result, SourceFile, Step, UserName, Want, Watching, wrong_type,
};

use super::comparison::{Comparison, Expected};
use super::extraction::Extraction;
use super::manifest::{Entry, Limits, Manifest};
use super::{Differing, Selection};
use crate::fetch::{Hasher, Sort};
use crate::{digesting, packing, parent};

/// An archive that is unpacked into a directory, and stays so.
///
/// Tar archives are known, plain or compressed by gzip, xz, Zstandard or bzip2, and zip archives; the archive's first
/// bytes tell which. What is there is compared with the archive, entry by entry: type, content, permissions, where links
/// lead. A file that somebody changed is put back, and only that. This reads the archive at every visit; where that
/// takes too long, say what it `creates`. Times are not compared. Files that are not in the archive are kept unless
/// `purge` is set.
///
/// Nothing is written outside the directory, whatever the archive says: an entry that leads out of it, goes through a
/// link, or is a device makes the whole archive be refused, before anything was unpacked. Set-id bits are dropped.
///
/// Removing it removes what is in the archive, and directories that are empty then.
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
    /// The directory that it is unpacked into; the block's label unless set. It is made if it is not there.
    #[also("dest", "destination", "target")]
    #[name]
    pub path: AbsolutePath,
    /// The archive: a file beside the configuration if its path is relative, else on the machine.
    #[also("src", "archive")]
    #[required]
    pub source: SourceFile,
    /// What is not as in the archive. There has to be nothing.
    pub differing: Want<Differing>,
    /// Which entries, and under which names.
    #[flatten(settings)]
    pub selection: Selection,
    /// Who owns everything that is unpacked; whoever Uphold runs as, if it is unpacked and this is not set. The archive's
    /// own owners are not taken.
    #[also("user")]
    pub owner: Option<UserName>,
    /// The group of everything that is unpacked.
    pub group: Option<GroupName>,
    /// Permissions of all files, instead of the archive's own.
    pub file_mode: Option<Mode>,
    /// Permissions of all directories, instead of the archive's own.
    #[also("mode", "dir_mode")]
    pub directory_mode: Option<Mode>,
    /// Remove what is in the directory and not in the archive, unless another resource manages it.
    #[default(false)]
    pub purge: bool,
    /// A path that is there once it is unpacked; a relative one starts at `path`. If it is there, nothing else is looked
    /// at, and the archive is not read.
    #[relative_to(path)]
    pub creates: Option<AbsolutePath>,
    /// Whether links in the archive may lead out of the directory. They are never gone through while unpacking.
    #[default(false)]
    pub outside_links: bool,
    /// How much it may be.
    #[flatten(settings)]
    pub limits: Limits,
}

impl Resource for Archive {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        self.expected(host)?;
        self.differing = Want::Set(Differing::default());
        Ok(())
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<ArchiveState>> {
        if let Some(creates) = &self.creates {
            let there = host.files().look(creates)?;
            return Ok(there.map(|_| ArchiveState { differing: Differing::default() }));
        }
        match host.files().look(&self.path)?.map(|entry| entry.kind) {
            None => self.check_source(host).map(|()| None),
            Some(EntryKind::Directory) => self.compare(host),
            Some(kind) => Err(wrong_type(&*self.path, kind.words(), "a directory")
                .hint("remove it, or choose another path")),
        }
    }

    fn check_create(&self, host: &Reading<'_>) -> Result<()> {
        parent::check(&self.path, host)
    }

    /// Also to remove it: the archive says which files are removed. One beside the configuration belongs to that.
    fn inputs(&self, _: Desired, host: &Reading<'_>) -> Map {
        match &self.source {
            SourceFile::OnMachine(source) => {
                digesting::input("source", digesting::file(source, Hasher::new(Sort::Sha256), host))
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
}

/// What it creates it provides, and does not stand on, as the path's type says.
impl Claiming for Archive {
    fn add_claims(&self, claims: &mut Claims) {
        if let Some(creates) = &self.creates {
            let path = Claim::Path(creates.to_path_buf());
            claims.needs.retain(|need| *need != path);
            claims.hold(path);
        }
    }
}

/// Everything in the directory may be an entry.
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

    /// Shows every entry that is unpacked. Whatever it may not have is refused.
    fn walk(
        &self,
        manifest: &mut Manifest<'_>,
        host: &Reading<'_>,
        visit: &mut dyn FnMut(&Entry, &mut dyn std::io::Read) -> Result<()>,
    ) -> Result<()> {
        let archive = self.source.open(host).map_err(|error| missing(&self.source, error))?;
        let mut failed_itself = true;
        let walked = packing::walk(archive, &mut |item, content| match manifest.admit(&item)? {
            Some(entry) => visit(&entry, content).inspect_err(|_| failed_itself = false),
            None => Ok(()),
        });
        walked.map_err(|error| match failed_itself {
            true => error.while_(format!("cannot unpack {}", self.source)),
            false => error,
        })
    }

    fn check_source(&self, host: &Reading<'_>) -> Result<()> {
        self.walk(&mut self.manifest(), host, &mut |_, _| Ok(()))
    }

    fn compare(&self, host: &Reading<'_>) -> Result<Option<ArchiveState>> {
        let mut manifest = self.manifest();
        // Who owns it does not matter to whoever removes it.
        let expected = if self.differing.is_set() { self.expected(host)? } else { Expected::default() };
        let mut comparison = Comparison::new(&self.path, expected, host);
        self.walk(&mut manifest, host, &mut |entry, content| comparison.take(entry, content))?;
        if self.purge {
            comparison.find_strangers(&manifest)?;
        }
        let there = comparison.is_there();
        Ok(there.then_some(ArchiveState { differing: comparison.differing }))
    }

    fn unpack(&self, differing: Option<&Differing>, host: &Act<'_>) -> Result<()> {
        // All of it is looked at before anything of it is written.
        self.check_source(host)?;
        let mut extraction = Extraction::new(&self.path, self.expected(host)?, differing, host);
        extraction.begin()?;
        let mut manifest = self.manifest();
        self.walk(&mut manifest, host, &mut |entry, content| extraction.take(entry, content))?;
        extraction.finish()?;
        if self.purge { self.sweep(&manifest, host) } else { Ok(()) }
    }

    /// Removes what is not in the archive.
    fn sweep(&self, manifest: &Manifest<'_>, host: &Act<'_>) -> Result<()> {
        let mut comparison = Comparison::new(&self.path, Expected::default(), host);
        comparison.find_strangers(manifest)?;
        let mut strangers = comparison.differing.strangers();
        strangers.try_for_each(|(stranger, is_directory)| match is_directory {
            true => host.edits().remove_tree(&self.path.join(stranger)),
            false => host.edits().remove_file(&self.path.join(stranger)),
        })
    }

    /// Removes all that is in the archive: directories last, and only if nothing is left in them.
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

/// Removes a directory if nothing is in it.
pub(super) fn remove_if_empty(path: &Path, host: &Act<'_>) -> Result<()> {
    match host.files().list(path) {
        Ok(names) if names.is_empty() => host.edits().remove_directory(path),
        Err(error) if error.kind() != ErrorKind::Missing => Err(error),
        _ => Ok(()),
    }
}

fn missing(source: &SourceFile, error: Error) -> Error {
    match error.kind() {
        ErrorKind::Missing => {
            let what = format!("the archive {source} does not exist on the machine");
            let hint = "create it first, for example with a `download`; one beside the configuration has a relative path";
            Error::new(ErrorKind::Missing, what).hint(hint)
        }
        _ => error,
    }
}
