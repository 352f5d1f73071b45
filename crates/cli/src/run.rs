//! What plan, apply and validate have in common.

use std::path::Path;

use uphold::resource::Clock;
use uphold::saved_plan::{PlanRecorder, SavedPlan};
use uphold::{Approval, Checked, Configuration, Engine, LocalHost, Mode, Request, Summary};

use crate::commands::show;
use crate::confirm;
use crate::demo;
use crate::error::CliError;
use crate::exit::Exit;
use crate::input::Input;
use crate::plan_file;
use crate::report::{Human, Json, Record, Report, Reports, Scene, expect_writable, show_error};
use crate::run_flags::RunFlags;
use crate::session::Session;

/// A plan or an apply.
pub(crate) struct Run<'a> {
    /// Of what.
    pub(crate) input: &'a Input,
    /// How.
    pub(crate) flags: &'a RunFlags,
    /// Which of the two.
    pub(crate) mode: Mode,
    /// Whether the plan is shown first, and somebody is asked.
    pub(crate) ask: bool,
    /// Where the plan is saved.
    pub(crate) out: Option<&'a Path>,
    /// The plan that is done, instead of whatever the configuration asks for.
    pub(crate) saved: Option<&'a SavedPlan>,
}

impl<'a> Run<'a> {
    /// Without questions, and without saved plans.
    pub(crate) fn new(input: &'a Input, flags: &'a RunFlags, mode: Mode) -> Self {
        Self { input, flags, mode, ask: false, out: None, saved: None }
    }

    /// Does it, and tells all of it, also what keeps it from being done.
    pub(crate) fn run(&self, session: &mut Session) -> Exit {
        let mut reports = Reports::new(reporter(session, self.flags.audit));
        let result = self.prepared(session, &mut reports).and_then(|()| self.placed(session, &mut reports));
        let exit = result.unwrap_or_else(|error| {
            reports.error(&error, &mut session.ui);
            Exit::Failure
        });
        match reports.write(&self.flags.reports) {
            Ok(()) => exit,
            Err(error) => {
                show_error(&error, &mut session.ui);
                Exit::Failure
            }
        }
    }

    /// What could only fail at the end is looked at before anything is begun.
    fn prepared(&self, session: &mut Session, reports: &mut Reports) -> Result<(), CliError> {
        self.out.map_or(Ok(()), |out| plan_file::expect_savable(out, self.input))?;
        self.saved.map_or(Ok(()), |plan| plan_file::enter(plan, self.input, self.flags, session))?;
        self.flags.reports.iter().try_for_each(|path| expect_writable("report", path))?;
        if !self.flags.reports.is_empty() {
            let root = session.flags.root.as_deref();
            reports.record(Record::new(
                &session.host()?.machine().reading(),
                self.mode,
                self.flags.audit,
                root,
            ));
        }
        if self.ask { confirm::expect_terminal() } else { Ok(()) }
    }

    /// The example gets a folder that stands for the machine.
    fn placed(&self, session: &mut Session, reports: &mut Reports) -> Result<Exit, CliError> {
        let folder = if self.input.demo { demo::prepare_root(self.mode, session)? } else { None };
        let exit = self.converge(session, reports);
        let parted = folder.map_or(Ok(()), |folder| demo::part_with(&folder, self.mode, &mut session.ui));
        parted.unwrap_or_else(|error| show_error(&error, &mut session.ui));
        exit
    }

    fn converge(&self, session: &mut Session, reports: &mut Reports) -> Result<Exit, CliError> {
        let configuration = self.read(&session.engine()?)?;
        let Some(checked) = check(configuration, session, reports)? else { return Ok(Exit::Failure) };
        let selection = match self.saved {
            Some(plan) => plan.selection(checked.program()),
            None => self.flags.selection(checked.program())?,
        };
        let approval = self.saved.map(SavedPlan::approval);
        let approval = approval.as_ref().map(|approval| approval as &dyn Approval);
        let request = Request { approval, ..self.flags.request(self.mode, selection.as_ref()) };
        match (self.out, checked.origin()) {
            (Some(out), Some(origin)) => {
                let mut recorder = PlanRecorder::new(&checked);
                let summary = play(&checked, request, Some(&mut recorder), session, reports);
                let saved = plan_file::save(out, recorder, origin, session);
                Ok(saved.map_or_else(|error| unsaved(&error, session), |()| self.exit(summary)))
            }
            _ if self.ask => self.asked(&checked, request, session, reports),
            _ => Ok(self.exit(play(&checked, request, None, session, reports))),
        }
    }

    /// The configuration of the saved plan, or of the command line.
    fn read(&self, engine: &Engine) -> Result<Configuration, CliError> {
        let reader = || self.input.reader(engine);
        match (self.saved, self.out) {
            (Some(plan), _) => Ok(plan.read_configuration(engine, &self.input.param)?),
            (None, Some(_)) => self.input.read(reader().logged()),
            (None, None) => self.input.read(reader()),
        }
    }

    /// Shows the plan, asks, and does what was shown.
    fn asked(
        &self,
        checked: &Checked,
        request: Request<'_>,
        session: &mut Session,
        reports: &mut Reports,
    ) -> Result<Exit, CliError> {
        let mut recorder = PlanRecorder::new(checked);
        let planned = match self.saved {
            Some(plan) => show::show(plan, checked.program().kinds(), reports, session),
            None => {
                let request = Request { mode: Mode::Plan, ..request };
                play(checked, request, Some(&mut recorder), session, reports)
            }
        };
        if planned.changed == 0 || session.signals.stop().is_requested() {
            return Ok(self.exit(planned));
        }
        if !confirm::ask("Apply these changes?", session)? {
            session.ui.talk("Nothing was changed.\n");
            return Ok(Exit::Pending);
        }
        let shown = recorder.approval();
        let approval = request.approval.unwrap_or(&shown);
        let request = Request { approval: Some(approval), ..request };
        Ok(self.exit(play(checked, request, None, session, reports)))
    }

    fn exit(&self, summary: Summary) -> Exit {
        let pending = match (self.flags.audit, self.mode) {
            (true, _) => summary.differ,
            (false, Mode::Plan) => summary.changed,
            (false, Mode::Apply) => 0,
        };
        match (summary.is_success(), pending) {
            (false, _) => Exit::Failure,
            (true, 0) => Exit::Success,
            (true, _) => Exit::Pending,
        }
    }
}

/// Runs a program, and tells what happens.
fn play(
    checked: &Checked,
    request: Request<'_>,
    mut recorder: Option<&mut PlanRecorder<'_>>,
    session: &mut Session,
    report: &mut dyn Report,
) -> Summary {
    let mut scene = Scene::new(checked.program(), checked.sources());
    let ui = &mut session.ui;
    checked.run(request, &mut |event| {
        report.event(event, &mut scene, ui);
        if let Some(recorder) = &mut recorder {
            recorder.event(event, |resource| scene.written_at(resource));
        }
    })
}

/// There is no run, because of this.
pub(crate) fn refuse(error: &CliError, session: &mut Session) -> Exit {
    reporter(session, false).error(error, &mut session.ui);
    Exit::Failure
}

/// There was a run, but its plan is not there.
fn unsaved(error: &CliError, session: &mut Session) -> Exit {
    show_error(error, &mut session.ui);
    Exit::Failure
}

/// Reads and checks, and no more.
pub(crate) fn validate(input: &Input, session: &mut Session) -> Exit {
    let mut report = reporter(session, false);
    let read = session.engine().and_then(|engine| input.read(input.reader(&engine)));
    match read.and_then(|configuration| check(configuration, session, &mut *report)) {
        Ok(Some(checked)) => {
            report.valid(checked.program(), &mut session.ui);
            Exit::Success
        }
        Ok(None) => Exit::Failure,
        Err(error) => {
            report.error(&error, &mut session.ui);
            Exit::Failure
        }
    }
}

fn reporter(session: &mut Session, audit: bool) -> Box<dyn Report> {
    let mut report: Box<dyn Report> = match session.flags.json {
        true => Box::new(Json::new(LocalHost::new().now(), audit)),
        false => {
            Box::new(Human::new(&session.flags, audit, session.signals.stop()).measured_by(&session.gauge))
        }
    };
    report.begin(&mut session.ui);
    report
}

/// Checks a configuration, and reports what was found. None if there are errors.
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
