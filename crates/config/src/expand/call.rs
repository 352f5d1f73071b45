//! Calls of modules, and what they are passed.

use std::sync::Arc;

use uphold_model::{Code, Diagnostic, Name, Order, Place, Related, Statement, Term};

use super::expansion::{Around, Expansion};
use super::group::begun;
use crate::evaluate::{Env, Frame, Many};
use crate::instance::Instance;
use crate::meta::Argument;
use crate::module::DEEPEST;
use crate::tree::{Content, Passage};

impl Expansion<'_> {
    /// Expands what a module holds.
    pub(super) fn call(
        &mut self,
        instance: &Arc<Instance>,
        number: u32,
        env: &Env,
        when: Option<&Term>,
        around: &Around,
    ) {
        let block = &instance.module.blocks[number as usize];
        if instance.depth >= DEEPEST {
            let detail = format!("modules are called more than {DEEPEST} levels deep");
            let error = Diagnostic::new(Code::NestedTooDeeply, detail).at(block.head);
            return self.problems.push(error.fix("call modules from fewer levels"));
        }
        let (code, tree) = instance.module.body(number);
        let code = Passage::new(code, &tree);
        let frame = Frame::inside(instance, code, env);
        let mut inside = around.clone();
        inside.when.extend(when.cloned());
        if let Some(item) = block.argument(Argument::DependsOn)
            && let Content::Expression(node) = code.item(item).content
        {
            match self.evaluator.dependencies(&frame, node, Many::Together) {
                Ok(found) => inside.depends_on.extend(found),
                Err(problem) => self.problems.push(*problem),
            }
        }
        let key = env.each.as_ref().map(|each| &each.key);
        match self.evaluator.child(instance, number, key) {
            Ok(child) => {
                let (before, declared) = (self.problems.len(), self.statements.len());
                // What is put off in a module is done at its end, wherever it is called.
                let group = begun(Order::Parallel, child.path.clone(), block.head);
                self.grouped(group, false, |this| this.instance(&child, &inside));
                if !self.statements[declared..].iter().any(|one| matches!(one, Statement::Declare(_))) {
                    self.empty.insert(instance.id_for(number, key));
                }
                self.tell_call(before, block.head, child.path.as_deref().unwrap_or_default());
            }
            Err(problem) => self.problems.push(*problem),
        }
    }

    /// What is wrong inside a module may be wrong for one call only: it says for which.
    fn tell_call(&mut self, before: usize, head: Place, path: &str) {
        for problem in &mut self.problems[before..] {
            if problem.place.is_some_and(|place| place.source != head.source) {
                problem.related.push(Related { place: head, label: format!("in this call, {path}") });
            }
        }
    }

    /// Checks a param against its validations. What is not known yet is checked when it is read in the run.
    pub(super) fn validate(&mut self, instance: &Arc<Instance>, name: &Name) {
        let param = &instance.module.params[name];
        let mut references = Vec::new();
        for validation in &param.validations {
            let check = || self.evaluator.validation(instance, name, validation);
            let (checked, read) = self.evaluator.noting(check);
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
