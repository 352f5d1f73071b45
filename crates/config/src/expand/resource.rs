//! Expansion of resource blocks: declare, edit, trigger.

use std::sync::Arc;

use uphold_model::{
    Action, Attribute, Code, Declaration, Diagnostic, Edit, Meta, Place, ResourceId, Statement, Term,
    ThinVec, Trigger, Value,
};

use super::expansion::{Attributes, Enclosing, Expansion};
use crate::body::Entry;
use crate::deferred::{DeferredExpr, DeferredPart};
use crate::evaluate::{Env, Frame, MISTAKE};
use crate::instance::{ExpandedBlock, Instance, Spread};
use crate::meta::Argument;
use crate::module::{Block, LiteralRange, What};
use crate::reading::optional_argument;
use crate::tree::TreeView;

impl Expansion<'_> {
    /// Declares a resource, and triggers its actions.
    pub(super) fn resource(
        &mut self,
        instance: &Arc<Instance>,
        number: u32,
        env: &Env,
        when: Option<&Term>,
        around: &Enclosing,
    ) {
        let block = &instance.module.blocks[number as usize];
        let id = instance.id_for(number, env.each.as_ref().map(|each| &each.key));
        let (mut meta, actions) = match block.literals {
            Some(range) => {
                self.literals(instance, range);
                (around.meta(), None)
            }
            None => self.evaluated(instance, number, env, around),
        };
        meta.when = around.condition(when).map(Box::new);
        meta.depends_on.extend(around.depends_on.iter().cloned());
        let place = Some(block.head);
        self.statements.push(Statement::Declare(Declaration {
            id: id.clone(),
            place,
            attributes: Box::default(),
            meta,
        }));
        let mut trigger = |(action, place)| {
            let trigger = Trigger {
                id: id.clone(),
                action,
                place: Some(place),
                depends_on: ThinVec::default(),
                when: None,
            };
            self.statements.push(Statement::Trigger(trigger));
        };
        match (&block.what, actions) {
            (What::Declare, _) => {}
            (_, None) => trigger((Action::Converge, block.head)),
            (_, Some(actions)) => actions.into_iter().for_each(trigger),
        }
    }

    /// Adds attributes that are all literals.
    fn literals(&mut self, instance: &Instance, range: LiteralRange) {
        if instance.path.is_none() {
            self.counts.push(Attributes::Literal(range));
        } else {
            instance.module.literals.copy(range, &mut self.attributes);
            self.counts.push(Attributes::Evaluated(range.len()));
        }
    }

    /// Evaluates and adds attributes. Returns the meta arguments, and the actions that they name.
    fn evaluated(
        &mut self,
        instance: &Arc<Instance>,
        number: u32,
        env: &Env,
        around: &Enclosing,
    ) -> (Meta, Option<Vec<(Action, Place)>>) {
        let block = &instance.module.blocks[number as usize];
        let (code, tree) = instance.module.body(number);
        let code = TreeView::new(code, &tree);
        let frame = Frame::inside(instance, code, env);
        let before = self.attributes.len();
        for entry in block.entries(code) {
            let attribute = self.attribute(&frame, &entry, env);
            self.attributes.extend(attribute);
        }
        self.counts.push(Attributes::Evaluated(self.attributes.len() - before));
        self.meta(&frame, block, env, around)
    }

    /// One attribute; none if it is optional and null. A mistake in it is reported, and its value is unknown.
    fn attribute(&mut self, frame: &Frame<'_>, entry: &Entry, env: &Env) -> Option<Attribute> {
        let code = frame.code;
        let first = code.item(entry.first);
        let single = entry.more.is_empty();
        let last = if single { first } else { code.item(entry.last()) };
        let optional = single.then(|| optional_argument(code, &first)).flatten();
        let (value, references) = self.evaluator.recording(|| match optional {
            Some(argument) => self.evaluator.node(frame, argument),
            None if single => self.evaluator.item(frame, &first),
            None => self.evaluator.entry(frame, entry),
        });
        let deferred =
            |part, references| DeferredExpr::new(self.universe, env, code.code(), part, references);
        let value = match (value, optional) {
            (Ok(value), Some(_)) if references.is_empty() && *value.reveal() == Value::Null => return None,
            (Ok(value), _) if references.is_empty() => Term::Known(value),
            (Ok(_), Some(argument)) => {
                deferred(DeferredPart::Expression(code.span(argument)), references).optional().into()
            }
            (Ok(_), None) => deferred(DeferredPart::entry(code, entry), references).into(),
            (Err(problem), _) => {
                self.problems.push(*problem);
                Term::Known(Value::unknown(MISTAKE))
            }
        };
        let value_place = Some(code.place(first.value.to(last.value)));
        let (name, place) = (self.evaluator.name(first.key), Some(code.place(first.name)));
        Some(Attribute { name, place, value_place, value })
    }

    /// Changes a declared resource. For a block with `for_each`, all of its resources, or the one that the label
    /// selects. Its condition must be known: a declaration cannot depend on the run.
    pub(super) fn edit(&mut self, instance: &Arc<Instance>, number: u32, env: &Env, undecided: bool) {
        let block = &instance.module.blocks[number as usize];
        if undecided {
            let detail = "the `when` of an edit must be known before the run";
            let fix =
                "let `when` depend on params, locals or facts; or choose the value: `x = condition ? a : b`";
            let error = Diagnostic::new(Code::UndecidedEdit, detail).at(block.head);
            return self.problems.push(error.fix(fix));
        }
        let (code, tree) = instance.module.body(number);
        let code = TreeView::new(code, &tree);
        let frame = Frame::inside(instance, code, env);
        self.refuse(block, code, &[Argument::When], "an edit sets properties only");
        let attributes: Vec<Attribute> =
            block.entries(code).filter_map(|entry| self.attribute(&frame, &entry, env)).collect();
        for id in self.selected(instance, block) {
            let edit = Edit { id, place: Some(block.head), attributes: attributes.clone() };
            self.statements.push(Statement::Edit(edit));
        }
    }

    /// Adds actions to the list.
    pub(super) fn trigger(
        &mut self,
        instance: &Arc<Instance>,
        number: u32,
        env: &Env,
        when: Option<&Term>,
        around: &Enclosing,
    ) {
        let block = &instance.module.blocks[number as usize];
        let (code, tree) = instance.module.body(number);
        let code = TreeView::new(code, &tree);
        let frame = Frame::inside(instance, code, env);
        let allowed = [Argument::Action, Argument::DependsOn, Argument::When, Argument::ForEach];
        self.refuse(block, code, &allowed, "a trigger only runs an action of a resource");
        for entry in block.entries(code) {
            let item = code.item(entry.first);
            let error =
                Diagnostic::new(Code::PropertyInTrigger, "a trigger only runs an action of a resource");
            let fix = "set it where the resource is declared, or in an `edit` block";
            self.problems.push(error.at(code.place(item.name)).fix(fix));
        }
        let (meta, actions) = self.meta(&frame, block, env, around);
        let mut depends_on = meta.depends_on;
        depends_on.extend(around.depends_on.iter().cloned());
        let when = around.condition(when);
        for id in self.selected(instance, block) {
            for (action, place) in actions.clone().unwrap_or_else(|| vec![(Action::Converge, block.head)]) {
                self.statements.push(Statement::Trigger(Trigger {
                    id: id.clone(),
                    action,
                    place: Some(place),
                    depends_on: depends_on.clone(),
                    when: when.clone(),
                }));
            }
        }
    }

    /// The resources that an edit or a trigger applies to.
    fn selected(&mut self, instance: &Arc<Instance>, block: &Block) -> Vec<ResourceId> {
        let whole = block.id.with_key(None).in_module(instance.path.clone());
        let id = |key| whole.with_key(key);
        let found = instance.module.find(&block.id.kind, &block.id.name);
        if found.is_some_and(|number| matches!(instance.module.blocks[number as usize].what, What::Call(_))) {
            let detail = format!("{whole} is a module, not a resource");
            let fix = "change the params of its block, or the module itself";
            self.problems.push(Diagnostic::new(Code::NotAResource, detail).at(block.head).fix(fix));
            return Vec::new();
        }
        let spread = match found {
            Some(number) => self.evaluator.spread(instance, number),
            None => Ok(None),
        };
        let on = |expanded: &ExpandedBlock| matches!(expanded, ExpandedBlock::Present { .. });
        match spread {
            Ok(Some(Spread::Each(all))) if block.id.key().is_none() => all
                .iter()
                .filter(|(_, expanded)| on(expanded))
                .map(|(key, _)| id(Some(key.clone())))
                .collect(),
            Ok(Some(Spread::One(expanded))) if !on(expanded) => Vec::new(),
            Ok(_) => vec![id(block.id.key().cloned())],
            // Reported where the block is declared.
            Err(_) => Vec::new(),
        }
    }

    /// Reports meta arguments that have no meaning here.
    fn refuse(&mut self, block: &Block, code: TreeView<'_>, allowed: &[Argument], because: &str) {
        for (argument, item) in block.arguments.iter().filter(|(argument, _)| !allowed.contains(argument)) {
            let place: Place = code.place(code.item(*item).name);
            let detail = format!("`{}` has no meaning here: {because}", argument.word());
            let error = Diagnostic::new(Code::MisplacedMetaArgument, detail);
            self.problems.push(error.at(place).fix("move it to where the resource is declared"));
        }
    }
}
