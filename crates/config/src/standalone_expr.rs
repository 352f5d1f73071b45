//! Expressions that stand outside of every configuration: functions mean something there, names do not.

use std::sync::Arc;

use uphold_functions::Surroundings;
use uphold_model::{Code, Diagnostic, Place, Value};

use crate::evaluate::{Budget, Evaluator, Frame};
use crate::expand::Unread;
use crate::instance::{Instance, Universe};
use crate::module::Module;
use crate::name_check::{Context, NameCheck, Used};
use crate::source_code::SourceCode;
use crate::tree::{NodeId, Passage, Tree};

/// A text of its own.
pub(crate) struct Aside {
    code: Arc<SourceCode>,
    tree: Tree,
    universe: Arc<Universe>,
    instance: Arc<Instance>,
    budget: Budget,
}

impl Aside {
    /// `tree` is all of the source.
    pub(crate) fn new(code: SourceCode, tree: Tree, surroundings: &Arc<dyn Surroundings>) -> Self {
        let code = Arc::new(code);
        let module = Module::of(vec![code.clone()]);
        let universe = Universe::new(surroundings.clone(), code.directory.clone());
        let instance = universe.add(module.into(), None, None, []);
        Self { code, tree, universe, instance, budget: Budget::default() }
    }

    pub(crate) fn code(&self) -> Passage<'_> {
        Passage::new(&self.code, &self.tree)
    }

    /// The value of an expression.
    pub(crate) fn node(&self, node: NodeId) -> Result<Value, Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let module = &self.instance.module;
        NameCheck { module, problems: &mut problems, used: Used::default() }
            .node(Context::new(&self.code()), node);
        if !problems.is_empty() {
            return Err(problems.into_iter().map(told_outside).collect());
        }
        let evaluator = Evaluator::new(&self.universe, &Unread, false, &self.budget);
        let value = evaluator.node(&Frame::new(&self.instance, self.code()), node);
        match evaluator.take_references().first() {
            Some(reference) => Err(vec![outside(reference.place)]),
            None => value.map_err(|problem| vec![*problem]),
        }
    }
}

/// A problem with a name, where no name means anything.
pub(crate) fn told_outside(problem: Diagnostic) -> Diagnostic {
    match problem.code {
        Code::UnknownLocal | Code::UnknownParam | Code::EachOutside => outside(problem.place),
        _ => problem,
    }
}

fn outside(place: Option<Place>) -> Diagnostic {
    let detail = "this stands outside of the configuration, and cannot refer to what is in it";
    Diagnostic::new(Code::InvalidReference, detail).at(place).fix("write the value out")
}
