//! What a script says about what its kind stands on, and what wakes it.

use std::path::PathBuf;
use std::time::Duration;

use uphold_model::{Claim, Claims, Value, closest};
use uphold_resource::{Command, Interest};

/// What can be claimed.
const CLAIMS: [&str; 5] = ["group", "package", "path", "unit", "user"];

/// How something can be claimed.
const WAYS: [&str; 4] = ["edits", "needs", "owns", "provides"];

/// What can wake a resource.
const INTERESTS: [&str; 10] =
    ["accounts", "entries", "interval", "lines", "link", "packages", "path", "process", "tree", "unit"];

/// `{ provides = { path = "/x" }, needs = { user = "www" } }`; a bare text is a path.
///
/// # Errors
/// For words that mean nothing.
pub(crate) fn read_claims(told: &mlua::Table, claims: &mut Claims) -> Result<(), String> {
    for pair in told.pairs::<String, mlua::Table>() {
        let (way, all) =
            pair.map_err(|_| "claims() gives tables: { provides = { path = \"/x\" } }".to_owned())?;
        if !WAYS.contains(&way.as_str()) {
            return Err(unknown("claims()", &way, &WAYS));
        }
        for (space, name) in pairs(&all) {
            let claim = claim(&space, &name).ok_or_else(|| unknown("claims()", &space, &CLAIMS))?;
            match (way.as_str(), claim) {
                ("owns", Claim::Path(path)) => claims.own(path),
                ("owns", _) => {
                    return Err(format!("claims() says that it owns a {space}; only paths can be owned"));
                }
                ("provides", claim) => claims.provide(claim),
                ("needs", claim) => claims.need(claim),
                (_, claim) => claims.edit(claim),
            };
        }
    }
    Ok(())
}

fn unknown(whose: &str, word: &str, known: &[&str]) -> String {
    match closest(word, known.iter().copied()) {
        Some(near) => format!("{whose} says `{word}`; did you mean `{near}`?"),
        None => format!("{whose} says `{word}`; there are {}", known.join(", ")),
    }
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
///
/// # Errors
/// For words that mean nothing.
pub(crate) fn read_interests(told: &mlua::Table) -> Result<Vec<Interest>, String> {
    let read = |(sort, name): (String, String)| match interest(&sort, &name) {
        Some(interest) => Ok(interest),
        None if sort == "interval" => {
            Err(format!("watch() says `{name}`, which is no span of time; write \"30s\""))
        }
        None => Err(unknown("watch()", &sort, &INTERESTS)),
    };
    pairs(told).into_iter().map(read).collect()
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
