//! Meta arguments that affect how a run handles a resource.

use std::num::NonZeroU32;
use std::time::Duration;

use uphold_model::{
    Code, Diagnostic, Handling, Limit, Lock, Name, OnRemoval, Value, closest, parse_duration,
};

use crate::evaluate::{Env, Frame};
use crate::excerpt::excerpt;
use crate::meta::Argument;
use crate::module::ON_REMOVAL_FIX;
use crate::tree::{Literal, Node, NodeId};

use super::arguments::wrong_type;
use super::expansion::Expansion;

pub(super) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// Reads them for one block.
pub(super) struct HandlingReader<'r, 'a> {
    pub(super) expansion: &'r Expansion<'a>,
    pub(super) frame: &'r Frame<'r>,
    pub(super) env: &'r Env,
}

impl HandlingReader<'_, '_> {
    /// Reads one meta argument.
    pub(super) fn take(&self, handling: &mut Handling, argument: Argument, node: NodeId) -> Result<()> {
        match argument {
            Argument::OnlyIf => handling.guards.extend(self.guards(node, argument, true)?),
            Argument::NotIf => handling.guards.extend(self.guards(node, argument, false)?),
            Argument::NotUntil => handling.not_until = Some(self.not_until(node)?),
            Argument::Notifies => handling.notifies = self.notifies(node)?,
            Argument::Subscribes => handling.subscribes = self.subscribes(node)?,
            Argument::Retry => handling.retry = Some(self.retry(node)?),
            Argument::Timeout => handling.timeout = Some(self.span(node, &self.value(node)?)?),
            Argument::Poll => handling.poll = Some(self.span(node, &self.value(node)?)?),
            Argument::Limit => handling.limit = Some(self.limit(node)?),
            Argument::Lock => handling.locks = self.locks(node)?,
            Argument::Audit => handling.audit = self.expansion.bool(self.frame, node, argument)?,
            Argument::IgnoreFailure => {
                handling.ignore_failure = self.expansion.bool(self.frame, node, argument)?;
            }
            // Read with the block.
            Argument::Action
            | Argument::Always
            | Argument::AutoEdges
            | Argument::DependsOn
            | Argument::ForEach
            | Argument::OnRemoval
            | Argument::Sensitive
            | Argument::When => {}
        }
        Ok(())
    }

    pub(super) fn on_removal(&self, node: NodeId) -> Result<OnRemoval> {
        let value = self.value(node)?;
        let word = if let Value::Text(word) = &value { OnRemoval::named(word) } else { None };
        word.ok_or_else(|| {
            let detail = format!("{} is not a value of `on_removal`", excerpt(&value.to_string()));
            self.wrong(node, detail, ON_REMOVAL_FIX)
        })
    }

    /// Reads one meta argument of a group.
    pub(super) fn take_for_group(
        &self,
        handling: &mut Handling,
        argument: Argument,
        node: NodeId,
    ) -> Result<()> {
        match argument {
            Argument::Notifies => handling.notifies = self.notifies_of_group(node)?,
            Argument::Subscribes => handling.subscribes = self.subscribes_of_group(node)?,
            _ => self.take(handling, argument, node)?,
        }
        Ok(())
    }

    pub(super) fn wrong(&self, node: NodeId, detail: impl Into<String>, fix: &str) -> Box<Diagnostic> {
        wrong_type(self.frame, node, detail, fix)
    }

    /// The elements of a literal list.
    pub(super) fn elements(&self, node: NodeId) -> Option<Vec<NodeId>> {
        match self.frame.code.node(node) {
            Node::List(elements) => Some(elements.iter().collect()),
            _ => None,
        }
    }

    /// The keys and values of a literal map.
    pub(super) fn entries(&self, node: NodeId) -> Option<Vec<(NodeId, NodeId)>> {
        match self.frame.code.node(node) {
            Node::Object(entries) => Some(entries.pairs().collect()),
            _ => None,
        }
    }

    /// A literal value.
    pub(super) fn literal(&self, node: NodeId) -> Option<Literal<'_>> {
        match self.frame.code.node(node) {
            Node::Known(literal) => Some(literal),
            _ => None,
        }
    }

    /// The chosen branch of a conditional, or the expression itself.
    pub(super) fn chosen(&self, mut node: NodeId) -> Result<NodeId> {
        while let Node::Conditional { condition, yes, no } = self.frame.code.node(node) {
            node = match self.value(condition)? {
                Value::Bool(true) => yes,
                Value::Bool(false) => no,
                other => {
                    let code = Code::ConditionType;
                    return Err(self.frame.not_a(condition, code, &other, "true or false"));
                }
            };
        }
        Ok(node)
    }

    /// A value that must be known.
    pub(super) fn value(&self, node: NodeId) -> Result<Value> {
        let evaluator = &self.expansion.evaluator;
        let (value, _) = evaluator.recording(|| evaluator.node(self.frame, node));
        self.settled(node, value?)
    }

    /// The value, which must be known and not secret.
    pub(super) fn settled(&self, node: NodeId, value: Value) -> Result<Value> {
        if value.is_sensitive() {
            let detail = "a secret cannot be part of a meta argument, because these are shown";
            return Err(self.wrong(node, detail, "use a value that is not secret"));
        }
        match value.first_unknown() {
            None => Ok(value),
            Some(unknown) => {
                let detail = format!("it depends on {}, but must be known before the run", unknown.waits_for);
                Err(self.wrong(node, detail, "use params, locals or facts here"))
            }
        }
    }

    pub(super) fn span(&self, node: NodeId, value: &Value) -> Result<Duration> {
        let span = match value {
            Value::Text(text) => parse_duration(text),
            Value::Int(seconds) => u64::try_from(*seconds).ok().map(Duration::from_secs),
            _ => None,
        };
        span.filter(|span| !span.is_zero()).ok_or_else(|| {
            let detail = format!("{} is not a duration", excerpt(&value.to_string()));
            self.wrong(node, detail, "write one such as \"30s\" or \"5m\", or a number of seconds")
        })
    }

    pub(super) fn count(&self, node: NodeId, value: &Value) -> Result<u32> {
        match value {
            Value::Int(number) if *number > 0 => u32::try_from(*number).ok(),
            _ => None,
        }
        .ok_or_else(|| {
            let detail = format!("{} is not a whole number from 1 on", excerpt(&value.to_string()));
            self.wrong(node, detail, "write a number such as 3")
        })
    }

    /// `{ times = 10, per = "1m" }`.
    fn limit(&self, node: NodeId) -> Result<Limit> {
        let value = self.value(node)?;
        let fix = "write `limit = { times = 10, per = \"1m\" }`";
        let Value::Map(map) = &value else { return Err(self.wrong(node, "`limit` is a map", fix)) };
        self.only(node, map.keys(), &["times", "per"], "limit")?;
        match (map.get("times"), map.get("per")) {
            (Some(times), Some(per)) => {
                Ok(Limit { times: self.count(node, times)?, per: self.span(node, per)? })
            }
            _ => Err(self.wrong(node, "`limit` needs a number and a duration", fix)),
        }
    }

    /// Checks that a map has no other keys.
    pub(super) fn only<'k>(
        &self,
        node: NodeId,
        mut keys: impl Iterator<Item = &'k Name>,
        known: &[&str],
        of: &str,
    ) -> Result<()> {
        let Some(key) = keys.find(|key| !known.contains(&&***key)) else { return Ok(()) };
        let fix = match closest(key, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it has {}", listed(known)),
        };
        Err(self.wrong(node, format!("`{of}` has no {}", excerpt(key)), &fix))
    }
}

/// `a, b and c`.
pub(super) fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

// Locks, which a limited number of resources can hold at the same time.

impl HandlingReader<'_, '_> {
    /// A lock, or a list of them.
    pub(super) fn locks(&self, node: NodeId) -> Result<Vec<Lock>> {
        let value = self.value(node)?;
        let Value::List(items) = &value else { return Ok(vec![self.lock(node, &value)?]) };
        let nodes = self.elements(node).unwrap_or_default();
        let mut locks: Vec<Lock> = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let node = nodes.get(at).copied().unwrap_or(node);
            let lock = self.lock(node, item)?;
            if locks.iter().any(|other| other.name == lock.name) {
                let detail = format!("{} is listed twice, and would wait for itself", excerpt(&lock.name));
                return Err(self.frame.error(node, Code::DuplicateLock, detail, "keep one of them"));
            }
            locks.push(lock);
        }
        Ok(locks)
    }

    /// `"apt"`, or `{ name = "apt", most = 2 }`.
    fn lock(&self, node: NodeId, value: &Value) -> Result<Lock> {
        let (name, most) = match value {
            Value::Map(map) => {
                self.only(node, map.keys(), &["name", "most"], "lock")?;
                (map.get("name"), map.get("most"))
            }
            other => (Some(other), None),
        };
        let Some(Value::Text(name)) = name.filter(|name| **name != Value::text("")) else {
            let found = match name {
                None => "a map without one",
                Some(Value::Text(_)) => "empty",
                Some(other) => other.type_name(),
            };
            let detail = format!("a lock needs a name; this is {found}");
            return Err(self.wrong(node, detail, "write a name in quotes: `lock = \"apt\"`"));
        };
        let most = most.map_or(Ok(1), |most| self.count(node, most))?;
        Ok(Lock { name: name.clone(), most: NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN) })
    }
}
