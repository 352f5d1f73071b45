//! The execution of a checked configuration: its journal, and its events in the order of the report.

use std::sync::Arc;

use uphold::journal::{LeftResource, PlanJournal};
use uphold::saved_plan::PlanRecorder;
use uphold::{Checked, Event, EventKind, Mode, Request, Summary};

use crate::Session;
use crate::journal::Recording;
use crate::report::{PlanOrder, Report, Scene, UnverifiedChanges};

/// What a run knows of earlier ones, and leaves to later ones.
pub(crate) enum Memory {
    None,
    Plan(Arc<PlanJournal>),
    Run(Recording),
}

impl Memory {
    /// A run of the configuration begins, of all resources if `is_whole`: only that one can know the resources that are no
    /// longer declared.
    pub(crate) fn declare(&self, checked: &Checked, is_whole: bool) {
        let (program, removals) = (checked.program(), checked.removals());
        match self {
            Memory::Plan(journal) => {
                journal.move_verifications(program);
                if is_whole {
                    journal.declare(program, removals);
                }
            }
            Memory::Run(recording) => {
                recording.journal.move_verifications(program);
                recording.journal.declare(program, is_whole, removals, checked.machine());
            }
            Memory::None => {}
        }
    }

    /// The resources that are no longer declared and stay, at the end of the run.
    fn left(&self) -> Vec<LeftResource> {
        match self {
            Memory::None => Vec::new(),
            Memory::Plan(journal) => journal.left(),
            Memory::Run(recording) => recording.journal.left(),
        }
    }
}

/// Runs the configuration, and reports its events in the order that people read.
pub(crate) fn execute(
    checked: &Checked,
    request: Request<'_>,
    mut recorder: Option<&mut PlanRecorder<'_>>,
    memory: &Memory,
    session: &mut Session,
    report: &mut dyn Report,
) -> Summary {
    let mut scene = Scene::new(checked.program(), checked.sources());
    let forget = session.flags.command("forget");
    let ui = &mut session.ui;
    let mut order = (request.mode == Mode::Plan).then(|| PlanOrder::new(checked.program()));
    let mut unverified = UnverifiedChanges::new(checked.program());
    let sink = &mut |event: &Event| {
        if let Memory::Run(recording) = memory {
            recording.event(event);
        }
        if matches!(event.kind, EventKind::RunFinished(_)) {
            report.no_longer_declared(&memory.left(), &forget, ui);
        }
        report.happened(event, ui);
        let is_shown = recorder.is_some() || report.shows(event);
        let mut in_order = |event: &Event| {
            report.event(event, &mut scene, ui);
            if let Some(recorder) = &mut recorder {
                recorder.event(event, |resource| scene.written_at(resource));
            }
        };
        match &mut order {
            Some(order) => order.take(event, is_shown, &mut in_order),
            None => unverified.take(event, &mut in_order),
        }
    };
    match memory {
        Memory::None => checked.run(request, sink),
        Memory::Plan(journal) => checked.run_recorded(journal.clone(), request, sink),
        Memory::Run(recording) => checked.run_recorded(recording.journal.clone(), request, sink),
    }
}
