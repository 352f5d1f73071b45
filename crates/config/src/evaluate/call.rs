//! Calls of functions.

use uphold_functions::{Body, Function, find};
use uphold_model::{Diagnostic, Place, Shape, Value};

use super::evaluator::{Evaluated, Evaluator, MISTAKE, is_secret, keep_secret};
use super::frame::Frame;
use crate::tree::{Call, Children, NodeId};

impl Evaluator<'_> {
    pub(super) fn call(&self, frame: &Frame<'_>, call: &Call<'_>, id: NodeId) -> Evaluated {
        // A name that is no function was reported with the names.
        let Some(function) = find(call.function) else { return Ok(Value::unknown(MISTAKE)) };
        match function.body {
            Body::Try => self.attempt(frame, call, id),
            Body::Can => self.possible(frame, call),
            _ => self.compute(frame, function, call, id),
        }
    }

    fn compute(&self, frame: &Frame<'_>, function: &Function, call: &Call<'_>, id: NodeId) -> Evaluated {
        let nodes = call.arguments;
        let mut arguments = Vec::with_capacity(nodes.len());
        for node in nodes.iter() {
            arguments.push(self.node(frame, node)?);
        }
        let mut secret = false;
        if call.spread
            && let Some(last) = arguments.pop()
        {
            secret = is_secret(&last);
            match last.reveal() {
                Value::List(items) => {
                    self.budget.spend(items.len(), || frame.code.place_of(id))?;
                    arguments.extend(items.iter().cloned());
                }
                Value::Unknown(_) => return Ok(last),
                other => return Err(not_spreadable(frame, nodes.last().unwrap_or(id), other)),
            }
            if let Err(detail) = function.check_count(arguments.len()) {
                let fix = format!("`uphold explain {}` tells what it takes", function.name);
                return Err(frame.error(id, "wrong number of arguments", detail, fix));
            }
        } else if function.check_count(arguments.len()).is_err() {
            // Reported with the names.
            return Ok(Value::unknown(MISTAKE));
        }
        if let Body::Whole(_) = function.body {
            for argument in &arguments {
                self.budget.work(argument, || frame.code.place_of(id))?;
            }
        }
        let value = self.called(frame, function, nodes, &arguments, id)?;
        self.charge(&value, || frame.code.place_of(id))?;
        Ok(if secret { value.sensitive() } else { value })
    }

    fn called(
        &self,
        frame: &Frame<'_>,
        function: &Function,
        nodes: Children<'_>,
        arguments: &[Value],
        id: NodeId,
    ) -> Evaluated {
        let surroundings = self.universe.surroundings();
        let directory = frame.code.directory();
        function.call(&uphold_functions::Call { arguments, directory, surroundings }).map_err(|fault| {
            let at = fault.argument.and_then(|number| nodes.get(number)).unwrap_or(id);
            let hidden = arguments.iter().any(Value::is_sensitive);
            let message = if hidden {
                "its argument is a secret, so what is wrong with it is not shown"
            } else {
                &fault.message
            };
            let detail = format!("`{}`: {message}", function.name);
            let error = Diagnostic::error("function failed", detail).at(frame.code.place_of(at));
            Box::new(match fault.fix {
                Some(fix) if !hidden => error.fix(fix),
                _ => error.fix(format!("`uphold explain {}` tells what it takes", function.name)),
            })
        })
    }

    /// Large results cost what they are.
    fn charge(&self, value: &Value, place: impl FnOnce() -> Place) -> Result<(), Box<Diagnostic>> {
        match value.reveal() {
            Value::Text(text) => self.budget.length(text.len(), place),
            Value::List(items) => self.budget.spend(items.len(), place),
            Value::Map(map) => self.budget.spend(map.len(), place),
            _ => Ok(()),
        }
    }

    /// `try(a, b)`: the first that can be evaluated. If a is not known yet, neither is the whole.
    fn attempt(&self, frame: &Frame<'_>, call: &Call<'_>, id: NodeId) -> Evaluated {
        let (mut last, mut secret) = (None, false);
        for (number, argument) in call.arguments.iter().enumerate() {
            let ((value, references), met) = self.watching(|| self.noting(|| self.node(frame, argument)));
            match value {
                Ok(value) => {
                    self.references.borrow_mut().extend(&references);
                    self.budget.look(&value, || frame.code.place_of(argument))?;
                    if value.is_unknown() {
                        // It may fail in the run: then the others are read.
                        let others = call.arguments.iter().skip(number + 1);
                        others.for_each(|other| _ = self.node(frame, other));
                    }
                    return Ok(keep_secret(secret, value));
                }
                Err(error) if is_limit(&error) => return Err(error),
                Err(error) => {
                    // That it failed tells something about the secret.
                    secret |= met;
                    last = Some(error);
                }
            }
        }
        let fix = "add a last argument that always has a value";
        let error =
            frame.error(id, "nothing to fall back on", "none of the arguments of `try` has a value", fix);
        Err(match last {
            Some(last) => Box::new(Diagnostic {
                detail: format!("{}; the last: {}", error.detail, last.detail),
                ..*error
            }),
            None => error,
        })
    }

    /// `can(a)`: whether it can be evaluated.
    fn possible(&self, frame: &Frame<'_>, call: &Call<'_>) -> Evaluated {
        let Some(argument) = call.arguments.get(0) else {
            return Ok(Value::unknown(MISTAKE));
        };
        let (value, secret) = self.watching(|| self.node(frame, argument));
        let answer = match value {
            Ok(value) => {
                self.budget.look(&value, || frame.code.place_of(argument))?;
                match value.first_unknown() {
                    Some(unknown) => Value::unknown_of(unknown.waits_for.clone(), Some(Shape::Bool)),
                    None => Value::Bool(true),
                }
            }
            Err(error) if is_limit(&error) => return Err(error),
            Err(_) => Value::Bool(false),
        };
        Ok(keep_secret(secret, answer))
    }
}

/// Whether going on would only cost more.
fn is_limit(error: &Diagnostic) -> bool {
    matches!(
        error.summary,
        "too much to compute" | "too deep to compute" | "value too large" | "text too long"
    )
}

fn not_spreadable(frame: &Frame<'_>, at: NodeId, found: &Value) -> Box<Diagnostic> {
    let detail = format!("`...` spreads a list over arguments; this is {}", found.type_name());
    frame.error(at, "cannot be spread", detail, "pass a list, or remove `...`")
}
