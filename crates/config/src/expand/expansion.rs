//! Expansion of a configuration into statements, module by module, in written order.

use std::collections::HashSet;
use std::fmt::Write;
use std::mem::take;
use std::sync::Arc;

use uphold_model::{
    Attribute, Code, Diagnostic, InactiveBlock, Meta, Moved, Name, OnRemoval, Order, Output, Reference,
    Removed, ResourceId, Scope, Statement, Term, Value, shed,
};

use super::group::begun;
use super::handling::HandlingReader;
use crate::deferred::{AllOf, DeferredExpr, DeferredPart};
use crate::evaluate::{Budget, Each, Env, Evaluator, Frame, MISTAKE};
use crate::instance::{ExpandedBlock, Instance, Spread, Universe};
use crate::meta::{Argument, GroupArgument};
use crate::module::{LiteralRange, Literals, Member, What};
use crate::tree::{Content, TreeView};

/// The maximum number of resources, which fits into the memory of a large machine.
const MOST_RESOURCES: usize = 1_000_000;

/// The scope while a configuration is read: all resource values are unknown.
pub(crate) struct Unread;

impl Scope for Unread {
    fn resolve(&self, reference: &Reference) -> Result<Value, Diagnostic> {
        Ok(if reference.path.is_empty() {
            Value::Reference(Arc::new(reference.target.clone()))
        } else {
            let mut path = String::with_capacity(64);
            // Writing to a string cannot fail.
            _ = write!(path, "{reference}");
            Value::unknown(path)
        })
    }
}

/// Produces the statements of a configuration.
pub(crate) struct Expansion<'a> {
    pub(crate) universe: &'a Arc<Universe>,
    pub(crate) evaluator: Evaluator<'a>,
    pub(crate) statements: Vec<Statement>,
    /// The evaluated attributes of all declarations in order, and the attributes of each declaration.
    pub(super) attributes: Vec<Attribute>,
    pub(super) counts: Vec<Attributes>,
    pub(crate) problems: Vec<Diagnostic>,
    resources: usize,
    /// Whether the innermost group is a `sequence` block: then everything that one block expands to is one member.
    pub(super) steps: bool,
    /// Blocks whose `when` is false.
    inactive: Vec<InactiveBlock>,
    /// `moved` and `removed` blocks.
    moves: Vec<Statement>,
    /// Module calls that contain no resource, so that nothing can depend on them.
    pub(super) empty: HashSet<ResourceId>,
}

/// The attributes of a declaration.
pub(super) enum Attributes {
    /// The next evaluated ones, this many.
    Evaluated(usize),
    /// Literals of the configuration itself.
    Literal(LiteralRange),
}

/// Meta arguments that apply to everything inside a call or a group.
#[derive(Clone, Default)]
pub(super) struct Enclosing {
    pub(super) when: Vec<Term>,
    pub(super) depends_on: Vec<Reference>,
    pub(super) on_removal: OnRemoval,
    pub(super) always: bool,
}

impl Enclosing {
    /// The meta arguments of a member without own ones, besides its condition and its dependencies.
    pub(super) fn meta(&self) -> Meta {
        Meta { on_removal: self.on_removal, always: self.always, ..Meta::default() }
    }

    /// The condition of a member, combined with that of the enclosing call or group.
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
        let (problems, inactive, moves, empty) = Default::default();
        let (resources, steps) = (0, false);
        Self {
            universe,
            evaluator,
            statements,
            attributes,
            counts,
            problems,
            resources,
            steps,
            inactive,
            moves,
            empty,
        }
    }

    /// The whole configuration.
    pub(crate) fn run(&mut self, root: &Arc<Instance>) {
        // Most blocks are one resource, declared and triggered.
        self.statements.reserve(root.module.blocks.len() * 2);
        let mut around = Enclosing::default();
        if let Some(block) = &root.module.settings {
            around.on_removal = block.settings.on_removal;
            self.statements.push(Statement::Settings(Box::new(block.settings.clone())));
        }
        self.instance(root, &around);
        self.move_attributes(&root.module.literals);
        root.module.literals.release();
        if !self.empty.is_empty() {
            self.forget_empty();
        }
        // At the end, so that a group without other members stays empty.
        self.statements.extend(take(&mut self.inactive).into_iter().map(Statement::Inactive));
        self.statements.append(&mut self.moves);
    }

    /// Moves the attributes to their declarations. The attributes are freed after decoding, but the strings in them
    /// stay: allocating the lists last keeps the freed memory from leaving holes.
    fn move_attributes(&mut self, literals: &Literals) {
        let (mut attributes, counts) = (take(&mut self.attributes), take(&mut self.counts));
        let mut all = attributes.drain(..);
        let declarations = self.statements.iter_mut().filter_map(|statement| match statement {
            Statement::Declare(declaration) => Some(declaration),
            _ => None,
        });
        for (declaration, count) in declarations.zip(counts) {
            declaration.attributes = match count {
                Attributes::Evaluated(count) => all.by_ref().take(count).collect(),
                Attributes::Literal(range) => literals.take(range),
            };
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

    /// Expands one call of a module.
    pub(super) fn instance(&mut self, instance: &Arc<Instance>, around: &Enclosing) {
        self.names(instance);
        self.moves(instance);
        self.members(instance, &instance.module.members, around);
    }

    /// Evaluates every name, so that mistakes in unused ones are reported as well.
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

    /// The `moved` and `removed` blocks of one call, with whole addresses.
    fn moves(&mut self, instance: &Instance) {
        let whole = |address: &String| match &instance.path {
            Some(path) => format!("{path}.{address}"),
            None => address.clone(),
        };
        let moved = instance.module.moved.iter().map(|Moved { from, to, place, to_place }| {
            Statement::Moved(Moved { from: whole(from), to: whole(to), place: *place, to_place: *to_place })
        });
        let removed = instance.module.removed.iter().map(|Removed { from, destroy, place }| {
            Statement::Removed(Removed { from: whole(from), destroy: *destroy, place: *place })
        });
        self.moves.extend(moved.chain(removed));
    }

    pub(super) fn members(&mut self, instance: &Arc<Instance>, members: &[Member], around: &Enclosing) {
        for member in members {
            match member {
                Member::Block(number) => self.block(instance, *number, around),
                Member::Output(number) if instance.path.is_none() => self.output(instance, *number as usize),
                Member::Output(_) => {}
                Member::Group(group) => self.group(instance, group, around),
            }
        }
    }

    fn block(&mut self, instance: &Arc<Instance>, number: u32, around: &Enclosing) {
        let block = &instance.module.blocks[number as usize];
        if self.steps && block.argument(Argument::ForEach).is_some() {
            let all = begun(Order::Parallel, None, block.head);
            return self.grouped(all, false, |this| this.spread(instance, number, around));
        }
        self.spread(instance, number, around);
        // The configuration itself is expanded once, so its trees can be freed. Modules are called again, and their
        // arguments are read later.
        if instance.path.is_none() && block.literals.is_none() && !matches!(block.what, What::Call(_)) {
            block.body.release();
        }
    }

    fn spread(&mut self, instance: &Arc<Instance>, number: u32, around: &Enclosing) {
        match self.evaluator.spread(instance, number) {
            Err(problem) => {
                self.problems.push(*problem);
                self.despite_condition(instance, number, around);
            }
            Ok(None) => self.one(instance, number, None, None, around),
            Ok(Some(Spread::One(ExpandedBlock::Absent))) => {
                self.leave_out(instance, number, None, Some(around.on_removal));
            }
            Ok(Some(Spread::One(ExpandedBlock::Present { when, .. }))) => {
                self.one(instance, number, None, when.as_ref(), around);
            }
            Ok(Some(Spread::Each(all))) => {
                for (key, expanded) in all {
                    match expanded {
                        ExpandedBlock::Present { each, when } => {
                            self.one(instance, number, each.as_ref(), when.as_ref(), around);
                        }
                        ExpandedBlock::Absent => {
                            self.leave_out(instance, number, Some(key), Some(around.on_removal));
                        }
                    }
                }
            }
        }
    }

    /// Expands a block with an invalid `when`, so that other mistakes in it are reported, too. Blocks with equal names may
    /// have opposite conditions, so only the first is expanded; the keys of a `for_each` may not be known.
    fn despite_condition(&mut self, instance: &Arc<Instance>, number: u32, around: &Enclosing) {
        let module = &instance.module;
        let block = &module.blocks[number as usize];
        let is_first = module.find(&block.id.kind, &block.id.name) == Some(number);
        if is_first && block.argument(Argument::ForEach).is_none() {
            let when = Term::Known(Value::unknown(MISTAKE));
            self.one(instance, number, None, Some(&when), around);
        }
    }

    /// A block whose `when` is false, for one element of its `for_each` or for all. `inherited` is the policy around it.
    fn leave_out(
        &mut self,
        instance: &Arc<Instance>,
        number: u32,
        key: Option<&Name>,
        inherited: Option<OnRemoval>,
    ) {
        let block = &instance.module.blocks[number as usize];
        let on_removal = match (&block.what, block.argument(Argument::OnRemoval)) {
            (What::Resource | What::Declare, None) => inherited,
            (What::Resource | What::Declare, Some(item)) => {
                let (code, tree) = instance.module.body(number);
                self.unexpanded_policy(instance, TreeView::new(code, &tree), item)
            }
            (What::Call(Some(_)), _) => None,
            (What::Call(None) | What::Edit | What::Trigger, _) => return,
        };
        self.inactive.push(InactiveBlock { id: instance.id_for(number, key), on_removal });
    }

    /// The policy of a block that is not expanded; none if it cannot be evaluated, which its expansion would report.
    fn unexpanded_policy(
        &self,
        instance: &Arc<Instance>,
        code: TreeView<'_>,
        item: u32,
    ) -> Option<OnRemoval> {
        let env = Env { instance: instance.id, each: None };
        let Content::Expression(node) = code.item(item).content else { return None };
        HandlingReader { expansion: self, frame: &Frame::new(instance, code), env: &env }
            .on_removal(node)
            .ok()
    }

    /// The members of a group whose `when` is false.
    pub(super) fn leave_out_all(
        &mut self,
        instance: &Arc<Instance>,
        members: &[Member],
        inherited: Option<OnRemoval>,
    ) {
        for member in members {
            match member {
                Member::Block(number) => self.leave_out(instance, *number, None, inherited),
                Member::Output(_) => {}
                Member::Group(group) => {
                    let is_policy = |(argument, _): &&(GroupArgument, _)| {
                        matches!(argument, GroupArgument::Meta(Argument::OnRemoval))
                    };
                    let policy = group.arguments.iter().find(is_policy).map(|(_, item)| {
                        self.unexpanded_policy(instance, instance.module.passage(item), item.item)
                    });
                    self.leave_out_all(instance, &group.members, policy.unwrap_or(inherited));
                }
            }
        }
    }

    /// Expands a block for one element of its `for_each`.
    fn one(
        &mut self,
        instance: &Arc<Instance>,
        number: u32,
        each: Option<&Arc<Each>>,
        when: Option<&Term>,
        around: &Enclosing,
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
            let error = Diagnostic::new(
                Code::TooManyResources,
                "a configuration may declare at most 1,000,000 \
                                                                 resources",
            );
            self.problems.push(error.at(place).fix("use smaller loops, or split the configuration"));
        }
        self.resources <= MOST_RESOURCES
    }

    fn output(&mut self, instance: &Arc<Instance>, number: usize) {
        let output = &instance.module.outputs[number];
        let (value, references) = self.evaluator.recording(|| self.evaluator.output(instance, number));
        let value = match value {
            // Reported with the names.
            Err(_) => Term::Known(Value::unknown(MISTAKE)),
            Ok(value) => {
                let code =
                    &instance.module.codes[output.value.as_ref().map_or(0, |value| value.code as usize)];
                let env = Env { instance: instance.id, each: None };
                let part = DeferredPart::Output(number as u32);
                DeferredExpr::new(self.universe, &env, code, part, references).unless_final(value)
            }
        };
        let name: Name = output.name.clone();
        self.statements.push(Statement::Output(Output { name, place: Some(output.place), value }));
    }
}
