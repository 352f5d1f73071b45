//! Params: what a module takes.

use uphold_model::{Diagnostic, Name, Place, Value, closest};

use super::definition::ItemRef;
use crate::body::{Entry, is_block};
use crate::code::Code;
use crate::constraint::Constraint;
use crate::constraint_reader::read_constraint;
use crate::excerpt::excerpt;
use crate::tree::{Content, Item, Node, Slice};

/// What may stand in a `param` block.
const ATTRIBUTES: [&str; 6] = ["default", "description", "required", "sensitive", "type", "validation"];

/// A param.
#[derive(Debug)]
pub(crate) struct Param {
    /// The block's head.
    pub(crate) place: Place,
    pub(crate) code: u32,
    /// None if it may be anything.
    pub(crate) constraint: Option<Constraint>,
    /// The item of its default.
    pub(crate) default: Option<u32>,
    pub(crate) required: bool,
    pub(crate) sensitive: bool,
    pub(crate) description: Option<Name>,
    pub(crate) validations: Vec<Validation>,
    /// Something in it could not be understood, which was reported: perhaps its default.
    pub(crate) misread: bool,
}

/// A condition that the value must meet.
#[derive(Debug)]
pub(crate) struct Validation {
    pub(crate) condition: ItemRef,
    pub(crate) message: ItemRef,
    pub(crate) place: Place,
}

/// Reads the body of a `param` block.
pub(super) struct ParamReader<'a> {
    pub(super) code: &'a Code,
    pub(super) number: u32,
    pub(super) problems: &'a mut Vec<Diagnostic>,
}

impl ParamReader<'_> {
    pub(super) fn read(&mut self, name: &str, place: Place, items: Slice) -> Param {
        let mut param = Param {
            place,
            code: self.number,
            constraint: None,
            default: None,
            required: true,
            sensitive: false,
            description: None,
            validations: Vec::new(),
            misread: false,
        };
        let (mut required, mut typed) = (None, false);
        for entry in Entry::checked(&self.code.tree, items, self.problems) {
            let item = self.code.tree.item(entry.first as usize);
            match &*entry.name {
                "validation" => param.validations.extend(entry.items().filter_map(|id| self.validation(id))),
                _ if is_block(item) => param.misread |= self.unknown(item, name),
                "default" => param.default = Some(entry.first),
                "type" => {
                    typed = true;
                    param.constraint = self.constraint(item);
                }
                "required" => required = self.bool(item).map(|value| (value, item)),
                "sensitive" => param.sensitive = self.bool(item).unwrap_or(true),
                "description" => param.description = self.text(item),
                _ => param.misread |= self.unknown(item, name),
            }
        }
        param.required = param.default.is_none() && required.is_none_or(|(value, _)| value);
        if let (Some((true, item)), Some(_)) = (required, param.default) {
            let detail = "a param with a default need not be set";
            self.report(
                "required param with a default",
                detail,
                item,
                "remove `required`, or remove the default",
            );
        }
        if !typed {
            param.constraint = self.of_default(param.default);
        }
        param
    }

    /// Without a type, a plain default tells it.
    fn of_default(&self, default: Option<u32>) -> Option<Constraint> {
        let Content::Expression(node) = self.code.tree.item(default? as usize).content else { return None };
        match self.code.tree.node(node) {
            Node::Known(Value::Text(_)) | Node::Template(_) => Some(Constraint::Text),
            Node::Known(Value::Bool(_)) => Some(Constraint::Bool),
            Node::Known(Value::Int(_) | Value::Float(_)) => Some(Constraint::Number),
            _ => None,
        }
    }

    fn constraint(&mut self, item: &Item) -> Option<Constraint> {
        let Content::Expression(node) = item.content else { return None };
        match read_constraint(self.code, node) {
            Ok(constraint) => constraint,
            Err(problem) => {
                self.problems.push(*problem);
                None
            }
        }
    }

    fn validation(&mut self, id: usize) -> Option<Validation> {
        let item = self.code.tree.item(id);
        let Content::Block { items, .. } = item.content else {
            self.report(
                "validation is not a block",
                "`validation` holds a condition and a message",
                item,
                "write `validation {`, then `condition = …` and `message = \"…\"` on lines of their own",
            );
            return None;
        };
        let (mut condition, mut message) = (None, None);
        for entry in Entry::checked(&self.code.tree, items, self.problems) {
            let inner = self.code.tree.item(entry.first as usize);
            match &*entry.name {
                "condition" => condition = Some(ItemRef { code: self.number, item: entry.first }),
                "message" => message = Some(ItemRef { code: self.number, item: entry.first }),
                "error_message" => {
                    message = Some(ItemRef { code: self.number, item: entry.first });
                    let detail = "there is no `error_message`";
                    self.report("unknown attribute of a validation", detail, inner, "write `message`");
                }
                _ => self.report(
                    "unknown attribute of a validation",
                    &format!("there is no {}", excerpt(&inner.key)),
                    inner,
                    "it has `condition` and `message`",
                ),
            }
        }
        let place = self.code.place(item.name);
        let (Some(condition), Some(message)) = (condition, message) else {
            let missing = if condition.is_none() { "condition" } else { "message" };
            let fix = format!("add `{missing} = …`");
            self.report("incomplete validation", &format!("it has no `{missing}`"), item, &fix);
            return None;
        };
        Some(Validation { condition, message, place })
    }

    fn bool(&mut self, item: &Item) -> Option<bool> {
        match self.known(item) {
            Some(Value::Bool(value)) => Some(*value),
            _ if matches!(item.content, Content::Broken) => None,
            _ => {
                self.report(
                    "attribute of the wrong type",
                    "this must be `true` or `false`",
                    item,
                    "write `true` or `false`",
                );
                None
            }
        }
    }

    fn text(&mut self, item: &Item) -> Option<Name> {
        match self.known(item) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ if matches!(item.content, Content::Broken) => None,
            _ => {
                self.report(
                    "attribute of the wrong type",
                    "this must be plain text",
                    item,
                    "write it in quotes, without `${…}`",
                );
                None
            }
        }
    }

    fn known(&self, item: &Item) -> Option<&Value> {
        match item.content {
            Content::Expression(node) => match self.code.tree.node(node) {
                Node::Known(value) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Reports what no param has. True, for it was reported.
    fn unknown(&mut self, item: &Item, param: &str) -> bool {
        let detail = format!("a param has no {}", excerpt(&item.key));
        let fix = match closest(&item.key, ATTRIBUTES) {
            Some(near) => format!("did you mean `{near}`?"),
            None if &*item.key == "value" => {
                format!("write `default = …`, or set it from outside: `-p {param}=…`")
            }
            None => format!("it has {}", ATTRIBUTES.join(", ")),
        };
        self.report("unknown attribute of a param", &detail, item, &fix);
        true
    }

    fn report(&mut self, summary: &'static str, detail: &str, item: &Item, fix: &str) {
        self.problems.push(Diagnostic::error(summary, detail).at(self.code.place(item.name)).fix(fix));
    }
}
