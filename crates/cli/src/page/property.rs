//! The page of a property.

use uphold::model::{PropertySchema, Role, Schema};

use super::block::{Block, Page};
use super::{doc, example, words};

/// What it means, its type, its role, whether it must be set, and its rules. The role of a member
/// of a nested struct is that of the whole.
pub(crate) fn property_page(schema: &Schema, path: &str, property: &PropertySchema) -> Page {
    let whole = path.split('.').next().and_then(|first| schema.property(first)).unwrap_or(property);
    let mut page = vec![Block::Title(format!("{}.{path}", schema.kind))];
    page.extend(doc::blocks(property.doc));
    let mut terms = vec![("Type".to_owned(), type_text(property))];
    if whole.role.is_settable() {
        terms.extend(example::line(property).map(|line| ("Example".to_owned(), format!("`{line}`"))));
    }
    terms.push(("Role".to_owned(), format!("{}. {}", whole.role.word(), words::meaning(whole.role))));
    terms.extend(presence(property, whole.role).map(|text| ("Unless set".to_owned(), text)));
    let rules: Vec<String> = words::rules(property).into_iter().chain(groups(schema, path)).collect();
    if !rules.is_empty() {
        terms.push(("Rules".to_owned(), rules.join(" ")));
    }
    terms.extend(words::history(property).into_iter().map(|text| ("History".to_owned(), text)));
    page.push(Block::Terms(terms));
    page
}

fn type_text(property: &PropertySchema) -> String {
    match words::type_doc(property.ty) {
        Some(doc) => format!("{}: {doc}.", property.ty),
        None => format!("{}.", property.ty),
    }
}

/// What happens if it is not set; nothing for what cannot be.
fn presence(property: &PropertySchema, role: Role) -> Option<String> {
    let text = words::presence(property);
    match (text.as_str(), role) {
        (_, Role::Export | Role::Name) => None,
        ("required", _) => Some("Error: it is required.".to_owned()),
        ("optional", Role::State) => Some("What is there stays.".to_owned()),
        ("optional", _) => Some("Nothing: there is no default.".to_owned()),
        _ => words::default(property).map_or(Some(format!("Error: it is {text}.")), |value| {
            Some(match role {
                Role::State => format!("What is there stays; what is created gets {value}."),
                Role::EnforcedState => format!("{value}, and what is there is changed to it."),
                _ => format!("{value}."),
            })
        }),
    }
}

fn groups(schema: &Schema, name: &str) -> impl Iterator<Item = String> {
    schema.groups.iter().filter(move |group| group.properties.contains(&name)).map(words::group)
}
