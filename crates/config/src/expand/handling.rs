//! Meta arguments that change what happens around a visit.

use std::sync::Arc;
use std::time::Duration;

use uphold_model::{
    Action, Diagnostic, Handling, Limit, Name, Notification, OnRemoval, Reference, Retry, Value, closest,
    read_span,
};

use super::arguments::wrong_type;
use super::expansion::Expansion;
use crate::code::Code;
use crate::evaluate::{Env, Frame, StepTo};
use crate::excerpt::excerpt;
use crate::meta::Argument;
use crate::tree::{Node, NodeId};

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// Reads them for one block.
pub(super) struct HandlingReader<'r, 'a> {
    pub(super) expansion: &'r Expansion<'a>,
    pub(super) frame: &'r Frame<'r>,
    pub(super) code: &'r Arc<Code>,
    pub(super) env: &'r Env,
}

impl HandlingReader<'_, '_> {
    /// Takes one meta argument.
    pub(super) fn take(&self, handling: &mut Handling, argument: Argument, node: NodeId) -> Result<()> {
        match argument {
            Argument::OnlyIf => handling.guards.push(self.guard(node, true)?),
            Argument::NotIf => handling.guards.push(self.guard(node, false)?),
            Argument::Notifies => handling.notifies = self.notifies(node)?,
            Argument::Subscribes => handling.subscribes = self.subscribes(node)?,
            Argument::Retry => handling.retry = Some(self.retry(node)?),
            Argument::Poll => handling.poll = Some(self.span(node, &self.value(node)?)?),
            Argument::Limit => handling.limit = Some(self.limit(node)?),
            Argument::Lock => handling.lock = Some(self.lock(node)?),
            Argument::Audit => handling.audit = self.expansion.bool(self.frame, node, argument)?,
            Argument::IgnoreFailure => {
                handling.ignore_failure = self.expansion.bool(self.frame, node, argument)?;
            }
            _ => handling.on_removal = self.on_removal(node)?,
        }
        Ok(())
    }

    /// `[service.nginx.reload]`: a resource, then what it does.
    fn notifies(&self, node: NodeId) -> Result<Vec<Notification>> {
        let Node::List(elements) = self.code.tree.node(node) else {
            return Err(wrong_type(
                self.frame,
                node,
                "`notifies` is a list",
                "write `notifies = [kind.name.verb]`",
            ));
        };
        let mut all = Vec::new();
        for &element in self.code.tree.children(*elements) {
            let place = Some(self.frame.code.place_of(element));
            let target = self.expansion.evaluator.target_of(self.frame, element)?;
            let verb = target.as_ref().and_then(|target| match target.rest[..] {
                [step] => match step.what {
                    StepTo::Field(name) => Some(name.clone()),
                    StepTo::Index(_) => None,
                },
                _ => None,
            });
            let (Some(target), Some(verb)) = (target, verb) else {
                let detail = "it must say who is told, and what to do";
                return Err(wrong_type(
                    self.frame,
                    element,
                    detail,
                    "write `kind.name.verb`, such as `service.nginx.reload`",
                ));
            };
            let action = self.action(element, &verb)?;
            all.extend(target.ids.into_iter().map(|target| Notification {
                other: Reference { target, path: Vec::new(), place },
                action: action.clone(),
            }));
        }
        Ok(all)
    }

    /// `{ reload = [file.a, file.b] }`: what to do, and whose change makes it so.
    fn subscribes(&self, node: NodeId) -> Result<Vec<Notification>> {
        let Node::Object(entries) = self.code.tree.node(node) else {
            let fix = "write `subscribes = { reload = [file.name] }`";
            return Err(wrong_type(self.frame, node, "`subscribes` is a map from verbs to resources", fix));
        };
        let mut all = Vec::new();
        for entry in self.code.tree.children(*entries).chunks_exact(2) {
            let Node::Known(Value::Text(verb)) = self.code.tree.node(entry[0]) else {
                return Err(wrong_type(
                    self.frame,
                    entry[0],
                    "the verb is a plain word",
                    "write `reload = [file.name]`",
                ));
            };
            let action = self.action(entry[0], verb)?;
            let others = self.expansion.evaluator.dependencies(self.frame, entry[1])?;
            all.extend(others.into_iter().map(|other| Notification { other, action: action.clone() }));
        }
        Ok(all)
    }

    fn action(&self, node: NodeId, word: &str) -> Result<Action> {
        Action::named(word).ok_or_else(|| {
            wrong_type(
                self.frame,
                node,
                "`nothing` is no action that can be run",
                "name a verb, such as `reload`",
            )
        })
    }

    /// A value that must be known.
    fn value(&self, node: NodeId) -> Result<Value> {
        let evaluator = &self.expansion.evaluator;
        let (value, _) = evaluator.noting(|| evaluator.node(self.frame, node));
        let value = value?;
        if value.is_sensitive() {
            let detail = "it is a secret, and everybody sees how a resource is handled";
            return Err(wrong_type(self.frame, node, detail, "use something that is no secret"));
        }
        match value.first_unknown() {
            None => Ok(value),
            Some(unknown) => {
                let detail = format!("it waits for {}, but must be known from the start", unknown.waits_for);
                Err(wrong_type(self.frame, node, detail, "use params, locals or facts here"))
            }
        }
    }

    fn span(&self, node: NodeId, value: &Value) -> Result<Duration> {
        let span = match value {
            Value::Text(text) => read_span(text),
            Value::Int(seconds) => u64::try_from(*seconds).ok().map(Duration::from_secs),
            _ => None,
        };
        span.filter(|span| !span.is_zero()).ok_or_else(|| {
            let detail = format!("{} is not a span of time", excerpt(&value.to_string()));
            wrong_type(
                self.frame,
                node,
                detail,
                "write one such as \"30s\" or \"5m\", or a number of seconds",
            )
        })
    }

    fn count(&self, node: NodeId, value: &Value) -> Result<u32> {
        match value {
            Value::Int(number) if *number > 0 => u32::try_from(*number).ok(),
            _ => None,
        }
        .ok_or_else(|| {
            let detail = format!("{} is not a whole number from 1 on", excerpt(&value.to_string()));
            wrong_type(self.frame, node, detail, "write a number such as 3")
        })
    }

    /// `3`, or `{ times = 3, delay = "2s" }`.
    fn retry(&self, node: NodeId) -> Result<Retry> {
        let value = self.value(node)?;
        let Value::Map(map) = &value else {
            return Ok(Retry { times: self.count(node, &value)?, delay: Duration::from_secs(1) });
        };
        self.only(node, map.keys(), &["times", "delay"], "retry")?;
        let times = map.get("times").map_or(Ok(1), |times| self.count(node, times))?;
        let delay = map.get("delay").map_or(Ok(Duration::from_secs(1)), |delay| self.span(node, delay))?;
        Ok(Retry { times, delay })
    }

    /// `{ name = "downloads", most = 2 }`.
    fn limit(&self, node: NodeId) -> Result<Limit> {
        let value = self.value(node)?;
        let (Value::Map(map), fix) = (&value, "write `limit = { name = \"downloads\", most = 2 }`") else {
            return Err(wrong_type(
                self.frame,
                node,
                "`limit` is a map",
                "write `limit = { name = \"downloads\", most = 2 }`",
            ));
        };
        self.only(node, map.keys(), &["name", "most"], "limit")?;
        match (map.get("name"), map.get("most")) {
            (Some(Value::Text(name)), Some(most)) => {
                Ok(Limit { name: name.clone(), most: self.count(node, most)? })
            }
            _ => Err(wrong_type(self.frame, node, "`limit` needs a name and a number", fix)),
        }
    }

    fn only<'k>(
        &self,
        node: NodeId,
        mut keys: impl Iterator<Item = &'k Name>,
        known: &[&str],
        of: &str,
    ) -> Result<()> {
        let Some(key) = keys.find(|key| !known.contains(&&***key)) else { return Ok(()) };
        let fix = match closest(key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it has {}", known.join(" and ")),
        };
        Err(wrong_type(self.frame, node, format!("`{of}` has no {}", excerpt(key)), &fix))
    }

    fn lock(&self, node: NodeId) -> Result<Name> {
        match self.value(node)? {
            Value::Text(name) if !name.is_empty() => Ok(name),
            other => {
                let found = if other == Value::text("") { "empty" } else { other.type_name() };
                let detail = format!("a lock has a name; this is {found}");
                Err(wrong_type(self.frame, node, detail, "write a name in quotes: `lock = \"apt\"`"))
            }
        }
    }

    fn on_removal(&self, node: NodeId) -> Result<OnRemoval> {
        let words = self.expansion.evaluator.words(self.frame, node);
        let words = words
            .or_else(|problem| if problem.summary == "not a word" { Ok(Vec::new()) } else { Err(problem) })?;
        match words.first().map(|(word, _)| &**word) {
            Some("keep") => Ok(OnRemoval::Keep),
            Some("remove") => Ok(OnRemoval::Remove),
            _ => {
                let detail = "when the block is gone, the thing is kept or removed";
                Err(wrong_type(self.frame, node, detail, "write \"keep\" or \"remove\""))
            }
        }
    }
}
