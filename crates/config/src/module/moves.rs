//! Reading `moved` and `removed` blocks.

use uphold_model::{Code, Moved, Name, Place, RESERVED_ROOTS, Removed, ResourceId, closest, is_identifier};

use crate::body::Entry;
use crate::excerpt::excerpt;
use crate::suggestion::listed;
use crate::tree::{Content, Item, Items, Labels, Literal, Node, NodeId, TreeView};

use super::definition::Member;
use super::reader::SourceReader;

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
        self.module.moved.push(Moved {
            from: from.text,
            to: to.text,
            place: Some(place),
            to_place: Some(to_place),
        });
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
                "write `destroy` in the `removed` block itself, without `lifecycle`; it is false by default"
                    .to_owned()
            }
            (_, Some(near)) => format!("did you mean `{near}`?"),
            (_, None) => format!("it has {}", listed(known.iter().copied())),
        };
        self.report(Code::UnknownAttribute, detail, inner, &fix);
    }
}

// Addresses that are written in the configuration and need not be declared: `module.web.file["/etc/motd"]`.

/// An address, relative to the module that contains it.
#[derive(Debug)]
pub(super) struct WrittenAddress {
    /// The address as a resource id prints it.
    pub(super) text: String,
    /// The kind at its end; `module` for a module call.
    pub(super) kind: Name,
}

/// An expression that is not an address: where, why, and what to write instead.
#[derive(Debug)]
pub(super) struct NotAnAddress {
    pub(super) at: NodeId,
    pub(super) detail: String,
    pub(super) fix: String,
}

/// One step of an address: a name, in brackets or not.
struct Step<'t> {
    at: NodeId,
    name: Name,
    /// The name, if it is written after a dot.
    field: Option<&'t str>,
}

const FORMS: &str =
    "write `kind.name`, `kind[\"name\"]` or `module.name`, each perhaps with a key: `kind.name[\"key\"]`";

impl WrittenAddress {
    pub(super) fn read(code: TreeView<'_>, node: NodeId) -> Result<Self, NotAnAddress> {
        let steps = steps(code, node)?;
        let mut rest = &steps[..];
        let mut found: Option<ResourceId> = None;
        while let Some((kind, names)) = rest.split_first() {
            let Some(kind_name) = kind.field else {
                let detail = "a resource has one name and at most one key".to_owned();
                return Err(NotAnAddress { at: kind.at, detail, fix: FORMS.to_owned() });
            };
            let Some((name, more)) = names.split_first() else {
                return Err(without_name(kind, found.as_ref()));
            };
            let key = more.first().filter(|step| step.field.is_none());
            rest = if key.is_some() { &more[1..] } else { more };
            let id = ResourceId::new(kind_name, name.name.clone()).with_key(key.map(|key| key.name.clone()));
            found = Some(id.in_module(found.map(|call| call.to_string().into())));
        }
        match found {
            Some(id) => Ok(Self { text: id.to_string(), kind: id.kind.clone() }),
            None => Err(not_an_address(node)),
        }
    }
}

/// The steps of a path, whose first one is its root.
fn steps(code: TreeView<'_>, node: NodeId) -> Result<Vec<Step<'_>>, NotAnAddress> {
    let mut steps = Vec::new();
    let mut at = node;
    loop {
        match code.node(at) {
            Node::Field { of, name } => {
                steps.push(Step { at, name: name.into(), field: Some(name) });
                at = of;
            }
            Node::Index { of, index } => {
                let name = match code.node(index) {
                    Node::Known(Literal::Text(name)) => name.into(),
                    Node::Known(Literal::Int(number)) => number.to_string().into(),
                    _ => {
                        let detail = "names and keys of an address are literals".to_owned();
                        let fix =
                            "write the name or the key in quotes; use one block for each key".to_owned();
                        return Err(NotAnAddress { at: index, detail, fix });
                    }
                };
                steps.push(Step { at, name, field: None });
                at = of;
            }
            Node::Name(root) => {
                check_root(at, root)?;
                steps.push(Step { at, name: root.into(), field: Some(root) });
                steps.reverse();
                return Ok(steps);
            }
            Node::Known(Literal::Text(text)) => return Err(quoted(at, text)),
            _ => return Err(not_an_address(node)),
        }
    }
}

fn check_root(at: NodeId, root: &str) -> Result<(), NotAnAddress> {
    let detail = if matches!(root, "sequence" | "parallel") {
        format!("{} is a group, and groups have no address", excerpt(root))
    } else if root != "module" && RESERVED_ROOTS.contains(&root) {
        format!("{} is not a kind", excerpt(root))
    } else {
        return Ok(());
    };
    Err(NotAnAddress { at, detail, fix: FORMS.to_owned() })
}

fn quoted(at: NodeId, text: &str) -> NotAnAddress {
    let looks_right = text.len() <= 60 && text.contains(['.', '[']) && !text.contains(char::is_control);
    let fix = if looks_right { format!("write `{}`", with_quoted_keys(text)) } else { FORMS.to_owned() };
    NotAnAddress { at, detail: "an address is written without quotes".to_owned(), fix }
}

/// `file.vhost["blog"]` for `file.vhost[blog]`.
fn with_quoted_keys(text: &str) -> String {
    let mut parts = text.split('[');
    let mut quoted = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((key, rest)) if !key.contains('"') && key.parse::<u32>().is_err() => {
                quoted += &format!("[{key:?}]{rest}");
            }
            _ => quoted += &format!("[{part}"),
        }
    }
    quoted
}

fn without_name(kind: &Step<'_>, before: Option<&ResourceId>) -> NotAnAddress {
    let (detail, fix) = match before {
        None => (format!("{} has no name after it", excerpt(&kind.name)), FORMS.to_owned()),
        Some(id) => {
            let key = if is_identifier(&kind.name) { &*kind.name } else { "key" };
            let detail = format!("{} is neither a key nor a resource of a module", excerpt(&kind.name));
            (detail, format!("write `{id}`; a key of `for_each` is written in brackets: `{id}[{key:?}]`"))
        }
    };
    NotAnAddress { at: kind.at, detail, fix }
}

fn not_an_address(at: NodeId) -> NotAnAddress {
    let detail = "this is not the address of a resource or a module".to_owned();
    NotAnAddress { at, detail, fix: FORMS.to_owned() }
}
