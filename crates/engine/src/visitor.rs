//! One visit: its view of the run, and the messages, notifications and writes that it leaves behind.

mod edits;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use uphold_model::{Map, Mutex, SENSITIVE, Value};
use uphold_resource::{
    Act, Around, Command, Instance, Kind, Level, Result, RunView, StagedFile, VisitLimits, exposed_argument,
    is_argument,
};

use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::program::list::ActionEntry;
use crate::program::managed::Paths;
use crate::program::real_names::RealNames;
use crate::program::secret_paths::needed;
use crate::program::set::ResourceIndex;
use crate::program::{Node, Program};
use crate::visit::overwritten::NotedWrites;
use crate::visit::parent_run::{NestedRequest, Notifier};
use crate::visit::{Outcome, PassedOn, VisitInputs, Visited, Visits};
use crate::watch::Reports;

/// The run as one visit sees it. Collects messages, notifications and writes.
pub(crate) struct Visitor<'a> {
    pub(crate) visits: &'a Visits<'a>,
    /// The machine; in a nested run, as the visit of the parent run sees it.
    host: Act<'a>,
    pub(crate) limits: VisitLimits<'a>,
    pub(crate) writes: NotedWrites<'a>,
    /// The files that it has written and that are put in place with those of other visits; none if it writes at once.
    staged: Option<Mutex<Vec<(PathBuf, StagedFile)>>>,
    pub(crate) program: &'a Program,
    pub(crate) node: NodeIndex,
    /// The facts about earlier nodes.
    pub(crate) before: &'a VisitInputs,
    /// In a plan, notifications that its nested resources would send.
    requests: Mutex<Vec<NestedRequest>>,
    /// In an apply, notifications that its nested resources are expected to send.
    foreseen: Mutex<Vec<NestedRequest>>,
    /// Whether it began to change the machine.
    has_begun: AtomicBool,
    /// The nodes whose changes were put back, because this verification failed.
    pub(crate) members_put_back: Mutex<Vec<NodeIndex>>,
    /// The way to the dispatcher; none where nothing acts.
    pub(crate) notifier: Option<&'a dyn Notifier>,
    /// Nested notifications are delivered one at a time.
    pub(crate) notifying: Mutex<()>,
    pub(crate) messages: Mutex<Vec<(Level, String)>>,
    /// The resource is sensitive, or reads or replaces a path at which another resource puts a secret.
    hides_all: AtomicBool,
    /// The resource is sensitive, or computed from a secret: its messages and errors are not shown.
    secret: AtomicBool,
    /// Properties that were computed from a secret.
    tainted: Mutex<Vec<&'static str>>,
    /// Their values.
    secrets: Mutex<Vec<Value>>,
    /// Declared values that a saved plan compares.
    pub(crate) inputs: Mutex<Map>,
    /// In a plan, whether later loads see everything that it would change.
    pub(crate) predicted: AtomicBool,
    /// Whether messages are dropped.
    muted: AtomicBool,
    pub(crate) watching: Option<&'a Reports>,
    /// The paths of resources that only the machine knows; none if it cannot name them.
    owned: OnceLock<Option<Paths>>,
    pub(crate) real_names: RealNames,
}

impl<'a> Visitor<'a> {
    pub(crate) fn new(visits: &'a Visits<'a>, node: NodeIndex, before: &'a VisitInputs) -> Self {
        let program = visits.program;
        let declared = program.declared(node);
        let hides_all = declared.declaration.meta.sensitive || before.secret;
        let limit = declared.handling().and_then(|handling| handling.timeout);
        Self {
            visits,
            host: visits.host,
            limits: VisitLimits::new(limit, visits.host.clock(), visits.stop, visits.host.limits()),
            writes: NotedWrites::new(visits, program.entry(node).resource),
            staged: None,
            program,
            node,
            before,
            requests: Mutex::default(),
            foreseen: Mutex::default(),
            has_begun: AtomicBool::new(false),
            members_put_back: Mutex::default(),
            notifier: None,
            notifying: Mutex::default(),
            messages: Mutex::default(),
            hides_all: AtomicBool::new(hides_all),
            secret: AtomicBool::new(hides_all),
            tainted: Mutex::default(),
            secrets: Mutex::default(),
            inputs: Mutex::default(),
            predicted: AtomicBool::new(false),
            muted: AtomicBool::new(false),
            watching: visits.watch.as_ref().map(|watch| watch.reports),
            owned: OnceLock::new(),
            real_names: RealNames::default(),
        }
    }

    /// The same; the files that it writes are put in place later.
    pub(crate) fn staging(self) -> Self {
        Self { staged: Some(Mutex::default()), ..self }
    }

    /// The files that it has written and that are not in place.
    pub(crate) fn take_staged(&self) -> Vec<(PathBuf, StagedFile)> {
        self.staged.as_ref().map(|staged| std::mem::take(&mut *staged.lock())).unwrap_or_default()
    }

    /// Whether the action runs only because it was notified.
    pub(crate) fn is_on_request(&self) -> bool {
        self.program.list.is_on_request(self.node)
    }

    pub(crate) fn entry(&self) -> &'a ActionEntry {
        self.program.entry(self.node)
    }

    pub(crate) fn slot(&self) -> &'a Node {
        self.program.node(self.node)
    }

    pub(crate) fn resource(&self) -> ResourceIndex {
        self.entry().resource
    }

    /// The machine within this visit.
    pub(crate) fn act(&self) -> Act<'_> {
        self.host.visit(&self.limits, self, self)
    }

    /// Tries something: its messages are dropped.
    pub(crate) fn muted<T>(&self, work: impl FnOnce() -> T) -> T {
        self.muted.store(true, Ordering::Relaxed);
        let done = work();
        self.muted.store(false, Ordering::Relaxed);
        done
    }

    /// The same, for nested resources that act.
    pub(crate) fn notifying(self, notifier: &'a dyn Notifier) -> Self {
        Self { notifier: Some(notifier), ..self }
    }

    /// The end of the visit: its outcome, with everything that it leaves behind.
    pub(crate) fn into_visited(self, outcome: Outcome) -> Visited {
        let (secret, unwritten) = (self.is_secret(), self.writes.has_failed());
        let passed_on = PassedOn { secret, predicted: self.predicted.into_inner(), unwritten };
        let (messages, requests) = (self.messages.into_inner(), self.requests.into_inner());
        // Only a kind that is compiled in is known to change nothing else.
        let is_compiled = || self.program.kind(self.node).is_some_and(Kind::is_compiled);
        let is_unchanged = self.writes.are_rejected() && is_compiled();
        let began = self.has_begun.into_inner() && !is_unchanged;
        let put_back = self.members_put_back.into_inner();
        Visited { outcome, messages, passed_on, requests, began, put_back }
    }

    /// Notes that it begins to change the machine.
    pub(crate) fn note_begun(&self) {
        self.has_begun.store(true, Ordering::Relaxed);
    }

    /// Notes a notification that a nested resource is expected to send when it acts.
    pub(crate) fn foresee(&self, request: NestedRequest) {
        self.foreseen.lock().push(request);
    }

    /// The notifications that nested resources are expected to send.
    pub(crate) fn foreseen(&self) -> Vec<NestedRequest> {
        self.foreseen.lock().clone()
    }

    /// Notes a notification that a nested resource would send. A repeated try does not count.
    pub(crate) fn note_request(&self, request: NestedRequest) {
        if !self.muted.load(Ordering::Relaxed) {
            self.requests.lock().push(request);
        }
    }

    /// The paths that only the machine knows, as they are now. While they are not known, nothing may be removed.
    fn owned(&self) -> Option<&Paths> {
        let find =
            || match self.program.managed.owned(&self.program.set, &self.host.with_run(&OwnerRun(self))) {
                Ok(paths) => Some(paths),
                Err((what, error)) => {
                    let text =
                        format!("nothing is purged: cannot find out which paths belong to {what}: {error}");
                    self.report(Level::Warning, &text);
                    None
                }
            };
        self.owned.get_or_init(find).as_ref()
    }

    /// Whether `holds` is true of a path, by any of its names.
    fn holds_by_any_name(&self, path: &Path, holds: impl Fn(&Path) -> bool) -> bool {
        holds(path) || self.real_names.holds(path, &self.host, holds)
    }
}

impl Visitor<'_> {
    /// Whether every value of the resource is hidden.
    pub(crate) fn hides_all(&self) -> bool {
        self.hides_all.load(Ordering::Relaxed)
    }

    pub(crate) fn is_secret(&self) -> bool {
        self.secret.load(Ordering::Relaxed)
    }

    /// From now on, no message and no error is shown.
    pub(crate) fn mark_secret(&self) {
        self.secret.store(true, Ordering::Relaxed);
    }

    /// The same if `instance` was computed from a secret, or reads or replaces one of another resource.
    pub(crate) fn mark_secrets_of(&self, instance: &dyn Instance) {
        if instance.is_tainted() {
            self.mark_secret();
        }
        if self.reaches_secret(instance) {
            self.hides_all.store(true, Ordering::Relaxed);
            self.mark_secret();
        }
        if self.is_secret() {
            self.program.secret_paths.learn(&instance.claims(), self.resource(), &self.host);
        }
        self.note_secrets_of(instance);
    }

    /// Notes which properties were computed from a secret, and their values.
    pub(crate) fn note_secrets_of(&self, instance: &dyn Instance) {
        let mut tainted = self.tainted.lock();
        tainted.extend(instance.tainted_properties());
        let values = instance.tainted_properties().iter().filter_map(|name| instance.value(name, None));
        self.secrets.lock().extend(values);
    }

    /// Whether `instance` reads or replaces a path at which another resource puts a secret, of this run or of its parent run.
    pub(crate) fn reaches_secret(&self, instance: &dyn Instance) -> bool {
        let paths = &self.program.secret_paths;
        let is_nested = self.visits.around.is_some();
        if paths.is_empty() && !is_nested {
            return false;
        }
        let claims = instance.claims();
        paths.reaches(&claims, self.resource(), &self.host)
            || (is_nested && needed(&claims).any(|path| self.host.is_secret_path(path)))
    }

    /// A failure as it may be shown: of a secret resource, only its kind.
    pub(crate) fn hide_failure(&self, failure: Failure) -> Failure {
        if self.is_secret() { failure.hidden() } else { failure }
    }

    /// A warning of the engine itself: it holds no secret.
    pub(crate) fn warn(&self, text: &str) {
        self.note_message(Level::Warning, text);
    }

    fn note_message(&self, level: Level, text: &str) {
        if self.muted.load(Ordering::Relaxed) {
            return;
        }
        let mut messages = self.messages.lock();
        // A body is tried and then run: a repeated warning is reported once.
        let is_repeated = |(other, said): &(Level, String)| *other == level && *said == text;
        if level != Level::Warning || !messages.iter().any(is_repeated) {
            messages.push((level, text.to_owned()));
        }
    }
}

impl RunView for Visitor<'_> {
    fn report(&self, level: Level, text: &str) {
        self.note_message(level, if self.is_secret() { SENSITIVE } else { text });
    }

    fn needs(&self, property: &str) -> bool {
        self.slot().read_by_others.iter().any(|name| **name == *property)
    }

    fn holds_secret(&self, property: &str) -> bool {
        let tainted = self.tainted.lock();
        self.program.declared(self.node).declaration.meta.sensitive || tainted.contains(&property)
    }

    fn is_sensitive(&self) -> bool {
        self.is_secret()
    }

    fn around(&self) -> Option<&dyn Around> {
        Some(self)
    }

    fn provides(&self, path: &Path) -> bool {
        self.program.managed.provides(&self.program.set, path)
    }

    fn is_secret_path(&self, path: &Path) -> bool {
        self.program.secret_paths.contains(path) || self.host.is_secret_path(path)
    }

    fn manages(&self, path: &Path) -> bool {
        if let Some(reports) = self.watching {
            reports.note_managed_reader(self.node);
        }
        let program = self.program;
        self.holds_by_any_name(path, |path| program.managed.contains(&program.set, path))
            || self.owned().is_none_or(|owned| self.holds_by_any_name(path, |path| owned.contains(path)))
            || self.host.manages(path)
    }

    fn manages_contents(&self, path: &Path) -> bool {
        let program = self.program;
        self.holds_by_any_name(path, |path| program.managed.is_whole(&program.set, path))
            || self.owned().is_none_or(|owned| self.holds_by_any_name(path, |path| owned.is_whole(path)))
            || self.host.manages_contents(path)
    }

    /// Refuses a command with a secret of the resource among its arguments.
    fn check_command(&self, command: &Command) -> Result<()> {
        if self.secrets.lock().iter().any(|secret| is_argument(secret, command)) {
            return Err(exposed_argument(command));
        }
        self.host.check_command(command)
    }
}

/// The run as it is seen while paths are found that only the machine knows: without the visit that needs them.
pub(crate) struct OwnerRun<'a>(pub(crate) &'a dyn Around);

impl RunView for OwnerRun<'_> {
    fn around(&self) -> Option<&dyn Around> {
        Some(self.0)
    }
}
