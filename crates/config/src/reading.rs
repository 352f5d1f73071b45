//! Reading a configuration: returns statements and diagnostics.

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

/// A configuration that was read.
pub struct Reading {
    /// The statements, in written order. If there are errors, everything that could be understood: a value that could
    /// not be evaluated is unknown, so that it causes no further error.
    pub statements: Vec<Statement>,
    /// All problems, in written order. Nothing may be applied if there are errors.
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
    /// A reader of configurations with access to these surroundings.
    pub fn new(surroundings: Arc<dyn Surroundings>) -> Self {
        Self { surroundings, given: Vec::new(), kinds: HashSet::new() }
    }

    /// The same, with values for params. If a param has several values, the first counts.
    #[must_use]
    pub fn given(mut self, given: impl IntoIterator<Item = Given>) -> Self {
        self.given.extend(given);
        self
    }

    /// The same, with kinds that exist already: no module can take such a name.
    #[must_use]
    pub fn kinds<N: Into<Name>>(mut self, kinds: impl IntoIterator<Item = N>) -> Self {
        self.kinds.extend(kinds.into_iter().map(Into::into));
        self
    }

    /// Reads these sources as one configuration, with the modules that it calls.
    ///
    /// Takes time and memory linear in the text and in the number of resources, and never fails: all problems are
    /// diagnostics with places. Sources of modules are added to `sources`.
    pub fn read(&self, sources: &mut Sources, ids: &[SourceId]) -> Reading {
        let mut problems = Vec::new();
        let root = Loader::new(sources, &*self.surroundings, &self.kinds, &mut problems).define(ids);
        let readable = problems.iter().all(|problem| problem.severity() != Severity::Error);
        module_check::check(&root, &mut problems);
        if !readable {
            // An item that could not be read may be the one that uses a definition.
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

/// The maximum number of problems.
const MOST: usize = 100;

/// Sorts the problems by place, and removes duplicates and excess.
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
        // A warning never displaces an error.
        problems.retain(|problem| problem.severity() == Severity::Error);
    }
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(problems);
    diagnostics.cap();
    diagnostics
}
