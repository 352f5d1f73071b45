//! Templates: strings with interpolated parts.

use std::fmt::Write;

use uphold_model::{Code, Diagnostic, Shape, Value};

use super::evaluator::{Evaluated, Evaluator, is_secret, keep_secret, unknown_like};
use super::frame::Frame;
use crate::tree::{Children, Literal, Node, NodeId};

impl Evaluator<'_> {
    /// A string; unknown if a part is unknown, secret if a part is secret. `"${x}"` is x itself, of any type.
    pub(super) fn template(&self, frame: &Frame<'_>, parts: Children<'_>, id: NodeId) -> Evaluated {
        if let Some(single) = parts.single() {
            return self.node(frame, single);
        }
        let mut text = TextBuilder::default();
        text.text.reserve(frame.code.span(id).range().len());
        for part in parts.iter() {
            let node = frame.code.node(part);
            if let Node::Known(Literal::Text(literal)) = node {
                self.budget.spend(1, || frame.code.place_of(part))?;
                text.push(literal);
                continue;
            }
            let value = self.read(frame, part, node)?;
            append(frame, &mut text, &value, part)?;
        }
        self.budget.length(text.text.len(), || frame.code.place_of(id))?;
        Ok(text.finish())
    }
}

/// A string under construction.
#[derive(Default)]
pub(super) struct TextBuilder {
    text: String,
    unknown: Option<Value>,
    secret: bool,
}

impl TextBuilder {
    pub(super) fn finish(self) -> Value {
        let value = self.unknown.unwrap_or_else(|| Value::text(self.text));
        keep_secret(self.secret, value)
    }

    /// Appends text. After an unknown part, nothing needs to be kept.
    fn push(&mut self, text: &str) {
        if self.unknown.is_none() {
            self.text.push_str(text);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }
}

fn not_text(frame: &Frame<'_>, value: &Value, part: NodeId) -> Box<Diagnostic> {
    let detail = format!("{} cannot be part of a string", value.type_name());
    let fix = match value {
        Value::Reference(id) => format!("choose a property: `{id}.…`"),
        Value::Null => "replace it: `coalesce(x, \"…\")`, or `x == null ? \"\" : x`".into(),
        Value::List(_) => "join it: `join(\", \", …)`; or encode it: `jsonencode(…)`".into(),
        Value::Map(_) => "choose a member, or encode it: `jsonencode(…)`".into(),
        _ => "use a string, a number or a bool".into(),
    };
    frame.error(part, Code::NotPrintable, detail, fix)
}

/// Appends a value as it is printed in a string.
pub(super) fn append(
    frame: &Frame<'_>,
    text: &mut TextBuilder,
    value: &Value,
    part: NodeId,
) -> Result<(), Box<Diagnostic>> {
    // Lists and maps are rejected, so only the value itself can be secret.
    text.secret |= is_secret(value);
    match value.reveal() {
        Value::Text(more) => text.push(more),
        // A value that cannot be printed is an error, even if the result is unknown.
        Value::Int(_) | Value::Float(_) | Value::Bool(_) if text.unknown.is_some() => {}
        // Writing to a string cannot fail.
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => _ = write!(text.text, "{}", value.reveal()),
        Value::Unknown(unknown) => {
            text.unknown.get_or_insert_with(|| unknown_like(unknown, Shape::Text));
        }
        other => return Err(not_text(frame, other, part)),
    }
    Ok(())
}
