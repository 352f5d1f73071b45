//! Function calls.

use std::cell::Cell;

use uphold_functions::{Body, Function, find};
use uphold_model::{Code, Diagnostic, Name, Shape, Unknown, Value};

use crate::tree::{Call, Children, NodeId};

use super::evaluator::{Evaluated, Evaluator, MISTAKE, is_secret, keep_secret, unknown_like};
use super::frame::Frame;

impl Evaluator<'_> {
    pub(super) fn call(&self, frame: &Frame<'_>, call: &Call<'_>, id: NodeId) -> Evaluated {
        // Unknown functions were reported by the name check.
        let Some(function) = find(call.function) else { return Ok(Value::unknown(MISTAKE)) };
        match function.body {
            Body::Try => self.attempt(frame, call, id),
            Body::Can => self.possible(frame, call),
            // Where `optional` is allowed, only its argument is evaluated; elsewhere the name check reported it.
            Body::Optional => Ok(Value::unknown(MISTAKE)),
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
                let fix = format!("`uphold explain '{}()'` shows what it takes", function.name);
                return Err(frame.error(id, Code::ArgumentCount, detail, fix));
            }
        } else if function.check_count(arguments.len()).is_err() {
            // Reported by the name check.
            return Ok(Value::unknown(MISTAKE));
        }
        self.budget.spend(function.steps(&arguments), || frame.code.place_of(id))?;
        let value = self.called(frame, function, nodes, &arguments, id)?;
        self.budget.spend(function.steps_for_result(&value), || frame.code.place_of(id))?;
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
        let steps = Cell::new(0);
        let called =
            function.call(&uphold_functions::Call { arguments, directory, surroundings, steps: &steps });
        let spent = self.budget.spend(steps.get(), || frame.code.place_of(id));
        // A failure takes precedence over an exceeded budget.
        called.map(|value| spent.map(|()| value)).map_err(|fault| {
            let at = fault.argument.and_then(|number| nodes.get(number)).unwrap_or(id);
            let hidden = arguments.iter().any(Value::is_sensitive);
            let message =
                if hidden { "the reason is hidden because an argument is secret" } else { &fault.message };
            let detail = format!("`{}`: {message}", function.name);
            let error = Diagnostic::new(Code::FunctionFailed, detail).at(frame.code.place_of(at));
            Box::new(match fault.fix {
                Some(fix) if !hidden => error.fix(fix),
                _ => error.fix(format!("`uphold explain '{}()'` shows what it takes", function.name)),
            })
        })?
    }

    /// `try(a, b)`: the first argument that can be evaluated.
    fn attempt(&self, frame: &Frame<'_>, call: &Call<'_>, id: NodeId) -> Evaluated {
        let (mut last, mut secret) = (None, false);
        for (number, argument) in call.arguments.iter().enumerate() {
            let before = self.observe();
            let ((value, references), met) =
                self.tracking_secrets(|| self.recording(|| self.node(frame, argument)));
            let postponed = self.observed(before);
            match value {
                Ok(value) => {
                    self.references.borrow_mut().extend(&references);
                    self.budget.charge(&value, || frame.code.place_of(argument))?;
                    return match unfinished(&value, postponed) {
                        Some(unknown) => {
                            let others = call.arguments.iter().skip(number + 1);
                            self.undecided_attempt(frame, others, &unknown)
                                .map(|later| keep_secret(secret || met, later))
                        }
                        None => Ok(keep_secret(secret, value)),
                    };
                }
                Err(error) if always_counts(&error) => return Err(error),
                Err(error) => {
                    // The failure itself reveals something about the secret.
                    secret |= met;
                    last = Some(error);
                }
            }
        }
        Err(no_fallback(frame, id, last))
    }

    /// The value of `try` while an argument can still fail: the other arguments may count, so their references are
    /// recorded.
    fn undecided_attempt(
        &self,
        frame: &Frame<'_>,
        others: impl Iterator<Item = NodeId>,
        unknown: &Unknown,
    ) -> Evaluated {
        for other in others {
            self.speculate(frame, other, unknown)?;
        }
        Ok(unknown_like(unknown, None))
    }

    /// `can(a)`: whether the argument can be evaluated.
    fn possible(&self, frame: &Frame<'_>, call: &Call<'_>) -> Evaluated {
        let Some(argument) = call.arguments.get(0) else {
            return Ok(Value::unknown(MISTAKE));
        };
        let before = self.observe();
        let (value, secret) = self.tracking_secrets(|| self.node(frame, argument));
        let postponed = self.observed(before);
        let answer = match value {
            Ok(value) => {
                self.budget.charge(&value, || frame.code.place_of(argument))?;
                match unfinished(&value, postponed) {
                    Some(unknown) => unknown_like(&unknown, Shape::Bool),
                    None => Value::Bool(true),
                }
            }
            Err(error) if always_counts(&error) => return Err(error),
            Err(_) => Value::Bool(false),
        };
        Ok(keep_secret(secret, answer))
    }
}

fn no_fallback(frame: &Frame<'_>, id: NodeId, last: Option<Box<Diagnostic>>) -> Box<Diagnostic> {
    let fix = "add a last argument that always has a value";
    let error = frame.error(id, Code::NoFallback, "none of the arguments of `try` has a value", fix);
    match last {
        Some(last) => {
            let detail = format!("{}; the last: {}", error.detail, last.detail);
            Box::new(Diagnostic { detail, ..*error })
        }
        None => error,
    }
}

/// The unknown value that decides whether a tried expression succeeds, if there is one.
fn unfinished(value: &Value, postponed: Option<Unknown>) -> Option<Unknown> {
    value.first_unknown().cloned().or(postponed)
}

fn not_spreadable(frame: &Frame<'_>, at: NodeId, found: &Value) -> Box<Diagnostic> {
    let detail = format!("`...` spreads a list over arguments; this is {}", found.type_name());
    frame.error(at, Code::OperandType, detail, "pass a list, or remove `...`")
}

// Speculation: expressions that count only under a condition that is known during the run.
//
// A branch behind an unknown condition, or the body of a loop over an unknown collection: each is evaluated for the
// resources that it reads, but its errors must not be reported before the condition is known.

impl Evaluator<'_> {
    /// The value of an expression that counts only if `condition` turns out true. An error becomes a value that waits
    /// for the condition.
    pub(super) fn speculate(&self, frame: &Frame<'_>, node: NodeId, condition: &Unknown) -> Evaluated {
        self.postpone(condition, || self.node(frame, node))
            .map(|value| value.unwrap_or_else(|| unknown_like(condition, None)))
    }

    /// The result; none if it failed in a way that counts only if `condition` turns out true.
    pub(super) fn postpone<T>(
        &self,
        condition: &Unknown,
        evaluate: impl FnOnce() -> Result<T, Box<Diagnostic>>,
    ) -> Result<Option<T>, Box<Diagnostic>> {
        match evaluate() {
            Ok(result) => Ok(Some(result)),
            Err(error) if always_counts(&error) => Err(error),
            Err(_) => {
                self.note_postponed(Some(&condition.waits_for));
                Ok(None)
            }
        }
    }

    /// Records that an error was postponed when a named value was evaluated.
    pub(super) fn note_postponed(&self, waits_for: Option<&Name>) {
        if let Some(waits_for) = waits_for {
            self.postponed.replace(Some(waits_for.clone()));
        }
    }

    /// Starts to observe postponed errors. Not a closure: evaluation is deeply recursive, and each closure takes stack.
    pub(super) fn observe(&self) -> Option<Name> {
        self.postponed.take()
    }

    /// The value that a postponed error waits for, since [`Evaluator::observe`].
    pub(super) fn observed(&self, before: Option<Name>) -> Option<Unknown> {
        let found = self.postponed.take();
        self.postponed.replace(found.clone().or(before));
        found.map(|waits_for| Unknown { waits_for, shape: None })
    }
}

/// Whether an error always ends the evaluation: limits, undeclared names, and values that must be known before the run.
pub(super) fn always_counts(error: &Diagnostic) -> bool {
    matches!(
        error.code,
        Code::TooMuchWork
            | Code::TooDeep
            | Code::ValueTooLarge
            | Code::CircularDefinition
            | Code::NameUnknown
            | Code::UnknownResource
    )
}
