//! Resources that a script declares, and what it asks of those around.

use mlua::{Lua, MultiValue, Table};
use uphold_engine::{ChangeKind, Inside, Mode, Verdict};
use uphold_model::{
    Action, Declaration, Difference, Moment, ResourceId, Side, Statement, Trigger, Value, closest,
};
use uphold_resource::{Around, Asking, Context, Error, ErrorKind, Fields, Host, Result, home};

use crate::declaration::{attributes, declaration};
use crate::frame::{Frame, argument};
use crate::value::to_script;

impl Frame<'_> {
    pub(crate) fn answer_inside(
        &self,
        lua: &Lua,
        op: &str,
        arguments: MultiValue,
    ) -> mlua::Result<MultiValue> {
        let text = |at: usize| argument::<String>(lua, &arguments, at);
        let bool = |answer: bool| MultiValue::from_vec(vec![mlua::Value::Boolean(answer)]);
        match op {
            "perform" | "differs_inside" => {
                let (kind, name) = (text(0)?, text(1)?);
                let table: Table = argument(lua, &arguments, 2)?;
                let action = action(&text(3)?);
                let declared = self.declaration(&kind, &name, &table)?;
                let looks = op == "differs_inside";
                self.perform(declared, &action, looks).map(bool).map_err(|error| self.fail(error))
            }
            "parallel" => self.parallel(lua, &arguments),
            "note" => {
                self.note(Difference {
                    property: format!("inline[{:?}]", text(0)?).into(),
                    from: Side::Absent,
                    to: Side::Value(Value::text("run")),
                });
                Ok(MultiValue::new())
            }
            "ask" => {
                let id = ResourceId::new(text(0)?, text(1)?);
                let moment = Moment::named(&text(3)?).unwrap_or_default();
                let asking = Asking { id: &id, action: &action(&text(2)?), moment, tries: self.tries() };
                let around = self.around().map_err(|error| self.fail(error))?;
                around.ask(&asking).map(bool).map_err(|error| self.fail(error))
            }
            "is_declared" => {
                let id = ResourceId::new(text(0)?, text(1)?);
                let found = self.around().ok().and_then(|around| around.find(&id));
                Ok(bool(found.is_some()))
            }
            "edit" => {
                let id = ResourceId::new(text(0)?, text(1)?);
                let table: Table = argument(lua, &arguments, 2)?;
                let around = self.around().map_err(|error| self.fail(error))?;
                let edits = attributes(around.kinds(), &id.kind, &table)?.0;
                around.edit(&id, edits).map(bool).map_err(|error| self.fail(error))
            }
            "value" => self.value_of(lua, &arguments),
            "read" => self.read_all(lua, &arguments),
            "child" => self.child(lua, &text(0)?, &text(1)?),
            "is_kind" => {
                let name = text(0)?;
                Ok(bool(self.around().is_ok_and(|around| around.kinds().get(&name).is_some())))
            }
            "suggest" => {
                let names: Vec<String> = argument(lua, &arguments, 1)?;
                let kinds = self.around().into_iter().flat_map(|around| around.kinds().iter());
                let kinds = kinds.map(|kind| kind.schema().kind);
                let near =
                    closest(&text(0)?, names.iter().map(String::as_str).chain(kinds)).map(str::to_owned);
                lua.pack_multi(near.map_or_else(String::new, |near| format!("; did you mean {near}?")))
            }
            "address" => {
                let (kind, name, verb) = parse_address(&text(0)?).ok_or_else(|| {
                    let hint = "write KIND.NAME.ACTION, or KIND[\"NAME\"].ACTION";
                    self.fail(Error::new(ErrorKind::Invalid, "this is no address").hint(hint))
                })?;
                lua.pack_multi((kind, name, verb))
            }
            "address_of" => lua.pack_multi(ResourceId::new(text(0)?, text(1)?).to_string()),
            other => Err(mlua::Error::runtime(format!("there is no `{other}`"))),
        }
    }

    fn around(&self) -> Result<&dyn Around> {
        let observe = self.observe().map_err(|_| outside())?;
        observe.around().ok_or_else(outside)
    }

    fn declaration(&self, kind: &str, name: &str, table: &Table) -> mlua::Result<Declaration> {
        let around = self.around().map_err(|error| self.fail(error))?;
        let mut declared = declaration(around.kinds(), ResourceId::new(kind, name), table)?;
        declared.meta.sensitive |= self.is_secret();
        Ok(declared)
    }

    fn inside<'h>(&'h self, host: &'h dyn Host, looks: bool) -> Result<Inside<'h>> {
        let around = self.around()?;
        let mode = if self.tries() || looks { Mode::Plan } else { Mode::Apply };
        Ok(Inside { kinds: around.kinds(), host, mode, stop: around.stop() })
    }

    fn acting(&self) -> Result<&dyn Host> {
        self.host("declaring a resource").map_err(|_| {
            Error::new(ErrorKind::Rejected, "resources are declared in actions: a loader only looks")
        })
    }

    /// Does one action of a resource; whether it changed something, or would.
    fn perform(&self, declared: Declaration, action: &Action, looks: bool) -> Result<bool> {
        let host = self.acting()?;
        let id = declared.id.clone();
        if looks {
            let overlay = host.overlay();
            let verdict = self.inside(&*overlay, true)?.run_one(declared, action)?;
            return Ok(matches!(verdict, Verdict::WouldChange(_) | Verdict::MayChange { .. }));
        }
        let inside = self.inside(host, false)?;
        if self.is_gathering() {
            self.gather(&inside, &declared, action)?;
        }
        let verdict = inside.run_one(declared, action)?;
        self.take(&id, verdict)
    }

    fn gather(&self, inside: &Inside<'_>, declared: &Declaration, action: &Action) -> Result<()> {
        for interest in inside.interests(statements(declared.clone(), action.clone()))? {
            self.watch(interest);
        }
        Ok(())
    }

    /// Notes how it went; whether something changed, or would.
    fn take(&self, id: &ResourceId, verdict: Verdict) -> Result<bool> {
        match verdict {
            Verdict::Unchanged | Verdict::NotWanted(_) | Verdict::Ignored(_) => Ok(false),
            Verdict::Changed(change) | Verdict::WouldChange(change) | Verdict::Differs(change) => {
                if change.differences.is_empty() {
                    let word = match change.kind {
                        ChangeKind::Create => "create",
                        ChangeKind::Update => "update",
                        ChangeKind::Remove => "remove",
                        ChangeKind::Run => "run",
                    };
                    self.note(said(id.to_string(), word));
                }
                for difference in change.differences {
                    let property = format!("{id}.{}", difference.property).into();
                    self.note(Difference { property, ..difference });
                }
                Ok(true)
            }
            Verdict::MayChange { waits_for, .. } => {
                self.note(said(id.to_string(), &format!("may change, after {waits_for}")));
                Ok(true)
            }
            Verdict::Failed(failure) => {
                let mut error = Error::new(failure.kind, failure.message);
                if let Some(hint) = failure.hint {
                    error = error.hint(hint);
                }
                let causes = failure.causes.join(": ");
                let error = if causes.is_empty() { error } else { error.because(Error::failed(causes)) };
                Err(error.while_(id.to_string()))
            }
            Verdict::Skipped(_) => Err(Error::failed(format!("{id} was not tried"))),
        }
    }

    /// Runs resources side by side; for each, whether it changed, or would.
    fn parallel(&self, lua: &Lua, arguments: &MultiValue) -> mlua::Result<MultiValue> {
        let items: Vec<Table> =
            argument::<Table>(lua, arguments, 0)?.sequence_values().collect::<mlua::Result<_>>()?;
        let jobs: usize = argument(lua, arguments, 1)?;
        let mut all = Vec::new();
        for item in &items {
            let (kind, name): (String, String) = (item.get("kind")?, item.get("name")?);
            all.push((
                self.declaration(&kind, &name, &item.get("attributes")?)?,
                action(&item.get::<String>("action")?),
            ));
        }
        let changed = self.run_parallel(all, jobs).map_err(|error| self.fail(error))?;
        lua.pack_multi(lua.create_sequence_from(changed)?)
    }

    fn run_parallel(&self, all: Vec<(Declaration, Action)>, jobs: usize) -> Result<Vec<bool>> {
        let inside = self.inside(self.acting()?, false)?;
        let ids: Vec<_> =
            all.iter().map(|(declared, action)| (declared.id.clone(), action.clone())).collect();
        if self.is_gathering() {
            for (declared, action) in &all {
                self.gather(&inside, declared, action)?;
            }
        }
        let mut seen = std::collections::HashSet::new();
        let mut statements = Vec::new();
        for (declared, action) in all {
            let trigger = triggered(declared.id.clone(), action);
            statements.extend(seen.insert(declared.id.clone()).then_some(Statement::Declare(declared)));
            statements.push(trigger);
        }
        let done = inside.run_on(statements, jobs)?;
        let mut changed = vec![false; ids.len()];
        for inner in done {
            let at = ids.iter().position(|(id, action)| *id == inner.id && *action == inner.action);
            let is_changed = self.take(&inner.id, inner.verdict)?;
            at.into_iter().for_each(|at| changed[at] = is_changed);
        }
        Ok(changed)
    }

    /// What a property of a resource is now.
    fn value_of(&self, lua: &Lua, arguments: &MultiValue) -> mlua::Result<MultiValue> {
        let property: String = argument(lua, arguments, 3)?;
        let found = self.look_at(lua, arguments, |schema, instance, seen| {
            if schema.property(&property).is_none() {
                let names: Vec<&str> = schema.all().iter().map(|property| property.name).collect();
                let hint = match closest(&property, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("it has {}", names.join(", ")),
                };
                let what = format!("a {} has no property `{property}`", schema.kind);
                return Err(Error::new(ErrorKind::Invalid, what).hint(hint));
            }
            Ok(instance.value(&property, seen).unwrap_or_default())
        })?;
        Ok(MultiValue::from_vec(vec![to_script(lua, &found)?]))
    }

    /// All that a look at a resource tells; nil if it is not there.
    fn read_all(&self, lua: &Lua, arguments: &MultiValue) -> mlua::Result<MultiValue> {
        let found = self.look_at(lua, arguments, |schema, instance, seen| {
            let all = schema.all().into_iter();
            let all = all.filter_map(|property| Some((property.name, instance.value(property.name, seen)?)));
            Ok(if seen.is_some() { Value::map(all) } else { Value::Null })
        })?;
        Ok(MultiValue::from_vec(vec![to_script(lua, &found)?]))
    }

    fn look_at(
        &self,
        lua: &Lua,
        arguments: &MultiValue,
        tell: impl FnOnce(
            &uphold_model::Schema,
            &dyn uphold_resource::Instance,
            Option<&uphold_resource::Observation>,
        ) -> Result<Value>,
    ) -> mlua::Result<Value> {
        let (kind, name): (String, String) = (argument(lua, arguments, 0)?, argument(lua, arguments, 1)?);
        let table: Table = argument(lua, arguments, 2)?;
        let declared = self.declaration(&kind, &name, &table)?;
        self.look_declared(&kind, &name, declared, tell).map_err(|error| self.fail(error))
    }

    fn look_declared(
        &self,
        kind: &str,
        name: &str,
        declared: Declaration,
        tell: impl FnOnce(
            &uphold_model::Schema,
            &dyn uphold_resource::Instance,
            Option<&uphold_resource::Observation>,
        ) -> Result<Value>,
    ) -> Result<Value> {
        let observe = self.observe().map_err(|_| outside())?;
        let kinds = self.around()?.kinds();
        let kind = kinds
            .get(kind)
            .ok_or_else(|| Error::new(ErrorKind::Invalid, format!("there is no kind `{kind}`")))?;
        let values = declared.attributes.into_iter().filter_map(|attribute| match attribute.value {
            uphold_model::Term::Known(value) => Some((attribute.name, value)),
            uphold_model::Term::Deferred(_) => None,
        });
        let home = |user: &str| home(observe, user);
        let context = Context { home: &home, base: None };
        let (instance, findings) = kind.decode(Fields::to_look(name, values.collect(), context));
        let Some(mut instance) = instance else {
            let wrong = findings.problems.first().map(ToString::to_string).unwrap_or_default();
            return Err(Error::new(ErrorKind::Invalid, wrong));
        };
        instance.prepare(observe)?;
        for interest in instance.interests(observe) {
            self.watch(interest);
        }
        let seen = instance.look(observe)?;
        tell(kind.schema(), &*instance, seen.exists.then_some(&seen))
    }

    /// `aws_instance` with a property `aws` is what an `aws` calls its `instance`.
    fn child(&self, lua: &Lua, kind: &str, name: &str) -> mlua::Result<MultiValue> {
        let Ok(around) = self.around() else { return Ok(MultiValue::from_vec(vec![mlua::Nil])) };
        let own = around.kinds().get(kind).is_some_and(|own| own.schema().property(name).is_some());
        let child = format!("{kind}_{name}");
        let found = around.kinds().get(&child).filter(|child| child.schema().property(kind).is_some());
        if own || found.is_none() {
            return Ok(MultiValue::from_vec(vec![mlua::Nil]));
        }
        let table = lua.create_table()?;
        table.set("kind", child)?;
        table.set("property", kind)?;
        lua.pack_multi(table)
    }
}

fn outside() -> Error {
    Error::new(ErrorKind::Unsupported, "other resources are known only while a configuration runs")
}

fn said(property: String, word: &str) -> Difference {
    Difference { property: property.into(), from: Side::Absent, to: Side::Value(Value::text(word)) }
}

fn action(word: &str) -> Action {
    Action::named(word).unwrap_or(Action::Converge)
}

fn triggered(id: ResourceId, action: Action) -> Statement {
    Statement::Trigger(Trigger { id, action, place: None, depends_on: Vec::new(), when: None })
}

fn statements(declared: Declaration, action: Action) -> Vec<Statement> {
    let trigger = triggered(declared.id.clone(), action);
    vec![Statement::Declare(declared), trigger]
}

/// `service.nginx.reload`, `file["/etc/motd"]`, `service["nginx"].reload`.
fn parse_address(text: &str) -> Option<(String, String, Option<String>)> {
    let at = text.find(['.', '['])?;
    let (kind, rest) = text.split_at(at);
    if let Some(quoted) = rest.strip_prefix("[\"") {
        let (name, after) = quoted.split_once("\"]")?;
        let verb = after.strip_prefix('.').map(str::to_owned);
        return Some((kind.to_owned(), name.to_owned(), verb));
    }
    let mut parts = rest[1..].splitn(2, '.');
    Some((kind.to_owned(), parts.next()?.to_owned(), parts.next().map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::parse_address;

    #[test]
    fn addresses_are_read() {
        let check = |text: &str, kind: &str, name: &str, verb: Option<&str>| {
            let expected = Some((kind.to_owned(), name.to_owned(), verb.map(str::to_owned)));
            assert_eq!(parse_address(text), expected, "{text}");
        };
        check("service.nginx.reload", "service", "nginx", Some("reload"));
        check("service.nginx", "service", "nginx", None);
        check("file[\"/etc/a.b\"]", "file", "/etc/a.b", None);
        check("service[\"a.b\"].restart", "service", "a.b", Some("restart"));
        assert_eq!(parse_address("nonsense"), None);
    }
}
