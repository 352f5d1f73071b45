//! `uphold read`.

use uphold::model::{Name, Problem, PropertySchema, Role, Schema, Value};
use uphold::resource::{Context, Fields, Instance, Observation, Reading, Registry, home};
use uphold_wire::ReadResource;

use crate::error::CliError;
use crate::exit::Exit;
use crate::page::{Overview, argument, bare, find_kind, find_property, shown};
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  uphold read file /etc/hostname          all that is known of it
  uphold read file /etc/hostname mode     one value, and nothing else
  uphold read line x file=/etc/hosts      of what is not found by its name alone";

/// Print the real value of a resource
///
/// Looks at the machine, and changes nothing. Nothing needs to be declared. Secrets are not shown.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReadArgs {
    /// What sort of thing it is; `uphold explain` lists all
    kind: String,
    /// What it is called: what would be the block's label
    name: String,
    /// One of its properties, all unless set; and what else is needed to find it
    #[arg(value_name = "PROPERTY|KEY=VALUE")]
    more: Vec<String>,
}

/// Runs it.
pub(crate) fn run(args: &ReadArgs, session: &mut Session) -> Result<Exit, CliError> {
    let engine = session.engine()?;
    let kinds = session.kinds_here(&engine);
    session.signals.listen()?;
    let schema = find_kind(&kinds, &args.kind)?.schema();
    let (path, values) = sort_out(args, schema)?;
    path.map_or(Ok(()), |path| check_readable(schema, path))?;
    let (instance, seen) = look(args, values, &kinds, &engine.machine().reading())?;
    match path {
        Some(path) => show_one(session, path, &value(&*instance, &seen, path)?)?,
        None => show_all(session, args, schema, |name| instance.value(name, Some(&seen))),
    }
    Ok(Exit::Success)
}

/// The property that was asked for, and what helps to find the thing.
type Question<'a> = (Option<&'a str>, Vec<(Name, Value)>);

fn sort_out<'a>(args: &'a ReadArgs, schema: &Schema) -> Result<Question<'a>, CliError> {
    let (mut path, mut values) = (None, Vec::new());
    for word in &args.more {
        match word.split_once('=') {
            Some((key, text)) => values.push((key.into(), argument(find_property(schema, key)?, text)?)),
            None if path.is_none() => path = Some(word.as_str()),
            None => {
                let hint = "leave out the property to print all of them";
                return Err(CliError::new(format!("`{word}` is one property too many")).hint(hint));
            }
        }
    }
    Ok((path, values))
}

/// A setting says how to do something: there is nothing to read.
fn check_readable(schema: &Schema, path: &str) -> Result<(), CliError> {
    find_property(schema, path)?;
    let whole = path.split('.').next().and_then(|name| schema.property(name));
    if whole.is_some_and(|property| !is_readable(property)) {
        let message = format!("`{path}` of `{}` is a setting, which is nowhere on the machine", schema.kind);
        return Err(
            CliError::new(message).hint(format!("`uphold explain {}.{path}` tells more", schema.kind))
        );
    }
    Ok(())
}

fn is_readable(property: &PropertySchema) -> bool {
    property.role != Role::Setting
}

/// Finds the thing and looks at it.
fn look(
    args: &ReadArgs,
    values: Vec<(Name, Value)>,
    kinds: &Registry,
    host: &Reading<'_>,
) -> Result<(Box<dyn Instance>, Observation), CliError> {
    let kind = find_kind(kinds, &args.kind)?;
    let context = Context { home: &|user| home(host, user), base: None };
    let (instance, findings) = kind.decode(Fields::to_look(&args.name, values, context));
    let mut instance = instance.ok_or_else(|| refused(args, &findings.problems))?;
    instance.prepare(host)?;
    let seen = instance.look(host)?;
    if !seen.exists {
        return Err(CliError::new(format!("there is no {} `{}`", args.kind, args.name)));
    }
    Ok((instance, seen))
}

fn refused(args: &ReadArgs, problems: &[Problem]) -> CliError {
    let message = format!("cannot read {} `{}`", args.kind, args.name);
    let causes = problems.iter().map(ToString::to_string).collect();
    let missing = problems.iter().find(|problem| problem.value.is_none());
    let hint = missing.map(|problem| format!("put `{}=…` behind the name", problem.property));
    CliError { message, causes, hint }
}

fn value(instance: &dyn Instance, seen: &Observation, path: &str) -> Result<Value, CliError> {
    let mut steps = path.split('.');
    let whole = steps.next().and_then(|name| instance.value(name, Some(seen)));
    let rest: Vec<&str> = steps.collect();
    whole
        .and_then(|value| value.at(&rest))
        .ok_or_else(|| CliError::new(format!("`{path}` has no value here")))
}

fn show_one(session: &mut Session, path: &str, value: &Value) -> Result<(), CliError> {
    if session.flags.json {
        session.ui.json_line(&shown(value));
        return Ok(());
    }
    let text = bare(path, value, session.ui.is_data_terminal())?;
    session.ui.data(text);
    Ok(())
}

fn show_all(session: &mut Session, args: &ReadArgs, schema: &Schema, value: impl Fn(&str) -> Option<Value>) {
    let properties = schema.all().into_iter().filter(|property| is_readable(property));
    let known: Vec<(&str, Value)> =
        properties.filter_map(|property| Some((property.name, value(property.name)?))).collect();
    if session.flags.json {
        let properties = known.iter().map(|(name, value)| ((*name).to_owned(), shown(value))).collect();
        let (kind, name) = (args.kind.clone(), args.name.clone());
        session.ui.json_line(&ReadResource { kind, name, properties });
    } else {
        session.ui.data(Overview(&known));
    }
}
