//! Checks of a kind's schema.

use std::collections::BTreeSet;

use uphold_model::{META_ARGUMENTS, Problem, RESERVED_BLOCKS, Rule, Schema};

use crate::rules;

/// Checks that defaults satisfy the rules of their properties, and that each name denotes one property, including those of
/// embedded resources.
pub(crate) fn check_soundness(schema: &'static Schema) -> Result<(), Problem> {
    check_words(schema)?;
    check_names(schema)?;
    for property in schema.all() {
        for rule in property.rules {
            if let Rule::Pattern(pattern) = rule {
                rules::check_pattern(pattern).map_err(|problem| problem.inside(property.name))?;
            }
        }
        if let Some(default) = property.default {
            default
                .make()
                .and_then(|value| rules::check(property.rules, &value))
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
