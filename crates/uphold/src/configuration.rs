//! A configuration: read, then checked or rejected.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use uphold_config::Console;
use uphold_engine::{
    Control, EventKind, Failure, Keep, Mode, Program, Request, Sink, Summary, Verdict, WatchRequest,
};
use uphold_model::{Code, Diagnostics, ResourceId, Severity, Sources, Statement, Value};
use uphold_resource::{Error, ErrorKind, Machine, Registry};

use crate::Result;
use crate::configuration_reader::ConfigurationReader;
use crate::diagnostic_text::{Lines, render, sorted};
use crate::engine::Engine;
use crate::journal::{RemovalRequest, Removals};
use crate::saved_plan::Origin;

/// A configuration that was read, including its errors. It must be [checked](Configuration::check) before it can run:
///
/// ```compile_fail,E0599
/// fn apply(engine: &uphold::Engine) -> uphold::Result<()> {
///     let configuration = uphold::Configuration::read(engine, ["site.hcl"])?;
///     configuration.apply(&mut |_| {})?;
///     Ok(())
/// }
/// ```
///
/// ```no_run
/// fn apply(engine: &uphold::Engine) -> uphold::Result<()> {
///     let configuration = uphold::Configuration::read(engine, ["site.hcl"])?;
///     configuration.check()?.apply(&mut |_| {})?;
///     Ok(())
/// }
/// ```
pub struct Configuration {
    pub(crate) engine: Engine,
    pub(crate) sources: Sources,
    pub(crate) statements: Vec<Statement>,
    /// The kinds of the engine, and those that files define.
    pub(crate) kinds: Registry,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) console: Console,
    pub(crate) origin: Option<Origin>,
    /// Whether the process ends after the run.
    pub(crate) until_exit: bool,
}

impl Configuration {
    /// Reads files; of a directory, every `.hcl` file that is no test; `-` is standard input. A `.luau` file is a recipe.
    ///
    /// # Errors
    /// If a file cannot be read or is not UTF-8. Errors in the text are diagnostics.
    pub fn read<P: AsRef<Path>>(engine: &Engine, paths: impl IntoIterator<Item = P>) -> Result<Self> {
        Self::reader(engine).read(paths)
    }

    /// Reads a text, with a name for messages.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub fn from_text(engine: &Engine, name: impl Into<String>, text: impl Into<String>) -> Result<Self> {
        Self::reader(engine).from_texts([(name, text)])
    }

    /// Uses the statements of another front end.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub fn from_statements(engine: &Engine, statements: Vec<Statement>) -> Result<Self> {
        Ok(Self { statements, ..Self::empty(engine)? })
    }

    /// The same configuration, with these kinds.
    #[must_use]
    pub fn with_kinds(self, kinds: Registry) -> Self {
        Self { kinds, ..self }
    }

    /// An empty configuration, to [evaluate](Configuration::evaluate) expressions with facts and functions.
    ///
    /// # Errors
    /// If the current directory cannot be found.
    pub fn empty(engine: &Engine) -> Result<Self> {
        Self::reader(engine).sealed().from_texts::<&str, &str>([])
    }

    /// A reader, for params and other options.
    pub fn reader(engine: &Engine) -> ConfigurationReader {
        ConfigurationReader::new(engine)
    }

    /// The source texts.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The diagnostics of reading; a [check](Configuration::check) finds more.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The value of an expression, with the params, locals, facts and functions of the configuration. Exports of resources
    /// are unknown.
    ///
    /// # Errors
    /// All errors in it, with places in a source that is added.
    pub fn evaluate(&mut self, expression: &str) -> std::result::Result<Value, Diagnostics> {
        self.console.evaluate(&mut self.sources, expression)
    }

    /// Checks everything that does not need the machine.
    ///
    /// # Errors
    /// All errors of reading and checking.
    pub fn check(self) -> std::result::Result<Checked, Rejected> {
        let keep = if self.until_exit { Keep::UntilExit } else { Keep::All };
        self.check_keeping(keep)
    }

    pub(crate) fn check_keeping(self, keep: Keep) -> std::result::Result<Checked, Rejected> {
        let Self { engine, sources, statements, kinds, mut diagnostics, console, origin, until_exit } = self;
        if until_exit {
            // It holds the trees of all sources.
            std::mem::forget(console);
        } else {
            drop(console);
        }
        let core = engine.core.kinds(kinds);
        let (program, found) = core.check(statements, keep);
        // Reading replaces a computed label by a plain one, so two resources may only seem to manage the same.
        let has_replaced = diagnostics.iter().any(|one| one.code == Code::NotPlain);
        diagnostics.extend(found.into_iter().filter(|one| !has_replaced || one.code != Code::ManagedTwice));
        match program.filter(|_| !diagnostics.has_errors()) {
            Some(program) => {
                let (program, removals) = (Arc::new(program), Arc::default());
                Ok(Checked { core, program, sources, warnings: diagnostics, origin, removals })
            }
            None => Err(Rejected { diagnostics, sources }),
        }
    }
}

/// A configuration without errors, with its engine. Only [`Configuration::check`] returns one, so every run was checked.
pub struct Checked {
    pub(crate) core: uphold_engine::Engine,
    pub(crate) program: Arc<Program>,
    pub(crate) sources: Sources,
    pub(crate) warnings: Diagnostics,
    pub(crate) origin: Option<Origin>,
    pub(crate) removals: Arc<Removals>,
}

impl Checked {
    /// The same configuration, whose runs also remove the resources that were applied and are no longer declared, if they
    /// are to be removed. The others are listed by [`Checked::removals`] with the reason. Only right for a run of all
    /// resources.
    #[must_use]
    pub fn with_removals(self, request: &RemovalRequest<'_>) -> Self {
        let removals = Removals::plan(request, &self.program, self.core.machine());
        self.removing(removals, Keep::All)
    }

    /// The same configuration with removals that were planned for its program.
    pub(crate) fn removing(self, mut removals: Removals, keep: Keep) -> Self {
        let statements = removals.take_statements();
        // The program was just read, and is not shared yet.
        let program = Arc::try_unwrap(self.program);
        let (program, removals) = match (program, statements.is_empty()) {
            (Ok(program), false) => {
                match program.with_removals(statements, &self.core.machine().reading(), keep) {
                    Ok(program) => (Arc::new(program), removals),
                    Err(conflicting) => {
                        let (program, conflicts) = *conflicting;
                        let reason =
                            conflicts.iter().next().map(|one| one.detail.clone()).unwrap_or_default();
                        (Arc::new(program), removals.without_changes(&reason))
                    }
                }
            }
            (Ok(program), true) => (Arc::new(program), removals),
            (Err(program), _) => (program, removals.without_changes("the program is in use")),
        };
        Self { program, removals: Arc::new(removals), ..self }
    }

    /// The resources that are no longer declared, and what a run does with them.
    pub fn removals(&self) -> &Arc<Removals> {
        &self.removals
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        self.core.machine()
    }

    /// Keeps the program in memory until the process ends, because freeing it takes time. For a program that ends after its
    /// run.
    pub fn keep_until_exit(&self) {
        std::mem::forget(self.program.clone());
    }

    /// Plans the changes. `sink` receives all events in order.
    ///
    /// # Errors
    /// The first failure, if a resource fails or is skipped; see [`Checked::run`] for all.
    pub fn plan(&self, sink: Sink<'_>) -> Result<Summary> {
        self.run_to_end(Mode::Plan, sink)
    }

    /// Applies the changes. `sink` receives all events in order.
    ///
    /// # Errors
    /// The first failure, if a resource fails or is skipped; see [`Checked::run`] for all.
    pub fn apply(&self, sink: Sink<'_>) -> Result<Summary> {
        self.run_to_end(Mode::Apply, sink)
    }

    fn run_to_end(&self, mode: Mode, sink: Sink<'_>) -> Result<Summary> {
        let mut failed: Option<Error> = None;
        let summary = self.run(mode, &mut |event| {
            if let EventKind::Finished { resource, verdict: Verdict::Failed(failure), .. } = &event.kind {
                failed.get_or_insert_with(|| failure_of(resource, failure));
            }
            sink(event);
        });
        match (summary.is_success(), failed) {
            (true, _) => Ok(summary),
            (false, Some(error)) => Err(error),
            (false, None) => {
                Err(Error::failed(format!("{} failed and {} skipped", summary.failed, summary.skipped)))
            }
        }
    }

    /// Plans or applies by `request`. Failures are events and counts of the summary, not errors.
    pub fn run<'a>(&self, request: impl Into<Request<'a>>, sink: Sink<'_>) -> Summary {
        self.core.run(&self.program, request, sink)
    }

    /// The same, with a journal: changes are recorded there, and the notifications that earlier runs did not deliver are
    /// delivered.
    pub fn run_recorded<'a>(
        &self,
        journal: Arc<dyn uphold_engine::Journal>,
        request: impl Into<Request<'a>>,
        sink: Sink<'_>,
    ) -> Summary {
        self.core.clone().journal(journal).run(&self.program, request, sink)
    }

    /// Applies it, and repairs drift until the engine is [stopped](crate::EngineBuilder::stop) or `request` is met. It does not
    /// reload the configuration; [`ConfigurationReader::watch`] does.
    ///
    /// # Errors
    /// If the machine cannot be watched.
    pub fn watch(&self, request: &WatchRequest, control: &Control, sink: Sink<'_>) -> Result<Summary> {
        self.core.watch(self.program.clone(), request, control, sink)
    }

    /// The resources, their actions and their order, with their kinds.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Its source texts.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The warnings.
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// Its source texts and its warnings.
    pub fn into_findings(self) -> (Sources, Diagnostics) {
        (self.sources, self.warnings)
    }

    /// Its origin, if [`ConfigurationReader::logged`] requested it.
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }
}

/// A failed visit as an error.
fn failure_of(resource: &ResourceId, failure: &Failure) -> Error {
    let chain =
        std::iter::once(&failure.message).chain(&failure.causes).cloned().collect::<Vec<_>>().join(": ");
    let error = Error::new(failure.kind, chain).while_(resource.to_string());
    failure.hint.iter().cloned().fold(error, Error::hint)
}

/// A configuration with errors. Displays every diagnostic with its place, an excerpt and a fix, in source order.
pub struct Rejected {
    /// All errors and warnings.
    pub diagnostics: Diagnostics,
    /// The source texts.
    pub sources: Sources,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Lines::new(&self.sources);
        for (number, diagnostic) in sorted(&self.diagnostics).into_iter().enumerate() {
            let gap = if number == 0 { "" } else { "\n\n" };
            write!(f, "{gap}{}", render(diagnostic, &mut lines, false))?;
        }
        Ok(())
    }
}

/// The same as [`Display`](fmt::Display), because `main` prints a returned error with `Debug`.
impl fmt::Debug for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Rejected {}

/// All errors in one line, for programs with a single error type.
impl From<Rejected> for Error {
    fn from(rejected: Rejected) -> Self {
        let Rejected { diagnostics, sources } = rejected;
        let errors = || diagnostics.iter().filter(|one| one.severity() == Severity::Error);
        let at = |place| format!("{}: ", sources.describe(place));
        let details = errors().map(|one| one.place.map(at).unwrap_or_default() + &one.detail);
        let error = Error::new(ErrorKind::Invalid, details.collect::<Vec<_>>().join("; "));
        errors().filter_map(|one| one.fix.clone()).fold(error, Error::hint)
    }
}
