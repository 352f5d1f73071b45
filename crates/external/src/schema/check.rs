//! Checks of values against a JSON Schema, beyond the type.

use std::cell::Cell;
use std::collections::BTreeMap;

use regex_lite::Regex;
use serde_json::Value as Json;
use uphold_model::Problem;

use super::property::{resolve, says};
use crate::json;

/// Checks values against parts of one JSON Schema.
#[derive(Debug)]
pub(crate) struct Checker {
    root: Json,
    /// Every pattern in it. Invalid patterns are left to the program.
    patterns: BTreeMap<String, Regex>,
}

/// The maximum depth of values and alternatives.
const DEEPEST: usize = 128;

/// The maximum number of rules for one value: a schema that refers to itself in two places would never end.
const MOST: u32 = 100_000;

/// The progress of a check.
#[derive(Clone, Copy)]
struct Progress<'a> {
    depth: usize,
    left: &'a Cell<u32>,
    /// Whether a program printed the value, rather than a user wrote it.
    printed: bool,
}

impl Progress<'_> {
    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    /// Whether a limit is reached.
    fn ends(self) -> bool {
        self.left.set(self.left.get().saturating_sub(1));
        self.depth > DEEPEST || self.left.get() == 0
    }
}

type Checked = Result<(), Problem>;

impl Checker {
    pub(crate) fn new(root: &Json) -> Self {
        let mut patterns = BTreeMap::new();
        collect_patterns(root, &mut patterns);
        Self { root: root.clone(), patterns }
    }

    /// The first rule of `schema` that the value breaks.
    pub(crate) fn check(&self, schema: &Json, value: &Json) -> Checked {
        self.check_at(schema, value, Progress { depth: 0, left: &Cell::new(MOST), printed: false })
    }

    /// Like [`Checker::check`], for a value that a program printed: `writeOnly` members may be missing, and null means
    /// missing.
    pub(crate) fn check_printed(&self, schema: &Json, value: &Json) -> Checked {
        self.check_at(schema, value, Progress { depth: 0, left: &Cell::new(MOST), printed: true })
    }

    /// The whole schema.
    pub(crate) fn root(&self) -> &Json {
        &self.root
    }

    fn check_at(&self, schema: &Json, value: &Json, progress: Progress<'_>) -> Checked {
        if progress.ends() || (progress.printed && value.is_null()) {
            return Ok(());
        }
        // Keywords beside a reference apply, too.
        let there = resolve(&self.root, schema).unwrap_or(schema);
        if !std::ptr::eq(there, schema) {
            self.check_at(there, value, progress.deeper())?;
        }
        if *schema == Json::Bool(false) {
            return broken(value, "is not allowed", "remove it");
        }
        check_type(schema, value)?;
        check_members_of(schema, value)?;
        match value {
            Json::Number(_) => check_number(schema, value),
            Json::String(text) => self.check_text(schema, text),
            Json::Array(items) => self.check_list(schema, items, progress),
            Json::Object(members) => self.check_object(schema, members, progress),
            _ => Ok(()),
        }?;
        self.check_alternatives(schema, value, progress)
    }

    fn check_text(&self, schema: &Json, text: &str) -> Checked {
        check_count(
            schema,
            ("minLength", "maxLength"),
            text.chars().count(),
            "characters",
            &Json::from(text),
        )?;
        let pattern = schema.get("pattern").and_then(Json::as_str);
        match pattern.and_then(|pattern| self.patterns.get(pattern)) {
            Some(regex) if !regex.is_match(text) => {
                broken(&Json::from(text), format!("must match /{}/", regex.as_str()), "change it to match")
            }
            _ => Ok(()),
        }
    }

    fn check_list(&self, schema: &Json, items: &[Json], progress: Progress<'_>) -> Checked {
        let whole = Json::Array(items.to_vec());
        check_count(schema, ("minItems", "maxItems"), items.len(), "elements", &whole)?;
        if schema.get("uniqueItems") == Some(&Json::Bool(true)) {
            let mut seen: Vec<String> = items.iter().map(Json::to_string).collect();
            seen.sort_unstable();
            if seen.windows(2).any(|pair| pair[0] == pair[1]) {
                return broken(&whole, "contains an element twice", "remove one of them");
            }
        }
        let Some(each) = schema.get("items") else { return Ok(()) };
        items.iter().enumerate().try_for_each(|(i, item)| {
            self.check_at(each, item, progress.deeper()).map_err(|problem| problem.inside(&format!("[{i}]")))
        })
    }

    fn check_object(
        &self,
        schema: &Json,
        members: &serde_json::Map<String, Json>,
        progress: Progress<'_>,
    ) -> Checked {
        let whole = Json::Object(members.clone());
        check_count(schema, ("minProperties", "maxProperties"), members.len(), "members", &whole)?;
        let required = schema.get("required").and_then(Json::as_array).into_iter().flatten();
        let known = schema.get("properties").and_then(Json::as_object);
        let is_hidden = |name: &str| {
            let rule = known.and_then(|known| known.get(name));
            progress.printed && rule.is_some_and(|rule| says(&self.root, rule, "writeOnly"))
        };
        let is_missing = |name: &&str| !members.contains_key(*name) && !is_hidden(name);
        if let Some(missing) = required.filter_map(Json::as_str).find(is_missing) {
            let problem = Problem::new(None, "is required", format!("add `{missing} = …`"));
            return Err(problem.inside(missing));
        }
        let others = schema.get("additionalProperties").filter(|_| schema.get("patternProperties").is_none());
        members.iter().try_for_each(|(name, member)| {
            let rule = known.and_then(|known| known.get(name)).or(others);
            let checked = rule.map_or(Ok(()), |rule| self.check_at(rule, member, progress.deeper()));
            checked.map_err(|problem| problem.inside(name))
        })
    }

    fn check_alternatives(&self, schema: &Json, value: &Json, progress: Progress<'_>) -> Checked {
        let schemas = |word: &str| schema.get(word).and_then(Json::as_array);
        for one in schemas("allOf").into_iter().flatten() {
            self.check_at(one, value, progress.deeper())?;
        }
        let fitting = |all: &Vec<Json>| {
            all.iter().filter(|one| self.check_at(one, value, progress.deeper()).is_ok()).count()
        };
        if schemas("anyOf").is_some_and(|all| fitting(all) == 0) {
            return broken(value, "matches none of its alternatives", "see the description of the property");
        }
        match schemas("oneOf").map(fitting) {
            Some(0) => {
                broken(value, "matches none of its alternatives", "see the description of the property")
            }
            Some(1) | None => Ok(()),
            Some(_) => {
                broken(value, "matches more than one of its alternatives", "make it match exactly one")
            }
        }
    }
}

fn broken(value: &Json, rule: impl Into<String>, fix: &str) -> Checked {
    Err(Problem::new(Some(&json::value(value)), rule, fix))
}

fn check_type(schema: &Json, value: &Json) -> Checked {
    let names: Vec<&str> = match schema.get("type") {
        Some(Json::String(name)) => vec![name],
        Some(Json::Array(names)) => names.iter().filter_map(Json::as_str).collect(),
        _ => return Ok(()),
    };
    let is = |name: &&str| match *name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|x| x.fract() == 0.0),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    };
    if names.iter().any(is) {
        Ok(())
    } else {
        broken(value, format!("must be of type {}", names.join(" or ")), "write such a value")
    }
}

/// `enum` and `const`.
fn check_members_of(schema: &Json, value: &Json) -> Checked {
    let single = schema.get("const").map(std::slice::from_ref);
    let all = schema.get("enum").and_then(Json::as_array).map(Vec::as_slice).or(single);
    match all {
        Some(all) if !all.contains(value) => {
            let all: Vec<String> = all.iter().map(|one| json::value(one).to_string()).collect();
            broken(value, format!("must be one of {}", all.join(", ")), "choose one of them")
        }
        _ => Ok(()),
    }
}

/// Whether a number meets a limit.
type Holds = fn(f64, f64) -> bool;

fn check_number(schema: &Json, value: &Json) -> Checked {
    let x = value.as_f64().unwrap_or_default();
    let limit = |word: &str| schema.get(word).and_then(Json::as_f64);
    let rules: [(&str, Holds, &str); 5] = [
        ("minimum", |x, limit| x >= limit, "must be at least"),
        ("maximum", |x, limit| x <= limit, "must be at most"),
        ("exclusiveMinimum", |x, limit| x > limit, "must be more than"),
        ("exclusiveMaximum", |x, limit| x < limit, "must be less than"),
        ("multipleOf", |x, limit| (x / limit).fract() == 0.0, "must be a multiple of"),
    ];
    for (word, holds, says) in rules {
        if let Some(limit) = limit(word).filter(|limit| !holds(x, *limit)) {
            return broken(value, format!("{says} {limit}"), "choose another number");
        }
    }
    Ok(())
}

fn check_count(
    schema: &Json,
    (least, most): (&str, &str),
    count: usize,
    what: &str,
    value: &Json,
) -> Checked {
    let limit =
        |word: &str| schema.get(word).and_then(Json::as_u64).and_then(|limit| usize::try_from(limit).ok());
    match (limit(least), limit(most)) {
        (Some(least), _) if count < least => {
            broken(value, format!("has {count} {what}, and must have at least {least}"), "add some")
        }
        (_, Some(most)) if count > most => {
            broken(value, format!("has {count} {what}, and must have at most {most}"), "remove some")
        }
        _ => Ok(()),
    }
}

/// Recursive: the nesting was limited to 128 levels when the schema was parsed.
fn collect_patterns(schema: &Json, patterns: &mut BTreeMap<String, Regex>) {
    match schema {
        Json::Object(members) => {
            let regex = members.get("pattern").and_then(Json::as_str).map(|text| (text, Regex::new(text)));
            if let Some((text, Ok(regex))) = regex {
                patterns.insert(text.to_owned(), regex);
            }
            members.values().for_each(|member| collect_patterns(member, patterns));
        }
        Json::Array(items) => items.iter().for_each(|item| collect_patterns(item, patterns)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_rule_is_checked() {
        let check = |schema: Json, good: Json, bad: Json, why: &str| {
            let checker = Checker::new(&schema);
            assert_eq!(checker.check(&schema, &good), Ok(()), "{schema} takes {good}");
            let problem = checker.check(&schema, &bad).expect_err(&format!("{schema} refuses {bad}"));
            assert!(problem.to_string().contains(why), "{problem}");
        };
        check(json!({ "type": "integer" }), json!(3), json!(3.5), "of type integer");
        check(json!({ "type": ["string", "null"] }), json!(null), json!(1), "of type string or null");
        check(json!({ "enum": [1, "a"] }), json!("a"), json!("b"), r#"must be one of 1, "a""#);
        check(json!({ "const": 7 }), json!(7), json!(8), "must be one of 7");
        check(json!({ "minimum": 1 }), json!(1), json!(0.5), "must be at least 1");
        check(json!({ "maximum": 1 }), json!(1), json!(2), "must be at most 1");
        check(json!({ "exclusiveMinimum": 1 }), json!(1.5), json!(1), "must be more than 1");
        check(json!({ "exclusiveMaximum": 1 }), json!(0), json!(1), "must be less than 1");
        check(json!({ "multipleOf": 5 }), json!(15), json!(7), "must be a multiple of 5");
        check(
            json!({ "minLength": 2 }),
            json!("éé"),
            json!("é"),
            "has 1 characters, and must have at least 2",
        );
        check(json!({ "maxLength": 1 }), json!("é"), json!("ab"), "at most 1");
        check(json!({ "pattern": "^a" }), json!("ab"), json!("ba"), "must match /^a/");
        check(json!({ "minItems": 1 }), json!([1]), json!([]), "at least 1");
        check(json!({ "maxItems": 1 }), json!([1]), json!([1, 2]), "at most 1");
        check(json!({ "uniqueItems": true }), json!([1, 2]), json!([1, 1]), "twice");
        check(json!({ "items": { "type": "string" } }), json!(["a"]), json!(["a", 1]), "`[1]` = 1");
        let object = json!({ "properties": { "a": { "type": "string" } }, "required": ["a"], "additionalProperties": false });
        check(object.clone(), json!({ "a": "x" }), json!({}), "`a` is required");
        check(object.clone(), json!({ "a": "x" }), json!({ "a": 1 }), "`a` = 1 must be of type string");
        check(object, json!({ "a": "x" }), json!({ "a": "x", "b": 1 }), "`b` = 1 is not allowed");
        check(json!({ "minProperties": 1 }), json!({ "a": 1 }), json!({}), "at least 1");
        check(json!({ "maxProperties": 1 }), json!({ "a": 1 }), json!({ "a": 1, "b": 2 }), "at most 1");
        let beside = json!({ "$ref": "#/$defs/x", "minimum": 3, "$defs": { "x": { "maximum": 5 } } });
        check(beside.clone(), json!(4), json!(1), "at least 3");
        check(beside, json!(4), json!(6), "at most 5");
        check(json!({ "allOf": [{ "minimum": 1 }, { "maximum": 2 }] }), json!(1), json!(3), "at most 2");
        check(
            json!({ "anyOf": [{ "type": "string" }, { "minimum": 1 }] }),
            json!(1),
            json!(0),
            "matches none",
        );
        check(json!({ "oneOf": [{ "minimum": 1 }, { "maximum": 5 }] }), json!(0), json!(3), "more than one");
        check(
            json!({ "$ref": "#/$defs/x", "$defs": { "x": { "type": "string" } } }),
            json!("a"),
            json!(1),
            "string",
        );
    }

    #[test]
    fn recursive_schemas_end() {
        let circle = json!({ "allOf": [{ "$ref": "#" }] });
        assert_eq!(Checker::new(&circle).check(&circle, &json!(1)), Ok(()));
        let circles = json!({ "anyOf": [{ "$ref": "#" }, { "$ref": "#" }] });
        assert_eq!(Checker::new(&circles).check(&circles, &json!(1)), Ok(()));
        let odd = json!({ "pattern": "(?<=x)y" });
        assert_eq!(Checker::new(&odd).check(&odd, &json!("no")), Ok(()));
    }
}
