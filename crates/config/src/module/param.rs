//! Params of modules.

use uphold_model::{Code, Diagnostic, Name, Place, closest};

use super::definition::ItemRef;
use crate::body::{Entry, is_block};
use crate::constraint::Constraint;
use crate::constraint_reader::read_constraint;
use crate::excerpt::excerpt;
use crate::tree::{Content, Item, Items, Literal, Node, TreeView};

/// The attributes of a `param` block.
const ATTRIBUTES: [&str; 6] = ["default", "description", "required", "sensitive", "type", "validation"];

/// A param.
#[derive(Debug)]
pub(crate) struct Param {
    /// The place of the block's header.
    pub(crate) place: Place,
    /// The type; none for `any`.
    pub(crate) constraint: Option<Constraint>,
    /// The item of its default.
    pub(crate) default: Option<ItemRef>,
    pub(crate) required: bool,
    pub(crate) sensitive: bool,
    pub(crate) description: Option<Name>,
    pub(crate) validations: Vec<Validation>,
    /// Whether a part of it, perhaps the default, was invalid, which was reported.
    pub(crate) invalid: bool,
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
    pub(super) code: TreeView<'a>,
    /// Any item of the body.
    pub(super) kept: ItemRef,
    pub(super) problems: &'a mut Vec<Diagnostic>,
}

impl ParamReader<'_> {
    pub(super) fn read(&mut self, name: &str, place: Place, items: Items) -> Param {
        let mut param = Param {
            place,
            constraint: None,
            default: None,
            required: true,
            sensitive: false,
            description: None,
            validations: Vec::new(),
            invalid: false,
        };
        let (mut required, mut typed) = (None, false);
        for entry in Entry::checked(self.code, items, self.problems) {
            let item = self.code.item(entry.first);
            match item.key {
                "validation" => param.validations.extend(entry.items().filter_map(|id| self.validation(id))),
                _ if is_block(&item) => param.invalid |= self.unknown(&item, name),
                "default" => param.default = Some(self.item_ref(entry.first)),
                "type" => {
                    typed = true;
                    let constraint = self.constraint(&item);
                    param.invalid |= constraint.is_none();
                    param.constraint = constraint.flatten();
                }
                "required" => required = self.bool(&item).map(|value| (value, item)),
                "sensitive" => param.sensitive = self.bool(&item).unwrap_or(true),
                "description" => param.description = self.text(&item),
                _ => param.invalid |= self.unknown(&item, name),
            }
        }
        param.required = param.default.is_none() && required.is_none_or(|(value, _)| value);
        if let (Some((true, item)), Some(_)) = (required, &param.default) {
            let detail = "a param with a default is not required";
            self.report(Code::RequiredWithDefault, detail, &item, "remove `required`, or remove the default");
        }
        if !typed {
            param.constraint = self.of_default(param.default.as_ref());
        }
        param
    }

    /// The type of a literal default, for a param without a type. Elements may be of any type.
    fn of_default(&self, default: Option<&ItemRef>) -> Option<Constraint> {
        let Content::Expression(node) = self.code.item(default?.item).content else { return None };
        match self.code.node(node) {
            Node::Known(Literal::Text(_)) | Node::Template(_) => Some(Constraint::Text),
            Node::Known(Literal::Bool(_)) => Some(Constraint::Bool),
            Node::Known(Literal::Int(_) | Literal::Float(_)) => Some(Constraint::Number),
            Node::List(_) => Some(Constraint::List(None)),
            Node::Object(_) => Some(Constraint::Map(None)),
            _ => None,
        }
    }

    /// The type that an attribute names; none if it is invalid, which was reported.
    fn constraint(&mut self, item: &Item<'_>) -> Option<Option<Constraint>> {
        let Content::Expression(node) = item.content else { return None };
        match read_constraint(self.code, node) {
            Ok(constraint) => Some(constraint),
            Err(problem) => {
                self.problems.push(*problem);
                None
            }
        }
    }

    fn validation(&mut self, id: u32) -> Option<Validation> {
        let item = self.code.item(id);
        let Content::Block { items, .. } = item.content else {
            self.report(
                Code::MalformedValidation,
                "`validation` needs a condition and a message",
                &item,
                "write `validation {`, then `condition = …` and `message = \"…\"` on lines of their own",
            );
            return None;
        };
        let (mut condition, mut message) = (None, None);
        for entry in Entry::checked(self.code, items, self.problems) {
            let inner = self.code.item(entry.first);
            match inner.key {
                "condition" => condition = Some(self.item_ref(entry.first)),
                "message" => message = Some(self.item_ref(entry.first)),
                "error_message" => {
                    message = Some(self.item_ref(entry.first));
                    let detail = "there is no `error_message`";
                    self.report(Code::UnknownAttribute, detail, &inner, "write `message`");
                }
                _ => self.report(
                    Code::UnknownAttribute,
                    &format!("there is no {}", excerpt(inner.key)),
                    &inner,
                    "it has `condition` and `message`",
                ),
            }
        }
        let place = self.code.place(item.name);
        let missing = if condition.is_none() { "condition" } else { "message" };
        let (Some(condition), Some(message)) = (condition, message) else {
            let fix = format!("add `{missing} = …`");
            self.report(Code::MalformedValidation, &format!("it has no `{missing}`"), &item, &fix);
            return None;
        };
        Some(Validation { condition, message, place })
    }

    fn bool(&mut self, item: &Item<'_>) -> Option<bool> {
        match self.known(item) {
            Some(Literal::Bool(value)) => Some(value),
            _ if matches!(item.content, Content::Broken) => None,
            _ => {
                self.report(
                    Code::AttributeType,
                    "this must be `true` or `false`",
                    item,
                    "write `true` or `false`",
                );
                None
            }
        }
    }

    fn text(&mut self, item: &Item<'_>) -> Option<Name> {
        match self.known(item) {
            Some(Literal::Text(text)) => Some(text.into()),
            _ if matches!(item.content, Content::Broken) => None,
            _ => {
                self.report(
                    Code::AttributeType,
                    "this must be a plain string",
                    item,
                    "write it in quotes, without `${…}`",
                );
                None
            }
        }
    }

    fn item_ref(&self, item: u32) -> ItemRef {
        ItemRef { item, ..self.kept.clone() }
    }

    fn known(&self, item: &Item<'_>) -> Option<Literal<'_>> {
        match item.content {
            Content::Expression(node) => match self.code.node(node) {
                Node::Known(literal) => Some(literal),
                _ => None,
            },
            _ => None,
        }
    }

    /// Reports an unknown attribute. Returns true, because it was reported.
    fn unknown(&mut self, item: &Item<'_>, param: &str) -> bool {
        let detail = format!("a param has no {}", excerpt(item.key));
        let fix = match closest(item.key, ATTRIBUTES) {
            Some(near) => format!("did you mean `{near}`?"),
            None if item.key == "nullable" && matches!(self.known(item), Some(Literal::Bool(false))) => {
                "remove it: a param with a type does not accept null, unless it has `required = false`"
                    .to_owned()
            }
            None if matches!(item.key, "optional" | "nullable") => {
                "write `required = false`: the param is null if it is not set".to_owned()
            }
            None if item.key == "value" => {
                format!("write `default = …`, or set it from outside: `-p {param}=…`")
            }
            None => format!("it has {}", ATTRIBUTES.join(", ")),
        };
        self.report(Code::UnknownAttribute, &detail, item, &fix);
        true
    }

    fn report(&mut self, code: Code, detail: &str, item: &Item<'_>, fix: &str) {
        self.problems.push(Diagnostic::new(code, detail).at(self.code.place(item.name)).fix(fix));
    }
}
