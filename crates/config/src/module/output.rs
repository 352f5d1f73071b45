//! Outputs of modules.

use uphold_model::{Code, Diagnostic, Name, Place};

use super::definition::ItemRef;
use crate::body::Entry;
use crate::excerpt::excerpt;
use crate::tree::{Content, Items, Literal, Node, TreeView};

/// An output.
#[derive(Debug)]
pub(crate) struct OutputDefinition {
    pub(crate) name: Name,
    /// The place of the block's header.
    pub(crate) place: Place,
    pub(crate) value: Option<ItemRef>,
    pub(crate) sensitive: bool,
    pub(crate) description: Option<Name>,
}

/// Reads the body of an `output` block; `kept` is any item in it.
pub(super) fn read(
    code: TreeView<'_>,
    kept: &ItemRef,
    (name, place): (Name, Place),
    items: Items,
    problems: &mut Vec<Diagnostic>,
) -> OutputDefinition {
    let mut output = OutputDefinition { name, place, value: None, sensitive: false, description: None };
    for entry in Entry::checked(code, items, problems) {
        let item = code.item(entry.first);
        let known = match item.content {
            Content::Expression(node) => match code.node(node) {
                Node::Known(literal) => Some(literal),
                _ => None,
            },
            _ => None,
        };
        let at = code.place(item.name);
        match (item.key, known) {
            ("value", _) => output.value = Some(ItemRef { item: entry.first, ..kept.clone() }),
            ("sensitive", Some(Literal::Bool(sensitive))) => output.sensitive = sensitive,
            ("description", Some(Literal::Text(text))) => output.description = Some(text.into()),
            ("sensitive", _) => problems.push(
                Diagnostic::new(Code::AttributeType, "this must be `true` or `false`")
                    .at(at)
                    .fix("write `true` or `false`"),
            ),
            ("description", _) => problems.push(
                Diagnostic::new(Code::AttributeType, "this must be a plain string")
                    .at(at)
                    .fix("write it in quotes, without `${…}`"),
            ),
            (other, _) => problems.push(
                Diagnostic::new(Code::UnknownAttribute, format!("an output has no {}", excerpt(other)))
                    .at(at)
                    .fix("it has value, sensitive and description"),
            ),
        }
    }
    if output.value.is_none() {
        let detail = format!("{} has no value", excerpt(&output.name));
        problems.push(Diagnostic::new(Code::OutputWithoutValue, detail).at(place).fix("add `value = …`"));
    }
    output
}
