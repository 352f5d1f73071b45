//! Resources that a script declares: each runs in a nested run.

use std::collections::btree_map::Entry;

use mlua::{Lua, MultiValue, Table};
use uphold_engine::{Change, ChangeKind, Mode, NestedRun, Verdict};
use uphold_model::{
    Action, Declaration, Difference, Map, ResourceId, SENSITIVE, Side, Statement, ThinVec, Trigger, Value,
};
use uphold_resource::{Act, Error, ErrorKind, Level, Result};

use super::parent_run::declaration;
use crate::frame::{Frame, argument};
use crate::interpreter::{DEPTH, TOO_DEEP};
use crate::parent_run::action;

impl Frame<'_> {
    pub(crate) fn call_nested(
        &self,
        lua: &Lua,
        op: &str,
        arguments: &MultiValue,
    ) -> mlua::Result<MultiValue> {
        let text = |at: usize| argument::<String>(lua, arguments, at);
        let bool = |value: bool| MultiValue::from_vec(vec![mlua::Value::Boolean(value)]);
        match op {
            "perform" | "would_change" => {
                let (kind, name) = (text(0)?, text(1)?);
                let table: Table = argument(lua, arguments, 2)?;
                let action = action(&text(3)?);
                let declared = self.declaration(&kind, &name, &table)?;
                let plan_only = op == "would_change";
                self.perform(declared, &action, plan_only).map(bool).map_err(|error| self.fail(error))
            }
            "parallel" | "fail_parallel" => self.call_parallel(lua, op, arguments),
            "note_inline" => {
                self.note_inline(&ResourceId::new("inline", text(0)?));
                Ok(MultiValue::new())
            }
            "note_trigger" => {
                self.note_run(note(ResourceId::new(text(0)?, text(1)?).to_string(), "run"));
                Ok(MultiValue::new())
            }
            "value" => self.value_of(lua, arguments),
            "read" => self.read_all(lua, arguments),
            _ => self.call_parent_run(lua, op, arguments),
        }
    }

    pub(crate) fn declaration(&self, kind: &str, name: &str, table: &Table) -> mlua::Result<Declaration> {
        let parent = self.parent_run().map_err(|error| self.fail(error))?;
        let mut declared = declaration(parent.kinds(), ResourceId::new(kind, name), table)?;
        declared.meta.sensitive |= self.is_secret();
        declared.attributes = self.guarded(declared.attributes.into()).into();
        Ok(declared)
    }

    pub(crate) fn nested_run<'h>(&'h self, host: &'h Act<'h>, plan_only: bool) -> Result<NestedRun<'h>> {
        let parent = self.parent_run()?;
        if parent.depth() > DEPTH {
            return Err(Error::new(ErrorKind::Rejected, TOO_DEEP));
        }
        let mode = if self.is_dry_run() || plan_only { Mode::Plan } else { Mode::Apply };
        Ok(NestedRun { kinds: parent.kinds(), host, mode, stop: parent.stop(), around: host.around() })
    }

    pub(crate) fn acting(&self) -> Result<&Act<'_>> {
        self.host("declaring a resource")
            .map_err(|_| Error::new(ErrorKind::Rejected, "resources can be declared only in actions"))
    }

    /// Runs one action of a resource. True if it changed something, or in a dry run, if it would.
    fn perform(&self, declared: Declaration, action: &Action, plan_only: bool) -> Result<bool> {
        let host = self.acting()?;
        let id = declared.id.clone();
        if plan_only {
            let overlay = host.overlay();
            let verdict = self.nested_run(&overlay.act(), true)?.run_one(declared, action)?;
            return Ok(matches!(verdict, Verdict::WouldChange(_) | Verdict::MayChange { .. }));
        }
        let nested = self.nested_run(host, false)?;
        if self.is_gathering() {
            self.gather(&nested, &declared, action)?;
        }
        let verdict = nested.run_one(declared, action)?;
        self.note_verdict(&id, verdict)
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

    /// Notes the changes of a nested resource. True if it changed something, or would.
    pub(crate) fn note_verdict(&self, id: &ResourceId, verdict: Verdict) -> Result<bool> {
        match verdict {
            Verdict::Unchanged | Verdict::NotWanted(_) | Verdict::PutBack(_) => Ok(false),
            Verdict::Ignored(failure) => {
                let causes = std::iter::once(&failure.message).chain(&failure.causes);
                let why = causes.map(String::as_str).collect::<Vec<_>>().join(": ");
                let text = format!("{id} failed, which is ignored: {why}");
                self.acting()?.report(Level::Warning, if self.is_secret() { SENSITIVE } else { &text });
                Ok(false)
            }
            Verdict::Changed(change)
            | Verdict::WouldChange(change)
            | Verdict::Differs(change)
            | Verdict::Paused(change, _) => {
                self.note_change(id, change);
                Ok(true)
            }
            Verdict::MayChange { waits_for, inputs, .. } => {
                self.note_inputs(id, inputs);
                self.note(note(id.to_string(), &format!("may change, after {waits_for}")));
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
            Verdict::Skipped(_) => Err(Error::failed(format!("{id} was skipped"))),
        }
    }

    /// Keeps the settings of a nested resource, for a saved plan of this one. The same resource can be declared twice.
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

    /// Notes that the function of an `inline` runs. Its changes are unknown, so a digest of what it can use is kept.
    fn note_inline(&self, id: &ResourceId) {
        let read = Value::text(self.read_digest.text());
        let read = if self.is_secret() { read.sensitive() } else { read };
        self.inputs.borrow_mut().insert(format!("digest of the values read by {id}").into(), read);
        self.note_run(note(id.to_string(), "run"));
    }

    fn note_change(&self, id: &ResourceId, change: Change) {
        self.note_inputs(id, change.inputs);
        let runs = change.kind == ChangeKind::Run;
        let add = |difference| if runs { self.note_run(difference) } else { self.note(difference) };
        if change.differences.is_empty() {
            let word = match change.kind {
                ChangeKind::Create => "create",
                ChangeKind::Update => "update",
                ChangeKind::Remove => "remove",
                ChangeKind::Run => "run",
            };
            add(note(id.to_string(), word));
        }
        for difference in change.differences {
            let property = format!("{id}.{}", difference.property).into();
            add(Difference { property, ..difference });
        }
    }
}

fn note(property: String, word: &str) -> Difference {
    Difference { property: property.into(), from: Side::Absent, to: Side::Value(Value::text(word)) }
}

pub(crate) fn trigger(id: ResourceId, action: Action) -> Statement {
    Statement::Trigger(Trigger { id, action, place: None, depends_on: ThinVec::default(), when: None })
}

fn statements(declared: Declaration, action: Action) -> Vec<Statement> {
    let trigger = trigger(declared.id.clone(), action);
    vec![Statement::Declare(declared), trigger]
}
