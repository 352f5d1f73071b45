//! The roles, defaults, rules and types of properties, in words.

use uphold::model::{Group, GroupRule, Need, PropertySchema, Role, Rule, Type, Value};

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
pub(super) fn group(group: &Group) -> String {
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
