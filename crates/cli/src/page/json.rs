//! A schema as JSON, for editors.

use serde_json::{Value as Json, json};
use uphold::model::{GroupRule, Need, PropertySchema, Rule, Schema, Type};
use uphold::resource::Kind;

use super::example::example;

/// All that is known of a kind.
pub(crate) fn kind_json(kind: &Kind) -> Json {
    let mut json = schema_json(kind.schema());
    json["defined_in"] = kind.defined_in().into();
    json
}

fn schema_json(schema: &Schema) -> Json {
    json!({
        "kind": schema.kind,
        "doc": schema.doc,
        "example": example(schema),
        "properties": schema.all().into_iter().map(property_json).collect::<Vec<_>>(),
        "groups": schema.groups.iter().map(|group| json!({
            "rule": match group.rule {
                GroupRule::Exclusive => "at_most_one",
                GroupRule::AnyOf => "at_least_one",
                GroupRule::Together => "all_or_none",
            },
            "properties": group.properties,
        })).collect::<Vec<_>>(),
        "verbs": schema.verbs.iter().map(|verb| json!({ "name": verb.name, "doc": verb.doc })).collect::<Vec<_>>(),
        "removable": schema.removable,
    })
}

/// All that is known of a property. What does not apply is null or empty.
pub(crate) fn property_json(property: &PropertySchema) -> Json {
    json!({
        "name": property.name,
        "doc": property.doc,
        "role": property.role.word(),
        "type": type_json(property.ty),
        "required": match property.need {
            Need::Optional => json!(false),
            Need::Required => json!(true),
            Need::RequiredFor(actions) => json!(actions),
        },
        "default": property.default.and_then(|default| default.make().ok()).map(|value| value.to_string()),
        "rules": property.rules.iter().map(rule_json).collect::<Vec<_>>(),
        "aliases": property.aliases,
        "replaced_by": property.replaced_by.map(|(new, why)| json!({ "name": new, "why": why })),
    })
}

fn rule_json(rule: &Rule) -> Json {
    match rule {
        Rule::OneOf(words) => json!({ "one_of": words }),
        Rule::Range(min, max) => json!({ "range": [min, max] }),
        Rule::Pattern(pattern) => json!({ "pattern": pattern }),
        Rule::Check(_, message) => json!({ "check": message }),
    }
}

/// `type` says which it is; the rest depends on it.
pub(super) fn type_json(ty: &Type) -> Json {
    match ty {
        Type::Any => json!({ "type": "any" }),
        Type::Text => json!({ "type": "text" }),
        Type::Bool => json!({ "type": "bool" }),
        Type::Int(min, max) => json!({ "type": "int", "min": min, "max": max }),
        Type::Float => json!({ "type": "float" }),
        Type::Bytes => json!({ "type": "bytes" }),
        Type::Named { name, doc, example } => {
            json!({ "type": "named", "name": name, "doc": doc, "example": example })
        }
        Type::Enum(words) => json!({ "type": "enum", "words": words }),
        Type::List(inner) => json!({ "type": "list", "of": type_json(inner) }),
        Type::Map(inner) => json!({ "type": "map", "of": type_json(inner) }),
        Type::Struct(members) => {
            json!({ "type": "struct", "properties": members.iter().map(property_json).collect::<Vec<_>>() })
        }
        Type::Reference(kind) => json!({ "type": "reference", "kind": kind }),
        Type::Sensitive(inner) => json!({ "type": "sensitive", "of": type_json(inner) }),
        Type::Nullable(inner) => json!({ "type": "nullable", "of": type_json(inner) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_nest() {
        let ty = Type::Nullable(&Type::List(&Type::Int(0, 9)));
        let expected = json!({ "type": "nullable", "of": { "type": "list", "of": { "type": "int", "min": 0, "max": 9 } } });
        assert_eq!(type_json(&ty), expected);
    }
}
