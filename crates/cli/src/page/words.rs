//! What roles, needs, defaults and rules mean, in plain words.

use uphold::model::{Group, GroupRule, Need, PropertySchema, Role, Rule, Type, Value};

/// What a role means for plan and apply.
pub(super) fn meaning(role: Role) -> &'static str {
    match role {
        Role::Name => "Names the thing. It is the block's label unless it is set.",
        Role::Identity => "Names the thing, together with the block's label. It is never changed.",
        Role::State => {
            "If it is set, `plan` compares it with what is there and shows both, and `apply` changes it. \
             If it is not set, what is there stays."
        }
        Role::EnforcedState => {
            "`plan` compares it with what is there and shows both, and `apply` changes it: to what is set, \
             or else to its default."
        }
        Role::Setting => "Says how, not what: it is never compared, and a plan does not show it.",
        Role::Export => {
            "Found by looking, for other blocks to refer to; it cannot be set. In a plan that would \
             change it, it is known after apply."
        }
    }
}

/// Whether a property must be set, and what it is otherwise.
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

/// The default of a property, as it would be written.
pub(super) fn default(property: &PropertySchema) -> Option<String> {
    let value = property.default?.make().ok()?;
    (value != Value::Null).then(|| format!("`{value}`"))
}

/// What a value must keep besides its type, whole sentences.
pub(super) fn rules(property: &PropertySchema) -> Vec<String> {
    let sentence = |rule: &Rule| match rule {
        Rule::OneOf(words) => format!("One of {}.", enumerate(words, "or")),
        Rule::Range(min, max) => format!("From {min} to {max}."),
        Rule::Pattern(pattern) => format!("Must match `{pattern}`."),
        Rule::Check(_, message) => format!("It {message}."),
    };
    property.rules.iter().map(sentence).collect()
}

/// Old names, and what replaces the property, whole sentences.
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

/// A rule over several properties, a whole sentence.
pub(super) fn group(group: &Group) -> String {
    match group.rule {
        GroupRule::Exclusive => format!("Set at most one of {}.", enumerate(group.properties, "and")),
        GroupRule::AnyOf => format!("Set at least one of {}.", enumerate(group.properties, "and")),
        GroupRule::Together => format!("Set all of {}, or none.", enumerate(group.properties, "and")),
    }
}

/// What may be written for a type that has rules of its own.
pub(super) fn type_doc(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Named { doc, .. } => Some(doc),
        Type::List(inner) | Type::Map(inner) | Type::Sensitive(inner) | Type::Nullable(inner) => {
            type_doc(inner)
        }
        _ => None,
    }
}

/// The members of a nested struct, also of one in a list, a map or behind null.
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
    fn words_are_listed() {
        assert_eq!(enumerate(&["a"], "and"), "`a`");
        assert_eq!(enumerate(&["a", "b", "c"], "or"), "`a`, `b` or `c`");
    }
}
