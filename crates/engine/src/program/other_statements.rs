//! Statements that neither declare nor trigger: inactive blocks, moves and settings.

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{
    Code, Diagnostic, Diagnostics, InactiveBlock, Moved, Place, Removed, Settings, closest,
    covering_addresses,
};

use crate::program::decode::also_at;
use crate::program::set::ResourceSet;

/// The statements of a configuration that neither declare nor trigger.
#[derive(Debug, Default)]
pub(crate) struct OtherStatements {
    /// Resources, blocks and module calls whose `when` is false.
    pub(crate) inactive: Vec<InactiveBlock>,
    pub(crate) moved: Vec<Moved>,
    pub(crate) removed: Vec<Removed>,
    pub(crate) settings: Settings,
}

/// A suggestion costs a walk over all addresses, so that only the first ones get one.
const MOST_SEARCHES: usize = 100;

/// The addresses of resources, of blocks with `for_each` and of module calls.
struct DeclaredAddresses {
    addresses: FxHashMap<String, DeclaredAt>,
}

/// An address of a resource, or one that covers resources.
struct DeclaredAt {
    /// The place of the first resource.
    place: Option<Place>,
    /// Whether it has a resource of its own, or is a module call without a key: not only keys of `for_each`.
    is_single: bool,
}

impl DeclaredAddresses {
    /// Costs memory for each of them.
    fn of(set: &ResourceSet, inactive: &[InactiveBlock]) -> Self {
        let mut addresses: FxHashMap<String, DeclaredAt> = FxHashMap::default();
        let active = set.iter().map(|(_, declared)| &declared.declaration);
        let active = active.map(|declaration| (declaration.id.to_string(), declaration.place));
        for (address, place) in active.chain(inactive.iter().map(|block| (block.id.to_string(), None))) {
            for covering in covering_addresses(&address) {
                let is_single = !address[covering.len()..].starts_with('[');
                match addresses.get_mut(covering) {
                    Some(known) => known.is_single |= is_single,
                    None => _ = addresses.insert(covering.to_owned(), DeclaredAt { place, is_single }),
                }
            }
        }
        Self { addresses }
    }

    fn is_declared(&self, address: &str) -> bool {
        self.addresses.contains_key(address)
    }
}

impl OtherStatements {
    /// Reports `moved` and `removed` blocks that contradict each other or the declarations.
    pub(crate) fn check(&self, set: &ResourceSet, diagnostics: &mut Diagnostics) {
        if self.moved.is_empty() && self.removed.is_empty() {
            return;
        }
        let declared = DeclaredAddresses::of(set, &self.inactive);
        let unique = self.check_unique(diagnostics);
        let mut searches = 0;
        for moved in &self.moved {
            diagnostics.extend(still_declared(&declared, moved));
            if !declared.is_declared(&moved.to) && !unique.contains(&*moved.to) {
                searches += 1;
                diagnostics.push(undeclared(&declared, moved, searches <= MOST_SEARCHES));
            }
        }
        for Removed { from, place, .. } in &self.removed {
            let first = declared.addresses.get(from);
            diagnostics.extend(first.map(|first| contradiction(from, *place, first.place)));
        }
        self.check_circles(diagnostics);
    }

    /// The addresses of all `from`, each of which may occur once.
    fn check_unique(&self, diagnostics: &mut Diagnostics) -> FxHashSet<&str> {
        let moved = self.moved.iter().map(|moved| (&*moved.from, moved.place));
        let removed = self.removed.iter().map(|removed| (&*removed.from, removed.place));
        let mut first_places: FxHashMap<&str, Option<Place>> = FxHashMap::default();
        for (from, place) in moved.chain(removed) {
            if let Some(first) = first_places.get(from) {
                let detail = format!("{from} is moved or removed by two blocks");
                let error = Diagnostic::new(Code::MovedTwice, detail).at(place).fix("keep one of the blocks");
                diagnostics.push(also_at(error, *first, "first written here"));
            } else {
                first_places.insert(from, place);
            }
        }
        first_places.into_keys().collect()
    }

    /// Reports `moved` blocks that lead back to their own `from`.
    fn check_circles(&self, diagnostics: &mut Diagnostics) {
        let next: FxHashMap<&str, &Moved> = self.moved.iter().map(|moved| (&*moved.from, moved)).collect();
        let mut done: FxHashSet<&str> = FxHashSet::default();
        for start in &self.moved {
            let mut path: FxHashSet<&str> = FxHashSet::default();
            let mut at = Some(start);
            while let Some(moved) = at.filter(|moved| !done.contains(&*moved.from)) {
                if !path.insert(&moved.from) {
                    let detail = format!("{} moves back to itself", moved.from);
                    let error = Diagnostic::new(Code::CircularDefinition, detail).at(moved.place);
                    diagnostics.push(error.fix("remove the block of the older move"));
                    break;
                }
                at = next.get(&*moved.to).copied();
            }
            done.extend(path);
        }
    }
}

/// The previous address is declared, unless only keys of it are, and `to` is one of them: then `for_each` was added.
fn still_declared(declared: &DeclaredAddresses, moved: &Moved) -> Option<Diagnostic> {
    let first = declared.addresses.get(&moved.from)?;
    let adds_key = moved.to.strip_prefix(&*moved.from).is_some_and(|rest| rest.starts_with('['));
    (first.is_single || !adds_key).then(|| contradiction(&moved.from, moved.place, first.place))
}

fn contradiction(from: &str, place: Option<Place>, declared: Option<Place>) -> Diagnostic {
    let error = Diagnostic::new(Code::StillDeclared, format!("{from} is still declared"));
    let error = error.at(place).fix("remove this block, or the declaration");
    also_at(error, declared, "declared here")
}

fn undeclared(declared: &DeclaredAddresses, moved: &Moved, has_suggestion: bool) -> Diagnostic {
    let detail = format!("`moved` names {}, which is not declared", moved.to);
    let error = Diagnostic::new(Code::UnknownResource, detail).at(moved.to_place);
    let known = declared.addresses.keys().map(String::as_str);
    match has_suggestion.then(|| closest(&moved.to, known)).flatten() {
        Some(near) => error.fix(format!("did you mean {near}?")),
        None => error.fix("name a declared resource; if there is none, write a `removed` block"),
    }
}
