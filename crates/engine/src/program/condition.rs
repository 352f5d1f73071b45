//! Conditions: whether a resource is wanted at all.

use uphold_model::{Code, Diagnostic, Name, Place, Scope, Shape, Term, Value};

/// What a condition comes to.
#[derive(Debug, PartialEq)]
pub(crate) enum Answer {
    /// It holds.
    Yes,
    /// It does not.
    No,
    /// Only the run will tell; this is what it waits for.
    Later(Name),
}

/// Asks `when`. It was written where its first reference stands, or else with its block.
///
/// # Errors
/// If it cannot be evaluated, or is neither true nor false. Of a secret, not even its type is told.
pub(crate) fn ask(when: &Term, scope: &dyn Scope, block: Option<Place>) -> Result<Answer, Diagnostic> {
    let value = when.evaluate(scope)?;
    let told = |what: &str| if value.is_sensitive() { String::new() } else { format!(", not {what}") };
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
    Err(Diagnostic::new(Code::ConditionType, format!("`when` must be true or false{}", told(what)))
        .at(place)
        .fix("compare it with something: `when = … == …`"))
}
