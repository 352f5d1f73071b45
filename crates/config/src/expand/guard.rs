//! Guards: `only_if`, `not_if` and `not_until`, and the parts of their values that become known during the run.

use std::sync::Arc;
use std::time::Duration;

use uphold_model::{
    Code, Deferred, Diagnostic, Guard, GuardCommand, Map, Name, NotUntil, Reference, Scope, Shape, Term,
    Value,
};

use super::handling::{HandlingReader, Result};
use crate::deferred::{DeferredExpr, DeferredPart};
use crate::meta::Argument;
use crate::tree::NodeId;

/// The keys of a map that describes a command.
const KEYS: [&str; 5] = ["command", "dir", "user", "env", "timeout"];

/// A guard as it was written.
struct Written {
    node: NodeId,
    /// Its current value, and an expression for its later value.
    value: Value,
    term: Term,
}

impl HandlingReader<'_, '_> {
    /// A condition, a command, or a list of these. A list of strings is one command. They are evaluated right before
    /// the visit.
    pub(super) fn guards(&self, node: NodeId, argument: Argument, expected: bool) -> Result<Vec<Guard>> {
        let written = self.written(node)?;
        let several = match written.value.reveal() {
            Value::List(items) if !items.is_empty() && !is_command(items) => items.clone(),
            _ => return Ok(vec![self.guard(written, argument, expected)?]),
        };
        let nodes = self.elements(node).unwrap_or_default();
        let one = |(at, value): (usize, &Value)| {
            let node = nodes.get(at).copied().unwrap_or(node);
            let term = Part::element(&written.term, value, at);
            self.guard(Written { node, value: value.clone(), term }, argument, expected)
        };
        several.iter().enumerate().map(one).collect()
    }

    /// One guard; a map may also set the interval.
    pub(super) fn not_until(&self, node: NodeId) -> Result<NotUntil> {
        let written = self.written(node)?;
        let every = match written.value.reveal() {
            Value::Map(map) => map.get("every").cloned(),
            _ => None,
        };
        let every = match every {
            Some(every) => self.span(node, &self.settled(node, every)?)?,
            None => Duration::from_secs(1),
        };
        Ok(NotUntil { guard: self.guard(written, Argument::NotUntil, true)?, every })
    }

    fn written(&self, node: NodeId) -> Result<Written> {
        let evaluator = &self.expansion.evaluator;
        let (value, references) = evaluator.recording(|| evaluator.node(self.frame, node));
        let value = value?;
        let (code, part) = (self.frame.code, DeferredPart::Expression(self.frame.code.span(node)));
        let deferred = DeferredExpr::new(self.expansion.universe, self.env, code.code(), part, references);
        let term = deferred.unless_final(value.clone());
        Ok(Written { node, value, term })
    }

    fn guard(&self, written: Written, argument: Argument, expected: bool) -> Result<Guard> {
        let Written { node, value, term } = written;
        let place = Some(self.frame.code.place_of(node));
        let (condition, command) = match value.reveal() {
            Value::Map(map) => {
                if matches!(value, Value::Sensitive(_)) {
                    self.settled(node, value.clone())?;
                }
                let command = self.command(node, map, argument)?;
                (Part::field(&term, &map["command"], "command"), command)
            }
            _ => {
                self.check_condition(node, &value, argument)?;
                (term, GuardCommand::default())
            }
        };
        Ok(Guard { condition, expected, command, place })
    }

    fn check_condition(&self, node: NodeId, value: &Value, argument: Argument) -> Result<()> {
        let word = argument.word();
        match value.reveal() {
            Value::Bool(held) if self.literal(node).is_some() => {
                let how = if *held { "always" } else { "never" };
                let detail = format!("`{word}` is {how} true, whatever the state of the machine");
                let fix = "write a condition or a command; use `when = …` to leave out a block";
                Err(self.frame.error(node, Code::ConstantGuard, detail, fix))
            }
            Value::Bool(_) | Value::Unknown(_) => Ok(()),
            _ => self.check_command(node, value, argument),
        }
    }

    /// Checks that a command is a string or a list of strings, and not empty.
    fn check_command(&self, node: NodeId, value: &Value, argument: Argument) -> Result<()> {
        let word = argument.word();
        let empty = match value.reveal() {
            Value::Text(text) => text.trim().is_empty(),
            Value::List(items) => items.is_empty(),
            _ => false,
        };
        if empty {
            let detail = format!("the command of `{word}` is empty");
            let fix = "write a command, such as \"test -e /x\", or remove the line";
            return Err(self.frame.error(node, Code::InvalidGuard, detail, fix));
        }
        match value.reveal() {
            Value::Text(_) | Value::Unknown(_) => Ok(()),
            Value::List(items) if is_command(items) => Ok(()),
            _ => {
                let detail = format!("a guard is a condition or a command; this is {}", value.type_name());
                let fix = "write a bool, a command as a string: \"test -e /x\", or as a list: [\"test\", \
                           \"-e\", \"/x\"]";
                Err(self.wrong(node, detail, fix))
            }
        }
    }

    /// `{ command = "test -e x", dir = "/srv" }`: everything but the command must be known.
    fn command(&self, node: NodeId, map: &Map, argument: Argument) -> Result<GuardCommand> {
        let word = argument.word();
        let known: Vec<&str> = match argument {
            Argument::NotUntil => KEYS.into_iter().chain(["every"]).collect(),
            _ => KEYS.to_vec(),
        };
        self.only(node, map.keys(), &known, word)?;
        let Some(command) = map.get("command") else {
            let detail = format!("this map for `{word}` has no `command`");
            let fix = "add one: `command = \"test -e /x\"`";
            return Err(self.frame.error(node, Code::InvalidGuard, detail, fix));
        };
        if matches!(command.reveal(), Value::Bool(_)) {
            let detail = "a condition is not written in a map";
            return Err(self.wrong(node, detail, "write the condition itself, or a command"));
        }
        self.check_command(node, command, argument)?;
        let setting = |name: &str| map.get(name).map(|value| self.settled(node, value.clone())).transpose();
        Ok(GuardCommand {
            dir: setting("dir")?.map(|dir| self.text(node, "dir", dir)).transpose()?,
            user: setting("user")?.map(|user| self.text(node, "user", user)).transpose()?,
            env: setting("env")?.map_or(Ok(Vec::new()), |env| self.variables(node, &env))?,
            timeout: setting("timeout")?.map(|timeout| self.span(node, &timeout)).transpose()?,
        })
    }

    fn text(&self, node: NodeId, name: &str, value: Value) -> Result<Name> {
        match value {
            Value::Text(text) if !text.is_empty() => Ok(text),
            other => {
                let found = if matches!(other, Value::Text(_)) { "empty" } else { other.type_name() };
                let detail = format!("`{name}` must be a string, not {found}");
                let fix = format!("write it in quotes: `{name} = \"…\"`");
                Err(self.wrong(node, detail, &fix))
            }
        }
    }

    fn variables(&self, node: NodeId, value: &Value) -> Result<Vec<(Name, Name)>> {
        let Value::Map(map) = value else {
            let detail = format!("`env` must be a map of strings, not {}", value.type_name());
            return Err(self.wrong(node, detail, "write `env = { NAME = \"value\" }`"));
        };
        let variable = |(name, value): (&Name, &Value)| match value {
            Value::Text(text) => Ok((name.clone(), text.clone())),
            other => {
                let detail =
                    format!("an environment variable must be a string; `{name}` is {}", other.type_name());
                Err(self.wrong(node, detail, "write its value in quotes"))
            }
        };
        map.iter().map(variable).collect()
    }
}

/// Whether these are the arguments of one command: strings, as far as they are known. If all are unknown, they are
/// conditions.
fn is_command(items: &[Value]) -> bool {
    let is_text = |item: &Value| item.shape() == Some(Shape::Text);
    let may_be =
        |item: &Value| is_text(item) || matches!(item.reveal(), Value::Unknown(u) if u.shape.is_none());
    items.iter().all(may_be) && items.iter().any(is_text)
}

/// A part of a deferred value.
#[derive(Debug)]
pub(super) struct Part {
    whole: Term,
    step: Step,
}

#[derive(Debug)]
enum Step {
    Element(usize),
    Field(Name),
}

impl Part {
    /// Element `at` of a list whose current value is `now`.
    pub(super) fn element(whole: &Term, now: &Value, at: usize) -> Term {
        Self::of(whole, now, Step::Element(at))
    }

    /// A field of a map whose current value is `now`.
    pub(super) fn field(whole: &Term, now: &Value, name: &str) -> Term {
        Self::of(whole, now, Step::Field(name.into()))
    }

    fn of(whole: &Term, now: &Value, step: Step) -> Term {
        match whole {
            Term::Known(_) => Term::Known(now.clone()),
            Term::Deferred(_) => Term::Deferred(Arc::new(Part { whole: whole.clone(), step })),
        }
    }
}

impl Deferred for Part {
    fn references(&self) -> &[Reference] {
        self.whole.references()
    }

    /// A part that no longer exists is null, which its reader rejects.
    fn evaluate(&self, scope: &dyn Scope) -> std::result::Result<Value, Diagnostic> {
        let whole = self.whole.evaluate(scope)?;
        let part = match (whole.reveal(), &self.step) {
            (Value::Unknown(_), _) => return Ok(whole),
            (Value::List(items), Step::Element(at)) => items.get(*at).cloned(),
            (Value::Map(map), Step::Field(name)) => map.get(name).cloned(),
            _ => None,
        };
        let part = part.unwrap_or_default();
        Ok(if matches!(whole, Value::Sensitive(_)) { part.sensitive() } else { part })
    }
}
