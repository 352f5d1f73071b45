//! Examples of kinds, generated from their schemas.

use uphold::model::{GroupRule, Need, PropertySchema, Role, Rule, Schema, Type, Value};

use super::block::doc_code;

/// The number of optional state properties in an example.
const STATE_SHOWN: usize = 3;

/// A valid block of this kind: the first one in its doc comment, or else a generated one.
pub(super) fn example(schema: &Schema) -> String {
    doc_code(schema.doc).next().unwrap_or_else(|| generated(schema))
}

fn generated(schema: &Schema) -> String {
    let shown = choose(schema);
    let width = shown.iter().map(|(property, _)| property.name.len()).max().unwrap_or(0);
    let label = schema
        .all()
        .into_iter()
        .find(|property| property.role == Role::Name)
        .map_or_else(|| "\"example\"".to_owned(), |property| label(property.ty));
    if shown.is_empty() {
        return format!("{} {label} {{}}", schema.kind);
    }
    let line =
        |(property, value): &(&PropertySchema, String)| format!("  {:width$} = {value}\n", property.name);
    format!("{} {label} {{\n{}}}", schema.kind, shown.iter().map(line).collect::<String>())
}

/// A line of a block that sets a property.
pub(super) fn line(property: &PropertySchema) -> Option<String> {
    Some(format!("{} = {}", property.name, value(property)?))
}

/// The properties of the example, in written order.
fn choose(schema: &Schema) -> Vec<(&'static PropertySchema, String)> {
    let all = schema.all();
    let mut names: Vec<&str> = all.iter().filter(|p| is_required(p)).map(|p| p.name).collect();
    for group in schema.groups.iter().filter(|group| group.rule == GroupRule::AnyOf) {
        if !group.properties.iter().any(|name| names.contains(name)) {
            names.extend(group.properties.first());
        }
    }
    let wanted = names.len() + STATE_SHOWN;
    let is_state = |p: &&&PropertySchema| matches!(p.role, Role::State | Role::EnforcedState);
    for property in all.iter().filter(is_state).filter(|p| p.replaced_by.is_none()) {
        if names.len() < wanted && !names.contains(&property.name) && is_free(schema, property, &names) {
            names.push(property.name);
        }
    }
    if names.is_empty() {
        let settings = all.iter().filter(|p| p.role == Role::Setting && is_free(schema, p, &[]));
        names.extend(settings.map(|property| property.name).next());
    }
    let shown = all.into_iter().filter(|property| names.contains(&property.name));
    let shown = shown.filter_map(|property| {
        let value =
            value(property).or_else(|| is_required(property).then(|| placeholder(property)).flatten());
        Some((property, value?))
    });
    shown.collect()
}

fn is_required(property: &PropertySchema) -> bool {
    property.role.is_settable()
        && match property.need {
            Need::Optional => false,
            Need::Required => true,
            Need::RequiredFor(actions) => actions.contains(&"converge"),
        }
}

/// Whether a property can be added without breaking a rule over several.
fn is_free(schema: &Schema, property: &PropertySchema, names: &[&str]) -> bool {
    let groups = schema.groups.iter().filter(|group| group.properties.contains(&property.name));
    groups.into_iter().all(|group| match group.rule {
        GroupRule::Exclusive => !group.properties.iter().any(|name| names.contains(name)),
        GroupRule::AnyOf => true,
        GroupRule::Together => false,
        GroupRule::Requires => group.properties[0] != property.name,
    })
}

/// A valid value: the default, or an example of the type that satisfies the rules. None if a pattern or a predicate
/// decides.
fn value(property: &PropertySchema) -> Option<String> {
    let default = property.default.and_then(|default| default.make().ok()).filter(is_plain);
    if let Some(default) = default {
        return Some(default.to_string());
    }
    let words = property.rules.iter().find_map(|rule| match rule {
        Rule::OneOf(words) => words.first().map(|word| format!("{word:?}")),
        Rule::Range(min, _) => Some(min.to_string()),
        _ => None,
    });
    let unknown = property.rules.iter().any(|rule| matches!(rule, Rule::Pattern(_) | Rule::Check(..)));
    words.or_else(|| if unknown { None } else { of_type(property.ty) })
}

/// The place of a required value that only the user can choose, because a pattern or a predicate decides: a valid
/// expression with the rule in words.
fn placeholder(property: &PropertySchema) -> Option<String> {
    let rule = property.rules.iter().find_map(|rule| match rule {
        Rule::Pattern(pattern) => Some(format!("... (must match {pattern})")),
        Rule::Check(_, message) => Some(format!("... ({message})")),
        _ => None,
    });
    let ty = match property.ty {
        Type::Sensitive(inner) | Type::Nullable(inner) => inner,
        ty => ty,
    };
    let is_string = matches!(ty, Type::Any | Type::Text | Type::Bytes | Type::Named { .. });
    rule.filter(|_| is_string).map(|rule| Value::text(rule).to_string()).or_else(|| of_type(property.ty))
}

/// Whether a value is printed as a valid expression.
fn is_plain(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bytes(_)) && !value.is_sensitive() && !value.is_unknown()
}

fn of_type(ty: &Type) -> Option<String> {
    Some(match ty {
        Type::Any | Type::Text | Type::Bytes => "\"...\"".to_owned(),
        Type::Bool => "true".to_owned(),
        Type::Int(min, max) => 1.clamp(*min, *max).to_string(),
        Type::Float => "1.5".to_owned(),
        Type::Named { example, .. } => (*example).to_owned(),
        Type::Enum(words) => format!("{:?}", words.first()?),
        Type::List(inner) => format!("[{}]", of_type(inner)?),
        Type::Map(inner) => format!("{{ name = {} }}", of_type(inner)?),
        Type::Struct(members) => {
            let required = members.iter().filter(|member| is_required(member));
            let lines: Option<Vec<String>> = required.map(line).collect();
            format!("{{ {} }}", lines?.join(", "))
        }
        Type::Reference(_) => "\"example\"".to_owned(),
        Type::Sensitive(inner) | Type::Nullable(inner) => of_type(inner)?,
    })
}

/// The label of a block, always in quotes.
fn label(ty: &Type) -> String {
    match ty {
        Type::Named { example, .. } if example.starts_with('"') => (*example).to_owned(),
        Type::Named { example, .. } => format!("{example:?}"),
        _ => "\"example\"".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The problems that `uphold validate` reports, and the number of actions.
    fn validated(text: &str) -> (Vec<String>, usize) {
        let engine = uphold::Engine::on(uphold::LocalHost::new()).build();
        let read =
            uphold::Configuration::from_text(&engine, "example", text).expect("the current directory exists");
        let said = |found: &uphold::model::Diagnostics| {
            found.iter().map(|found| format!("{}: {}", found.summary(), found.detail)).collect()
        };
        match read.check() {
            Ok(checked) => (said(checked.warnings()), checked.program().list().len()),
            Err(rejected) => (said(&rejected.diagnostics), 0),
        }
    }

    #[test]
    fn every_example_is_valid() {
        let mut wrong = String::new();
        for kind in uphold::kinds().iter() {
            let schema = kind.schema();
            let comments = schema.all().into_iter().map(|property| property.doc).chain([schema.doc]);
            for text in comments.flat_map(doc_code).chain([example(schema)]) {
                let (problems, actions) = validated(&text);
                if !problems.is_empty() || actions == 0 {
                    wrong.push_str(&format!("{text}\n{problems:#?}\n"));
                }
            }
        }
        assert_eq!(wrong, "");
    }

    #[test]
    fn every_example_line_is_valid() {
        let mut wrong = String::new();
        for kind in uphold::kinds().iter() {
            for property in kind.schema().all().into_iter().filter(|p| p.role.is_settable()) {
                let Some(line) = line(property) else { continue };
                let text = format!("{} \"/x\" {{\n  {line}\n}}", kind.schema().kind);
                let about = |problem: &&String| problem.contains(&format!("`{}` =", property.name));
                if let Some(problem) = validated(&text).0.iter().find(about) {
                    wrong.push_str(&format!("{text}\n{problem}\n"));
                }
            }
        }
        assert_eq!(wrong, "");
    }
}
