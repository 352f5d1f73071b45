//! A story as a test writes it.

use std::time::Duration;

use super::Runner;
use crate::host::Host;

/// The life of a configuration on a host; [`Story::run`] goes through it.
///
/// The first plan shows changes and writes nothing; apply makes them, and a second apply changes nothing. After each
/// drift, a plan names the property and writes nothing, and apply repairs it; with [`Story::watch`], a watch does, too.
/// Invalid configurations come first; changed configurations and the removal come last.
#[derive(Debug)]
#[must_use = "a story does nothing until `run`"]
pub struct Story<'host> {
    pub(super) host: &'host Host,
    pub(super) name: String,
    pub(super) configuration: String,
    pub(super) holds: Vec<String>,
    pub(super) drifts: Vec<Drift>,
    /// The longest time of each repair by a watch; `None` without a watch.
    pub(super) watch: Option<Duration>,
    pub(super) changes: Vec<(String, Option<String>)>,
    pub(super) wrong: Vec<(String, String)>,
    pub(super) removal: Option<(String, String)>,
}

/// A manual change of the host.
#[derive(Debug)]
pub(super) struct Drift {
    pub(super) shown_as: Shown,
    pub(super) shell: String,
}

/// How a plan must show a drift.
#[derive(Debug)]
pub(super) enum Shown {
    /// As a difference of this property.
    Property(String),
    /// As a creation.
    Created,
    /// As a run.
    Run,
}

impl<'host> Story<'host> {
    /// A story with a name, which every failure message has.
    pub fn of(host: &'host Host, name: &str) -> Self {
        Self {
            host,
            name: name.to_owned(),
            configuration: String::new(),
            holds: Vec::new(),
            drifts: Vec::new(),
            watch: None,
            changes: Vec::new(),
            wrong: Vec::new(),
            removal: None,
        }
    }

    /// The configuration. The host must still differ from it.
    pub fn configuration(mut self, text: &str) -> Self {
        text.clone_into(&mut self.configuration);
        self
    }

    /// A shell script that must succeed after the apply, and after each repair.
    pub fn holds(mut self, shell: &str) -> Self {
        self.holds.push(shell.to_owned());
        self
    }

    /// A shell script that makes this property differ.
    pub fn drift(mut self, property: &str, shell: &str) -> Self {
        let shown_as = Shown::Property(property.to_owned());
        self.drifts.push(Drift { shown_as, shell: shell.to_owned() });
        self
    }

    /// A shell script after which the resource must be created again.
    pub fn missing(mut self, shell: &str) -> Self {
        self.drifts.push(Drift { shown_as: Shown::Created, shell: shell.to_owned() });
        self
    }

    /// A shell script after which the resource must run again, as a `task` does.
    pub fn undone(mut self, shell: &str) -> Self {
        self.drifts.push(Drift { shown_as: Shown::Run, shell: shell.to_owned() });
        self
    }

    /// Has a watch repair each drift, too, within 10 seconds: milliseconds suffice unless the machine is busy.
    pub fn watch(self) -> Self {
        self.watch_within(Duration::from_secs(10))
    }

    /// Has a watch repair each drift, too, within this time.
    pub fn watch_within(mut self, span: Duration) -> Self {
        self.watch = Some(span);
        self
    }

    /// A changed configuration, which is planned and applied like the first one.
    pub fn change(mut self, text: &str) -> Self {
        self.changes.push((text.to_owned(), None));
        self
    }

    /// A changed configuration, after which this shell script must succeed.
    pub fn change_to(mut self, text: &str, check: &str) -> Self {
        self.changes.push((text.to_owned(), Some(check.to_owned())));
        self
    }

    /// An invalid configuration: a plan must fail with exit code 1 and a message with these words, and write nothing.
    pub fn wrong(mut self, text: &str, words: &str) -> Self {
        self.wrong.push((text.to_owned(), words.to_owned()));
        self
    }

    /// A configuration that removes the resource, and a shell script that must succeed afterwards.
    pub fn removed_by(mut self, text: &str, check: &str) -> Self {
        self.removal = Some((text.to_owned(), check.to_owned()));
        self
    }

    /// Goes through the story.
    ///
    /// # Panics
    /// At the first step that fails; the message has the step, the command and its output.
    #[track_caller]
    pub fn run(self) {
        Runner::new(&self).run();
    }
}
