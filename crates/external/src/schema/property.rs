//! Converts one property of a JSON Schema, and follows its references.

use serde_json::Value as Json;
use uphold_model::{DefaultValue, Need, PropertySchema, Role, Rule};
use uphold_resource::{Context, ValueType, intern_str, intern_value, keep_all};

use crate::json;
use crate::manifest::snake_case;

/// The description of a property: beside its reference, or at its target.
pub(super) fn doc(root: &Json, schema: &Json) -> String {
    let there = resolve(root, schema).unwrap_or(schema);
    let said =
        [schema, there].into_iter().flat_map(|schema| [schema.get("description"), schema.get("title")]);
    said.flatten().find_map(Json::as_str).unwrap_or_default().trim().to_owned()
}

/// Whether a keyword is true, beside the reference or at its target.
pub(super) fn says(root: &Json, schema: &Json, word: &str) -> bool {
    let there = resolve(root, schema).unwrap_or(schema);
    [schema, there].iter().any(|schema| schema.get(word) == Some(&Json::Bool(true)))
}

/// Facts about a property besides its JSON Schema.
pub(super) struct Given<'a> {
    pub(super) name: &'static str,
    pub(super) key: &'a str,
    pub(super) role: Role,
    pub(super) required: bool,
}

/// The schema of the property, which lives as long as the process.
pub(super) fn describe(
    root: &Json,
    schema: &Json,
    ty: &ValueType,
    given: &Given<'_>,
) -> Result<PropertySchema, SchemaFault> {
    let there = resolve(root, schema)?;
    Ok(PropertySchema {
        name: given.name,
        doc: intern_str(&doc(root, schema)),
        role: given.role,
        ty: ty.describe(),
        need: if given.required { Need::Required } else { Need::Optional },
        default: default(there.get("default").or(schema.get("default")), ty, given.role)?,
        rules: keep_all(rules(there)),
        aliases: &[],
        also: keep_all(also(given)),
        replaced_by: None,
        flatten: None,
    })
}

/// Other names for the property, for suggestions.
fn also(given: &Given<'_>) -> Vec<&'static str> {
    let others = [given.key.to_owned(), snake_case(given.key)];
    others.into_iter().filter(|other| other != given.name).map(|other| intern_str(&other)).collect()
}

fn default(default: Option<&Json>, ty: &ValueType, role: Role) -> Result<Option<DefaultValue>, SchemaFault> {
    let Some(default) = default.filter(|json| !json.is_null() && (role.is_state() || role == Role::Setting))
    else {
        return Ok(None);
    };
    let read = ty.read(&json::value(default), &Context::NOTHING).map_err(|problem| {
        let what = format!("the default does not fit: it {}", problem.rule);
        SchemaFault::new(what, problem.fix).inside(&["default"])
    })?;
    Ok(Some(DefaultValue::There(intern_value(read))))
}

/// The rules that documentation can show. The others are checked, too.
fn rules(schema: &Json) -> Vec<Rule> {
    let number = |word: &str| schema.get(word).and_then(Json::as_f64);
    let range = number("minimum").zip(number("maximum")).map(|(min, max)| Rule::Range(min, max));
    let is_text = schema.get("type").and_then(Json::as_str) == Some("string");
    let pattern = schema.get("pattern").and_then(Json::as_str).filter(|_| is_text);
    let pattern = pattern.filter(|pattern| regex_lite::Regex::new(pattern).is_ok());
    range.into_iter().chain(pattern.map(|pattern| Rule::Pattern(intern_str(pattern)))).collect()
}

/// The maximum length of a chain of references.
const HOPS: usize = 16;

/// The target of all references. A reference that is a URL is looked up among the definitions under that name. It is
/// never downloaded: if it is missing, any value is accepted.
pub(super) fn resolve<'a>(root: &'a Json, schema: &'a Json) -> Result<&'a Json, SchemaFault> {
    let mut at = schema;
    for _ in 0..HOPS {
        let Some(reference) = at.get("$ref").and_then(Json::as_str) else { return Ok(at) };
        let Some(pointer) = reference.strip_prefix('#') else {
            match root.get("$defs").and_then(|all| all.get(reference)) {
                Some(bundled) => at = bundled,
                None => return Ok(&Json::Bool(true)),
            }
            continue;
        };
        at = root.pointer(pointer).ok_or_else(|| {
            let fix = "fix it, or add its target, such as `#/$defs/name`";
            SchemaFault::new(format!("`$ref` = {reference:?} has no target"), fix)
        })?;
    }
    Err(SchemaFault::new("`$ref` is circular", "write the schema itself"))
}

/// A mistake: what is wrong, where in the schema, and how to fix it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SchemaFault {
    /// The path from the top of the schema.
    pub(crate) path: Vec<String>,
    pub(crate) what: String,
    pub(crate) fix: String,
    /// Whether the schema is valid but cannot be a kind.
    pub(crate) is_unsupported: bool,
}

impl SchemaFault {
    pub(crate) fn new(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { path: Vec::new(), what: what.into(), fix: fix.into(), is_unsupported: false }
    }

    /// The same for a valid schema that cannot be a kind.
    pub(crate) fn unsupported(self) -> Self {
        Self { is_unsupported: true, ..self }
    }

    /// The same, found inside `steps`.
    pub(crate) fn inside(mut self, steps: &[&str]) -> Self {
        self.path.splice(0..0, steps.iter().map(|&step| step.to_owned()));
        self
    }
}
