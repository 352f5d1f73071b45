//! The function `batch` of a script: it changes many resources at once.

use mlua::{Function, Table};
use uphold_model::{Map, Value};
use uphold_resource::{Act, BatchItem, Desired, Error, Result};

use super::value::mark_object;
use crate::frame::{Frame, MachineAccess};
use crate::interpreter::Interpreter;
use crate::kind::ScriptedKind;

impl ScriptedKind {
    /// Calls `batch` with all resources. An error of the script is the error of each of them.
    pub(crate) fn run_batch(&self, items: &[BatchItem<'_>], host: &Act<'_>) -> Vec<Result<()>> {
        let Some(first) = items.first() else { return Vec::new() };
        let frame = Frame::new(self, first.wishes, MachineAccess::Apply(host));
        let done = self.run(|interpreter, loaded| {
            let Some(work) = loaded.function("batch")? else { return Ok(()) };
            let resources = interpreter.lua.create_table()?;
            for item in items {
                resources.push(self.batch_resource(&frame, interpreter, item, host)?)?;
            }
            frame.run_batch(interpreter, &work, &resources)
        });
        let Err(error) = done else { return items.iter().map(|_| Ok(())).collect() };
        let error = frame.explain(&error);
        items.iter().map(|_| Err(copy(&error))).collect()
    }

    /// The table of one resource: its properties as in an action, `current` and `action`.
    fn batch_resource(
        &self,
        batch: &Frame<'_>,
        interpreter: &Interpreter,
        item: &BatchItem<'_>,
        host: &Act<'_>,
    ) -> mlua::Result<Table> {
        let frame = Frame::new(self, item.wishes, MachineAccess::Apply(host)).with_current(item.current);
        let values = frame.goals(interpreter);
        if frame.is_secret() {
            batch.tainted.set(true);
            batch.opened.borrow_mut().extend(frame.opened.take());
        }
        let values = values.inspect_err(|_| _ = batch.failed.replace(frame.failed.take()))?;
        if let Some(current) = item.current {
            values.raw_set("current", current_table(&frame, interpreter, current)?)?;
        }
        let action = match item.desired {
            Desired::Present => self.default_action(),
            Desired::Absent => Some(self.removal()),
        };
        values.raw_set("action", action)?;
        Ok(values)
    }
}

fn current_table(frame: &Frame<'_>, interpreter: &Interpreter, current: &Map) -> mlua::Result<Table> {
    let table = interpreter.lua.create_table()?;
    for (name, value) in current.iter().filter(|(_, value)| **value != Value::Null) {
        table.raw_set(&**name, frame.reveal(&interpreter.lua, name, value)?)?;
    }
    mark_object(&interpreter.lua, &table)?;
    Ok(table)
}

impl Frame<'_> {
    /// The values of all properties, as an action sees them.
    fn goals(&self, interpreter: &Interpreter) -> mlua::Result<Table> {
        self.call(interpreter, &interpreter.prelude().goals)
    }

    fn run_batch(&self, interpreter: &Interpreter, work: &Function, resources: &Table) -> mlua::Result<()> {
        self.run_body_with(interpreter, &interpreter.prelude().run_batch, (work, resources))
    }
}

/// The same error for another resource.
fn copy(error: &Error) -> Error {
    let copy = Error::new(error.kind(), error.chain());
    match error.advice() {
        Some(hint) => copy.hint(hint.to_owned()),
        None => copy,
    }
}
