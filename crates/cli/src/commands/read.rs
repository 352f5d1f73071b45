//! `uphold read`.

use rustc_hash::FxHashSet;
use uphold::journal;
use uphold::model::{Name, Problem, PropertySchema, ResourceId, Role, Schema, Value};
use uphold::resource::{Context, Fields, Instance, Look, Observation, Reading, Registry, home};
use uphold_wire::{Format, ReadResource};

use super::facts::show_one;
use crate::page::{Overview, argument, find_kind, find_property, shown};
use crate::{CliError, Exit, Session};

const EXAMPLES: &str = "\
Examples:
  uphold read file /etc/hostname          all properties
  uphold read file /etc/hostname mode     only this value
  uphold read line x file=/etc/hosts      a resource that its name alone does not identify";

/// Show the current state of a resource
///
/// Reads the machine and changes nothing. The resource need not be declared. Secrets are hidden.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReadArgs {
    /// Kind of the resource; `uphold explain` lists all kinds
    kind: String,
    /// Name of the resource, as in the label of a block
    name: String,
    /// Property to show [default: all], and values that identify the resource
    #[arg(value_name = "PROPERTY|KEY=VALUE")]
    more: Vec<String>,
}

pub(crate) fn run(args: &ReadArgs, session: &mut Session) -> Result<Exit, CliError> {
    let engine = session.engine()?;
    let kinds = session.kinds_here(&engine);
    session.signals.listen()?;
    let schema = find_kind(&kinds, &args.kind)?.schema();
    let (path, values) = split_arguments(args, schema)?;
    path.map_or(Ok(()), |path| check_readable(schema, path))?;
    let (instance, seen) = load(args, values, &kinds, &engine.machine().reading())?;
    let secrets = applied_secrets(args, (&*instance, &seen), session);
    let read = |name: &str| {
        let value = instance.value(name, Some(&seen))?;
        Some(if secrets.contains(name) { value.sensitive() } else { value })
    };
    match path {
        Some(path) => show_one(session, path, &value(path, read)?)?,
        None => show_all(session, args, schema, read),
    }
    Ok(Exit::Success)
}

/// The requested property, and the values that identify the resource.
type SplitArguments<'a> = (Option<&'a str>, Vec<(Name, Value)>);

fn split_arguments<'a>(args: &'a ReadArgs, schema: &Schema) -> Result<SplitArguments<'a>, CliError> {
    let (mut path, mut values) = (None, Vec::new());
    for word in &args.more {
        match word.split_once('=') {
            Some((key, text)) => values.push((key.into(), argument(find_property(schema, key)?, text)?)),
            None if path.is_none() => path = Some(word.as_str()),
            None => {
                let hint = "name one property, or none to show all of them";
                return Err(CliError::new(format!("unexpected second property `{word}`")).hint(hint));
            }
        }
    }
    Ok((path, values))
}

/// Refuses settings: they are not part of the machine's state.
fn check_readable(schema: &Schema, path: &str) -> Result<(), CliError> {
    find_property(schema, path)?;
    let whole = path.split('.').next().and_then(|name| schema.property(name));
    if whole.is_some_and(|property| !is_readable(property)) {
        let message =
            format!("`{path}` of `{}` is a setting, which cannot be read from the machine", schema.kind);
        return Err(CliError::new(message).hint(format!("see `uphold explain {}.{path}`", schema.kind)));
    }
    Ok(())
}

fn is_readable(property: &PropertySchema) -> bool {
    property.role != Role::Setting
}

fn load(
    args: &ReadArgs,
    values: Vec<(Name, Value)>,
    kinds: &Registry,
    host: &Reading<'_>,
) -> Result<(Box<dyn Instance>, Observation), CliError> {
    let kind = find_kind(kinds, &args.kind)?;
    let context = Context { home: &|user| home(host, user), base: None };
    let (instance, findings) = kind.decode(Fields::for_reading(&args.name, values, context));
    let declared = instance.ok_or_else(|| not_decoded(args, &findings.problems))?;
    let look = Look::to_read(host);
    let instance = declared.prepare(&look)?.unwrap_or(declared);
    let seen = instance.look(&look)?;
    if !seen.exists {
        return Err(CliError::new(format!("{} `{}` does not exist", args.kind, args.name)));
    }
    Ok((instance, seen))
}

fn not_decoded(args: &ReadArgs, problems: &[Problem]) -> CliError {
    let message = format!("cannot read {} `{}`", args.kind, args.name);
    let causes = problems.iter().map(ToString::to_string).collect();
    let missing = problems.iter().find(|problem| problem.value.is_none());
    let hint = missing.map(|problem| format!("add `{}=…` after the name", problem.property));
    CliError { message, causes, hint }
}

/// The properties that a run applied as secrets. A journal that this user cannot read has none of theirs.
fn applied_secrets(
    args: &ReadArgs,
    (instance, seen): (&dyn Instance, &Observation),
    session: &Session,
) -> FxHashSet<String> {
    let records = session.journal().ok().and_then(|journal| journal.records());
    let id = ResourceId::new(&*args.kind, &*args.name);
    records.map(|records| journal::applied_secrets(&records, &id, instance, seen)).unwrap_or_default()
}

fn value(path: &str, read: impl Fn(&str) -> Option<Value>) -> Result<Value, CliError> {
    let mut steps = path.split('.');
    let whole = steps.next().and_then(read);
    let rest: Vec<&str> = steps.collect();
    whole
        .and_then(|value| value.at(&rest))
        .ok_or_else(|| CliError::new(format!("`{path}` has no value on this machine")))
}

fn show_all(session: &mut Session, args: &ReadArgs, schema: &Schema, value: impl Fn(&str) -> Option<Value>) {
    let properties = schema.all().into_iter().filter(|property| is_readable(property));
    let known: Vec<(&str, Value)> =
        properties.filter_map(|property| Some((property.name, value(property.name)?))).collect();
    if session.flags.json {
        let properties = known.iter().map(|(name, value)| ((*name).to_owned(), shown(value))).collect();
        let (kind, name) = (args.kind.clone(), args.name.clone());
        let format_version = ReadResource::VERSION;
        session.ui.json_line(&ReadResource { format_version, kind, name, properties });
    } else {
        session.ui.data(Overview(&known));
    }
}
