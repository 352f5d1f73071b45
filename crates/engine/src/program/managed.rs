//! The paths that belong to the resources of a program: a purge does not remove them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Claim, Claims, Mutex};
use uphold_resource::{Error, Instance, OwnedPaths, Reading, Result};

use crate::graph::NodeIndex;
use crate::program::real_names::{RealNames, real_path};
use crate::program::set::{ResourceIndex, ResourceSet};

/// The paths that belong to resources, declared in any way. Purging, creating, and changes through a linked directory use them, so
/// that each index is made at its first use.
#[derive(Default)]
pub(crate) struct Managed {
    named: Named,
    index: OnceLock<Paths>,
    kept: OnceLock<FxHashSet<PathBuf>>,
    users: OnceLock<FxHashMap<PathBuf, Vec<ResourceIndex>>>,
    owners: Vec<(ResourceIndex, OwnedPaths)>,
    late: Mutex<Late>,
}

/// Paths of resources, with all their parents.
#[derive(Default)]
pub(crate) struct Paths {
    all: FxHashSet<PathBuf>,
    /// Those that belong to a resource with everything inside.
    whole: FxHashSet<PathBuf>,
}

impl Paths {
    /// Adds a path with its parents; stops where the parents are known already.
    pub(crate) fn insert(&mut self, path: &Path, whole: bool) {
        if whole {
            self.whole.insert(path.to_owned());
        }
        for path in path.ancestors() {
            if !self.all.insert(path.to_owned()) {
                break;
            }
        }
    }

    /// Whether this path or one below it belongs to a resource.
    pub(crate) fn contains(&self, path: &Path) -> bool {
        self.all.contains(path)
    }

    /// Whether this path belongs to a resource with everything inside.
    pub(crate) fn is_whole(&self, path: &Path) -> bool {
        self.whole.contains(path)
    }
}

/// How a path belongs to a resource.
#[derive(Clone, Copy)]
struct Mark {
    resource: ResourceIndex,
    /// The resource provides it; otherwise it edits or owns it.
    provided: bool,
    /// The resource is certainly converged.
    converged: bool,
    /// It belongs to the resource with everything inside.
    whole: bool,
}

/// Paths, each with its mark. One string for all: a watch keeps them as long as it lasts, and mostly does not use them.
#[derive(Default)]
struct Named {
    /// Resources whose label is the path, as it mostly is.
    labels: Vec<Mark>,
    text: Vec<u8>,
    /// The end of each other path in the string.
    ends: Vec<(u32, Mark)>,
}

impl Named {
    fn push(&mut self, path: &Path, mark: Mark, label: &str) {
        if path.as_os_str() == label {
            self.labels.push(mark);
            return;
        }
        self.text.extend_from_slice(path.as_os_str().as_bytes());
        let end = u32::try_from(self.text.len()).expect("places of paths are 32 bits wide");
        self.ends.push((end, mark));
    }

    fn iter<'a>(&'a self, set: &'a ResourceSet) -> impl Iterator<Item = (&'a Path, Mark)> {
        let label = |mark: &Mark| (Path::new(&**set.id(mark.resource).label()), *mark);
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(end, _)| *end));
        let path = |(start, (end, mark)): (u32, &(u32, Mark))| {
            (Path::new(OsStr::from_bytes(&self.text[start as usize..*end as usize])), *mark)
        };
        self.labels.iter().map(label).chain(starts.zip(&self.ends).map(path))
    }
}

/// Paths that are only known during the run.
#[derive(Default)]
struct Late {
    /// Nodes whose paths are not known yet.
    waiting: FxHashSet<NodeIndex>,
    index: Paths,
}

impl Managed {
    /// Adds the paths of a resource with this label. If it is converged, paths that it provides exist once the run is over.
    /// A file of which it edits a part belongs to it as well, but may be missing.
    pub(crate) fn add(
        &mut self,
        resource: (ResourceIndex, &str),
        instance: &dyn Instance,
        claims: &Claims,
        converged: bool,
    ) {
        let (resource, label) = resource;
        for (path, provided, whole) in paths(claims) {
            self.named.push(path, Mark { resource, provided, converged, whole }, label);
        }
        self.owners.extend(instance.owned_paths().into_iter().map(|owner| (resource, owner)));
    }

    /// Frees memory that is no longer needed.
    pub(crate) fn shrink(&mut self) {
        self.named.labels.shrink_to_fit();
        self.named.text.shrink_to_fit();
        self.named.ends.shrink_to_fit();
        self.owners.shrink_to_fit();
    }

    /// Notes that the paths of a node are not known yet.
    pub(crate) fn wait_for(&mut self, node: NodeIndex) {
        self.late.get_mut().waiting.insert(node);
    }

    /// The paths of a node have become known.
    ///
    /// # Errors
    /// If the machine cannot name all of them: then they stay unknown.
    pub(crate) fn learn(&self, node: NodeIndex, instance: &dyn Instance, host: &Reading<'_>) -> Result<()> {
        if !self.late.lock().waiting.contains(&node) {
            return Ok(());
        }
        let owners = instance.owned_paths();
        let owned: Vec<Vec<PathBuf>> = owners.iter().map(|owner| owner(host)).collect::<Result<_>>()?;
        let owned = with_other_names(owned.into_iter().flatten().collect(), host)?;
        let claims = instance.claims();
        let names = RealNames::default();
        let real = paths(&claims).map(|(path, _, whole)| names.find(path, host).map(|real| (real, whole)));
        let real: Vec<(PathBuf, bool)> = real.collect::<Result<_>>()?;
        let mut late = self.late.lock();
        late.waiting.remove(&node);
        paths(&claims).for_each(|(path, _, whole)| late.index.insert(path, whole));
        real.iter().for_each(|(path, whole)| late.index.insert(path, *whole));
        owned.iter().for_each(|path| late.index.insert(path, true));
        Ok(())
    }

    /// The condition of a node is false: it has no paths.
    pub(crate) fn leave_out(&self, node: NodeIndex) {
        self.late.lock().waiting.remove(&node);
    }

    /// The paths that only the machine knows, such as home directories, and declared ones without links on the way. Or the
    /// resource or path for which it cannot find them out, and why.
    ///
    /// Costs a system call for each directory on the way to a declared path.
    pub(crate) fn owned(
        &self,
        set: &ResourceSet,
        host: &Reading<'_>,
    ) -> std::result::Result<Paths, (String, Error)> {
        let mut found = self.real_names(set, host)?;
        for (resource, owner) in &self.owners {
            let paths = owner(host).and_then(|paths| with_other_names(paths, host));
            let paths = paths.map_err(|error| (set.id(*resource).to_string(), error))?;
            paths.iter().for_each(|path| found.insert(path, true));
        }
        Ok(found)
    }

    /// The real names of paths that are declared through a link: a purge may use these.
    fn real_names(
        &self,
        set: &ResourceSet,
        host: &Reading<'_>,
    ) -> std::result::Result<Paths, (String, Error)> {
        let names = RealNames::default();
        let mut found = Paths::default();
        for (path, mark) in self.named.iter(set) {
            let real = names.find(path, host).map_err(|error| (path.display().to_string(), error))?;
            if real != path {
                found.insert(&real, mark.whole);
            }
        }
        Ok(found)
    }

    /// The resources that a path belongs to for which `is_so` holds, given the resource, the path, and whether everything
    /// inside belongs to it, too. Without those whose paths become known during the run.
    pub(crate) fn owners_of(
        &self,
        set: &ResourceSet,
        is_so: impl Fn(ResourceIndex, &Path, bool) -> bool,
    ) -> FxHashSet<ResourceIndex> {
        let found = self.named.iter(set).filter(|(path, mark)| is_so(mark.resource, path, mark.whole));
        found.map(|(_, mark)| mark.resource).collect()
    }

    /// The directories that hold what resources provide or edit, each once. The set is the one whose numbers were added.
    pub(crate) fn directories<'a>(&'a self, set: &'a ResourceSet) -> FxHashSet<&'a Path> {
        self.named.iter(set).filter_map(|(path, _)| path.parent()).collect()
    }

    /// Whether a resource guarantees that this very path exists. The set is the one whose numbers were added.
    pub(crate) fn provides(&self, set: &ResourceSet, path: &Path) -> bool {
        let late = self.late.lock();
        let kept = || {
            self.converged(set).filter(|(_, mark)| mark.provided).map(|(path, _)| path.to_owned()).collect()
        };
        !late.waiting.is_empty() || late.index.contains(path) || self.kept.get_or_init(kept).contains(path)
    }

    /// The resources that are certainly converged and provide or edit this very path.
    pub(crate) fn users_of(&self, set: &ResourceSet, path: &Path) -> &[ResourceIndex] {
        let users = || {
            let mut users: FxHashMap<PathBuf, Vec<ResourceIndex>> = FxHashMap::default();
            for (path, mark) in self.converged(set) {
                users.entry(path.to_owned()).or_default().push(mark.resource);
            }
            users
        };
        self.users.get_or_init(users).get(path).map_or(&[], Vec::as_slice)
    }

    fn converged<'a>(&'a self, set: &'a ResourceSet) -> impl Iterator<Item = (&'a Path, Mark)> {
        self.named.iter(set).filter(|(_, mark)| mark.converged)
    }

    /// Whether this path or one below it belongs to a resource. As long as a path is unknown, it may be any: then nothing
    /// can be removed.
    pub(crate) fn contains(&self, set: &ResourceSet, path: &Path) -> bool {
        let late = self.late.lock();
        !late.waiting.is_empty() || late.index.contains(path) || self.index(set).contains(path)
    }

    /// Whether this path belongs to a resource with everything inside.
    pub(crate) fn is_whole(&self, set: &ResourceSet, path: &Path) -> bool {
        let late = self.late.lock();
        !late.waiting.is_empty() || late.index.is_whole(path) || self.index(set).is_whole(path)
    }

    fn index(&self, set: &ResourceSet) -> &Paths {
        self.index.get_or_init(|| {
            let mut index = Paths::default();
            self.named.iter(set).for_each(|(path, mark)| index.insert(path, mark.whole));
            index
        })
    }
}

/// Each path of these claims: whether it is provided, and whether everything inside belongs to it.
pub(crate) fn paths(claims: &Claims) -> impl Iterator<Item = (&Path, bool, bool)> {
    let provided = claims.provided().filter_map(path_of);
    let provided = provided.map(|path| (path, true, !claims.open.iter().any(|open| open == path)));
    let edited = claims.edits.iter().filter_map(path_of).map(|path| (path, false, false));
    provided.chain(edited).chain(claims.owns.iter().map(|path| (path.as_path(), false, true)))
}

/// Each path of these claims that no other resource may change: those held, and those edited. And whether everything
/// inside belongs to it.
pub(crate) fn controlled_paths(claims: &Claims) -> impl Iterator<Item = (&Path, bool)> {
    let held = claims.holds.iter().filter_map(path_of);
    let held = held.map(|path| (path, !claims.open.iter().any(|open| open == path)));
    held.chain(claims.edits.iter().filter_map(path_of).map(|path| (path, false)))
}

pub(crate) fn path_of(claim: &Claim) -> Option<&Path> {
    match claim {
        Claim::Path(path) => Some(path),
        _ => None,
    }
}

/// These paths, and their real paths: a home directory may be reached through a symbolic link, and a purge uses the real
/// path.
fn with_other_names(paths: Vec<PathBuf>, host: &Reading<'_>) -> Result<Vec<PathBuf>> {
    let names = RealNames::default();
    let mut all = Vec::with_capacity(paths.len() * 3);
    for path in paths {
        all.extend([names.find(&path, host)?, real_path(&path, host)?, path]);
    }
    Ok(all)
}
