//! What a script says about what its kind stands on, and what wakes it.

use std::path::PathBuf;
use std::time::Duration;

use uphold_model::{Claim, Claims, Value};
use uphold_resource::{Command, Interest};

/// `{ provides = { path = "/x" }, needs = { user = "www" } }`; a bare text is a path.
pub(crate) fn read_claims(told: &mlua::Table, claims: &mut Claims) {
    for claim in named(told, "provides") {
        claims.provide(claim);
    }
    for claim in named(told, "needs") {
        claims.need(claim);
    }
    for claim in named(told, "edits") {
        claims.edit(claim);
    }
}

fn named(told: &mlua::Table, word: &str) -> Vec<Claim> {
    let Ok(Some(all)) = told.get::<Option<mlua::Table>>(word) else { return Vec::new() };
    pairs(&all).into_iter().filter_map(|(space, name)| claim(&space, &name)).collect()
}

fn claim(space: &str, name: &str) -> Option<Claim> {
    Some(match space {
        "path" => Claim::Path(PathBuf::from(name)),
        "user" => Claim::User(name.into()),
        "group" => Claim::Group(name.into()),
        "package" => Claim::Package(name.into()),
        "unit" => Claim::Unit(name.into()),
        _ => return None,
    })
}

/// `{ "/etc/x", { tree = "/srv" }, { interval = "30s" } }`.
pub(crate) fn read_interests(told: &mlua::Table) -> Vec<Interest> {
    pairs(told).into_iter().filter_map(|(sort, name)| interest(&sort, &name)).collect()
}

fn interest(sort: &str, name: &str) -> Option<Interest> {
    Some(match sort {
        "path" => Interest::Path(name.into()),
        "entries" => Interest::Entries(name.into()),
        "tree" => Interest::Tree(name.into()),
        "interval" => Interest::Interval(span(name)?),
        "process" => Interest::Process(name.into()),
        "unit" => Interest::Unit(name.into()),
        "link" => Interest::NetworkLink(name.into()),
        "lines" => Interest::Lines(Command::shell(name)),
        "accounts" => Interest::Accounts,
        "packages" => Interest::Packages,
        _ => return None,
    })
}

fn span(text: &str) -> Option<Duration> {
    use uphold_resource::{Context, Property};
    Duration::from_value(&Value::text(text), &Context::NOTHING).ok()
}

/// Bare texts are paths; `path = "/x"` and `{ path = "/x" }` name the sort.
fn pairs(told: &mlua::Table) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for pair in told.pairs::<mlua::Value, mlua::Value>().flatten() {
        match pair {
            (mlua::Value::String(sort), mlua::Value::String(name)) => {
                all.push((sort.to_string_lossy(), name.to_string_lossy()));
            }
            (mlua::Value::String(sort), mlua::Value::Table(names)) => {
                let names = names.sequence_values::<String>().flatten();
                all.extend(names.map(|name| (sort.to_string_lossy(), name)));
            }
            (_, mlua::Value::String(path)) => all.push(("path".to_owned(), path.to_string_lossy())),
            (_, mlua::Value::Table(inner)) => all.extend(pairs(&inner)),
            _ => {}
        }
    }
    all
}
