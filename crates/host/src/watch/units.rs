//! Watching units of systemd, through one connection that hears of these units only.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use uphold_resource::{Error, ErrorKind, Interest, Result, Stop, Token};

use super::gate::{Gate, Source};
use super::numbers::Numbers;
use super::tidings::Tidings;
use crate::bus::{Body, Connection, Message, Patience, Trouble};
use crate::root::Root;
use crate::units::{MANAGER_PATH, Systemd, manager, unit_path};

/// The bus answers at once. Whoever arms holds everybody up.
const ANSWER: Duration = Duration::from_secs(5);

/// What systemd says when units are enabled, disabled, masked or unmasked. It does not say which.
const FILES_CHANGED: &str = "UnitFilesChanged";

/// Who is interested in which unit. There is a connection as long as anybody is.
#[derive(Default)]
pub(super) struct WatchedUnits {
    connection: Option<Connection>,
    interested: HashMap<Arc<str>, Numbers>,
    /// The units that the connection hears of, by their objects.
    heard: HashMap<String, Arc<str>>,
    /// Something came while we waited for an answer, and was not told yet.
    due: Option<Instant>,
}

impl WatchedUnits {
    /// Watches the unit `name` for `token`.
    ///
    /// # Errors
    /// If systemd does not run this machine, or does not answer.
    pub(super) fn add(&mut self, token: Token, name: &Arc<str>, root: &Root, gate: &Gate) -> Result<()> {
        let fail =
            |why: &str| Error::new(ErrorKind::Unsupported, format!("cannot watch the unit {name}: {why}"));
        if !Systemd::is_in_charge(root) {
            return Err(fail("systemd does not run here"));
        }
        self.interested.entry(name.clone()).or_default().insert(token);
        let listened = self.connect(gate).and_then(|()| self.listen_to(name));
        self.note_leftovers();
        listened.map_err(|trouble| {
            if matches!(trouble, Trouble::Lost(_)) {
                self.disconnect();
            }
            fail("systemd cannot be listened to").because(trouble)
        })
    }

    /// Watches the unit no more.
    pub(super) fn remove(&mut self, token: Token, name: &Arc<str>) {
        let Some(tokens) = self.interested.get_mut(name) else { return };
        tokens.remove(token);
        if !tokens.is_empty() {
            return;
        }
        self.interested.remove(name);
        if self.interested.is_empty() {
            *self = Self::default();
        } else if self.heard.remove(&unit_path(name)).is_some() {
            // If it is not heard, there are signals that concern nobody.
            let _ = self.ask_bus("RemoveMatch", &changes_of(name));
            self.note_leftovers();
        }
    }

    /// When there is something to tell that the gate does not know of.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Takes in what systemd told.
    pub(super) fn drain(&mut self, tidings: &mut Tidings) {
        self.due = None;
        let Some(mut connection) = self.connection.take() else { return };
        match connection.drain(|signal| self.tell(signal, tidings)) {
            Ok(()) => self.connection = Some(connection),
            Err(trouble) => {
                self.disconnect();
                let because = format!("units cannot be watched any more: {trouble}");
                for token in self.interested.values().flat_map(Numbers::iter) {
                    tidings.blind(token, &because);
                }
            }
        }
    }

    fn tell(&self, signal: &Message, tidings: &mut Tidings) {
        if signal.path == MANAGER_PATH && signal.member == FILES_CHANGED {
            self.interested.keys().for_each(|name| self.tell_of(name, tidings));
        } else if let Some(name) = self.heard.get(&signal.path) {
            self.tell_of(name, tidings);
        }
    }

    fn tell_of(&self, name: &Arc<str>, tidings: &mut Tidings) {
        for token in self.interested.get(name).into_iter().flat_map(Numbers::iter) {
            tidings.changed(token, || Interest::Unit(name.clone()));
        }
    }

    /// Connects, unless that was done.
    fn connect(&mut self, gate: &Gate) -> Result<(), Trouble> {
        if self.connection.is_some() {
            return Ok(());
        }
        let stop = Stop::default();
        let patience = Patience::of(ANSWER, &stop);
        let mut connection = Connection::open(patience)?;
        connection.call(&manager("Subscribe", Body::default()), patience)?;
        gate.add(&connection, Source::Units).map_err(std::io::Error::other)?;
        self.connection = Some(connection);
        let files = format!("type='signal',path='{MANAGER_PATH}',member='{FILES_CHANGED}'");
        self.ask_bus("AddMatch", &files)?;
        let others: Vec<Arc<str>> = self.interested.keys().cloned().collect();
        others.iter().try_for_each(|name| self.listen_to(name))
    }

    fn listen_to(&mut self, name: &Arc<str>) -> Result<(), Trouble> {
        let path = unit_path(name);
        if !self.heard.contains_key(&path) {
            self.ask_bus("AddMatch", &changes_of(name))?;
            self.heard.insert(path, name.clone());
        }
        Ok(())
    }

    /// Without a bus systemd tells everything, and asks nobody.
    fn ask_bus(&mut self, method: &str, rule: &str) -> Result<(), Trouble> {
        let stop = Stop::default();
        match &mut self.connection {
            Some(connection) if connection.has_bus => {
                let body = Body::default().text(rule);
                connection.call_bus(method, body, Patience::of(ANSWER, &stop)).map(drop)
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
        self.heard.clear();
        self.due = None;
    }
}

/// What is told when the state of a unit changes.
fn changes_of(name: &str) -> String {
    format!("type='signal',path='{}',member='PropertiesChanged'", unit_path(name))
}
