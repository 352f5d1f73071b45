//! Expressions that stand outside of every configuration: functions mean something there, names do not.

use std::path::PathBuf;
use std::sync::Arc;

use uphold_functions::Surroundings;
use uphold_model::{Diagnostic, Place, Value};

use crate::code::Code;
use crate::evaluate::{Budget, Evaluator, Frame};
use crate::expand::Unread;
use crate::instance::{Instance, Universe};
use crate::module::Module;
use crate::name_check::{Context, NameCheck, Used};
use crate::tree::{NodeId, Tree};

/// A text of its own.
pub(crate) struct Aside {
    pub(crate) code: Arc<Code>,
    universe: Arc<Universe>,
    instance: Arc<Instance>,
    budget: Budget,
}

impl Aside {
    pub(crate) fn new(tree: Tree, directory: PathBuf, surroundings: &Arc<dyn Surroundings>) -> Self {
        let code = Arc::new(Code { tree, directory: directory.clone() });
        let module = Module::of(vec![code.clone()]);
        let universe = Universe::new(surroundings.clone(), directory);
        let instance = universe.add(module.into(), None, 0, []);
        Self { code, universe, instance, budget: Budget::default() }
    }

    /// The value of an expression.
    pub(crate) fn node(&self, node: NodeId) -> Result<Value, Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let module = &self.instance.module;
        NameCheck { module, problems: &mut problems, used: Used::default() }
            .node(Context::new(&self.code), node);
        if !problems.is_empty() {
            let names = ["no such local", "no such param", "no `each` here"];
            let told = |problem: Diagnostic| match names.contains(&problem.summary) {
                true => outside(problem.place),
                false => problem,
            };
            return Err(problems.into_iter().map(told).collect());
        }
        let evaluator = Evaluator::new(&self.universe, &Unread, false, &self.budget);
        let value = evaluator.node(&Frame::new(&self.instance, &self.code), node);
        match evaluator.take_references().first() {
            Some(reference) => Err(vec![outside(reference.place)]),
            None => value.map_err(|problem| vec![*problem]),
        }
    }
}

fn outside(place: Option<Place>) -> Diagnostic {
    let detail = "this stands outside of the configuration, and cannot refer to what is in it";
    Diagnostic::error("not a reference", detail).at(place).fix("write the value out")
}
