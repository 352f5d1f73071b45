//! What waits to be changed together with others of its kind.

use rustc_hash::FxHashMap;
use uphold_model::Name;
use uphold_resource::Registry;

use crate::batch::Part;
use crate::turn::Turn;

/// Resources that were looked at and differ, kind by kind. They are changed when nothing more of the
/// kind is being looked at.
pub(crate) struct Tray {
    kinds: FxHashMap<Name, Waiting>,
    filled: usize,
    /// How many visits are under way, of each kind that works in batches.
    looking: FxHashMap<&'static str, usize>,
}

type Waiting = Vec<(Turn, Part)>;

impl Tray {
    pub(crate) fn new(registry: &Registry) -> Self {
        let batching = registry.iter().filter(|kind| kind.batches());
        let looking = batching.map(|kind| (kind.schema().kind, 0)).collect();
        Self { kinds: FxHashMap::default(), filled: 0, looking }
    }

    /// A visit of this kind begins.
    pub(crate) fn begin(&mut self, kind: &Name) {
        self.looking.get_mut(&**kind).into_iter().for_each(|count| *count += 1);
    }

    /// A visit of this kind is over.
    pub(crate) fn end(&mut self, kind: &Name) {
        self.looking.get_mut(&**kind).into_iter().for_each(|count| *count -= 1);
    }

    /// Keeps a part until others are there, too.
    pub(crate) fn put(&mut self, kind: &Name, turn: Turn, part: Part) {
        self.filled += 1;
        match self.kinds.get_mut(kind) {
            Some(waiting) => waiting.push((turn, part)),
            None => drop(self.kinds.insert(kind.clone(), vec![(turn, part)])),
        }
    }

    /// All of a kind of which nothing more is being looked at, in written order: which look was over first is chance, and
    /// what is given out one after the other, such as numbers, should not be.
    pub(crate) fn take(&mut self) -> Option<Waiting> {
        if self.filled == 0 {
            return None;
        }
        let looking = &self.looking;
        let idle = |kind: &Name| looking.get(&**kind).is_none_or(|count| *count == 0);
        let (_, waiting) = self.kinds.iter_mut().find(|(kind, all)| !all.is_empty() && idle(kind))?;
        let mut taken = std::mem::take(waiting);
        taken.sort_by_key(|(turn, _)| turn.node);
        self.filled -= taken.len();
        Some(taken)
    }
}
