//! Calls of modules, and what they are passed.

use std::sync::Arc;

use uphold_model::{Diagnostic, Name, Order, Place, Related, Statement, Term, Value};

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
            let error = Diagnostic::error("nested too deeply", detail).at(block.head);
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

    /// Checks a param against its validations. What is not known yet is not checked.
    pub(super) fn validate(&mut self, instance: &Arc<Instance>, name: &Name) {
        let param = &instance.module.params[name];
        for validation in &param.validations {
            let code = instance.module.passage(&validation.condition);
            let frame = Frame::new(instance, code);
            let condition = code.item(validation.condition.item);
            let value = match self.evaluator.item(&frame, &condition) {
                Ok(value) => value,
                Err(problem) => {
                    self.problems.push(*problem);
                    continue;
                }
            };
            match value.reveal() {
                Value::Bool(true) | Value::Unknown(_) => {}
                Value::Bool(false) => {
                    let message = self.evaluator.item(&frame, &code.item(validation.message.item));
                    let problem = self.invalid(instance, name, message.ok(), validation.place);
                    self.problems.push(problem);
                }
                other => {
                    let detail = format!("this is {}, not true or false", other.type_name());
                    let error =
                        Diagnostic::error("condition is not a bool", detail).at(code.place(condition.value));
                    self.problems.push(error.fix("compare something: `param.x > 0`"));
                }
            }
        }
    }

    fn invalid(
        &self,
        instance: &Instance,
        name: &Name,
        message: Option<Value>,
        validation: Place,
    ) -> Diagnostic {
        let message = match message {
            Some(Value::Text(text)) => text.to_string(),
            _ => "it does not meet its condition".into(),
        };
        let place = self.bound_at(instance, name);
        let error = Diagnostic::error("invalid param", format!("`{name}`: {message}"));
        let error = match place {
            Some(place) => error.at(place).and_at(validation, "checked here"),
            None => error.at(validation),
        };
        error.fix("pass a value that meets the condition")
    }

    /// Where a param was set, if it was set by a block.
    fn bound_at(&self, instance: &Instance, name: &str) -> Option<Place> {
        match &instance.param(name)?.binding {
            crate::instance::Binding::Written { entry, block, env } => {
                let caller = self.universe.instance(env.instance);
                let (code, tree) = caller.module.body(*block);
                let code = Passage::new(code, &tree);
                Some(code.place(code.item(entry.first).value))
            }
            _ => None,
        }
    }
}
