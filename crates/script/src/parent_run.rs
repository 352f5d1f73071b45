//! Operations on the parent run: notifications, edits and names of its resources.

use std::time::Duration;

use mlua::{Lua, MultiValue, Table};
use uphold_model::{
    Action, Attribute, Declaration, Guard, GuardCommand, Handling, META_ARGUMENTS, Meta, Moment, Name,
    OnRemoval, ResourceId, Retry, Term, Value, closest,
};
use uphold_resource::{Around, Context, Error, ErrorKind, NestedNotification, Property, Registry, Result};

use crate::frame::{Frame, argument};

use super::value::{fit, from_script};

impl Frame<'_> {
    pub(crate) fn call_parent_run(
        &self,
        lua: &Lua,
        op: &str,
        arguments: &MultiValue,
    ) -> mlua::Result<MultiValue> {
        let text = |at: usize| argument::<String>(lua, arguments, at);
        let bool = |value: bool| MultiValue::from_vec(vec![mlua::Value::Boolean(value)]);
        match op {
            "notify" => {
                let id = ResourceId::new(text(0)?, text(1)?);
                let moment = Moment::named(&text(3)?).unwrap_or_default();
                let (action, tries) = (&action(&text(2)?), self.is_dry_run());
                let sent = NestedNotification { id: &id, action, moment, tries, counts: true };
                let parent = self.parent_run().map_err(|error| self.fail(error))?;
                parent.notify(&sent).map(bool).map_err(|error| self.fail(error))
            }
            "is_declared" => {
                let id = ResourceId::new(text(0)?, text(1)?);
                let found = self.parent_run().ok().and_then(|parent| parent.find(&id));
                Ok(bool(found.is_some()))
            }
            "edit" => {
                let id = ResourceId::new(text(0)?, text(1)?);
                let table: Table = argument(lua, arguments, 2)?;
                let parent = self.parent_run().map_err(|error| self.fail(error))?;
                let edits = self.guarded(attributes(parent.kinds(), &id.kind, &table)?.0);
                parent.edit(&id, edits).map(bool).map_err(|error| self.fail(error))
            }
            "child" => self.child(lua, &text(0)?, &text(1)?),
            "is_kind" => {
                let name = text(0)?;
                Ok(bool(self.parent_run().is_ok_and(|parent| parent.kinds().get(&name).is_some())))
            }
            "suggest" => {
                let names: Vec<String> = argument(lua, arguments, 1)?;
                let kinds = self.parent_run().into_iter().flat_map(|parent| parent.kinds().iter());
                let kinds = kinds.map(|kind| kind.schema().kind);
                let near =
                    closest(&text(0)?, names.iter().map(String::as_str).chain(kinds)).map(str::to_owned);
                lua.pack_multi(near.map_or_else(String::new, |near| format!("; did you mean {near}?")))
            }
            "address" => {
                let address = text(0)?;
                let (kind, name, verb) = parse_address(&address).ok_or_else(|| {
                    let what = format!("\"{address}\" is not an address of a resource");
                    let hint = "write KIND.NAME.ACTION, or KIND[\"NAME\"].ACTION";
                    self.fail(Error::new(ErrorKind::Invalid, what).hint(hint))
                })?;
                lua.pack_multi((kind, name, verb))
            }
            "nearest" => {
                let id = ResourceId::new(text(0)?, text(1)?);
                lua.pack_multi(self.parent_run().ok().and_then(|parent| parent.nearest(&id)))
            }
            "address_of" => lua.pack_multi(ResourceId::new(text(0)?, text(1)?).to_string()),
            other => Err(mlua::Error::runtime(format!("there is no `{other}`"))),
        }
    }

    /// The parent run.
    pub(crate) fn parent_run(&self) -> Result<&dyn Around> {
        let observe = self.observe().map_err(|_| no_run())?;
        observe.around().ok_or_else(no_run)
    }

    /// The child kind `name` of a kind: `instance` of `aws` is the kind `aws_instance`, if that has a property `aws`.
    fn child(&self, lua: &Lua, kind: &str, name: &str) -> mlua::Result<MultiValue> {
        let Ok(parent) = self.parent_run() else { return Ok(MultiValue::from_vec(vec![mlua::Nil])) };
        let own = parent.kinds().get(kind).is_some_and(|own| own.schema().property(name).is_some());
        let child = format!("{kind}_{name}");
        let found = parent.kinds().get(&child).filter(|child| child.schema().property(kind).is_some());
        if own || found.is_none() {
            return Ok(MultiValue::from_vec(vec![mlua::Nil]));
        }
        let table = lua.create_table()?;
        table.set("kind", child)?;
        table.set("property", kind)?;
        lua.pack_multi(table)
    }
}

/// The error of an operation that needs a parent run.
pub(crate) fn no_run() -> Error {
    Error::new(ErrorKind::Unsupported, "other resources are available only while a configuration runs")
}

/// The action of this name; `converge` if there is none.
pub(crate) fn action(word: &str) -> Action {
    Action::named(word).unwrap_or(Action::Converge)
}

/// Parses `service.nginx.reload`, `file["/etc/motd"]`, `service["nginx"].reload`.
fn parse_address(text: &str) -> Option<(String, String, Option<String>)> {
    let at = text.find(['.', '['])?;
    let (kind, rest) = text.split_at(at);
    if let Some(quoted) = rest.strip_prefix("[\"") {
        let (name, after) = quoted.split_once("\"]")?;
        let verb = after.strip_prefix('.').map(str::to_owned);
        return (verb.is_some() || after.is_empty()).then(|| (kind.to_owned(), name.to_owned(), verb));
    }
    let mut parts = rest.strip_prefix('.')?.splitn(2, '.');
    Some((kind.to_owned(), parts.next()?.to_owned(), parts.next().map(str::to_owned)))
}

// Converts the table of a script into the declaration of a resource.

/// The declaration of a resource. The prelude has already removed guards that are functions, notifications and actions.
pub(crate) fn declaration(kinds: &Registry, id: ResourceId, table: &Table) -> mlua::Result<Declaration> {
    let (attributes, meta) = attributes(kinds, &id.kind, table)?;
    Ok(Declaration { id, place: None, attributes: attributes.into(), meta })
}

/// The properties of the kind, and the meta arguments.
pub(crate) fn attributes(
    kinds: &Registry,
    kind: &str,
    table: &Table,
) -> mlua::Result<(Vec<Attribute>, Meta)> {
    let schema = kinds.get(kind).map(uphold_resource::Kind::schema);
    let mut attributes = Vec::new();
    let mut meta = Meta::default();
    let mut pairs: Vec<(String, mlua::Value)> = table.pairs().collect::<mlua::Result<_>>()?;
    pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (name, value) in pairs {
        let value = from_script(&value).map_err(|error| {
            let text = error.to_string();
            mlua::Error::runtime(format!("`{name}`: {}", text.trim_start_matches("runtime error: ")))
        })?;
        let property = schema.and_then(|schema| schema.property(&name));
        match property {
            None if META_ARGUMENTS.contains(&name.as_str()) => set_meta(&mut meta, &name, value)?,
            property => {
                let value = property.map_or(value.clone(), |property| fit(value, property.ty));
                attributes.push(Attribute::known(Name::from(name), value));
            }
        }
    }
    Ok((attributes, meta))
}

fn set_meta(meta: &mut Meta, name: &str, value: Value) -> mlua::Result<()> {
    let handling = || Box::<Handling>::default();
    match (name, value) {
        ("sensitive", Value::Bool(sensitive)) => meta.sensitive = sensitive,
        ("ignore_failure", Value::Bool(ignore)) => {
            meta.handling.get_or_insert_with(handling).ignore_failure = ignore;
        }
        ("audit", Value::Bool(audit)) => meta.handling.get_or_insert_with(handling).audit = audit,
        ("on_removal", Value::Text(word)) => {
            meta.on_removal = OnRemoval::named(&word).ok_or_else(|| wrong(name))?;
        }
        ("always", Value::Bool(always)) => meta.always = always,
        ("auto_edges", Value::Bool(auto)) => meta.no_auto_edges = !auto,
        ("only_if" | "not_if", condition @ (Value::Text(_) | Value::List(_) | Value::Bool(_))) => {
            let guard = Guard {
                condition: Term::Known(condition),
                expected: name == "only_if",
                command: GuardCommand::default(),
                place: None,
            };
            meta.handling.get_or_insert_with(handling).guards.push(guard);
        }
        ("timeout", value) => {
            meta.handling.get_or_insert_with(handling).timeout = Some(duration(name, &value)?);
        }
        ("retry", Value::Int(times)) => {
            let times = u32::try_from(times).map_err(|_| wrong(name))?;
            meta.handling.get_or_insert_with(handling).retry = Some(Retry::times(times));
        }
        _ => return Err(wrong(name)),
    }
    Ok(())
}

fn duration(name: &str, value: &Value) -> mlua::Result<Duration> {
    Duration::from_value(value, &Context::NOTHING).map_err(|_| wrong(name))
}

fn wrong(name: &str) -> mlua::Error {
    mlua::Error::runtime(format!(
        "`{name}` has an invalid value or is not supported in scripts, which support action, always, audit, ignore_failure, \
         not_if, notifies, on_removal, only_if, retry, sensitive, subscribes and timeout"
    ))
}

#[cfg(test)]
mod tests {
    use super::parse_address;

    #[test]
    fn parses_addresses() {
        let check = |text: &str, kind: &str, name: &str, verb: Option<&str>| {
            let expected = Some((kind.to_owned(), name.to_owned(), verb.map(str::to_owned)));
            assert_eq!(parse_address(text), expected, "{text}");
        };
        check("service.nginx.reload", "service", "nginx", Some("reload"));
        check("service.nginx", "service", "nginx", None);
        check("file[\"/etc/a.b\"]", "file", "/etc/a.b", None);
        check("service[\"a.b\"].restart", "service", "a.b", Some("restart"));
        for wrong in ["nonsense", "task[reload].run", "task[reload]", "task[\"reload\"]run"] {
            assert_eq!(parse_address(wrong), None, "{wrong}");
        }
    }
}
