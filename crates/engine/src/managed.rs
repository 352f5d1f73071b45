//! Which paths the resources of a program provide or edit: what purging must leave alone.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashSet;
use uphold_model::{Claim, Claims};

use crate::graph::NodeIndex;
use crate::set::{ResourceIndex, ResourceSet};

/// The paths that resources provide, declared in any way. Only purging and creating ask for them,
/// so each index is made when it is first asked for.
#[derive(Default)]
pub(crate) struct Managed {
    named: Named,
    index: OnceLock<FxHashSet<PathBuf>>,
    kept: OnceLock<FxHashSet<PathBuf>>,
    late: RwLock<Late>,
}

/// Paths, and whether each is there once the run is over. One text for all: a watch holds them for as long as it goes
/// on, and mostly nobody asks.
#[derive(Default)]
struct Named {
    /// Resources that are labelled with the path, as most are.
    labels: Vec<(ResourceIndex, bool)>,
    text: Vec<u8>,
    /// Where each other path ends in the text.
    ends: Vec<(u32, bool)>,
}

impl Named {
    fn push(&mut self, path: &Path, kept: bool, (resource, label): (ResourceIndex, &str)) {
        if path.as_os_str() == label {
            self.labels.push((resource, kept));
            return;
        }
        self.text.extend_from_slice(path.as_os_str().as_bytes());
        let end = u32::try_from(self.text.len()).expect("places of paths are 32 bits wide");
        self.ends.push((end, kept));
    }

    fn iter<'a>(&'a self, set: &'a ResourceSet) -> impl Iterator<Item = (&'a Path, bool)> {
        let label =
            |(resource, kept): &(ResourceIndex, bool)| (Path::new(&**set.id(*resource).label()), *kept);
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(end, _)| *end));
        let path = |(start, (end, kept)): (u32, &(u32, bool))| {
            (Path::new(OsStr::from_bytes(&self.text[start as usize..*end as usize])), *kept)
        };
        self.labels.iter().map(label).chain(starts.zip(&self.ends).map(path))
    }
}

/// What is only known during the run.
#[derive(Default)]
struct Late {
    /// Nodes whose paths are not known yet.
    waiting: FxHashSet<NodeIndex>,
    index: FxHashSet<PathBuf>,
}

impl Managed {
    /// Adds what a resource with this label names. If it is converged, what it provides is there once the run is over.
    /// What it only edits is somebody's as well, but may be missing.
    pub(crate) fn add(&mut self, resource: (ResourceIndex, &str), claims: &Claims, converged: bool) {
        paths(claims.provided()).for_each(|path| self.named.push(path, converged, resource));
        paths(&claims.edits).for_each(|path| self.named.push(path, false, resource));
    }

    /// Gives back memory that nothing more will need.
    pub(crate) fn shrink(&mut self) {
        self.named.labels.shrink_to_fit();
        self.named.text.shrink_to_fit();
        self.named.ends.shrink_to_fit();
    }

    /// Notes that the paths of a node are not known yet.
    pub(crate) fn wait_for(&mut self, node: NodeIndex) {
        self.late.get_mut().unwrap_or_else(PoisonError::into_inner).waiting.insert(node);
    }

    /// The paths of a node have become known.
    pub(crate) fn learn(&self, node: NodeIndex, claims: &Claims) {
        let mut late = self.late.write().unwrap_or_else(PoisonError::into_inner);
        if late.waiting.remove(&node) {
            let all = paths(claims.provided().chain(&claims.edits));
            all.for_each(|path| insert(&mut late.index, path));
        }
    }

    /// The directories that hold what resources provide or edit, each once. The set is the one whose numbers were added.
    pub(crate) fn directories<'a>(&'a self, set: &'a ResourceSet) -> FxHashSet<&'a Path> {
        self.named.iter(set).filter_map(|(path, _)| path.parent()).collect()
    }

    /// Whether a resource makes sure that this very path is there. The set is the one whose numbers were added.
    pub(crate) fn provides(&self, set: &ResourceSet, path: &Path) -> bool {
        let late = self.late.read().unwrap_or_else(PoisonError::into_inner);
        let kept =
            || self.named.iter(set).filter(|(_, kept)| *kept).map(|(path, _)| path.to_owned()).collect();
        !late.waiting.is_empty() || late.index.contains(path) || self.kept.get_or_init(kept).contains(path)
    }

    /// Whether a resource provides this path, or one below it. As long as a path is unknown, it
    /// may be any: then nothing is anybody's to remove.
    pub(crate) fn contains(&self, set: &ResourceSet, path: &Path) -> bool {
        let late = self.late.read().unwrap_or_else(PoisonError::into_inner);
        !late.waiting.is_empty()
            || late.index.contains(path)
            || self.index.get_or_init(|| index(self.named.iter(set))).contains(path)
    }
}

fn paths<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> impl Iterator<Item = &'a Path> {
    claims.into_iter().filter_map(|claim| match claim {
        Claim::Path(path) => Some(path.as_path()),
        _ => None,
    })
}

fn index<'a>(named: impl Iterator<Item = (&'a Path, bool)>) -> FxHashSet<PathBuf> {
    let mut index = FxHashSet::default();
    named.for_each(|(path, _)| insert(&mut index, path));
    index
}

/// A path with its parents; stops where the parents are known already.
fn insert(index: &mut FxHashSet<PathBuf>, path: &Path) {
    for path in path.ancestors() {
        if !index.insert(path.to_owned()) {
            break;
        }
    }
}
