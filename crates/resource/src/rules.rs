//! Rules of a value besides those of its type.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use regex_lite::Regex;
use uphold_model::{META_ARGUMENTS, Map, Problem, RESERVED_BLOCKS, Rule, Schema, Value};

/// Checks `value` against every rule and returns the first problem. Null, where the type allows it, satisfies all rules.
pub(crate) fn check(rules: &[Rule], value: &Value) -> Result<(), Problem> {
    if *value.reveal() == Value::Null {
        return Ok(());
    }
    rules.iter().try_for_each(|rule| check_members(rule, value))
}

/// A rule on a list or map applies to each member; a predicate gets the whole value.
fn check_members(rule: &Rule, value: &Value) -> Result<(), Problem> {
    match (rule, value) {
        (Rule::Check(..), _) => check_one(rule, value),
        (_, Value::List(items)) => items.iter().enumerate().try_for_each(|(i, item)| {
            check_one(rule, item).map_err(|problem| problem.inside(&format!("[{i}]")))
        }),
        (_, Value::Map(map)) => map
            .iter()
            .try_for_each(|(key, item)| check_one(rule, item).map_err(|problem| problem.inside(key))),
        _ => check_one(rule, value),
    }
}

fn check_one(rule: &Rule, value: &Value) -> Result<(), Problem> {
    let revealed = reveal(value);
    let broken = |rule: String, fix: &str| Err(Problem::new(Some(value), rule, fix));
    match rule {
        Rule::OneOf(words) if !words.iter().any(|word| is_word(&revealed, word)) => {
            broken(format!("must be one of {}", words.join(", ")), "choose one of them")
        }
        Rule::Range(min, max) if !number(&revealed).is_some_and(|n| (*min..=*max).contains(&n)) => {
            broken(format!("must be from {min} to {max}"), "choose a number in that range")
        }
        Rule::Pattern(pattern) if !matches(pattern, &revealed) => {
            broken(format!("must match /{pattern}/"), "change it to match")
        }
        Rule::Check(holds, message) if !holds(&revealed) => broken((*message).to_owned(), "change the value"),
        _ => Ok(()),
    }
}

fn is_word(value: &Value, word: &str) -> bool {
    match value {
        Value::Text(text) => **text == *word,
        other => other.to_string() == word,
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(i) => Some(*i as f64),
        Value::Float(x) => Some(*x),
        _ => None,
    }
}

fn matches(pattern: &'static str, value: &Value) -> bool {
    let Value::Text(text) = value else { return false };
    regex(pattern).is_ok_and(|regex| regex.is_match(text))
}

thread_local! {
    /// Compiled patterns: once for each thread, not for each resource.
    static COMPILED: RefCell<HashMap<&'static str, Rc<Regex>>> = RefCell::default();
}

fn regex(pattern: &'static str) -> Result<Rc<Regex>, regex_lite::Error> {
    COMPILED.with_borrow_mut(|compiled| {
        if let Some(regex) = compiled.get(pattern) {
            return Ok(Rc::clone(regex));
        }
        let regex = Rc::new(Regex::new(pattern)?);
        compiled.insert(pattern, Rc::clone(&regex));
        Ok(regex)
    })
}

/// Checks that a pattern of a rule is valid, when its kind is registered.
pub(crate) fn check_pattern(pattern: &'static str) -> Result<(), Problem> {
    regex(pattern)
        .map(drop)
        .map_err(|error| Problem::new(None, format!("has an invalid pattern: {error}"), "fix the pattern"))
}

/// The value with all secrets revealed.
pub(crate) fn reveal(value: &Value) -> Value {
    match value {
        Value::Sensitive(inner) => reveal(inner),
        Value::List(items) if value.is_sensitive() => Value::list(items.iter().map(reveal)),
        Value::Map(map) if value.is_sensitive() => {
            let opened: Map = map.iter().map(|(k, v)| (k.clone(), reveal(v))).collect();
            Value::Map(Arc::new(opened))
        }
        other => other.clone(),
    }
}

// Checks of a kind's schema.

/// Checks that defaults satisfy the rules of their properties, and that each name denotes one property, including those of
/// embedded resources.
pub(crate) fn check_soundness(schema: &'static Schema) -> Result<(), Problem> {
    check_words(schema)?;
    check_names(schema)?;
    for property in schema.all() {
        for rule in property.rules {
            if let Rule::Pattern(pattern) = rule {
                check_pattern(pattern).map_err(|problem| problem.inside(property.name))?;
            }
        }
        if let Some(default) = property.default {
            default
                .make()
                .and_then(|value| check(property.rules, &value))
                .map_err(|problem| problem.inside(property.name))?;
        }
    }
    Ok(())
}

/// Checks that a kind redefines no word of the language.
pub(crate) fn check_words(schema: &'static Schema) -> Result<(), Problem> {
    let taken = |word: &str, by: &str| {
        Err(Problem::new(None, format!("is a word of {by}"), "choose another").inside(word))
    };
    if RESERVED_BLOCKS.contains(&schema.kind) {
        return taken(schema.kind, "the language, and cannot be a kind");
    }
    let actions = ["converge", "remove", "nothing"];
    if let Some(verb) = schema.verbs.iter().find(|verb| actions.contains(&verb.name)) {
        return taken(verb.name, "every kind, and cannot be a verb");
    }
    let names = schema.all().into_iter().flat_map(|p| p.aliases.iter().chain([&p.name]));
    match names.into_iter().find(|name| META_ARGUMENTS.contains(name)) {
        Some(name) => taken(name, "every block, and cannot be a property"),
        None => Ok(()),
    }
}

fn check_names(schema: &'static Schema) -> Result<(), Problem> {
    let mut names = BTreeSet::new();
    for property in schema.all() {
        for name in property.aliases.iter().chain([&property.name]) {
            if !names.insert(*name) {
                let fix = "rename one of them; an embedded resource brings its own properties";
                return Err(Problem::new(None, "names two properties", fix).inside(name));
            }
        }
    }
    let members = schema.groups.iter().flat_map(|group| group.properties);
    match members.into_iter().find(|member| schema.property(member).is_none()) {
        Some(member) => {
            Err(Problem::new(None, "is in a group, but is not a property", "fix the name").inside(member))
        }
        None => Ok(()),
    }
}
