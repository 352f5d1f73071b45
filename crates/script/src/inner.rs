//! Resources that a script declares, and what it asks of those around.

use std::collections::btree_map::Entry;

use mlua::{Lua, MultiValue, Table};
use uphold_engine::{Change, ChangeKind, Mode, NestedRun, Verdict};
use uphold_model::{
    Action, Declaration, Difference, Few, Map, ResourceId, SENSITIVE, Side, Statement, Trigger, Value,
};
use uphold_resource::{Act, Error, ErrorKind, Level, Result};

use crate::declaration::declaration;
use crate::frame::{Frame, argument};
use crate::interpreter::{DEPTH, TOO_DEEP};
use crate::surroundings::action;

impl Frame<'_> {
    pub(crate) fn answer_inside(
        &self,
        lua: &Lua,
        op: &str,
        arguments: &MultiValue,
    ) -> mlua::Result<MultiValue> {
        let text = |at: usize| argument::<String>(lua, arguments, at);
        let bool = |answer: bool| MultiValue::from_vec(vec![mlua::Value::Boolean(answer)]);
        match op {
            "perform" | "differs_inside" => {
                let (kind, name) = (text(0)?, text(1)?);
                let table: Table = argument(lua, arguments, 2)?;
                let action = action(&text(3)?);
                let declared = self.declaration(&kind, &name, &table)?;
                let looks = op == "differs_inside";
                self.perform(declared, &action, looks).map(bool).map_err(|error| self.fail(error))
            }
            "parallel" | "refuse" => self.answer_parallel(lua, op, arguments),
            "note" => {
                self.note_inline(&ResourceId::new("inline", text(0)?));
                Ok(MultiValue::new())
            }
            "value" => self.value_of(lua, arguments),
            "read" => self.read_all(lua, arguments),
            _ => self.answer_around(lua, op, arguments),
        }
    }

    pub(crate) fn declaration(&self, kind: &str, name: &str, table: &Table) -> mlua::Result<Declaration> {
        let around = self.around().map_err(|error| self.fail(error))?;
        let mut declared = declaration(around.kinds(), ResourceId::new(kind, name), table)?;
        declared.meta.sensitive |= self.is_secret();
        declared.attributes = self.guarded(declared.attributes.into()).into();
        Ok(declared)
    }

    pub(crate) fn nested_run<'h>(&'h self, host: &'h Act<'h>, looks: bool) -> Result<NestedRun<'h>> {
        let around = self.around()?;
        if around.depth() > DEPTH {
            return Err(Error::new(ErrorKind::Rejected, TOO_DEEP));
        }
        let mode = if self.tries() || looks { Mode::Plan } else { Mode::Apply };
        Ok(NestedRun { kinds: around.kinds(), host, mode, stop: around.stop(), around: host.around() })
    }

    pub(crate) fn acting(&self) -> Result<&Act<'_>> {
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
            let verdict = self.nested_run(&overlay.act(), true)?.run_one(declared, action)?;
            return Ok(matches!(verdict, Verdict::WouldChange(_) | Verdict::MayChange { .. }));
        }
        let nested = self.nested_run(host, false)?;
        if self.is_gathering() {
            self.gather(&nested, &declared, action)?;
        }
        let verdict = nested.run_one(declared, action)?;
        self.take(&id, verdict)
    }

    pub(crate) fn gather(
        &self,
        nested: &NestedRun<'_>,
        declared: &Declaration,
        action: &Action,
    ) -> Result<()> {
        let statements = statements(declared.clone(), action.clone());
        for interest in nested.interests(statements.clone())? {
            self.watch(interest);
        }
        self.own(nested.owned_paths(statements)?);
        Ok(())
    }

    /// Notes how it went; whether something changed, or would.
    pub(crate) fn take(&self, id: &ResourceId, verdict: Verdict) -> Result<bool> {
        match verdict {
            Verdict::Unchanged | Verdict::NotWanted(_) => Ok(false),
            Verdict::Ignored(failure) => {
                let causes = std::iter::once(&failure.message).chain(&failure.causes);
                let why = causes.map(String::as_str).collect::<Vec<_>>().join(": ");
                let text = format!("{id} failed, which is ignored: {why}");
                self.acting()?.report(Level::Warning, if self.is_secret() { SENSITIVE } else { &text });
                Ok(false)
            }
            Verdict::Changed(change) | Verdict::WouldChange(change) | Verdict::Differs(change) => {
                self.note_change(id, change);
                Ok(true)
            }
            Verdict::MayChange { waits_for, inputs, .. } => {
                self.note_inputs(id, inputs);
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

    /// Keeps the settings of a nested resource, for a saved plan of this one. One of the same name may come twice.
    fn note_inputs(&self, id: &ResourceId, inputs: Map) {
        let mut noted = self.inputs.borrow_mut();
        for (property, value) in inputs {
            let name = format!("{id}.{property}");
            let value = if self.is_secret() { value.sensitive() } else { value };
            match noted.entry(name.into()) {
                Entry::Vacant(free) => _ = free.insert(value),
                Entry::Occupied(mut taken) => {
                    let all = Value::list([taken.get().clone(), value]);
                    taken.insert(all);
                }
            }
        }
    }

    /// Notes that work would be done that nothing but its function describes.
    fn note_inline(&self, id: &ResourceId) {
        let read = Value::text(self.answers.text());
        let read = if self.is_secret() { read.sensitive() } else { read };
        self.inputs.borrow_mut().insert(format!("what {id} has read").into(), read);
        self.note_run(said(id.to_string(), "run"));
    }

    fn note_change(&self, id: &ResourceId, change: Change) {
        self.note_inputs(id, change.inputs);
        let runs = change.kind == ChangeKind::Run;
        let note = |difference| if runs { self.note_run(difference) } else { self.note(difference) };
        if change.differences.is_empty() {
            let word = match change.kind {
                ChangeKind::Create => "create",
                ChangeKind::Update => "update",
                ChangeKind::Remove => "remove",
                ChangeKind::Run => "run",
            };
            note(said(id.to_string(), word));
        }
        for difference in change.differences {
            let property = format!("{id}.{}", difference.property).into();
            note(Difference { property, ..difference });
        }
    }
}

fn said(property: String, word: &str) -> Difference {
    Difference { property: property.into(), from: Side::Absent, to: Side::Value(Value::text(word)) }
}

pub(crate) fn triggered(id: ResourceId, action: Action) -> Statement {
    Statement::Trigger(Trigger { id, action, place: None, depends_on: Few::default(), when: None })
}

fn statements(declared: Declaration, action: Action) -> Vec<Statement> {
    let trigger = triggered(declared.id.clone(), action);
    vec![Statement::Declare(declared), trigger]
}
