//! `uphold facts`.

use std::collections::BTreeMap;

use uphold::model::{FactSchema, Value};
use uphold::resource::{FACTS, Facts};

use crate::error::CliError;
use crate::exit::Exit;
use crate::page::{Overview, Subject, bare, facts_below, shown};
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  uphold facts                                  all of them
  uphold facts network                          those whose names begin so
  uphold facts os.family                        one value, and nothing else
  uphold facts network.interfaces.eth0.mtu      a value inside one
  uphold facts --json | jq -r '.disks | keys[]'";

/// Print what the machine says about itself
///
/// A configuration reads the same as `host.NAME`; `uphold explain host.NAME` tells what a fact means. Only what
/// is asked for is found out. Secrets are not shown, and any variable of the environment may be one.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FactsArgs {
    /// A fact, something inside one, or how names begin; all facts unless set
    name: Option<String>,
}

/// Runs it.
pub(crate) fn run(args: &FactsArgs, session: &mut Session) -> Result<Exit, CliError> {
    let host = session.host()?;
    let name = args.name.as_deref().unwrap_or("host");
    let name = name.strip_prefix("host.").unwrap_or(name);
    if let Some((fact, path)) = whole(name) {
        let value = inside(fact, &path, &host)?;
        return one(session, name, &value);
    }
    let below = match name {
        "host" => "",
        name => Subject::find(&session.kinds, &format!("host.{name}")).map(|_| name)?,
    };
    let told = facts_below(below).map(|fact| (fact, host.fact(fact.name))).collect::<Vec<_>>();
    let mut known = Vec::new();
    for (fact, answer) in told {
        match answer {
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

/// The fact that `name` names, or that it names something inside of, and the way there.
fn whole(name: &str) -> Option<(&'static FactSchema, Vec<&str>)> {
    FACTS.iter().find_map(|fact| {
        let rest = name.strip_prefix(fact.name)?;
        let inner = rest.strip_prefix('.').map(|path| path.split('.').collect());
        inner.or_else(|| rest.is_empty().then(Vec::new)).map(|path| (fact, path))
    })
}

fn inside(fact: &FactSchema, path: &[&str], facts: &dyn Facts) -> Result<Value, CliError> {
    let value = facts.fact(fact.name)?;
    value.at(path).ok_or_else(|| {
        let message = format!("`host.{}` has no `{}` here", fact.name, path.join("."));
        CliError::new(message).hint(format!("`uphold facts {}` prints all of it", fact.name))
    })
}

fn one(session: &mut Session, name: &str, value: &Value) -> Result<Exit, CliError> {
    if session.flags.json {
        session.ui.json_line(&shown(value));
    } else {
        let text = bare(name, value, session.ui.is_data_terminal())?;
        session.ui.data(text);
    }
    Ok(Exit::Success)
}

/// Facts as nested objects, the way that a configuration reads them.
fn nested(known: &[(&str, Value)]) -> uphold_wire::Value {
    let mut groups: BTreeMap<&str, Vec<(&str, Value)>> = BTreeMap::new();
    for (name, value) in known {
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        groups.entry(first).or_default().push((rest, value.clone()));
    }
    // No fact's name is the beginning of another's, so what has a value is alone.
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
    fn names_of_facts_and_of_what_is_inside() {
        let check = |name: &str, expected: Option<(&str, &[&str])>| {
            let found = whole(name);
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
    fn facts_nest() {
        let known = [("a", Value::Int(1)), ("b.c", Value::Int(2)), ("b.d.e", Value::Null)];
        assert_eq!(uphold_wire::line(&nested(&known)), r#"{"a":1,"b":{"c":2,"d":{"e":null}}}"#);
    }
}
