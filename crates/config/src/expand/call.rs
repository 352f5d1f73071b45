//! Module calls and their arguments.

use std::sync::Arc;

use uphold_model::{Code, Diagnostic, Name, Order, Place, Related, Statement, Term};

use super::expansion::{Enclosing, Expansion};
use super::group::begun;
use super::handling::{HandlingReader, Result};
use crate::evaluate::{Env, Frame, Many};
use crate::instance::Instance;
use crate::meta::Argument;
use crate::module::DEEPEST;
use crate::tree::{Content, NodeId, TreeView};

impl Expansion<'_> {
    /// Expands the content of a module.
    pub(super) fn call(
        &mut self,
        instance: &Arc<Instance>,
        number: u32,
        env: &Env,
        when: Option<&Term>,
        around: &Enclosing,
    ) {
        let block = &instance.module.blocks[number as usize];
        if instance.depth >= DEEPEST {
            let detail = format!("modules are called more than {DEEPEST} levels deep");
            let error = Diagnostic::new(Code::NestedTooDeeply, detail).at(block.head);
            return self.problems.push(error.fix("call modules from fewer levels"));
        }
        let (code, tree) = instance.module.body(number);
        let code = TreeView::new(code, &tree);
        let frame = Frame::inside(instance, code, env);
        let mut inside = around.clone();
        inside.when.extend(when.cloned());
        for (argument, item) in &block.arguments {
            if let Content::Expression(node) = code.item(*item).content {
                let taken = self.inherited(&frame, (*argument, node), env, &mut inside);
                self.problems.extend(taken.err().map(|problem| *problem));
            }
        }
        let key = env.each.as_ref().map(|each| &each.key);
        match self.evaluator.child(instance, number, key) {
            Ok(child) => {
                let (before, declared) = (self.problems.len(), self.statements.len());
                // Delayed notifications of a module are delivered at its end, wherever it is called.
                let group = begun(Order::Parallel, child.path.clone(), block.head);
                self.grouped(group, false, |this| this.instance(&child, &inside));
                if !self.statements[declared..].iter().any(|one| matches!(one, Statement::Declare(_))) {
                    self.empty.insert(instance.id_for(number, key));
                }
                self.add_call_place(before, block.head, child.path.as_deref().unwrap_or_default());
            }
            Err(problem) => self.problems.push(*problem),
        }
    }

    /// Reads a meta argument that everything in a module inherits.
    fn inherited(
        &self,
        frame: &Frame<'_>,
        (argument, node): (Argument, NodeId),
        env: &Env,
        inside: &mut Enclosing,
    ) -> Result<()> {
        match argument {
            Argument::DependsOn => {
                inside.depends_on.extend(self.evaluator.dependencies(frame, node, Many::Together)?);
            }
            Argument::OnRemoval => {
                inside.on_removal = HandlingReader { expansion: self, frame, env }.on_removal(node)?;
            }
            Argument::Always => inside.always = self.bool(frame, node, argument)?,
            _ => {}
        }
        Ok(())
    }

    /// A problem inside a module may exist in one call only: adds the place of the call.
    fn add_call_place(&mut self, before: usize, head: Place, path: &str) {
        for problem in &mut self.problems[before..] {
            if problem.place.is_some_and(|place| place.source != head.source) {
                problem.related.push(Related { place: head, label: format!("in this call, {path}") });
            }
        }
    }

    /// Checks a param against its validations. An unknown value is checked when it is read during the run.
    pub(super) fn validate(&mut self, instance: &Arc<Instance>, name: &Name) {
        let param = &instance.module.params[name];
        let mut references = Vec::new();
        for validation in &param.validations {
            let check = || self.evaluator.validation(instance, name, validation);
            let (checked, read) = self.evaluator.recording(check);
            references.extend(read);
            self.problems.extend(checked.err().map(|problem| *problem));
        }
        if !references.is_empty()
            && let Some(bound) = instance.param(name)
        {
            _ = bound.deferred_check.set(references.into());
        }
    }
}
