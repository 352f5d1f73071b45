//! Things that declared resources need or manage, and that a removal would take away.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Claim, Claims, ResourceId};

use super::super::left::DeclaredResources;
use super::redeclared::Refusal;

/// The claims of all declared resources.
pub(super) struct DeclaredClaims {
    /// Each path with the resources that use it.
    paths: BTreeMap<PathBuf, Vec<(ResourceId, Use)>>,
    /// Other things that are needed.
    needed: FxHashMap<Claim, ResourceId>,
    /// By kind and claim, the resources that provide or edit it.
    sharing: FxHashMap<(String, Claim), Vec<ResourceId>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It is managed as a whole, with all its content if `whole`.
    Holds {
        whole: bool,
    },
    Other,
}

impl DeclaredClaims {
    /// Of the resources whose claims are known before the run.
    pub(super) fn of(declared: &DeclaredResources<'_>) -> Self {
        let (paths, needed, sharing) = Default::default();
        let mut all = Self { paths, needed, sharing };
        declared.for_each(|id, instance| all.add(id, &instance.claims()));
        all
    }

    fn add(&mut self, id: &ResourceId, claims: &Claims) {
        let uses =
            |claims: &[Claim], how: Use| claims.iter().cloned().map(move |claim| (claim, how)).collect();
        let held: Vec<_> = uses(&claims.holds, Use::Holds { whole: claims.whole_content });
        let others = [&claims.provides, &claims.needs, &claims.edits].map(|claims| uses(claims, Use::Other));
        for (claim, how) in held.into_iter().chain(others.into_iter().flatten()) {
            match claim {
                Claim::Path(path) => self.paths.entry(path).or_default().push((id.clone(), how)),
                claim if how == Use::Other => _ = self.needed.entry(claim).or_insert_with(|| id.clone()),
                _ => {}
            }
        }
        for claim in claims.provided().chain(&claims.edits) {
            let key = (id.kind.to_string(), claim.clone());
            self.sharing.entry(key).or_default().push(id.clone());
        }
    }

    /// Refuses a removal of something that a declared resource needs, contains or edits.
    ///
    /// # Errors
    /// The reason.
    pub(super) fn check(&self, claims: &Claims) -> Result<(), Refusal> {
        for claim in &claims.holds {
            if let Claim::Path(path) = claim {
                self.check_path(path)?;
            } else if let Some(id) = self.needed.get(claim) {
                return Err(format!("{id} needs it"));
            }
        }
        for path in claims.edits.iter().filter_map(path_of) {
            let users = self.paths.get(path).into_iter().flatten();
            if let Some((id, _)) = users.into_iter().find(|(_, how)| *how == Use::Holds { whole: true }) {
                return Err(format!("{id} declares all content of {}", path.display()));
            }
        }
        Ok(())
    }

    fn check_path(&self, path: &Path) -> Result<(), Refusal> {
        let inside = self.paths.range(path.to_owned()..).take_while(|(other, _)| other.starts_with(path));
        for (other, users) in inside {
            let is_itself = other == path;
            let mut users = users.iter().filter(|(_, how)| !is_itself || *how == Use::Other);
            if let Some((id, _)) = users.next() {
                let why = if is_itself { "needs it" } else { "is in it" };
                return Err(format!("{id} {why}"));
            }
        }
        Ok(())
    }

    /// Declared resources of the same kind that may be the same thing on the machine: they provide or edit the same.
    pub(super) fn alike(&self, id: &ResourceId, claims: &Claims) -> FxHashSet<ResourceId> {
        let keys = claims.provided().chain(&claims.edits).map(|claim| (id.kind.to_string(), claim.clone()));
        keys.filter_map(|key| self.sharing.get(&key)).flatten().cloned().collect()
    }
}

fn path_of(claim: &Claim) -> Option<&Path> {
    match claim {
        Claim::Path(path) => Some(path),
        _ => None,
    }
}
