//! Resources that run in parallel.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use mlua::{Lua, MultiValue, Table};
use uphold_model::{Action, Attribute, Declaration, Moment, ResourceId, Statement};
use uphold_resource::{Around, NestedNotification, Registry, Result, Stop};

use crate::frame::{Frame, argument};
use crate::nested_resources::trigger;
use crate::parent_run::action;

/// A notification of an action.
type Notification = (ResourceId, Action, Moment);

/// The parent run of resources that run in other threads, which cannot reach this body. It collects their
/// notifications, which are delivered when all of them have finished.
struct ParallelParent<'a> {
    parent: &'a dyn Around,
    is_dry_run: bool,
    notifications: Mutex<Vec<Notification>>,
}

impl Around for ParallelParent<'_> {
    fn kinds(&self) -> &Registry {
        self.parent.kinds()
    }

    fn stop(&self) -> &Stop {
        self.parent.stop()
    }

    fn depth(&self) -> usize {
        self.parent.depth()
    }

    fn find(&self, id: &ResourceId) -> Option<Declaration> {
        self.parent.find(id)
    }

    fn nearest(&self, id: &ResourceId) -> Option<String> {
        self.parent.nearest(id)
    }

    fn edit(&self, id: &ResourceId, attributes: Vec<Attribute>) -> Result<bool> {
        self.parent.edit(id, attributes)
    }

    fn notify(&self, sent: &NestedNotification<'_>) -> Result<bool> {
        if sent.counts && sent.tries == self.is_dry_run {
            let notification = (sent.id.clone(), sent.action.clone(), sent.moment);
            self.notifications.lock().unwrap_or_else(PoisonError::into_inner).push(notification);
        }
        Ok(true)
    }
}

impl Frame<'_> {
    pub(crate) fn call_parallel(
        &self,
        lua: &Lua,
        op: &str,
        arguments: &MultiValue,
    ) -> mlua::Result<MultiValue> {
        match (op, self.parallel_failure.take()) {
            ("fail_parallel", Some(error)) => Err(self.fail(error)),
            _ => self.parallel(lua, arguments),
        }
    }

    /// Runs resources in parallel. The results: for each, whether it changed, or would; their notifications; whether one
    /// has failed, in which case `fail_parallel` raises the error.
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
        let (changed, sent) = self.run_parallel(all, jobs).map_err(|error| self.fail(error))?;
        let notifications = lua.create_table()?;
        for (id, action, timing) in sent {
            let notification = lua.create_table()?;
            notification.set("kind", &*id.kind)?;
            notification.set("name", &*id.name)?;
            notification.set("action", action.word())?;
            notification.set("timing", timing.word())?;
            notifications.push(notification)?;
        }
        let has_failed = self.parallel_failure.borrow().is_some();
        lua.pack_multi((lua.create_sequence_from(changed)?, notifications, has_failed))
    }

    fn run_parallel(
        &self,
        all: Vec<(Declaration, Action)>,
        jobs: usize,
    ) -> Result<(Vec<bool>, Vec<Notification>)> {
        let parent = ParallelParent {
            parent: self.parent_run()?,
            is_dry_run: self.is_dry_run(),
            notifications: Mutex::default(),
        };
        let nested = self.nested_run(self.acting()?, false)?;
        let nested = uphold_engine::NestedRun { around: Some(&parent), ..nested };
        let mut seen = HashSet::new();
        let mut indexes = HashMap::new();
        let mut statements = Vec::new();
        let mut changed = vec![false; all.len()];
        for (at, (declared, action)) in all.into_iter().enumerate() {
            if self.is_gathering() {
                self.gather(&nested, &declared, &action)?;
            }
            let id = declared.id.clone();
            indexes.insert((id.clone(), action.clone()), at);
            statements.extend(seen.insert(id.clone()).then_some(Statement::Declare(declared)));
            statements.push(trigger(id, action));
        }
        for inner in nested.run_on(statements, jobs)? {
            let at = indexes.get(&(inner.id.clone(), inner.action)).copied();
            match self.note_verdict(&inner.id, inner.verdict) {
                Ok(is_changed) => {
                    if let Some(at) = at {
                        changed[at] = is_changed;
                    }
                }
                Err(error) => _ = self.parallel_failure.borrow_mut().get_or_insert(error),
            }
        }
        Ok((changed, parent.notifications.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }
}
