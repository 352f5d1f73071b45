//! Pages of kinds and of their properties.

use uphold::model::{Group, GroupRule, Need, PropertySchema, Role, Rule, Schema, Type, Value};
use uphold::resource::{Kind, Registry};

use super::block::{Block, Page, Row, doc_blocks, doc_code, doc_text, list_page, summary};
use super::example;
use super::subject::Namesakes;

/// The documentation of a kind, an example, its properties, the rules over several of them, and its actions.
pub(crate) fn kind_page(kind: &Kind) -> Page {
    let schema = kind.schema();
    let mut page = vec![Block::Title(schema.kind.to_owned())];
    page.extend(doc_blocks(schema.doc));
    if doc_code(schema.doc).next().is_none() {
        page.push(Block::Heading("Example"));
        page.push(Block::Code(example::example(schema)));
    }
    page.push(Block::Heading("Properties"));
    page.push(Block::Properties(rows(schema)));
    if !schema.groups.is_empty() {
        page.push(Block::Heading("Rules"));
        page.extend(schema.groups.iter().map(|group| Block::Text(group_rule(group))));
    }
    page.push(Block::Heading("Actions"));
    page.push(Block::Text("Chosen with `action`; the default is `converge`.".to_owned()));
    page.push(Block::Terms(actions(schema)));
    page.push(Block::Text(
        "Every kind also accepts meta arguments, such as `notifies`, `only_if` and `for_each`: `uphold explain meta` \
         lists them."
            .to_owned(),
    ));
    page.extend(kind.defined_in().map(|file| Block::Text(format!("Defined in {file}."))));
    page
}

/// All kinds with their summaries, and the files of kinds that are not built in.
pub(crate) fn kinds_page(kinds: &Registry) -> Page {
    let term = |kind: &Kind| {
        let file = kind.defined_in().map(|file| format!(" ({file})")).unwrap_or_default();
        (kind.schema().kind.to_owned(), format!("{}{file}", summary(kind.schema().doc)))
    };
    let mut page = list_page("Kinds", kinds.iter().map(term).collect(), "KIND");
    page.push(Block::Text(
        "--functions, --facts, --meta and --blocks list the rest of the language.".to_owned(),
    ));
    page
}

fn rows(schema: &Schema) -> Vec<Row> {
    let mut rows = Vec::new();
    for property in schema.all() {
        rows.push(row(property.name.to_owned(), property));
        for member in members(property.ty) {
            rows.push(Row {
                role: property.role.word(),
                ..row(format!("{}.{}", property.name, member.name), member)
            });
        }
    }
    rows
}

fn row(name: String, property: &PropertySchema) -> Row {
    let mut text = vec![doc_text(property.doc)];
    text.extend(rules(property));
    text.extend(history(property));
    text.retain(|sentence| !sentence.is_empty());
    Row {
        name,
        ty: property.ty.to_string(),
        role: property.role.word(),
        presence: presence(property),
        text: text.join(" "),
    }
}

fn actions(schema: &Schema) -> Vec<(String, String)> {
    let mut actions = vec![("converge".to_owned(), "Bring it into its declared state.".to_owned())];
    if schema.removable {
        actions.push(("remove".to_owned(), "Remove it.".to_owned()));
    }
    actions.push(("nothing".to_owned(), "Do nothing until it is notified or triggered.".to_owned()));
    // A script need not document its actions.
    let doc = |doc: &str| if doc.is_empty() { "Not documented.".to_owned() } else { doc_text(doc) };
    actions.extend(schema.verbs.iter().map(|verb| (verb.name.to_owned(), doc(verb.doc))));
    actions
}

/// The documentation of a property, its type, role, default and rules. A member of a nested struct has the role of the
/// whole struct.
pub(crate) fn property_page(schema: &Schema, path: &str, property: &PropertySchema) -> Page {
    let whole = path.split('.').next().and_then(|first| schema.property(first)).unwrap_or(property);
    let mut page = vec![Block::Title(format!("{}.{path}", schema.kind))];
    page.extend(doc_blocks(property.doc));
    let mut terms = vec![("Type".to_owned(), type_text(property.ty))];
    if whole.role.is_settable() {
        terms.extend(example::line(property).map(|line| ("Example".to_owned(), format!("`{line}`"))));
    }
    terms.push(("Role".to_owned(), format!("{}. {}", whole.role.word(), meaning(whole.role))));
    terms.extend(unless_set(property, whole.role).map(|text| ("Unless set".to_owned(), text)));
    let rules: Vec<String> = rules(property).into_iter().chain(groups(schema, path)).collect();
    if !rules.is_empty() {
        terms.push(("Rules".to_owned(), rules.join(" ")));
    }
    terms.extend(history(property).into_iter().map(|text| ("History".to_owned(), text)));
    page.push(Block::Terms(terms));
    page
}

/// The properties and facts of one name, with their summaries.
pub(crate) fn namesakes_page(Namesakes { word, properties, attributes, facts }: &Namesakes<'_>) -> Page {
    let properties = properties
        .iter()
        .map(|(schema, property)| (format!("{}.{word}", schema.kind), summary(property.doc)));
    let of_machine = facts.iter().map(|fact| (format!("host.{}", fact.name), summary(fact.doc)));
    let of_blocks = attributes
        .iter()
        .map(|(block, attribute)| (format!("{}.{word}", block.name), summary(attribute.doc)));
    let only_kinds = facts.is_empty() && attributes.is_empty();
    let placeholder = if only_kinds { format!("KIND.{word}") } else { "NAME".to_owned() };
    list_page(word, properties.chain(of_blocks).chain(of_machine).collect(), &placeholder)
}

/// The effect of not setting it; none for properties that cannot be set.
fn unless_set(property: &PropertySchema, role: Role) -> Option<String> {
    let text = presence(property);
    match (text.as_str(), role) {
        (_, Role::Export | Role::Name) => None,
        ("required", _) => Some("Error: it is required.".to_owned()),
        ("optional", Role::State) => Some("The current value stays.".to_owned()),
        ("optional", _) => Some("It has no default.".to_owned()),
        _ => default(property).map_or(Some(format!("Error: it is {text}.")), |value| {
            Some(match role {
                Role::State => format!("The current value stays; a new resource gets {value}."),
                Role::EnforcedState => format!("The current value is changed to {value}."),
                _ => format!("{value}."),
            })
        }),
    }
}

fn groups(schema: &Schema, name: &str) -> impl Iterator<Item = String> {
    schema.groups.iter().filter(move |group| group.properties.contains(&name)).map(group_rule)
}

// The roles, defaults, rules and types of properties, in words.

/// The effect of a role on plan and apply.
pub(super) fn meaning(role: Role) -> &'static str {
    match role {
        Role::Name => "The name of the resource. The default is the label of the block.",
        Role::Identity => "Identifies the resource, together with the label of the block. It never changes.",
        Role::State => {
            "If it is set, `plan` compares it with the current value and shows both, and `apply` changes it. \
             If it is not set, the current value stays."
        }
        Role::EnforcedState => {
            "`plan` compares it with the current value and shows both, and `apply` changes it to the declared \
             value or the default."
        }
        Role::Setting => {
            "Controls how the resource is managed. It is not compared, and plans do not show it."
        }
        Role::Export => {
            "Read from the machine, so that other blocks can refer to it; it cannot be set. If a plan would \
             change it, it is known after apply."
        }
    }
}

/// Whether a property is required, and its default.
pub(super) fn presence(property: &PropertySchema) -> String {
    match (property.need, property.role) {
        (_, Role::Export) => "read only".to_owned(),
        (_, Role::Name) => "the label".to_owned(),
        (Need::Required, _) => "required".to_owned(),
        (Need::RequiredFor(actions), _) => format!("required to {}", enumerate(actions, "and")),
        (Need::Optional, role) => default(property).map_or("optional".to_owned(), |value| match role {
            Role::State => format!("{value} when created"),
            Role::EnforcedState => format!("{value}, enforced"),
            _ => format!("default {value}"),
        }),
    }
}

/// The default of a property as an expression.
pub(super) fn default(property: &PropertySchema) -> Option<String> {
    let value = property.default?.make().ok()?;
    (value != Value::Null).then(|| format!("`{value}`"))
}

/// The rules of a property, as sentences.
pub(super) fn rules(property: &PropertySchema) -> Vec<String> {
    let sentence = |rule: &Rule| match rule {
        Rule::OneOf(words) => format!("One of {}.", enumerate(words, "or")),
        Rule::Range(min, max) => format!("From {min} to {max}."),
        Rule::Pattern(pattern) => format!("Must match `{pattern}`."),
        Rule::Check(_, message) => format!("It {message}."),
    };
    property.rules.iter().map(sentence).collect()
}

/// Old names and the replacement of a property, as sentences.
pub(super) fn history(property: &PropertySchema) -> Vec<String> {
    let mut sentences = Vec::new();
    if !property.aliases.is_empty() {
        let word = if property.aliases.len() == 1 { "Old name" } else { "Old names" };
        sentences.push(format!("{word}: {}.", enumerate(property.aliases, "and")));
    }
    if let Some((new, why)) = property.replaced_by {
        sentences.push(format!("Deprecated, use `{new}`: {why}."));
    }
    sentences
}

/// A rule over several properties, as a sentence.
pub(super) fn group_rule(group: &Group) -> String {
    match group.rule {
        GroupRule::Exclusive => format!("Set at most one of {}.", enumerate(group.properties, "and")),
        GroupRule::AnyOf => format!("Set at least one of {}.", enumerate(group.properties, "and")),
        GroupRule::Together => format!("Set all of {}, or none.", enumerate(group.properties, "and")),
        GroupRule::Requires => {
            format!("Set `{}` only with {}.", group.properties[0], enumerate(&group.properties[1..], "or"))
        }
    }
}

/// The name of a type, with the values that it accepts if it has rules of its own.
pub(super) fn type_text(ty: &Type) -> String {
    match type_doc(ty) {
        Some(doc) => format!("{ty}: {doc}."),
        None => format!("{ty}."),
    }
}

fn type_doc(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Named { doc, .. } => Some(doc),
        Type::List(inner) | Type::Map(inner) | Type::Sensitive(inner) | Type::Nullable(inner) => {
            type_doc(inner)
        }
        _ => None,
    }
}

/// The members of a nested struct, also in a list, a map or an optional value.
pub(super) fn members(ty: &Type) -> &'static [PropertySchema] {
    match ty {
        Type::Struct(members) => members,
        Type::List(inner) | Type::Map(inner) | Type::Sensitive(inner) | Type::Nullable(inner) => {
            members(inner)
        }
        _ => &[],
    }
}

fn enumerate(words: &[&str], joint: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {joint} {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::enumerate;

    #[test]
    fn enumerates_words() {
        assert_eq!(enumerate(&["a"], "and"), "`a`");
        assert_eq!(enumerate(&["a", "b", "c"], "or"), "`a`, `b` or `c`");
    }
}
