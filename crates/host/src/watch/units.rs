//! Watches on systemd units, through one connection that is subscribed to these units only.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use uphold_resource::{Error, ErrorKind, Interest, Result, Stop, Token};

use super::change_batch::ChangeBatch;
use super::epoll::{Epoll, Source};
use super::small_set::SmallSet;
use crate::bus::{Body, CallError, Connection, Deadline, Message};
use crate::root::Root;
use crate::units::{MANAGER_PATH, Systemd, manager, unit_path};

/// Timeout of the bus, which answers immediately. Arming blocks all other users of the watcher.
const ANSWER: Duration = Duration::from_secs(5);

/// The signal of systemd when units are enabled, disabled, masked or unmasked. It does not name them.
const FILES_CHANGED: &str = "UnitFilesChanged";

/// The watched units with their tokens. The connection is open while there are any.
#[derive(Default)]
pub(super) struct WatchedUnits {
    connection: Option<Connection>,
    interested: HashMap<Arc<str>, SmallSet>,
    /// The subscribed units by their objects.
    subscriptions: HashMap<String, Arc<str>>,
    /// Set if signals arrived during a call and were not processed yet.
    due: Option<Instant>,
}

impl WatchedUnits {
    /// Watches the unit `name` for `token`.
    ///
    /// # Errors
    /// If systemd does not run, or does not answer.
    pub(super) fn add(&mut self, token: Token, name: &Arc<str>, root: &Root, epoll: &Epoll) -> Result<()> {
        let fail =
            |why: &str| Error::new(ErrorKind::Unsupported, format!("cannot watch the unit {name}: {why}"));
        if !Systemd::is_in_charge(root) {
            return Err(fail("systemd does not run here"));
        }
        self.interested.entry(name.clone()).or_default().insert(token);
        let subscribed = self.connect(epoll).and_then(|()| self.subscribe(name));
        self.note_leftovers();
        subscribed.map_err(|error| {
            if matches!(error, CallError::Lost(_)) {
                self.disconnect();
            }
            fail("cannot subscribe to its signals").because(error)
        })
    }

    /// Stops watching the unit `name` for `token`.
    pub(super) fn remove(&mut self, token: Token, name: &Arc<str>) {
        let Some(tokens) = self.interested.get_mut(name) else { return };
        tokens.remove(token);
        if !tokens.is_empty() {
            return;
        }
        self.interested.remove(name);
        if self.interested.is_empty() {
            *self = Self::default();
        } else if self.subscriptions.remove(&unit_path(name)).is_some() {
            // If it fails, signals arrive that concern no token.
            let _ = self.change_match("RemoveMatch", &changes_of(name));
            self.note_leftovers();
        }
    }

    /// The time of the next processing that the epoll does not report.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Processes the signals of systemd.
    pub(super) fn drain(&mut self, batch: &mut ChangeBatch) {
        self.due = None;
        let Some(mut connection) = self.connection.take() else { return };
        match connection.drain(|signal| self.report(signal, batch)) {
            Ok(()) => self.connection = Some(connection),
            Err(error) => {
                self.disconnect();
                let because = format!("units cannot be watched any more: {error}");
                for token in self.interested.values().flat_map(SmallSet::iter) {
                    batch.blind(token, &because);
                }
            }
        }
    }

    fn report(&self, signal: &Message, batch: &mut ChangeBatch) {
        if signal.path == MANAGER_PATH && signal.member == FILES_CHANGED {
            self.interested.keys().for_each(|name| self.report_unit(name, batch));
        } else if let Some(name) = self.subscriptions.get(&signal.path) {
            self.report_unit(name, batch);
        }
    }

    fn report_unit(&self, name: &Arc<str>, batch: &mut ChangeBatch) {
        for token in self.interested.get(name).into_iter().flat_map(SmallSet::iter) {
            batch.changed(token, || Interest::Unit(name.clone()));
        }
    }

    /// Connects, if there is no connection.
    fn connect(&mut self, epoll: &Epoll) -> Result<(), CallError> {
        if self.connection.is_some() {
            return Ok(());
        }
        let stop = Stop::default();
        let deadline = Deadline::of(ANSWER, &stop);
        let mut connection = Connection::open(deadline)?;
        connection.call(&manager("Subscribe", Body::default()), deadline)?;
        epoll.add(&connection, Source::Units).map_err(std::io::Error::other)?;
        self.connection = Some(connection);
        let files = format!("type='signal',path='{MANAGER_PATH}',member='{FILES_CHANGED}'");
        self.change_match("AddMatch", &files)?;
        let others: Vec<Arc<str>> = self.interested.keys().cloned().collect();
        others.iter().try_for_each(|name| self.subscribe(name))
    }

    fn subscribe(&mut self, name: &Arc<str>) -> Result<(), CallError> {
        let path = unit_path(name);
        if !self.subscriptions.contains_key(&path) {
            self.change_match("AddMatch", &changes_of(name))?;
            self.subscriptions.insert(path, name.clone());
        }
        Ok(())
    }

    /// Changes a subscription. Without a bus, systemd sends all signals, and there is none.
    fn change_match(&mut self, method: &str, rule: &str) -> Result<(), CallError> {
        let stop = Stop::default();
        match &mut self.connection {
            Some(connection) if connection.has_bus => {
                let body = Body::default().text(rule);
                connection.call_bus(method, body, Deadline::of(ANSWER, &stop)).map(drop)
            }
            _ => Ok(()),
        }
    }

    fn note_leftovers(&mut self) {
        if self.connection.as_ref().is_some_and(Connection::has_leftovers) {
            self.due = Some(Instant::now());
        }
    }

    fn disconnect(&mut self) {
        self.connection = None;
        self.subscriptions.clear();
        self.due = None;
    }
}

/// The match rule for changes of a unit's state.
fn changes_of(name: &str) -> String {
    format!("type='signal',path='{}',member='PropertiesChanged'", unit_path(name))
}
