//! Reading: sources in, statements and diagnostics out.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_functions::Surroundings;
use uphold_model::{Diagnostic, Diagnostics, Name, Severity, SourceId, Sources, Statement};

use crate::console::Console;
use crate::evaluate::Budget;
use crate::expand::Expansion;
use crate::given::{Given, bind};
use crate::instance::Universe;
use crate::module::Loader;
use crate::module_check;

/// What was read.
pub struct Reading {
    /// What the configuration says, in written order. With errors, this is what could be understood: a value that
    /// could not be read is there as an unknown one, so that it makes no second error.
    pub statements: Vec<Statement>,
    /// All that is wrong with it, in written order. Nothing may be applied if there are errors.
    pub diagnostics: Diagnostics,
    /// Evaluates further expressions.
    pub console: Console,
}

/// Reads configurations.
pub struct Reader {
    surroundings: Arc<dyn Surroundings>,
    given: Vec<Given>,
    kinds: HashSet<Name>,
}

impl Reader {
    /// A reader of configurations that may look at these surroundings.
    pub fn new(surroundings: Arc<dyn Surroundings>) -> Self {
        Self { surroundings, given: Vec::new(), kinds: HashSet::new() }
    }

    /// The same, with values for params. Of several for one param the first counts.
    #[must_use]
    pub fn given(mut self, given: impl IntoIterator<Item = Given>) -> Self {
        self.given.extend(given);
        self
    }

    /// The same, with kinds that there are already: no module may take the name of one.
    #[must_use]
    pub fn kinds<N: Into<Name>>(mut self, kinds: impl IntoIterator<Item = N>) -> Self {
        self.kinds.extend(kinds.into_iter().map(Into::into));
        self
    }

    /// Reads these sources as one configuration, with the modules that it calls.
    ///
    /// Takes time and memory linear in the text and in what it declares, and never fails: whatever is wrong is in the
    /// diagnostics, with its place. Sources of modules are added to `sources`.
    pub fn read(&self, sources: &mut Sources, ids: &[SourceId]) -> Reading {
        let mut problems = Vec::new();
        let root = Loader::new(sources, &*self.surroundings, &self.kinds, &mut problems).define(ids);
        let readable = problems.iter().all(|problem| problem.severity() != Severity::Error);
        module_check::check(&root, &mut problems);
        if !readable {
            // What could not be read may be what uses it.
            problems.retain(|problem| problem.severity() == Severity::Error);
        }
        let bindings = bind(&self.given, &root, sources, &self.surroundings, &mut problems);
        let universe = Universe::new(self.surroundings.clone(), directory(sources, ids));
        let instance = universe.add(root, None, None, bindings);
        let budget = Budget::default();
        let mut expansion = Expansion::new(&universe, &budget);
        expansion.run(&instance);
        problems.append(&mut expansion.problems);
        let statements = std::mem::take(&mut expansion.statements);
        drop(expansion);
        let console = Console { universe, root: instance.id };
        Reading { statements, diagnostics: in_order(problems), console }
    }
}

fn directory(sources: &Sources, ids: &[SourceId]) -> PathBuf {
    let first = ids.first().map(|id| Path::new(&sources.get(*id).name));
    first.and_then(Path::parent).map(Path::to_owned).unwrap_or_default()
}

/// Beyond so many, some are left out.
const MOST: usize = 100;

/// By place, each once, and not too many.
fn in_order(mut problems: Vec<Diagnostic>) -> Diagnostics {
    problems.sort_by_key(|problem| problem.place.map(|place| (place.source, place.start)));
    let mut seen = HashSet::new();
    problems.retain(|problem| {
        seen.insert((
            problem.place.map(|place| (place.source, place.start)),
            problem.code,
            problem.detail.clone(),
        ))
    });
    if problems.len() > MOST && problems.iter().any(|problem| problem.severity() == Severity::Error) {
        // No warning takes the place of an error.
        problems.retain(|problem| problem.severity() == Severity::Error);
    }
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(problems);
    diagnostics.cap();
    diagnostics
}
