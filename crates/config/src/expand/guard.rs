//! Guards: `only_if` and `not_if`.

use uphold_model::{Diagnostic, Guard, Value};

use super::arguments::wrong_type;
use super::handling::HandlingReader;
use crate::tree::NodeId;
use crate::waiting::{Late, Waiting};

impl HandlingReader<'_, '_> {
    /// A bool, a command as text, or one as a list of texts; looked at when the turn comes.
    pub(super) fn guard(&self, node: NodeId, expected: bool) -> Result<Guard, Box<Diagnostic>> {
        let evaluator = &self.expansion.evaluator;
        let (value, references) = evaluator.noting(|| evaluator.node(self.frame, node));
        let value = value?;
        let texts = |items: &[Value]| {
            !items.is_empty()
                && items.iter().all(|item| matches!(item.reveal(), Value::Text(_) | Value::Unknown(_)))
        };
        let fits = match value.reveal() {
            Value::Bool(_) | Value::Text(_) | Value::Unknown(_) => true,
            Value::List(items) => texts(items),
            _ => false,
        };
        if !fits {
            let detail = format!("a guard is a condition or a command; this is {}", value.type_name());
            let fix =
                "write a bool, a command as text: \"test -e /x\", or as a list: [\"test\", \"-e\", \"/x\"]";
            return Err(wrong_type(self.frame, node, detail, fix));
        }
        let late = Waiting::new(self.expansion.universe, self.env, self.code, Late::Node(node), references);
        let condition = late.unless_final(value);
        Ok(Guard { condition, expected, place: Some(self.frame.code.place_of(node)) })
    }
}
