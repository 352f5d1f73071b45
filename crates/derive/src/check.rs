//! Checks that need the whole struct.

use syn::{Data, DeriveInput, Ident};

use crate::container::Container;
use crate::field::Field;
use crate::mistakes::Mistakes;
use crate::role::{Part, Role};

/// Names of meta arguments, which no property can have.
const META: [&str; 18] = [
    "action",
    "depends_on",
    "notifies",
    "subscribes",
    "only_if",
    "not_if",
    "not_until",
    "when",
    "for_each",
    "retry",
    "timeout",
    "poll",
    "limit",
    "lock",
    "audit",
    "ignore_failure",
    "auto_edges",
    "sensitive",
];

/// Checks everything of a kind that involves more than one field.
pub(crate) fn kind(input: &DeriveInput, container: &Container, mistakes: &mut Mistakes) {
    kind_name(input, container, mistakes);
    names(input, container, mistakes);
    groups(input, container, mistakes);
    properties(input, container, mistakes);
}

/// Checks everything of a struct of state that involves more than one field.
pub(crate) fn state(input: &DeriveInput, container: &Container, mistakes: &mut Mistakes) {
    let is_state =
        |role: &Role| matches!(role, Role::State { .. } | Role::Export | Role::Flatten(Part::State(_)));
    for field in container.fields.iter().filter(|field| !is_state(&field.role)) {
        let sentence = "a struct of state has only `Want<T>` and `Seen<T>`: the name, settings and embedded kinds \
                        belong to the kind that uses it";
        mistakes.add(&field.ident, sentence);
    }
    let Data::Struct(data) = &input.data else { return };
    if data.fields.is_empty() {
        mistakes.add(&input.ident, "a struct of state needs at least one field: write `Want<T>`");
    }
    properties(input, container, mistakes);
}

fn properties(input: &DeriveInput, container: &Container, mistakes: &mut Mistakes) {
    generics(input, mistakes);
    words(&container.fields, mistakes);
    bases(input, &container.fields, mistakes);
    replacements(&container.fields, mistakes);
    actions(container, mistakes);
    claims(&container.fields, mistakes);
    lazy(&container.fields, mistakes);
    embedded(&container.fields, mistakes);
}

/// Whether the struct has this field, even an invalid one: each mistake is reported once.
fn has_field(input: &DeriveInput, name: &Ident) -> bool {
    let Data::Struct(data) = &input.data else { return false };
    data.fields.iter().any(|field| field.ident.as_ref() == Some(name))
}

/// Whether it embeds a resource, which provides the name.
fn embeds(container: &Container) -> bool {
    container.fields.iter().any(|field| matches!(field.role, Role::Flatten(Part::Kind)))
}

/// Whether it has properties of another struct, which are not known here.
fn has_foreign_fields(container: &Container) -> bool {
    container.fields.iter().any(is_embedded)
}

fn is_embedded(field: &Field) -> bool {
    matches!(field.role, Role::Flatten(_) | Role::Settings)
}

fn kind_name(input: &DeriveInput, container: &Container, mistakes: &mut Mistakes) {
    let Some(kind) = &container.options.kind else {
        mistakes.add(&input.ident, "name the kind: `#[resource(kind = \"…\")]`");
        return;
    };
    let text = kind.value();
    let fine = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !fine {
        mistakes.add(kind, "the name of a kind is lower case, with `_` between words");
    }
}

fn generics(input: &DeriveInput, mistakes: &mut Mistakes) {
    if !input.generics.params.is_empty() {
        mistakes.add(&input.generics, "a resource has no generic parameters: its kind is one type");
    }
}

fn names(input: &DeriveInput, container: &Container, mistakes: &mut Mistakes) {
    let mut named = container.fields.iter().filter(|field| matches!(field.role, Role::Name));
    let first = named.next();
    for second in named {
        mistakes.add(&second.ident, "only one field takes the block's label: make this one `#[identity]`");
    }
    let Data::Struct(data) = &input.data else { return };
    let all_understood = container.fields.len() == data.fields.len();
    if first.is_none() && !embeds(container) && all_understood {
        mistakes.add(&input.ident, "one field must take the block's label: mark it `#[name]`");
    }
}

fn words(fields: &[Field], mistakes: &mut Mistakes) {
    for Field { ident, name, .. } in fields.iter().filter(|field| META.contains(&field.name.as_str())) {
        mistakes.add(ident, format!("`{name}` is a meta argument: choose another name"));
    }
}

/// Members of an embedded resource are checked when the kind is registered.
fn groups(input: &DeriveInput, container: &Container, mistakes: &mut Mistakes) {
    for group in &container.options.groups {
        match &group.members[..] {
            [] => mistakes.add(&container.ident, "a group needs at least two members"),
            [only] => mistakes.add(only, "a group needs at least two members"),
            _ => {}
        }
        for member in &group.members {
            if !has_foreign_fields(container) && !has_field(input, member) {
                mistakes.add(member, format!("there is no field `{member}`"));
            }
        }
    }
}

/// A base must be another field, and bases must not form a loop.
fn bases(input: &DeriveInput, fields: &[Field], mistakes: &mut Mistakes) {
    for field in fields {
        let Some(base) = &field.attributes.relative_to else { continue };
        match fields.iter().find(|other| other.ident == *base) {
            None if !has_field(input, base) => mistakes.add(base, format!("there is no field `{base}`")),
            None => {}
            Some(Field { role: Role::Export, .. }) => {
                mistakes.add(
                    base,
                    format!(
                        "`{base}` is an export, which is not known before `load`: nothing can be \
                                        relative to it"
                    ),
                );
            }
            Some(other) if depth(other, fields) >= fields.len() => {
                mistakes.add(base, format!("`{}` and `{base}` are relative to each other", field.ident));
            }
            Some(_) => {}
        }
    }
}

/// The number of bases below a field; the number of fields if they form a loop.
pub(crate) fn depth(field: &Field, fields: &[Field]) -> usize {
    let mut depth = 0;
    let mut at = field;
    while let Some(base) = &at.attributes.relative_to {
        let Some(next) = fields.iter().find(|other| other.ident == *base) else { break };
        depth += 1;
        if depth >= fields.len() {
            break;
        }
        at = next;
    }
    depth
}

/// The replacement of a deprecated property must be a property.
fn replacements(fields: &[Field], mistakes: &mut Mistakes) {
    for (new, _) in fields.iter().filter_map(|field| field.attributes.replaced_by.as_ref()) {
        if !fields.iter().any(|field| field.name == new.value()) {
            mistakes.add(new, format!("there is no field `{}`", new.value()));
        }
    }
}

/// `#[required(…)]` must name existing actions.
fn actions(container: &Container, mistakes: &mut Mistakes) {
    let verbs = &container.options.verbs;
    let required = container.fields.iter().filter_map(|field| field.attributes.required.as_ref());
    for action in required.flat_map(|required| &required.actions) {
        let known =
            action == "converge" || action == "remove" || verbs.iter().any(|(verb, _)| verb == action);
        if !known {
            let sentence =
                format!("there is no action `{action}`: write converge, remove, or a verb of this kind");
            mistakes.add(action, sentence);
        }
    }
}

/// Only a property that the user sets names something on the machine.
fn claims(fields: &[Field], mistakes: &mut Mistakes) {
    let marked = fields.iter().filter(|field| field.attributes.claim.is_some() || field.attributes.unwatched);
    for field in marked {
        let sentence = match field.role {
            Role::Export => "an export makes no claims and is not watched: remove the attribute",
            Role::Flatten(_) => "mark the fields of the embedded struct instead",
            _ => continue,
        };
        mistakes.add(&field.ident, sentence);
    }
}

/// Only state and exports are loaded.
fn lazy(fields: &[Field], mistakes: &mut Mistakes) {
    let is_loaded = |role: &Role| matches!(role, Role::State { .. } | Role::Export);
    for field in fields.iter().filter(|field| field.is_lazy() && !is_loaded(&field.role)) {
        mistakes.add(&field.ident, "only `Want<T>` and `Seen<T>` are loaded: remove `#[load(…)]`");
    }
}

fn embedded(fields: &[Field], mistakes: &mut Mistakes) {
    for Field { ident, attributes, role, .. } in fields.iter().filter(|field| is_embedded(field)) {
        let defaults = [&attributes.default, &attributes.on_create, &attributes.enforce];
        let bare = attributes.rules.is_empty()
            && attributes.required.is_none()
            && attributes.aliases.is_empty()
            && attributes.relative_to.is_none()
            && defaults.iter().all(|default| default.is_none());
        if !bare {
            let sentence = match role {
                Role::Flatten(Part::State(_)) => {
                    "name the property of the embedded struct: `#[flatten(state, on_create(mode = \"0755\"))]`"
                }
                _ => "an embedded struct has its own rules and defaults",
            };
            mistakes.add(ident, sentence);
        }
    }
}
