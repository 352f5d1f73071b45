//! Bringing previous states back: the plan, the question, and the run.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use uphold::journal::{Action, ActionBegin, Records, Run, Undo, UndoRequest, is_removal_reason};
use uphold::resource::Registry;
use uphold::saved_plan::PlanRecorder;
use uphold::{Checked, Configuration, Mode, Request};

use crate::execution::{Memory, execute};
use crate::journal::{LockedJournal, Subject};
use crate::report::Report;
use crate::run::{check, reporter};
use crate::{CliError, Exit, Session, prompt};

/// Whether to ask.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Confirmation {
    /// Make the changes without a question
    #[arg(long, short = 'y')]
    yes: bool,
}

/// Statements that bring previous states back, and how to talk about them.
pub(crate) struct Reversal {
    /// The mode of the run.
    pub(crate) verb: &'static str,
    pub(crate) heading: String,
    /// The verb of the question.
    pub(crate) question: &'static str,
    /// Printed if everything is as before.
    pub(crate) nothing: String,
    pub(crate) back: WayBack,
    pub(crate) subject: Subject,
    /// The paths of the configuration that declared the other state.
    pub(crate) declared_by: Option<Vec<String>>,
    /// The addresses of resources that come back, although they are no longer declared.
    pub(crate) undeclared: Vec<String>,
}

/// Statements that bring previous states back, and the kinds that they use.
pub(crate) struct WayBack {
    undo: Undo,
    kinds: Registry,
}

impl WayBack {
    /// Compares the machine with the recorded states.
    ///
    /// # Errors
    /// If the machine cannot be used.
    pub(crate) fn new(
        request: &UndoRequest<'_>,
        records: &Records,
        session: &Session,
    ) -> Result<Self, CliError> {
        let engine = session.engine()?;
        // A broken kind file matters only to resources of its kind, which are listed as not undone.
        let kinds = Configuration::reader(&engine).read_kinds(directories(request.runs)).kinds;
        let undo = Undo::new(request, records, &kinds, &engine.machine().reading());
        Ok(Self { undo, kinds })
    }

    /// Whether there is anything to bring back.
    pub(crate) fn changes_something(&self) -> bool {
        !self.undo.statements.is_empty()
    }

    /// Whether a state cannot be brought back.
    pub(crate) fn leaves_state(&self) -> bool {
        self.undo.left.iter().any(|left| left.is_state)
    }

    /// The addresses of resources that the run removed because they were no longer declared, and that come back.
    pub(crate) fn undeclared(&self, run: &Run, selects: &dyn Fn(&ActionBegin) -> bool) -> Vec<String> {
        let is_removal = |action: &&Action| {
            let why = action.end.as_ref().and_then(|end| end.why.as_deref());
            why.is_some_and(is_removal_reason) && selects(&action.begin)
        };
        let removed = run.actions.iter().filter(is_removal).map(|action| action.begin.address.clone());
        removed.filter(|address| self.undo.left.iter().all(|left| left.address != *address)).collect()
    }
}

/// The directories of the configurations of these runs.
fn directories(runs: &[Run]) -> Vec<PathBuf> {
    let paths = runs.iter().flat_map(|run| &run.begin.paths).map(Path::new);
    let directory = |path: &Path| match path.extension() {
        Some(end) if end == "hcl" || end == "luau" => path.parent().unwrap_or(path).to_owned(),
        _ => path.to_owned(),
    };
    paths.map(directory).collect()
}

impl Reversal {
    /// Shows the changes, asks, and makes them under the lock.
    ///
    /// # Errors
    /// If the machine cannot be used, or the run cannot be recorded.
    pub(crate) fn carry_out(
        mut self,
        confirmation: Confirmation,
        locked: Option<LockedJournal>,
        session: &mut Session,
    ) -> Result<Exit, CliError> {
        let statements = std::mem::take(&mut self.back.undo.statements);
        if statements.is_empty() {
            self.show_left(session);
            let nothing = if self.back.undo.left.is_empty() { &self.nothing } else { "Nothing was changed." };
            session.ui.talk(format_args!("{nothing}\n"));
            return Ok(Exit::success_if(!self.back.leaves_state()));
        }
        let configuration = Configuration::from_statements(&session.engine()?, statements)?;
        let configuration = configuration.with_kinds(self.back.kinds.clone());
        let mut report = reporter(session, false);
        let Some(checked) = check(configuration, session, &mut *report)? else { return Ok(Exit::Failure) };
        if confirmation.yes {
            if !session.flags.quiet {
                session.ui.talk(format_args!("{}\n", self.heading));
            }
            self.show_left(session);
            return self.apply(&checked, Mode::Apply.into(), locked, session, &mut *report);
        }
        session.ui.talk(format_args!("{}\n", self.heading));
        let mut recorder = PlanRecorder::new(&checked);
        let request = Mode::Plan.into();
        let planned = execute(&checked, request, Some(&mut recorder), &Memory::None, session, &mut *report);
        self.show_left(session);
        if planned.changed == 0 || session.signals.stop().is_requested() {
            return Ok(Exit::success_if(planned.is_success() && !self.back.leaves_state()));
        }
        if session.flags.json || session.flags.quiet || !std::io::stdin().is_terminal() {
            let (unasked, answer) =
                ("there is no terminal to ask", "to make these changes without a question: --yes");
            if session.flags.json {
                let error = CliError::new(format!("nothing was changed: {unasked}")).hint(answer);
                report.error(&error, &mut session.ui);
            } else {
                session.ui.talk(format_args!("Nothing was changed: {unasked}\n  hint: {answer}\n"));
            }
            return Ok(Exit::of(planned.is_success() && !self.back.leaves_state(), true));
        }
        let noun = if planned.changed == 1 { "resource" } else { "resources" };
        if !prompt::confirm(&format!("{} {} {noun}?", self.question, planned.changed), session)? {
            session.ui.talk("Nothing was changed.\n");
            return Ok(Exit::Pending);
        }
        let shown = recorder.approval();
        let request = Request { approval: Some(&shown), ..Mode::Apply.into() };
        self.apply(&checked, request, locked, session, &mut *report)
    }

    fn apply(
        &self,
        checked: &Checked,
        request: Request<'_>,
        locked: Option<LockedJournal>,
        session: &mut Session,
        report: &mut dyn Report,
    ) -> Result<Exit, CliError> {
        let begin = |locked: LockedJournal| locked.begin(self.verb, &self.subject, &mut session.ui);
        let memory = locked.map(begin).transpose()?.map_or(Memory::None, Memory::Run);
        let summary = execute(checked, request, None, &memory, session, report);
        if let Memory::Run(recording) = &memory {
            recording.journal.undone(&self.back.undo, checked.machine(), &self.back.kinds);
            recording.end(&summary, checked.program(), &mut session.ui);
        }
        Ok(Exit::success_if(summary.is_success() && !self.back.leaves_state()))
    }

    /// Lists everything that is not undone, and warns if the next apply makes the change again.
    fn show_left(&self, session: &mut Session) {
        let quiet = session.flags.quiet;
        if !self.back.undo.left.is_empty() {
            session.ui.talk("Not undone:\n");
            for left in &self.back.undo.left {
                session.ui.talk(format_args!("  {}: {}\n", left.address, left.reason));
            }
        }
        let paths = self.declared_by.as_ref().filter(|paths| !paths.is_empty() && !quiet);
        if let Some(paths) = paths.filter(|_| self.back.undo.resources > self.undeclared.len()) {
            let paths = paths.join(", ");
            session.ui.talk(format_args!(
                "warning: if {paths} still declares this, the next apply makes the change again\n"
            ));
        }
        if !self.undeclared.is_empty() && !quiet {
            let list = self.undeclared.join(", ");
            let verb = if self.undeclared.len() == 1 { "is" } else { "are" };
            session.ui.talk(format_args!(
                "warning: {list} {verb} no longer declared: the next apply lists or removes again what comes back\n"
            ));
        }
    }
}
