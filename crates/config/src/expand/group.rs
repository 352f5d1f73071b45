//! Groups: `sequence`, `parallel`, and module calls.

use std::num::NonZeroU32;
use std::sync::Arc;

use uphold_model::{
    Action, ActionGroup, Attribute, Code, Declaration, Diagnostic, Handling, Meta, Moment, Name,
    Notification, Order, Place, Reference, ResourceId, Statement, Value, Verification,
};

use super::expansion::{Attributes, Enclosing, Expansion};
use super::handling::HandlingReader;
use crate::evaluate::{Env, Frame, Many};
use crate::instance::{ExpandedBlock, Instance};
use crate::meta::{Argument, GroupArgument};
use crate::module::GroupBlock;
use crate::tree::{Content, Item, NodeId};

/// The kind of the resource that verifies a group, with its property for the command and its action.
const VERIFIER: (&str, &str, &str) = ("task", "apply", "run");

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// The evaluated meta arguments of a group.
struct Head {
    group: ActionGroup,
    inside: Enclosing,
    /// Whether the group exists.
    wanted: bool,
    /// The command that verifies it, and its place.
    verify: Option<(Name, Place)>,
}

impl Expansion<'_> {
    /// Expands a `sequence` or `parallel` block.
    pub(super) fn group(&mut self, instance: &Arc<Instance>, group: &GroupBlock, around: &Enclosing) {
        let env = Env { instance: instance.id, each: None };
        let plain = begun(group.order, group.name.clone(), group.place);
        let mut head = Head { group: plain, inside: around.clone(), wanted: true, verify: None };
        for (argument, item) in &group.arguments {
            let code = instance.module.passage(item);
            let item = code.item(item.item);
            let Content::Expression(node) = item.content else { continue };
            let reader = HandlingReader { expansion: self, frame: &Frame::new(instance, code), env: &env };
            let taken = reader.take_of_group(&mut head, *argument, &item, node);
            self.problems.extend(taken.err().map(|problem| *problem));
        }
        if head.wanted {
            let Head { group: mut begin, inside, verify, .. } = head;
            let verifier = verify.and_then(|(command, place)| {
                let problem = verifier(instance, &mut begin, command.clone(), place).err();
                self.problems.extend(problem.map(|problem| *problem));
                Some((begin.verify.as_ref()?.by.other.target.clone(), command, place))
            });
            // A `parallel` with a concurrency of 1 is ordered as well, but each resource is a member of its own.
            let steps = group.order == Order::Sequence;
            self.grouped(begin, steps, |this| {
                let before = this.statements.len();
                this.members(instance, &group.members, &inside);
                if let Some((id, command, place)) = verifier.filter(|_| this.statements.len() > before) {
                    this.declare_verifier(id, command, place, &inside);
                }
            });
        } else {
            self.leave_out_all(instance, &group.members, Some(head.inside.on_removal));
        }
    }

    /// Declares the resource that verifies a group. It runs only when the group notifies it.
    fn declare_verifier(&mut self, id: ResourceId, command: Name, place: Place, inside: &Enclosing) {
        let attribute =
            Attribute { place: Some(place), ..Attribute::known(VERIFIER.1, Value::Text(command)) };
        self.attributes.push(attribute);
        self.counts.push(Attributes::Evaluated(1));
        let when = inside.condition(None).map(Box::new);
        let meta = Meta { when, on_removal: inside.on_removal, always: inside.always, ..Meta::default() };
        let declaration = Declaration { id, place: Some(place), attributes: Box::default(), meta };
        self.statements.push(Statement::Declare(declaration));
    }

    /// Puts the statements of `fill` into a group, unless there are none. With `steps`, everything that one block
    /// expands to is one member.
    pub(super) fn grouped(&mut self, group: ActionGroup, steps: bool, fill: impl FnOnce(&mut Self)) {
        let begin = self.statements.len();
        self.statements.push(Statement::Begin(group));
        let outer = std::mem::replace(&mut self.steps, steps);
        fill(self);
        self.steps = outer;
        if self.statements.len() == begin + 1 {
            _ = self.statements.pop();
        } else {
            self.statements.push(Statement::End);
        }
    }
}

/// A group without meta arguments.
pub(super) fn begun(order: Order, name: Option<Name>, place: Place) -> ActionGroup {
    ActionGroup { name, order, concurrency: None, handling: None, verify: None, place: Some(place) }
}

/// Sets the verification of a group.
fn verifier(instance: &Instance, group: &mut ActionGroup, command: Name, place: Place) -> Result<()> {
    let Some(label) = &group.name else {
        let detail = "a group with `verify` has no label, which its verification is reported by".to_owned();
        let problem = Diagnostic::new(Code::MissingLabel, detail).at(Some(place));
        return Err(Box::new(problem.fix("add a label, as in `sequence \"nginx\" {`")));
    };
    let id = ResourceId::new(VERIFIER.0, format!("verify {label}")).in_module(instance.path.clone());
    let other = Reference { target: id, path: Vec::new(), place: Some(place) };
    let action = Action::Verb(VERIFIER.2.into());
    let by = Notification { other, action, moment: Moment::Immediately };
    group.verify = Some(Box::new(Verification { by, property: VERIFIER.1.into(), command }));
    Ok(())
}

/// Whether a command contains `{}` as in `verify` of a file, and not as an argument of `find` or `xargs`.
fn names_new_file(command: &str) -> bool {
    let mut words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    words.clone().any(|word| word == "{}") && !words.any(|word| ["find", "xargs", "parallel"].contains(&word))
}

impl HandlingReader<'_, '_> {
    fn take_of_group(
        &self,
        head: &mut Head,
        argument: GroupArgument,
        item: &Item<'_>,
        node: NodeId,
    ) -> Result<()> {
        let evaluator = &self.expansion.evaluator;
        match argument {
            GroupArgument::Concurrency => match NonZeroU32::new(self.count(node, &self.value(node)?)?) {
                Some(NonZeroU32::MIN) => head.group.order = Order::Sequence,
                most => head.group.concurrency = most,
            },
            GroupArgument::Verify => match self.value(node)? {
                Value::Text(command) if names_new_file(&command) => {
                    let detail = "`verify` of a group has no `{}`: several files may have changed, and they are in place";
                    return Err(self.wrong(
                        node,
                        detail.to_owned(),
                        "name the paths in the command, or set `verify` in the block of the file",
                    ));
                }
                Value::Text(command) => head.verify = Some((command, self.frame.code.place(item.name))),
                other => {
                    let detail = format!("`verify` must be a shell command, not {}", other.type_name());
                    return Err(self.wrong(node, detail, "put the command in quotes"));
                }
            },
            GroupArgument::Meta(Argument::When) => match evaluator.condition(self.frame, None, node) {
                Ok(ExpandedBlock::Present { when, .. }) => head.inside.when.extend(when),
                off => {
                    head.wanted = false;
                    off?;
                }
            },
            GroupArgument::Meta(Argument::DependsOn) => {
                head.inside.depends_on.extend(evaluator.dependencies(self.frame, node, Many::Together)?);
            }
            GroupArgument::Meta(Argument::OnRemoval) => head.inside.on_removal = self.on_removal(node)?,
            GroupArgument::Meta(Argument::Always) => {
                head.inside.always = self.expansion.bool(self.frame, node, Argument::Always)?;
            }
            GroupArgument::Meta(argument) => {
                let handling: &mut Box<Handling> = head.group.handling.get_or_insert_default();
                handling.written.push((argument.word().into(), self.frame.code.place(item.name)));
                self.take_for_group(handling, argument, node)?;
            }
        }
        Ok(())
    }
}
