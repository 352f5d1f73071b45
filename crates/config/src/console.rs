//! The console: evaluates expressions against a configuration that was read.

use std::sync::Arc;

use uphold_model::{Code, Diagnostic, Diagnostics, Reference, ResourceId, Sources, Value, closest};

use crate::evaluate::{Budget, Evaluator, Frame};
use crate::expand::Unread;
use crate::instance::{InstanceId, Universe};
use crate::module::Module;
use crate::name_check::{Context, NameCheck, Used};
use crate::parser::Parser;
use crate::source_code::SourceCode;
use crate::tree::TreeView;

/// Evaluates expressions with the params, locals, facts and functions of a configuration.
#[derive(Clone)]
pub struct Console {
    pub(crate) universe: Arc<Universe>,
    pub(crate) root: InstanceId,
}

impl Console {
    /// The value of an expression. Exports of resources are unknown.
    ///
    /// # Errors
    /// Everything that is wrong with it; places point into a source that is added to `sources`.
    pub fn evaluate(&self, sources: &mut Sources, text: &str) -> Result<Value, Diagnostics> {
        let id = sources.add("console", text);
        let root = self.universe.instance(self.root);
        let (tree, node, problems) = Parser::new(text, id).parse_single_expression();
        let Some(node) = node else { return Err(all(problems)) };
        let code = Arc::new(SourceCode::of(sources, id, self.universe.root_directory().to_owned()));
        let code = TreeView::new(&code, &tree);
        let mut problems = Vec::new();
        NameCheck { module: &root.module, problems: &mut problems, used: Used::default() }
            .node(Context::new(&code), node);
        if !problems.is_empty() {
            return Err(all(problems));
        }
        let budget = Budget::default();
        let evaluator = Evaluator::new(&self.universe, &Unread, false, &budget);
        let value = evaluator.node(&Frame::new(&root, code), node).map_err(|problem| all(vec![*problem]))?;
        let undeclared = |reference: &Reference| {
            root.module.find(&reference.target.kind, &reference.target.name).is_none()
        };
        let problems: Vec<Diagnostic> = evaluator
            .take_references()
            .iter()
            .filter(|reference| reference.target.module().is_none() && undeclared(reference))
            .map(|reference| no_such(reference, &root.module))
            .collect();
        if problems.is_empty() { Ok(value) } else { Err(all(problems)) }
    }
}

fn no_such(reference: &Reference, module: &Module) -> Diagnostic {
    let target = &reference.target;
    let fix = match closest(&target.name, module.names(&target.kind)) {
        Some(near) => format!("did you mean {}?", ResourceId::new(target.kind.clone(), near)),
        None => "name one that the configuration declares, or param, local, host, module".into(),
    };
    Diagnostic::new(Code::UnknownResource, format!("{target} is not declared")).at(reference.place).fix(fix)
}

fn all(problems: Vec<Diagnostic>) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(problems);
    diagnostics
}
