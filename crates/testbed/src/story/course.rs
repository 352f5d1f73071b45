//! The story itself, as a test writes it.

use std::time::Duration;

use super::teller::Teller;
use crate::host::Host;

/// What has to happen to a configuration on a host; [`Story::tell`] makes it happen.
///
/// A plan must tell changes and touch nothing; apply must make them, and a second one nothing. After each drift a plan
/// must name the property and touch nothing, and apply must repair it; so must a watch, if asked. Then come other
/// configurations, those that are wrong, and the removal.
#[derive(Debug)]
#[must_use = "a story has to be told"]
pub struct Story<'host> {
    pub(super) host: &'host Host,
    pub(super) name: String,
    pub(super) configuration: String,
    pub(super) holds: Vec<String>,
    pub(super) drifts: Vec<Drift>,
    /// How long a watch may take for each repair, if there is one.
    pub(super) watch: Option<Duration>,
    pub(super) changes: Vec<(String, Option<String>)>,
    pub(super) wrong: Vec<(String, String)>,
    pub(super) removal: Option<(String, String)>,
}

/// Something that somebody does to the host by hand.
#[derive(Debug)]
pub(super) struct Drift {
    pub(super) shown_as: Shown,
    pub(super) shell: String,
}

/// How a plan has to tell a drift.
#[derive(Debug)]
pub(super) enum Shown {
    /// As a difference of this property.
    Property(String),
    /// As something that has to be made.
    Created,
    /// As something that has to run.
    Run,
}

impl<'host> Story<'host> {
    /// A story with a name, which is told with every failure.
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

    /// What is declared. The host must not be so yet.
    pub fn configuration(mut self, text: &str) -> Self {
        text.clone_into(&mut self.configuration);
        self
    }

    /// A text of the shell that succeeds whenever the host is as this configuration says: after it was applied, and
    /// after each repair.
    pub fn holds(mut self, shell: &str) -> Self {
        self.holds.push(shell.to_owned());
        self
    }

    /// A text of the shell that makes this property differ.
    pub fn drift(mut self, property: &str, shell: &str) -> Self {
        let shown_as = Shown::Property(property.to_owned());
        self.drifts.push(Drift { shown_as, shell: shell.to_owned() });
        self
    }

    /// A text of the shell after which something has to be made again.
    pub fn missing(mut self, shell: &str) -> Self {
        self.drifts.push(Drift { shown_as: Shown::Created, shell: shell.to_owned() });
        self
    }

    /// A text of the shell after which something has to run again, as a `task` does.
    pub fn undone(mut self, shell: &str) -> Self {
        self.drifts.push(Drift { shown_as: Shown::Run, shell: shell.to_owned() });
        self
    }

    /// Each drift is also repaired by a watch, within 10 seconds: it is a matter of milliseconds, but the machine has
    /// other things to do.
    pub fn watch(self) -> Self {
        self.watch_within(Duration::from_secs(10))
    }

    /// Each drift is also repaired by a watch within this span.
    pub fn watch_within(mut self, span: Duration) -> Self {
        self.watch = Some(span);
        self
    }

    /// Another configuration that changes something once; afterwards the one of before is applied again, unless another
    /// `change` follows.
    pub fn change(mut self, text: &str) -> Self {
        self.changes.push((text.to_owned(), None));
        self
    }

    /// The same, and then this text of the shell must succeed.
    pub fn change_to(mut self, text: &str, check: &str) -> Self {
        self.changes.push((text.to_owned(), Some(check.to_owned())));
        self
    }

    /// A configuration of which a plan says these words, fails with exit code 1, and touches nothing.
    pub fn wrong(mut self, text: &str, words: &str) -> Self {
        self.wrong.push((text.to_owned(), words.to_owned()));
        self
    }

    /// A configuration that removes it, and a text of the shell that succeeds when it is gone.
    pub fn removed_by(mut self, text: &str, check: &str) -> Self {
        self.removal = Some((text.to_owned(), check.to_owned()));
        self
    }

    /// Lets it happen.
    ///
    /// # Panics
    /// At the first thing that is not as it has to be, with the step, the command and what it said.
    #[track_caller]
    pub fn tell(self) {
        Teller::new(&self).tell();
    }
}
