//! `uphold facts`.

use std::collections::BTreeMap;

use uphold::model::{FactSchema, Value};
use uphold::resource::{FACTS, Facts};

use crate::page::{Overview, Subject, bare, facts_below, shown};
use crate::{CliError, Exit, Session};

const EXAMPLES: &str = "\
Examples:
  uphold facts                                  all facts
  uphold facts network                          all facts below `network`
  uphold facts os.family                        only this value
  uphold facts network.interfaces.eth0.mtu      a member of a fact
  uphold facts --json | jq -r '.disks | keys[]'";

/// Show facts about the machine
///
/// A configuration reads a fact as `host.NAME`; `uphold explain host.NAME` documents it. Only the facts that are shown
/// are gathered. Secrets are hidden; every environment variable is treated as one.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FactsArgs {
    /// Fact, member of a fact, or prefix [default: all facts]
    name: Option<String>,
}

pub(crate) fn run(args: &FactsArgs, session: &mut Session) -> Result<Exit, CliError> {
    let host = session.host()?;
    let name = args.name.as_deref().unwrap_or("host");
    let name = name.strip_prefix("host.").unwrap_or(name);
    if let Some((fact, path)) = find_member(name) {
        let value = member(fact, &path, &host)?;
        show_one(session, name, &value)?;
        return Ok(Exit::Success);
    }
    let below = match name {
        "host" => "",
        name => Subject::find(&session.kinds, &format!("host.{name}")).map(|_| name)?,
    };
    let mut known = Vec::new();
    for fact in facts_below(below) {
        match host.fact(fact.name) {
            Ok(value) => known.push((fact.name, value)),
            Err(error) => session.ui.talk(format_args!("warning: {}\n", error.chain())),
        }
    }
    if session.flags.json {
        session.ui.json_line(&nested(&known));
    } else {
        session.ui.data(Overview(&known));
    }
    Ok(Exit::Success)
}

/// The fact that `name` begins with, and the path to a member of it.
fn find_member(name: &str) -> Option<(&'static FactSchema, Vec<&str>)> {
    FACTS.iter().find_map(|fact| {
        let rest = name.strip_prefix(fact.name)?;
        let inner = rest.strip_prefix('.').map(|path| path.split('.').collect());
        inner.or_else(|| rest.is_empty().then(Vec::new)).map(|path| (fact, path))
    })
}

fn member(fact: &FactSchema, path: &[&str], facts: &dyn Facts) -> Result<Value, CliError> {
    let value = facts.fact(fact.name)?;
    value.at(path).ok_or_else(|| {
        let message = format!("`host.{}` has no `{}` on this machine", fact.name, path.join("."));
        CliError::new(message).hint(format!("`uphold facts {}` shows all of it", fact.name))
    })
}

/// Prints one value and nothing else, of a fact or of a property of a resource.
pub(super) fn show_one(session: &mut Session, name: &str, value: &Value) -> Result<(), CliError> {
    if session.flags.json {
        session.ui.json_line(&shown(value));
    } else {
        let text = bare(name, value, session.ui.is_data_terminal())?;
        session.ui.data(text);
    }
    Ok(())
}

/// Facts as nested objects, as a configuration reads them.
fn nested(known: &[(&str, Value)]) -> uphold_wire::Value {
    let mut groups: BTreeMap<&str, Vec<(&str, Value)>> = BTreeMap::new();
    for (name, value) in known {
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        groups.entry(first).or_default().push((rest, value.clone()));
    }
    // No fact's name is a prefix of another's, so a group with a value has no other member.
    let member = |(first, inner): (&str, Vec<(&str, Value)>)| match &inner[..] {
        [("", value)] => (first.into(), shown(value)),
        _ => (first.into(), nested(&inner)),
    };
    uphold_wire::Value::Map(groups.into_iter().map(member).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_facts_and_their_members() {
        let check = |name: &str, expected: Option<(&str, &[&str])>| {
            let found = find_member(name);
            let found = found.as_ref().map(|(fact, path)| (fact.name, path.as_slice()));
            assert_eq!(found, expected, "{name}");
        };
        check("os.family", Some(("os.family", &[])));
        check("network.interfaces.lo.mtu", Some(("network.interfaces", &["lo", "mtu"])));
        check("os", None);
        check("uptimes", None);
        check("user.name", Some(("user.name", &[])));
        check("users.root.uid", Some(("users", &["root", "uid"])));
    }

    #[test]
    fn nests_facts() {
        let known = [("a", Value::Int(1)), ("b.c", Value::Int(2)), ("b.d.e", Value::Null)];
        assert_eq!(uphold_wire::line(&nested(&known)), r#"{"a":1,"b":{"c":2,"d":{"e":null}}}"#);
    }
}
