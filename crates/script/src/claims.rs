//! The tables that the functions `claims` and `watch` of a script return.

use std::path::PathBuf;
use std::time::Duration;

use uphold_model::{Claim, Claims, Value, closest};
use uphold_resource::{Command, Interest};

/// Things that can be claimed.
const CLAIM_KINDS: [&str; 5] = ["group", "package", "path", "unit", "user"];

/// Relations of a resource to the claimed thing.
const RELATIONS: [&str; 4] = ["edits", "needs", "owns", "provides"];

/// Things that a resource can watch.
const INTERESTS: [&str; 10] =
    ["accounts", "entries", "interval", "lines", "link", "packages", "path", "process", "tree", "unit"];

/// Reads `{ provides = { path = "/x" }, needs = { user = "www" } }`; a bare string is a path.
///
/// # Errors
/// For words that mean nothing.
pub(crate) fn read_claims(returned: &mlua::Table, claims: &mut Claims) -> Result<(), String> {
    for pair in returned.pairs::<String, mlua::Table>() {
        let (relation, all) =
            pair.map_err(|_| "claims() must return tables: { provides = { path = \"/x\" } }".to_owned())?;
        if !RELATIONS.contains(&relation.as_str()) {
            return Err(unknown("claims()", &relation, &RELATIONS));
        }
        for (kind, name) in pairs(&all) {
            let claim = claim(&kind, &name).ok_or_else(|| unknown("claims()", &kind, &CLAIM_KINDS))?;
            match (relation.as_str(), claim) {
                ("owns", Claim::Path(path)) => claims.own(path),
                ("owns", _) => {
                    return Err(format!("claims() owns a {kind}, but only paths can be owned"));
                }
                ("provides", claim) => claims.provide(claim),
                ("needs", claim) => claims.need(claim),
                (_, claim) => claims.edit(claim),
            };
        }
    }
    Ok(())
}

fn unknown(function: &str, word: &str, known: &[&str]) -> String {
    match closest(word, known.iter().copied()) {
        Some(near) => format!("{function} returns an unknown `{word}`; did you mean `{near}`?"),
        None => format!("{function} returns an unknown `{word}`; use one of {}", known.join(", ")),
    }
}

fn claim(kind: &str, name: &str) -> Option<Claim> {
    Some(match kind {
        "path" => Claim::Path(PathBuf::from(name)),
        "user" => Claim::User(name.into()),
        "group" => Claim::Group(name.into()),
        "package" => Claim::Package(name.into()),
        "unit" => Claim::Unit(name.into()),
        _ => return None,
    })
}

/// Reads `{ "/etc/x", { tree = "/srv" }, { interval = "30s" } }`.
///
/// # Errors
/// For words that mean nothing.
pub(crate) fn read_interests(returned: &mlua::Table) -> Result<Vec<Interest>, String> {
    let read = |(kind, name): (String, String)| match interest(&kind, &name) {
        Some(interest) => Ok(interest),
        None if kind == "interval" => {
            Err(format!("watch() returns the interval `{name}`, which is not a duration; write \"30s\""))
        }
        None => Err(unknown("watch()", &kind, &INTERESTS)),
    };
    pairs(returned).into_iter().map(read).collect()
}

fn interest(kind: &str, name: &str) -> Option<Interest> {
    Some(match kind {
        "path" => Interest::Path(name.into()),
        "entries" => Interest::Entries(name.into()),
        "tree" => Interest::Tree(name.into()),
        "interval" => Interest::Interval(duration(name)?),
        "process" => Interest::Process(name.into()),
        "unit" => Interest::Unit(name.into()),
        "link" => Interest::NetworkLink(name.into()),
        "lines" => Interest::Lines(Command::shell(name)),
        "accounts" => Interest::Accounts,
        "packages" => Interest::Packages,
        _ => return None,
    })
}

fn duration(text: &str) -> Option<Duration> {
    use uphold_resource::{Context, Property};
    Duration::from_value(&Value::text(text), &Context::NOTHING).ok()
}

/// Pairs of a kind and a name. A bare string is a path; `path = "/x"` and `{ path = "/x" }` name the kind.
fn pairs(table: &mlua::Table) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for pair in table.pairs::<mlua::Value, mlua::Value>().flatten() {
        match pair {
            (mlua::Value::String(kind), mlua::Value::String(name)) => {
                all.push((kind.to_string_lossy(), name.to_string_lossy()));
            }
            (mlua::Value::String(kind), mlua::Value::Table(names)) => {
                let names = names.sequence_values::<String>().flatten();
                all.extend(names.map(|name| (kind.to_string_lossy(), name)));
            }
            (_, mlua::Value::String(path)) => all.push(("path".to_owned(), path.to_string_lossy())),
            (_, mlua::Value::Table(inner)) => all.extend(pairs(&inner)),
            _ => {}
        }
    }
    all
}
