//! The tables that the functions `claims` and `watch` of a script return.

use std::path::PathBuf;
use std::time::Duration;

use uphold_model::{Claim, Claims, Value, closest};
use uphold_resource::{Command, Interest, intern_str};

/// Things that can be claimed. `other` has namespaces that several kinds agree on.
const CLAIM_KINDS: [&str; 6] = ["group", "other", "package", "path", "unit", "user"];

/// Relations of a resource to the claimed thing.
const RELATIONS: [&str; 8] = ["edits", "follows", "holds", "leads", "needs", "owns", "provides", "reads"];

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
        for claim in claimed(&all)? {
            match (relation.as_str(), claim) {
                ("owns", Claim::Path(path)) => claims.own(path),
                ("reads", Claim::Path(path)) => claims.read(path),
                ("owns" | "reads", claim) => {
                    return Err(format!("claims() {relation} {claim}, but this relation is only for paths"));
                }
                ("provides", claim) => claims.provide(claim),
                ("holds", claim) => claims.hold(claim),
                ("leads", claim) => claims.lead(claim),
                ("follows", claim) => claims.follow(claim),
                ("needs", claim) => claims.need(claim),
                (_, claim) => claims.edit(claim),
            };
        }
    }
    Ok(())
}

/// The claims of one relation.
fn claimed(all: &mlua::Table) -> Result<Vec<Claim>, String> {
    let mut claims = Vec::new();
    for pair in all.pairs::<mlua::Value, mlua::Value>().flatten() {
        match pair {
            (mlua::Value::String(kind), mlua::Value::Table(spaces)) if kind == "other" => {
                let spaces = pairs("claims()", &spaces)?.into_iter();
                claims.extend(spaces.map(|(space, name)| Claim::Other(intern_str(&space), name.into())));
            }
            (mlua::Value::String(kind), _) if kind == "other" => {
                return Err("claims() must name a namespace: other = { address = \"10.0.0.1\" }".to_owned());
            }
            (key, value) => {
                for (kind, name) in named("claims()", &key, &value)? {
                    let known = claim(&kind, &name);
                    claims.push(known.ok_or_else(|| unknown("claims()", &kind, &CLAIM_KINDS))?);
                }
            }
        }
    }
    Ok(claims)
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
    pairs("watch()", returned)?.into_iter().map(read).collect()
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
fn pairs(function: &str, table: &mlua::Table) -> Result<Vec<(String, String)>, String> {
    let mut all = Vec::new();
    for (key, value) in table.pairs::<mlua::Value, mlua::Value>().flatten() {
        all.extend(named(function, &key, &value)?);
    }
    Ok(all)
}

/// The pairs of one element of a table.
fn named(function: &str, key: &mlua::Value, value: &mlua::Value) -> Result<Vec<(String, String)>, String> {
    let wrong = |value: &mlua::Value| {
        let found = match value {
            mlua::Value::Integer(_) => "number",
            other => other.type_name(),
        };
        format!("{function} returns a {found} as a name, but names are strings; convert it: tostring(…)")
    };
    match (key, value) {
        (mlua::Value::String(kind), mlua::Value::String(name)) => {
            Ok(vec![(kind.to_string_lossy(), name.to_string_lossy())])
        }
        (mlua::Value::String(kind), mlua::Value::Table(names)) => {
            let names = names.pairs::<mlua::Value, mlua::Value>().flatten().map(|(_, name)| match name {
                mlua::Value::String(name) => Ok((kind.to_string_lossy(), name.to_string_lossy())),
                other => Err(wrong(&other)),
            });
            names.collect()
        }
        (mlua::Value::String(kind), mlua::Value::Boolean(true))
            if kind == "accounts" || kind == "packages" =>
        {
            Ok(vec![(kind.to_string_lossy(), String::new())])
        }
        (_, mlua::Value::String(path)) => Ok(vec![("path".to_owned(), path.to_string_lossy())]),
        (_, mlua::Value::Table(inner)) => pairs(function, inner),
        (_, other) => Err(wrong(other)),
    }
}
