//! Meta arguments of one block, for one element of its `for_each`.

use uphold_model::{Action, Code, Diagnostic, Meta, Place, Value};

use super::expansion::{Enclosing, Expansion};
use super::handling::HandlingReader;
use crate::evaluate::{Env, Frame, Many};
use crate::meta::Argument;
use crate::module::Block;
use crate::tree::{Content, Item, NodeId};

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

impl Expansion<'_> {
    /// The meta arguments and the actions that they name.
    pub(super) fn meta(
        &mut self,
        frame: &Frame<'_>,
        block: &Block,
        env: &Env,
        around: &Enclosing,
    ) -> (Meta, Option<Vec<(Action, Place)>>) {
        let mut meta = around.meta();
        let mut actions = None;
        for (argument, item) in &block.arguments {
            let item = frame.code.item(*item);
            let taken = match item.content {
                Content::Broken => Ok(()),
                Content::Block { .. } => Err(Box::new(as_block(frame, &item))),
                Content::Expression(node) => {
                    self.argument(frame, (*argument, &item, node), env, &mut meta, &mut actions)
                }
            };
            self.problems.extend(taken.err().map(|problem| *problem));
        }
        (meta, actions)
    }

    fn argument(
        &self,
        frame: &Frame<'_>,
        (argument, item, node): (Argument, &Item<'_>, NodeId),
        env: &Env,
        meta: &mut Meta,
        actions: &mut Option<Vec<(Action, Place)>>,
    ) -> Result<()> {
        match argument {
            // Already applied when the block was expanded.
            Argument::ForEach | Argument::When => {}
            Argument::Action => *actions = Some(self.actions(frame, node)?),
            Argument::DependsOn => {
                meta.depends_on.extend(self.evaluator.dependencies(frame, node, Many::Together)?);
            }
            Argument::Sensitive => meta.sensitive = self.bool(frame, node, argument)?,
            Argument::AutoEdges => meta.no_auto_edges = !self.bool(frame, node, argument)?,
            Argument::Always => meta.always = self.bool(frame, node, argument)?,
            Argument::OnRemoval => {
                meta.on_removal = HandlingReader { expansion: self, frame, env }.on_removal(node)?;
            }
            _ => {
                let handling = meta.handling.get_or_insert_default();
                handling.written.push((argument.word().into(), frame.code.place(item.name)));
                HandlingReader { expansion: self, frame, env }.take(handling, argument, node)?;
            }
        }
        Ok(())
    }

    pub(super) fn bool(&self, frame: &Frame<'_>, node: NodeId, argument: Argument) -> Result<bool> {
        let (value, _) = self.evaluator.recording(|| self.evaluator.node(frame, node));
        match value?.reveal() {
            Value::Bool(value) => Ok(*value),
            Value::Unknown(unknown) => {
                let detail = format!("it depends on {}, but must be known before the run", unknown.waits_for);
                Err(wrong_type(frame, node, detail, "use params, locals or facts here"))
            }
            other => {
                let detail =
                    format!("`{}` must be true or false, not {}", argument.word(), other.type_name());
                Err(wrong_type(frame, node, detail, "write `true` or `false`"))
            }
        }
    }

    fn actions(&self, frame: &Frame<'_>, node: NodeId) -> Result<Vec<(Action, Place)>> {
        let words = self.evaluator.words(frame, node).map_err(|problem| match problem.code {
            Code::InvalidMetaArgument => not_an_action(frame, node),
            _ => problem,
        })?;
        if let Some((_, at)) = words.iter().find(|(word, _)| word.is_empty()) {
            return Err(not_an_action(frame, *at));
        }
        let action = |(word, at): &(uphold_model::Name, NodeId)| {
            Some((Action::named(word)?, frame.code.place_of(*at)))
        };
        Ok(words.iter().filter_map(action).collect())
    }
}

fn not_an_action(frame: &Frame<'_>, node: NodeId) -> Box<Diagnostic> {
    let fix = "write \"converge\", \"remove\", \"nothing\", a verb of the kind, or a list of them";
    let error = Diagnostic::new(Code::InvalidMetaArgument, "this is not the name of an action");
    Box::new(error.at(frame.code.place_of(node)).fix(fix))
}

pub(super) fn wrong_type(
    frame: &Frame<'_>,
    node: NodeId,
    detail: impl Into<String>,
    fix: &str,
) -> Box<Diagnostic> {
    let error = Diagnostic::new(Code::InvalidMetaArgument, detail);
    Box::new(error.at(frame.code.place_of(node)).fix(fix))
}

fn as_block(frame: &Frame<'_>, item: &Item<'_>) -> Diagnostic {
    Diagnostic::new(Code::InvalidMetaArgument, format!("`{}` is a meta argument", item.key))
        .at(frame.code.place(item.name))
        .fix(format!("write `{} = …`", item.key))
}
