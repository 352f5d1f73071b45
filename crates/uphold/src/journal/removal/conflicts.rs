//! Things that declared resources need or manage, and that a removal would take away.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_engine::RealNames;
use uphold_model::{Claim, Claims, ResourceId};
use uphold_resource::Reading;

use super::super::left::DeclaredResources;
use super::redeclared::Refusal;

/// The claims of all declared resources. Paths are compared without links on the way, so that two spellings of one file are
/// the same.
pub(super) struct DeclaredClaims<'a> {
    host: &'a Reading<'a>,
    names: RealNames,
    /// Each path with the resources that use it.
    paths: BTreeMap<PathBuf, Vec<(ResourceId, Use)>>,
    /// Other things that are needed.
    needed: FxHashMap<Claim, ResourceId>,
    /// The resources that provide or edit each thing, and whether they edit it.
    sharing: FxHashMap<Claim, Vec<(ResourceId, bool)>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It is managed as a whole, with all its content if `whole`.
    Holds {
        whole: bool,
    },
    Other,
}

impl<'a> DeclaredClaims<'a> {
    /// Of the resources whose claims are known before the run.
    pub(super) fn of(declared: &DeclaredResources<'_>, host: &'a Reading<'a>) -> Self {
        let (paths, needed, sharing) = Default::default();
        let mut all = Self { host, names: RealNames::default(), paths, needed, sharing };
        declared.for_each(|id, instance| all.add(id, &instance.claims()));
        all
    }

    /// Whether two resources hold the same thing, such as the same path.
    pub(super) fn share(&self, one: &Claims, other: &Claims) -> bool {
        let held: FxHashSet<Claim> = one.holds.iter().map(|claim| self.real_claim(claim)).collect();
        other.holds.iter().any(|claim| held.contains(&self.real_claim(claim)))
    }

    fn real_claim(&self, claim: &Claim) -> Claim {
        match claim {
            Claim::Path(path) => Claim::Path(self.real_name(path)),
            other => other.clone(),
        }
    }

    /// A path whose parent cannot be read stays as it is.
    fn real_name(&self, path: &Path) -> PathBuf {
        self.names.find(path, self.host).unwrap_or_else(|_| path.to_owned())
    }

    fn add(&mut self, id: &ResourceId, claims: &Claims) {
        let uses = |claims: &[Claim], how: Use| {
            claims.iter().map(|claim| (self.real_claim(claim), how)).collect::<Vec<_>>()
        };
        let held = uses(&claims.holds, Use::Holds { whole: claims.whole_content });
        let others = [&claims.provides, &claims.needs, &claims.edits].map(|claims| uses(claims, Use::Other));
        for (claim, how) in held.into_iter().chain(others.into_iter().flatten()) {
            match claim {
                Claim::Path(path) => self.paths.entry(path).or_default().push((id.clone(), how)),
                claim if how == Use::Other => _ = self.needed.entry(claim).or_insert_with(|| id.clone()),
                _ => {}
            }
        }
        let provided = claims.provided().map(|claim| (claim, false));
        for (claim, is_edit) in provided.chain(claims.edits.iter().map(|claim| (claim, true))) {
            self.sharing.entry(self.real_claim(claim)).or_default().push((id.clone(), is_edit));
        }
    }

    /// Refuses a removal of something that a declared resource needs, contains or edits.
    ///
    /// # Errors
    /// The reason.
    pub(super) fn check(&self, claims: &Claims) -> Result<(), Refusal> {
        for claim in &claims.holds {
            if let Claim::Path(path) = claim {
                self.check_path(&self.real_name(path))?;
            } else if let Some(id) = self.needed.get(claim) {
                return Err(format!("{id} needs it"));
            }
        }
        for path in claims.edits.iter().filter_map(path_of) {
            let users = self.paths.get(&self.real_name(path)).into_iter().flatten();
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

    /// Declared resources that may be the same thing on the machine, or a part of it: they are of the same kind, or edit it.
    /// Another kind at the same path takes its place.
    pub(super) fn alike(&self, kind: &str, claims: &Claims) -> FxHashSet<ResourceId> {
        let shared = claims.provided().chain(&claims.edits).map(|claim| self.real_claim(claim));
        let sharing = shared.filter_map(|claim| self.sharing.get(&claim)).flatten();
        sharing.filter(|(id, is_edit)| *is_edit || *id.kind == *kind).map(|(id, _)| id.clone()).collect()
    }
}

fn path_of(claim: &Claim) -> Option<&Path> {
    match claim {
        Claim::Path(path) => Some(path),
        _ => None,
    }
}
