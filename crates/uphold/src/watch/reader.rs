//! The events of a watch, and its reader.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use uphold_engine::{Control, Event, EventKind, Program, Verdict};
use uphold_model::{Diagnostics, LineIndexes, Mutex, Sources};
use uphold_resource::Error;

use crate::configuration::Checked;
use crate::input_log::Input;
use crate::journal::Removals;

/// Receives the events of a watch, in order. A slow reader slows the watch down.
pub trait WatchReader: Send {
    /// The configuration is about to be reloaded.
    fn reading(&mut self, occasion: &ReloadTrigger);

    /// It was read and checked. With errors, the previous configuration stays in force; at the start there is none, and
    /// the watch ends. Without errors it comes into force with [`EventKind::Swapped`], unless another one comes first.
    fn checked(&mut self, occasion: &ReloadTrigger, diagnostics: &Diagnostics, sources: &Sources);

    /// It could not be read; the previous configuration stays in force.
    fn unreadable(&mut self, occasion: &ReloadTrigger, error: &Error);

    /// The inputs of the configuration cannot be watched, and are polled.
    fn blind(&mut self, because: &str);

    /// An event of the engine, with the configuration in force.
    fn event(&mut self, event: &Event, held: &Generation);
}

/// A valid configuration: its program and its line index. The texts are not kept, because they may be large.
#[derive(Clone)]
pub struct Generation {
    /// Its number: 0 for the first, then as in [`EventKind::Swapped`].
    pub number: u64,
    /// Its program.
    pub program: Arc<Program>,
    /// The lines and columns of its source texts.
    pub outlines: Arc<LineIndexes>,
    /// The resources that are no longer declared, and what is done with them once.
    pub removals: Arc<Removals>,
}

impl Generation {
    pub(super) fn new(checked: Checked) -> Self {
        let Checked { program, removals, sources, .. } = checked;
        Self { number: 0, outlines: Arc::new(LineIndexes::of(&sources)), program, removals }
    }
}

/// The reason for reading the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReloadTrigger {
    /// The watch starts.
    Start,
    /// An input changed: its name.
    Changed(String),
    /// A polled input changed, such as a fact or the time: its name.
    Live(String),
    /// A user requested it.
    Asked,
    /// Resources that are no longer declared were removed: from now on, they are of no concern.
    Removed,
    /// A pause ended that held removals back.
    Resumed,
}

impl ReloadTrigger {
    pub(super) fn changed(input: &Input) -> Self {
        ReloadTrigger::Changed(input_name(input))
    }

    pub(super) fn live(input: &Input) -> Self {
        ReloadTrigger::Live(input_name(input))
    }

    /// Whether a user caused it, and waits for the result.
    pub fn is_user_request(&self) -> bool {
        !matches!(self, ReloadTrigger::Live(_) | ReloadTrigger::Removed | ReloadTrigger::Resumed)
    }
}

/// The name of an input, for people.
pub(super) fn input_name(input: &Input) -> String {
    match input {
        Input::File(path) | Input::Names(path) | Input::Texts(path) | Input::Kinds(path) => {
            path.display().to_string()
        }
        Input::Text(name) | Input::Variable(name) => name.clone(),
        Input::Fact(name) => format!("host.{name}"),
        Input::Clock => "the time".to_owned(),
    }
}

/// For people, after "because".
impl fmt::Display for ReloadTrigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReloadTrigger::Start => f.write_str("the watch starts"),
            ReloadTrigger::Changed(what) | ReloadTrigger::Live(what) => write!(f, "{what} changed"),
            ReloadTrigger::Asked => f.write_str("a reload was requested"),
            ReloadTrigger::Removed => f.write_str("resources were removed"),
            ReloadTrigger::Resumed => f.write_str("a pause ended"),
        }
    }
}

/// The reader and the configuration in force, shared by the engine and the reading thread. A panic of the reader ends the
/// watch; until then the engine may go on.
pub(super) struct Stage<'a>(Mutex<Inner<'a>>);

struct Inner<'a> {
    reader: &'a mut dyn WatchReader,
    held: Generation,
    /// Configurations that the engine has not put into force yet.
    next: BTreeMap<u64, Generation>,
    /// When the first pause ends that holds a removal of the configuration in force back.
    held_back_until: Option<SystemTime>,
}

/// The removals of a configuration are over.
pub(super) struct RemovalsEnded {
    /// When those can be made that a pause, or a closed maintenance window, held back.
    pub(super) held_back_until: Option<SystemTime>,
}

impl<'a> Stage<'a> {
    pub(super) fn new(reader: &'a mut dyn WatchReader, held: Generation) -> Self {
        Self(Mutex::new(Inner { reader, held, next: BTreeMap::new(), held_back_until: None }))
    }

    /// Passes on an event of the engine. Returns the end of the removals of the configuration in force.
    pub(super) fn event(&self, event: &Event) -> Option<RemovalsEnded> {
        let mut inner = self.0.lock();
        if let EventKind::Swapped { generation, .. } = event.kind {
            inner.enter(generation);
        }
        let Inner { reader, held, held_back_until, .. } = &mut *inner;
        reader.event(event, held);
        match &event.kind {
            EventKind::Finished { resource, verdict: Verdict::Paused(_, pause), .. }
                if held.removals.removes(resource) =>
            {
                *held_back_until = (*held_back_until).into_iter().chain([pause.until]).min();
                None
            }
            EventKind::Watching { .. } if held.removals.has_changes() => {
                Some(RemovalsEnded { held_back_until: held_back_until.take() })
            }
            _ => None,
        }
    }

    /// Passes on an event of the configuration.
    pub(super) fn report(&self, report: impl FnOnce(&mut dyn WatchReader)) {
        report(self.0.lock().reader);
    }

    /// Replaces the configuration. It holds the lock, because the engine may send an event before its number is known.
    pub(super) fn swap(&self, control: &Control, generation: Generation) {
        let mut inner = self.0.lock();
        let number = control.swap(generation.program.clone());
        inner.next.insert(number, Generation { number, ..generation });
    }
}

impl Inner<'_> {
    /// Puts a configuration into force, and drops older ones.
    fn enter(&mut self, number: u64) {
        let later = self.next.split_off(&(number + 1));
        if let Some(generation) = std::mem::replace(&mut self.next, later).remove(&number) {
            self.held = generation;
            self.held_back_until = None;
        }
    }
}
