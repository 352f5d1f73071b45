//! Reading `moved` and `removed` blocks.

use uphold_model::{Code, Moved, Name, Place, Removed, closest};

use super::address::{NotAnAddress, WrittenAddress};
use super::definition::Member;
use super::reader::SourceReader;
use crate::body::Entry;
use crate::excerpt::excerpt;
use crate::suggestion::listed;
use crate::tree::{Content, Item, Items, Labels, Literal, Node};

/// The attributes of a `moved` or `removed` block, as far as they are valid.
#[derive(Default)]
struct Attributes {
    from: Attribute,
    to: Attribute,
    destroy: bool,
}

/// An address of a block.
#[derive(Default)]
enum Attribute {
    #[default]
    Missing,
    /// Reported.
    Invalid,
    Valid(WrittenAddress, Place),
}

impl Attribute {
    fn valid(self) -> Option<(WrittenAddress, Place)> {
        match self {
            Attribute::Valid(address, place) => Some((address, place)),
            _ => None,
        }
    }
}

impl SourceReader<'_, '_> {
    pub(super) fn moved(&mut self, item: &Item<'_>, labels: Labels, items: Items) -> Option<Member> {
        let Attributes { from, to, .. } = self.attributes(item, labels, items, &["from", "to"]);
        self.check_missing(item, "from", &from);
        self.check_missing(item, "to", &to);
        let ((from, place), (to, to_place)) = (from.valid()?, to.valid()?);
        let is_call = |kind: &Name| &**kind == "module" || self.module.kinds.contains_key(kind);
        let mistake = if from.text == to.text {
            Some(format!("`from` and `to` are both {}", excerpt(&from.text)))
        } else if from.kind != to.kind && !is_call(&from.kind) && !is_call(&to.kind) {
            Some(format!("a {} cannot become a {}", excerpt(&from.kind), excerpt(&to.kind)))
        } else {
            None
        };
        if let Some(detail) = mistake {
            let fix = "name the previous address in `from` and the current one in `to`, both of one kind";
            self.report_at(Code::InvalidAddress, detail, to_place, fix);
            return None;
        }
        self.module.moved.push(Moved { from: from.text, to: to.text, place: Some(place) });
        None
    }

    pub(super) fn removed(&mut self, item: &Item<'_>, labels: Labels, items: Items) -> Option<Member> {
        let Attributes { from, destroy, .. } = self.attributes(item, labels, items, &["from", "destroy"]);
        self.check_missing(item, "from", &from);
        let (from, place) = from.valid()?;
        self.module.removed.push(Removed { from: from.text, destroy, place: Some(place) });
        None
    }

    fn attributes(&mut self, item: &Item<'_>, labels: Labels, items: Items, known: &[&str]) -> Attributes {
        self.without_label(item, labels);
        let mut attributes = Attributes::default();
        let mut has_unknown = false;
        for entry in Entry::checked(self.code, items, self.loader.problems) {
            let inner = self.code.item(entry.first);
            match inner.key {
                "from" => attributes.from = self.address(&inner),
                "to" if known.contains(&"to") => attributes.to = self.address(&inner),
                "destroy" if known.contains(&"destroy") => attributes.destroy = self.destroy(&inner),
                _ => {
                    has_unknown = true;
                    self.unknown_in_move(item, &inner, known);
                }
            }
        }
        // The unknown attribute may be the missing one.
        for attribute in [&mut attributes.from, &mut attributes.to] {
            if has_unknown && matches!(attribute, Attribute::Missing) {
                *attribute = Attribute::Invalid;
            }
        }
        attributes
    }

    fn check_missing(&mut self, item: &Item<'_>, name: &str, attribute: &Attribute) {
        if let Attribute::Missing = attribute {
            let detail = format!("{} has no `{name}`", excerpt(item.key));
            self.report(Code::InvalidAddress, detail, item, &format!("add `{name} = kind.name`"));
        }
    }

    fn address(&mut self, item: &Item<'_>) -> Attribute {
        let code = self.code;
        match item.content {
            Content::Broken => Attribute::Invalid,
            Content::Block { .. } => {
                let detail = format!("{} is an address, not a block", excerpt(item.key));
                let fix = format!("write `{} = kind.name`", item.key);
                self.report(Code::InvalidAddress, detail, item, &fix);
                Attribute::Invalid
            }
            Content::Expression(node) => match WrittenAddress::read(code, node) {
                Ok(address) => Attribute::Valid(address, code.place_of(node)),
                Err(NotAnAddress { at, detail, fix }) => {
                    self.report_at(Code::InvalidAddress, detail, code.place_of(at), &fix);
                    Attribute::Invalid
                }
            },
        }
    }

    fn destroy(&mut self, item: &Item<'_>) -> bool {
        if let Content::Expression(node) = item.content
            && let Node::Known(Literal::Bool(destroy)) = self.code.node(node)
        {
            return destroy;
        }
        if !matches!(item.content, Content::Broken) {
            let detail = "`destroy` must be a literal `true` or `false`".to_owned();
            self.report(Code::AttributeType, detail, item, "write `destroy = false` or `destroy = true`");
        }
        false
    }

    fn unknown_in_move(&mut self, item: &Item<'_>, inner: &Item<'_>, known: &[&str]) {
        let detail = format!("{} has no {}", excerpt(item.key), excerpt(inner.key));
        let fix = match (inner.key, closest(inner.key, known.iter().copied())) {
            ("lifecycle", _) if item.key == "removed" => {
                "write `destroy = false` in the `removed` block itself; that is the default".to_owned()
            }
            (_, Some(near)) => format!("did you mean `{near}`?"),
            (_, None) => format!("it has {}", listed(known.iter().copied())),
        };
        self.report(Code::UnknownAttribute, detail, inner, &fix);
    }
}
