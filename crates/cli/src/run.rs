//! A plan or an apply, from the configuration to the exit code.

use std::path::Path;
use std::sync::Arc;

use jiff::tz::TimeZone;
use uphold::journal::StoredContents;
use uphold::resource::Clock;
use uphold::saved_plan::{PlanRecorder, SavedPlan};
use uphold::{Approval, Checked, Configuration, Engine, LocalHost, Mode, Pauses, Request, Summary};

use super::signals::Signals;
use crate::commands::show;
use crate::execution::{Memory, execute};
use crate::journal::{self, LockFlags, LockedJournal, MachinePauses, StoredPauses, Subject};
use crate::removals::with_removals;
use crate::report::{Human, Json, Record, RecordingReport, Report, expect_writable, show_error};
use crate::run_flags::RunFlags;
use crate::{CliError, Exit, Input, Session, demo, plan_file, prompt};

/// A plan or an apply.
pub(crate) struct Run<'a> {
    pub(crate) input: &'a Input,
    pub(crate) flags: &'a RunFlags,
    pub(crate) mode: Mode,
    /// Whether to show the plan and ask for confirmation.
    pub(crate) ask: bool,
    /// Where to save the plan.
    pub(crate) out: Option<&'a Path>,
    /// The saved plan to apply.
    pub(crate) saved: Option<&'a SavedPlan>,
    /// How to wait for other runs, if this one changes something.
    pub(crate) lock: Option<&'a LockFlags>,
}

impl<'a> Run<'a> {
    /// A run without confirmation and without a saved plan.
    pub(crate) fn new(input: &'a Input, flags: &'a RunFlags, mode: Mode) -> Self {
        Self { input, flags, mode, ask: false, out: None, saved: None, lock: None }
    }

    /// Runs, and reports everything, also an error that prevents the run.
    pub(crate) fn run(&self, session: &mut Session) -> Exit {
        let mut reports = RecordingReport::new(reporter(session, self.flags.audit));
        let result =
            self.prepare(session, &mut reports).and_then(|()| self.run_in_root(session, &mut reports));
        let exit = result.unwrap_or_else(|error| {
            reports.error(&error, &mut session.ui);
            Exit::Failure
        });
        reports.write(&self.flags.reports).map_or_else(|error| fail(&error, session), |()| exit)
    }

    /// Checks before the run everything that would otherwise fail only at its end.
    fn prepare(&self, session: &mut Session, reports: &mut RecordingReport) -> Result<(), CliError> {
        self.out.map_or(Ok(()), |out| plan_file::expect_savable(out, self.input))?;
        self.saved.map_or(Ok(()), |plan| plan_file::enter(plan, self.input, self.flags, session))?;
        self.flags.reports.iter().try_for_each(|path| expect_writable("report", path))?;
        if !self.flags.reports.is_empty() {
            let (machine, root) = (session.host()?.machine(), session.flags.root.as_deref());
            reports.record(Record::new(&machine.reading(), self.mode, self.flags.audit, root));
        }
        if self.ask { prompt::expect_terminal() } else { Ok(()) }
    }

    /// Runs the example in its own root, anything else in the given one.
    fn run_in_root(&self, session: &mut Session, reports: &mut RecordingReport) -> Result<Exit, CliError> {
        if !self.input.demo {
            return self.converge(session, reports);
        }
        demo::in_root(self.mode, session, |session| self.converge(session, reports))?
    }

    fn converge(&self, session: &mut Session, reports: &mut RecordingReport) -> Result<Exit, CliError> {
        let locked = self.wait(session)?;
        let contents = self.known_contents(session);
        let host = session.host()?;
        // An open directory keeps its file system from being unmounted, and the answer may take long.
        let host = if self.ask { host } else { host.keeping_directories() };
        let host = match &contents {
            Some(contents) => host.remembering(contents.clone()),
            None => host,
        };
        let configuration = self.read(&session.engine_on(host), &session.signals)?;
        let locked = locked.map(|locked| locked.applying(configuration.sources()));
        let Some(checked) = check(configuration, session, reports)? else { return Ok(Exit::Failure) };
        let checked =
            if self.is_whole(&checked) { self.removing(checked, locked.as_ref(), session)? } else { checked };
        checked.keep_until_exit();
        let selection = match self.saved {
            Some(plan) => plan.selection(checked.program()),
            None => self.flags.selection(checked.program())?,
        };
        let is_complete = self.report_removals_not_made(&checked, session, reports);
        if let Some(selection) = &selection {
            reports.left_out(selection.left_out(), checked.program(), &mut session.ui);
        }
        let approval = self.saved.map(|plan| plan.approval(checked.program()));
        let approval = approval.as_ref().map(|approval| approval as &dyn Approval);
        let pauses = self.pauses(session)?;
        let pauses = pauses.as_ref().map(|pauses| pauses as &dyn Pauses);
        // Finding the zone reads the whole list of zones: only a window needs it.
        let has_window = !self.flags.now && checked.program().settings().window.is_some();
        let zone = has_window.then(TimeZone::system);
        let window_zone = zone.as_ref();
        let request =
            Request { approval, pauses, window_zone, ..self.flags.request(self.mode, selection.as_ref()) };
        let exit = match (self.out, checked.origin()) {
            (Some(out), Some(origin)) => {
                let mut recorder = PlanRecorder::new(&checked);
                let summary = self.plan(&checked, request, Some(&mut recorder), session, reports);
                let saved = plan_file::save(out, recorder, origin, session);
                Ok(saved.map_or_else(|error| fail(&error, session), |()| self.exit(summary)))
            }
            _ if self.ask => self.confirmed(&checked, request, locked, session, reports),
            _ if self.mode == Mode::Apply => self.apply(&checked, request, locked, session, reports),
            _ => Ok(self.exit(self.plan(&checked, request, None, session, reports))),
        }?;
        if let Some(contents) = contents {
            contents.save();
        }
        Ok(if exit == Exit::Success && !is_complete { Exit::Failure } else { exit })
    }

    /// The digests of files that did not change since; none without a journal.
    fn known_contents(&self, session: &Session) -> Option<Arc<StoredContents>> {
        if self.flags.no_cache || self.lock.is_some_and(LockFlags::has_no_journal) {
            return None;
        }
        let is_kept = self.lock.is_some() && !self.flags.audit;
        session.journal().ok().map(|journal| Arc::new(journal.known_contents(is_kept)))
    }

    /// Reports the removals of a saved plan that are not made. Whether there is none.
    fn report_removals_not_made(
        &self,
        checked: &Checked,
        session: &mut Session,
        reports: &mut RecordingReport,
    ) -> bool {
        let Some(plan) = self.saved else { return true };
        let mut is_complete = true;
        for (resource, reason) in plan.removals_not_made(checked.program(), checked.removals()) {
            is_complete = false;
            let error = CliError::new(format!("{resource} is not removed as planned: {reason}"));
            reports.error(&error.hint("review it, and make a new plan"), &mut session.ui);
        }
        is_complete
    }

    /// Whether the run is one of all resources.
    fn is_whole(&self, checked: &Checked) -> bool {
        self.saved.map_or(self.flags.selects_all(), |plan| plan.covers(checked.program()))
    }

    /// The configuration with the removals of resources that are no longer declared. A saved plan limits them itself.
    fn removing(
        &self,
        checked: Checked,
        locked: Option<&LockedJournal>,
        session: &Session,
    ) -> Result<Checked, CliError> {
        let acts = self.mode == Mode::Apply && !self.flags.audit;
        let records = match locked {
            Some(locked) => locked.writable_records(),
            None if acts => None,
            None => session.journal().ok().and_then(|journal| journal.records()),
        };
        let (Some(records), name) = (records, self.subject(session).name) else { return Ok(checked) };
        if name.is_empty() {
            return Ok(checked);
        }
        let allowed = if self.saved.is_some() { usize::MAX } else { self.flags.allow_removals.unwrap_or(0) };
        with_removals(checked, &records, &name, allowed)
    }

    /// Waits for other runs, if this one changes something.
    fn wait(&self, session: &mut Session) -> Result<Option<LockedJournal>, CliError> {
        match self.lock {
            Some(lock) if !self.flags.audit => lock.lock("apply", &self.subject(session), session),
            _ => Ok(None),
        }
    }

    /// The pauses that a run respects. A plan without a journal shows none, and so does a run without one.
    fn pauses(&self, session: &mut Session) -> Result<Option<MachinePauses>, CliError> {
        let is_optional = self.lock.is_none_or(LockFlags::has_no_journal);
        if self.flags.audit {
            return Ok(None);
        }
        let stored = StoredPauses::find(session);
        let pauses = stored.and_then(|stored| stored.map(|stored| stored.read(&mut session.ui)).transpose());
        if is_optional { Ok(pauses.unwrap_or(None)) } else { pauses }
    }

    /// The configuration, as the journal names it.
    fn subject(&self, session: &Session) -> Subject {
        match self.saved {
            Some(plan) => Subject::of_plan(plan, session),
            None => Subject::of_input(self.input, session),
        }
    }

    /// The configuration of the saved plan, or of the command line.
    fn read(&self, engine: &Engine, signals: &Signals) -> Result<Configuration, CliError> {
        let reader = || self.input.reader(engine);
        match (self.saved, self.out) {
            (Some(plan), _) => Ok(plan.read_configuration(engine, &self.input.param)?),
            (None, Some(_)) => self.input.read_interruptibly(reader().logged(), signals),
            (None, None) => self.input.read_interruptibly(reader(), signals),
        }
    }

    /// Shows the plan, asks, and applies exactly the plan that was shown.
    fn confirmed(
        &self,
        checked: &Checked,
        request: Request<'_>,
        locked: Option<LockedJournal>,
        session: &mut Session,
        reports: &mut RecordingReport,
    ) -> Result<Exit, CliError> {
        let mut recorder = PlanRecorder::new(checked);
        let planned = match self.saved {
            Some(plan) => show::show(plan, checked.program().kinds(), reports, session),
            None => {
                let request = Request { mode: Mode::Plan, ..request };
                self.plan(checked, request, Some(&mut recorder), session, reports)
            }
        };
        if planned.changed == 0 || session.signals.stop().is_requested() {
            return Ok(self.exit(planned));
        }
        if !prompt::confirm("Apply these changes?", session)? {
            session.ui.talk("Nothing was changed.\n");
            return Ok(Exit::Pending);
        }
        let shown = recorder.approval();
        let approval = request.approval.unwrap_or(&shown);
        let request = Request { approval: Some(approval), ..request };
        self.apply(checked, request, locked, session, reports)
    }

    fn plan(
        &self,
        checked: &Checked,
        request: Request<'_>,
        recorder: Option<&mut PlanRecorder<'_>>,
        session: &mut Session,
        report: &mut dyn Report,
    ) -> Summary {
        let memory = self.plan_memory(session);
        memory.declare(checked, self.is_whole(checked));
        execute(checked, request, recorder, &memory, session, report)
    }

    fn apply(
        &self,
        checked: &Checked,
        request: Request<'_>,
        locked: Option<LockedJournal>,
        session: &mut Session,
        report: &mut dyn Report,
    ) -> Result<Exit, CliError> {
        let subject = self.subject(session);
        let begin = |locked: LockedJournal| locked.begin("apply", &subject, &mut session.ui);
        let memory = match locked.map(begin).transpose()? {
            Some(recording) => Memory::Run(recording),
            None if self.flags.audit => self.plan_memory(session),
            None => Memory::None,
        };
        memory.declare(checked, self.is_whole(checked));
        let summary = execute(checked, request, None, &memory, session, report);
        if let Memory::Run(recording) = &memory {
            recording.end(&summary, checked.program(), &mut session.ui);
        }
        Ok(self.exit(summary))
    }

    /// A plan and an audit read the journal, and record nothing.
    fn plan_memory(&self, session: &mut Session) -> Memory {
        journal::plan_journal(&self.subject(session), session).map_or(Memory::None, Memory::Plan)
    }

    fn exit(&self, summary: Summary) -> Exit {
        let pending = match (self.flags.audit, self.mode) {
            (true, _) => summary.differ,
            (false, Mode::Plan) => summary.changed,
            (false, Mode::Apply) => 0,
        };
        Exit::of(summary.is_success(), pending > 0)
    }
}

/// Reports an error that prevents the run.
pub(crate) fn refuse(error: &CliError, session: &mut Session) -> Exit {
    reporter(session, false).error(error, &mut session.ui);
    Exit::Failure
}

/// Reports an error after the run, whose events were reported already.
fn fail(error: &CliError, session: &mut Session) -> Exit {
    show_error(error, &mut session.ui);
    Exit::Failure
}

pub(crate) fn reporter(session: &mut Session, audit: bool) -> Box<dyn Report> {
    let mut report: Box<dyn Report> = if session.flags.json {
        Box::new(Json::new(LocalHost::new().now(), audit))
    } else {
        Box::new(Human::new(&session.flags, audit, session.signals.stop()).measured_by(&session.gauge))
    };
    report.begin(&mut session.ui);
    report
}

/// Checks a configuration and reports its diagnostics; none if there are errors.
pub(crate) fn check(
    configuration: Configuration,
    session: &mut Session,
    report: &mut dyn Report,
) -> Result<Option<Checked>, CliError> {
    session.signals.listen()?;
    Ok(match configuration.check() {
        Ok(checked) => {
            report.diagnostics(checked.warnings(), checked.sources(), &mut session.ui);
            Some(checked)
        }
        Err(rejected) => {
            report.diagnostics(&rejected.diagnostics, &rejected.sources, &mut session.ui);
            None
        }
    })
}
