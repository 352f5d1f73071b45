//! Resources side by side.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use mlua::{Lua, MultiValue, Table};
use uphold_model::{Action, Attribute, Declaration, Moment, ResourceId, Statement};
use uphold_resource::{Around, NestedNotification, Registry, Result, Stop};

use crate::frame::{Frame, argument};
use crate::inner::triggered;
use crate::surroundings::action;

/// A notification of an action.
type Notice = (ResourceId, Action, Moment);

/// The parent run of resources that run in other threads: there, nothing of this body can be seen. Their notifications
/// are delivered when all of them are over.
struct Crowd<'a> {
    around: &'a dyn Around,
    tries: bool,
    notices: Mutex<Vec<Notice>>,
}

impl Around for Crowd<'_> {
    fn kinds(&self) -> &Registry {
        self.around.kinds()
    }

    fn stop(&self) -> &Stop {
        self.around.stop()
    }

    fn depth(&self) -> usize {
        self.around.depth()
    }

    fn find(&self, id: &ResourceId) -> Option<Declaration> {
        self.around.find(id)
    }

    fn edit(&self, id: &ResourceId, attributes: Vec<Attribute>) -> Result<bool> {
        self.around.edit(id, attributes)
    }

    fn notify(&self, sent: &NestedNotification<'_>) -> Result<bool> {
        if sent.counts && sent.tries == self.tries {
            let notice = (sent.id.clone(), sent.action.clone(), sent.moment);
            self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(notice);
        }
        Ok(true)
    }
}

impl Frame<'_> {
    pub(crate) fn answer_parallel(
        &self,
        lua: &Lua,
        op: &str,
        arguments: &MultiValue,
    ) -> mlua::Result<MultiValue> {
        match (op, self.refused.take()) {
            ("refuse", Some(error)) => Err(self.fail(error)),
            _ => self.parallel(lua, arguments),
        }
    }

    /// Runs resources side by side: for each, whether it changed, or would; their notifications; whether one has failed,
    /// which is told by `refuse`.
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
        let notices = lua.create_table()?;
        for (id, action, moment) in sent {
            let notice = lua.create_table()?;
            notice.set("kind", &*id.kind)?;
            notice.set("name", &*id.name)?;
            notice.set("action", action.word())?;
            notice.set("moment", moment.word())?;
            notices.push(notice)?;
        }
        lua.pack_multi((lua.create_sequence_from(changed)?, notices, self.refused.borrow().is_some()))
    }

    fn run_parallel(&self, all: Vec<(Declaration, Action)>, jobs: usize) -> Result<(Vec<bool>, Vec<Notice>)> {
        let crowd = Crowd { around: self.around()?, tries: self.tries(), notices: Mutex::default() };
        let nested = self.nested_run(self.acting()?, false)?;
        let nested = uphold_engine::NestedRun { around: Some(&crowd), ..nested };
        let mut seen = HashSet::new();
        let mut places = HashMap::new();
        let mut statements = Vec::new();
        let mut changed = vec![false; all.len()];
        for (at, (declared, action)) in all.into_iter().enumerate() {
            if self.is_gathering() {
                self.gather(&nested, &declared, &action)?;
            }
            let id = declared.id.clone();
            places.insert((id.clone(), action.clone()), at);
            statements.extend(seen.insert(id.clone()).then_some(Statement::Declare(declared)));
            statements.push(triggered(id, action));
        }
        for inner in nested.run_on(statements, jobs)? {
            let at = places.get(&(inner.id.clone(), inner.action)).copied();
            match self.take(&inner.id, inner.verdict) {
                Ok(is_changed) => at.into_iter().for_each(|at| changed[at] = is_changed),
                Err(error) => _ = self.refused.borrow_mut().get_or_insert(error),
            }
        }
        Ok((changed, crowd.notices.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }
}
