//! Standalone expressions, which belong to no configuration: they can call functions, but refer to nothing.

use std::sync::Arc;

use uphold_functions::Surroundings;
use uphold_model::{Code, Diagnostic, Place, Value};

use crate::evaluate::{Budget, Evaluator, Frame};
use crate::expand::Unread;
use crate::instance::{Instance, Universe};
use crate::module::Module;
use crate::name_check::{Context, NameCheck, Used};
use crate::source_code::SourceCode;
use crate::tree::{NodeId, Tree, TreeView};

/// A standalone source.
pub(crate) struct StandaloneExpr {
    code: Arc<SourceCode>,
    tree: Tree,
    universe: Arc<Universe>,
    instance: Arc<Instance>,
    budget: Budget,
}

impl StandaloneExpr {
    /// `tree` covers the whole source.
    pub(crate) fn new(code: SourceCode, tree: Tree, surroundings: &Arc<dyn Surroundings>) -> Self {
        let code = Arc::new(code);
        let module = Module::of(vec![code.clone()]);
        let universe = Universe::new(surroundings.clone(), code.directory.clone());
        let instance = universe.add(module.into(), None, None, []);
        Self { code, tree, universe, instance, budget: Budget::default() }
    }

    pub(crate) fn code(&self) -> TreeView<'_> {
        TreeView::new(&self.code, &self.tree)
    }

    /// The value of an expression.
    pub(crate) fn node(&self, node: NodeId) -> Result<Value, Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let module = &self.instance.module;
        NameCheck { module, problems: &mut problems, used: Used::default() }
            .node(Context::new(&self.code()), node);
        if !problems.is_empty() {
            return Err(problems.into_iter().map(standalone_problem).collect());
        }
        let evaluator = Evaluator::new(&self.universe, &Unread, false, &self.budget);
        let value = evaluator.node(&Frame::new(&self.instance, self.code()), node);
        match evaluator.take_references().first() {
            Some(reference) => Err(vec![outside(reference.place)]),
            None => value.map_err(|problem| vec![*problem]),
        }
    }
}

/// Rewords a problem with a name: outside of a configuration, no reference is valid.
pub(crate) fn standalone_problem(problem: Diagnostic) -> Diagnostic {
    match problem.code {
        Code::UnknownLocal | Code::UnknownParam | Code::EachOutside => outside(problem.place),
        _ => problem,
    }
}

fn outside(place: Option<Place>) -> Diagnostic {
    let detail = "this expression is not part of a configuration, so it cannot refer to names";
    Diagnostic::new(Code::InvalidReference, detail).at(place).fix("write the value itself")
}
