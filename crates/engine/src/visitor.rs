//! The machine as one visit sees it: the host, plus what the engine knows about this resource.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use uphold_model::{Difference, SENSITIVE};
use uphold_resource::{Accounts, Clock, Commands, Facts, FileEdits, Files, Host, Level, Observe, Probes};

use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::program::Program;
use crate::visit::Visits;

/// Passes everything on to the host, and collects what is said.
pub(crate) struct Visitor<'a> {
    host: &'a dyn Host,
    program: &'a Program,
    node: NodeIndex,
    messages: Mutex<Vec<(Level, String)>>,
    /// The resource is sensitive, or stands on a path that holds a secret.
    hides_all: bool,
    /// The resource is sensitive, or computed from a secret: what it says is not passed on.
    secret: AtomicBool,
}

impl<'a> Visitor<'a> {
    /// `inherits` says that something at a path it stands on holds a secret.
    pub(crate) fn new(visits: &Visits<'a>, node: NodeIndex, inherits: bool) -> Self {
        let program = visits.program;
        let declaration = &program.set.entry(program.list.get(node as usize).resource).declaration;
        let hides_all = declaration.meta.sensitive || inherits;
        let secret = AtomicBool::new(hides_all);
        Self { host: visits.host, program, node, messages: Mutex::default(), hides_all, secret }
    }

    /// Whether every value of the resource is hidden.
    pub(crate) fn hides_all(&self) -> bool {
        self.hides_all
    }

    /// Whether a secret is involved at all.
    pub(crate) fn is_secret(&self) -> bool {
        self.secret.load(Ordering::Relaxed)
    }

    /// From now on, nothing of what is said or found in an error is passed on.
    pub(crate) fn keep_secret(&self) {
        self.secret.store(true, Ordering::Relaxed);
    }

    /// The failure of a secret resource tells its sort and nothing else: any word may hold a value.
    pub(crate) fn guard(&self, failure: Failure) -> Failure {
        if !self.is_secret() {
            return failure;
        }
        let differences = failure.differences.into_iter().map(Difference::sensitive).collect();
        let message =
            format!("{}; what exactly is hidden, because a secret is involved", failure.kind.words());
        Failure { differences, ..Failure::new(failure.kind, message) }
    }

    pub(crate) fn into_messages(self) -> Vec<(Level, String)> {
        self.messages.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observe for Visitor<'_> {
    fn files(&self) -> &dyn Files {
        self.host.files()
    }

    fn probes(&self) -> &dyn Probes {
        self.host.probes()
    }

    fn accounts(&self) -> &dyn Accounts {
        self.host.accounts()
    }

    fn clock(&self) -> &dyn Clock {
        self.host.clock()
    }

    fn facts(&self) -> &dyn Facts {
        self.host.facts()
    }

    fn say(&self, level: Level, text: &str) {
        let text = if self.is_secret() { SENSITIVE } else { text };
        self.messages.lock().unwrap_or_else(PoisonError::into_inner).push((level, text.to_owned()));
    }

    fn needs(&self, property: &str) -> bool {
        let readers = &self.program.nodes[self.node as usize].read_by_others;
        readers.iter().any(|name| **name == *property)
    }

    fn provides(&self, path: &Path) -> bool {
        self.program.managed().provides(path)
    }

    fn manages(&self, path: &Path) -> bool {
        self.program.managed().contains(path)
    }
}

impl Host for Visitor<'_> {
    fn edits(&self) -> &dyn FileEdits {
        self.host.edits()
    }

    fn commands(&self) -> &dyn Commands {
        self.host.commands()
    }
}
