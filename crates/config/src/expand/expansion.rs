//! The walk over a configuration, module by module, in written order.

use std::collections::HashSet;
use std::fmt::Write;
use std::mem::take;
use std::sync::Arc;

use uphold_model::{
    Attribute, Code, Diagnostic, Name, Order, Output, Reference, ResourceId, Scope, Statement, Term, Value,
    shed,
};

use super::group::begun;
use crate::evaluate::{Budget, Each, Env, Evaluator, MISTAKE};
use crate::instance::{Instance, Placed, Spread, Universe};
use crate::meta::Argument;
use crate::module::{Member, What};
use crate::waiting::{AllOf, Late, Waiting};

/// So many resources fit into the memory of a large machine.
const MOST_RESOURCES: usize = 1_000_000;

/// When a configuration is read, nothing is known about resources.
pub(crate) struct Unread;

impl Scope for Unread {
    fn resolve(&self, reference: &Reference) -> Result<Value, Diagnostic> {
        Ok(match reference.path.is_empty() {
            true => Value::Reference(Arc::new(reference.target.clone())),
            false => {
                let mut path = String::with_capacity(64);
                // Writing to a string cannot fail.
                _ = write!(path, "{reference}");
                Value::unknown(path)
            }
        })
    }
}

/// Makes the statements of a configuration.
pub(crate) struct Expansion<'a> {
    pub(crate) universe: &'a Arc<Universe>,
    pub(crate) evaluator: Evaluator<'a>,
    pub(crate) statements: Vec<Statement>,
    /// What the declarations set, one after the other, and how much of it each does.
    pub(super) attributes: Vec<Attribute>,
    pub(super) counts: Vec<usize>,
    pub(crate) problems: Vec<Diagnostic>,
    resources: usize,
    /// Whether the innermost group is a sequence of what is written: then whatever one block makes is one member.
    pub(super) steps: bool,
    /// Calls of modules that hold no resource: nothing can come after them.
    pub(super) empty: HashSet<ResourceId>,
}

/// What holds for everything inside a call or a group.
#[derive(Clone, Default)]
pub(super) struct Around {
    pub(super) when: Vec<Term>,
    pub(super) depends_on: Vec<Reference>,
}

impl Around {
    /// The condition of something inside, together with those around it.
    pub(super) fn condition(&self, own: Option<&Term>) -> Option<Term> {
        let mut terms: Vec<Term> = self.when.iter().chain(own).cloned().collect();
        match terms.len() {
            0 | 1 => terms.pop(),
            _ => Some(Term::Deferred(Arc::new(AllOf::new(terms)))),
        }
    }
}

impl<'a> Expansion<'a> {
    pub(crate) fn new(universe: &'a Arc<Universe>, budget: &'a Budget) -> Self {
        let evaluator = Evaluator::new(universe, &Unread, false, budget);
        let (statements, attributes, counts) = Default::default();
        let (problems, empty) = Default::default();
        let (resources, steps) = (0, false);
        Self { universe, evaluator, statements, attributes, counts, problems, resources, steps, empty }
    }

    /// The whole configuration.
    pub(crate) fn run(&mut self, root: &Arc<Instance>) {
        // A block mostly is one resource: declared, and triggered.
        self.statements.reserve(root.module.blocks.len() * 2);
        self.instance(root, &Around::default());
        self.hand_out();
        if !self.empty.is_empty() {
            self.forget_empty();
        }
    }

    /// Gives each declaration its attributes. They are needed until it is decoded, and the texts in them for long: so
    /// that what goes leaves no holes among what stays, it gets its memory at the end.
    fn hand_out(&mut self) {
        let (mut attributes, counts) = (take(&mut self.attributes), take(&mut self.counts));
        let mut all = attributes.drain(..);
        let declarations = self.statements.iter_mut().filter_map(|statement| match statement {
            Statement::Declare(declaration) => Some(declaration),
            _ => None,
        });
        for (declaration, count) in declarations.zip(counts) {
            declaration.attributes = all.by_ref().take(count).collect();
        }
        drop(all);
        shed(attributes);
    }

    fn forget_empty(&mut self) {
        let empty = &self.empty;
        for statement in &mut self.statements {
            let depends_on = match statement {
                Statement::Declare(declaration) => &mut declaration.meta.depends_on,
                Statement::Trigger(trigger) => &mut trigger.depends_on,
                _ => continue,
            };
            depends_on.retain(|reference| !empty.contains(&reference.target));
        }
    }

    /// One call of a module.
    pub(super) fn instance(&mut self, instance: &Arc<Instance>, around: &Around) {
        self.names(instance);
        self.members(instance, &instance.module.members, around);
    }

    /// Every name has a value or a mistake, whether it is used or not.
    fn names(&mut self, instance: &Arc<Instance>) {
        let module = &instance.module;
        for name in module.params.keys() {
            if let Some(Err(problem)) = self.evaluator.param(instance, name) {
                self.problems.push(*problem);
            }
            self.validate(instance, name);
        }
        for name in module.locals.keys() {
            if let Err(problem) = self.evaluator.local(instance, name) {
                self.problems.push(*problem);
            }
        }
        for number in 0..module.outputs.len() {
            if let Err(problem) = self.evaluator.output(instance, number) {
                self.problems.push(*problem);
            }
        }
        self.evaluator.take_references();
    }

    pub(super) fn members(&mut self, instance: &Arc<Instance>, members: &[Member], around: &Around) {
        for member in members {
            match member {
                Member::Block(number) => self.block(instance, *number, around),
                Member::Output(number) if instance.path.is_none() => self.output(instance, *number as usize),
                Member::Output(_) => {}
                Member::Group(group) => self.group(instance, group, around),
            }
        }
    }

    fn block(&mut self, instance: &Arc<Instance>, number: u32, around: &Around) {
        let block = &instance.module.blocks[number as usize];
        if self.steps && block.argument(Argument::ForEach).is_some() {
            let all = begun(Order::Parallel, None, block.head);
            return self.grouped(all, false, |this| this.spread(instance, number, around));
        }
        self.spread(instance, number, around);
        // The configuration itself is expanded once. Modules are called again, and what is passed to them is read late.
        if instance.path.is_none() && !matches!(block.what, What::Call(_)) {
            block.body.release();
        }
    }

    fn spread(&mut self, instance: &Arc<Instance>, number: u32, around: &Around) {
        match self.evaluator.spread(instance, number) {
            Err(problem) => self.problems.push(*problem),
            Ok(None) => self.one(instance, number, None, None, around),
            Ok(Some(Spread::One(Placed::Off))) => {}
            Ok(Some(Spread::One(Placed::On { when, .. }))) => {
                self.one(instance, number, None, when.as_ref(), around);
            }
            Ok(Some(Spread::Each(all))) => {
                for placed in all.values() {
                    if let Placed::On { each, when } = placed {
                        self.one(instance, number, each.as_ref(), when.as_ref(), around);
                    }
                }
            }
        }
    }

    /// What a block stands for, for one element of its `for_each`.
    fn one(
        &mut self,
        instance: &Arc<Instance>,
        number: u32,
        each: Option<&Arc<Each>>,
        when: Option<&Term>,
        around: &Around,
    ) {
        if !self.count(instance, number) {
            return;
        }
        let env = Env { instance: instance.id, each: each.cloned() };
        match &instance.module.blocks[number as usize].what {
            What::Call(None) => {}
            What::Call(Some(_)) => self.call(instance, number, &env, when, around),
            What::Resource | What::Declare => self.resource(instance, number, &env, when, around),
            What::Edit => self.edit(instance, number, &env, around.condition(when).is_some()),
            What::Trigger => self.trigger(instance, number, &env, when, around),
        }
    }

    fn count(&mut self, instance: &Instance, number: u32) -> bool {
        self.resources += 1;
        if self.resources == MOST_RESOURCES + 1 {
            let place = instance.module.blocks[number as usize].head;
            let error = Diagnostic::new(Code::TooManyResources, "a configuration may have a million");
            self.problems.push(error.at(place).fix("loop over less, or split the configuration"));
        }
        self.resources <= MOST_RESOURCES
    }

    fn output(&mut self, instance: &Arc<Instance>, number: usize) {
        let output = &instance.module.outputs[number];
        let (value, references) = self.evaluator.noting(|| self.evaluator.output(instance, number));
        let value = match value {
            // Told with the names.
            Err(_) => Term::Known(Value::unknown(MISTAKE)),
            Ok(value) => {
                let code =
                    &instance.module.codes[output.value.as_ref().map_or(0, |value| value.code as usize)];
                let env = Env { instance: instance.id, each: None };
                let late = Late::Output(number as u32);
                Waiting::new(self.universe, &env, code, late, references).unless_final(value)
            }
        };
        let name: Name = output.name.clone();
        self.statements.push(Statement::Output(Output { name, place: Some(output.place), value }));
    }
}
