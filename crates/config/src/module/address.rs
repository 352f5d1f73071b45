//! Addresses that are written in the configuration and need not be declared: `module.web.file["/etc/motd"]`.

use uphold_model::{Name, RESERVED_ROOTS, ResourceId, is_identifier};

use crate::excerpt::excerpt;
use crate::tree::{Literal, Node, NodeId, TreeView};

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
    let fix = if looks_right { format!("write `{text}`") } else { FORMS.to_owned() };
    NotAnAddress { at, detail: "an address is written without quotes".to_owned(), fix }
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
