//! Groups: `sequence`, `parallel`, and module calls.

use std::num::NonZeroU32;
use std::sync::Arc;

use uphold_model::{ActionGroup, Diagnostic, Handling, Name, Order, Place, Statement};

use super::expansion::{Enclosing, Expansion};
use super::handling::HandlingReader;
use crate::evaluate::{Env, Frame, Many};
use crate::instance::{ExpandedBlock, Instance};
use crate::meta::{Argument, GroupArgument};
use crate::module::GroupBlock;
use crate::tree::{Content, Item, NodeId};

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// The evaluated meta arguments of a group.
struct Head {
    group: ActionGroup,
    inside: Enclosing,
    /// Whether the group exists.
    wanted: bool,
}

impl Expansion<'_> {
    /// Expands a `sequence` or `parallel` block.
    pub(super) fn group(&mut self, instance: &Arc<Instance>, group: &GroupBlock, around: &Enclosing) {
        let env = Env { instance: instance.id, each: None };
        let plain = begun(group.order, group.name.clone(), group.place);
        let mut head = Head { group: plain, inside: around.clone(), wanted: true };
        for (argument, item) in &group.arguments {
            let code = instance.module.passage(item);
            let item = code.item(item.item);
            let Content::Expression(node) = item.content else { continue };
            let reader = HandlingReader { expansion: self, frame: &Frame::new(instance, code), env: &env };
            let taken = reader.take_of_group(&mut head, *argument, &item, node);
            self.problems.extend(taken.err().map(|problem| *problem));
        }
        if head.wanted {
            let Head { group: begin, inside, .. } = head;
            // A `parallel` with a concurrency of 1 is ordered as well, but each resource is a member of its own.
            let steps = group.order == Order::Sequence;
            self.grouped(begin, steps, |this| this.members(instance, &group.members, &inside));
        }
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
    ActionGroup { name, order, concurrency: None, handling: None, place: Some(place) }
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
            GroupArgument::Meta(argument) => {
                let handling: &mut Box<Handling> = head.group.handling.get_or_insert_default();
                handling.written.push((argument.word().into(), self.frame.code.place(item.name)));
                self.take_for_group(handling, argument, node)?;
            }
        }
        Ok(())
    }
}
