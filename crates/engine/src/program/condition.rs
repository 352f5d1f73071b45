//! Conditions: whether an action runs at all.

use uphold_model::{Code, Diagnostic, Diagnostics, Name, Place, Scope, Shape, Term, Value};

use crate::program::decode::Decoder;

/// The value of a condition.
#[derive(Debug, PartialEq)]
pub(crate) enum Answer {
    Yes,
    No,
    /// Known only in the run, once this value is known.
    Later(Name),
}

/// Evaluates `when`. Its place is that of its first reference, or else that of its block.
///
/// # Errors
/// If it cannot be evaluated, or is neither true nor false. Of a secret, not even its type is shown.
pub(crate) fn ask(when: &Term, scope: &dyn Scope, block: Option<Place>) -> Result<Answer, Diagnostic> {
    let value = when.evaluate(scope)?;
    let shown = |what: &str| if value.is_sensitive() { String::new() } else { format!(", not {what}") };
    let what = match value.reveal() {
        Value::Bool(true) => return Ok(Answer::Yes),
        Value::Bool(false) => return Ok(Answer::No),
        Value::Unknown(unknown) => match unknown.shape {
            None | Some(Shape::Bool) => return Ok(Answer::Later(unknown.waits_for.clone())),
            Some(shape) => shape.words(),
        },
        other => other.type_name(),
    };
    let place = when.references().first().and_then(|reference| reference.place).or(block);
    Err(Diagnostic::new(Code::ConditionType, format!("`when` must be true or false{}", shown(what)))
        .at(place)
        .fix("compare it with something: `when = … == …`"))
}

/// Whether a node runs, as far as is known before the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// It has no condition, or one that is true.
    Yes,
    /// Its condition is false.
    No,
    /// Known only in the run.
    Perhaps,
}

impl Wanted {
    fn and(self, other: Wanted) -> Wanted {
        match (self, other) {
            (Wanted::No, _) | (_, Wanted::No) => Wanted::No,
            (Wanted::Yes, Wanted::Yes) => Wanted::Yes,
            _ => Wanted::Perhaps,
        }
    }
}

/// Checks the conditions of all resources and actions: the result for each node.
pub(crate) fn check_wanted(
    decoder: &Decoder<'_>,
    scope: &dyn Scope,
    diagnostics: &mut Diagnostics,
) -> Vec<Wanted> {
    let mut of_resources = vec![Wanted::Yes; decoder.set.numbers()];
    for (resource, declared) in decoder.set.iter() {
        let declaration = &declared.declaration;
        if let Some(when) = &declaration.meta.when {
            of_resources[resource as usize] = answer(when, scope, declaration.place, diagnostics);
        }
    }
    let mut of_nodes = Vec::with_capacity(decoder.list.all().len());
    for entry in decoder.list.all() {
        let of_action = match entry.when() {
            Some(when) => answer(when, scope, entry.place, diagnostics),
            None => Wanted::Yes,
        };
        of_nodes.push(of_resources[entry.resource as usize].and(of_action));
    }
    of_nodes
}

fn answer(when: &Term, scope: &dyn Scope, place: Option<Place>, diagnostics: &mut Diagnostics) -> Wanted {
    match ask(when, scope, place) {
        Ok(Answer::Yes) => Wanted::Yes,
        Ok(Answer::No) => Wanted::No,
        Ok(Answer::Later(_)) => Wanted::Perhaps,
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            Wanted::Perhaps
        }
    }
}
