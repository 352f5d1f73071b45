//! What plan, apply and validate have in common.

use uphold::resource::Observe;
use uphold::{LocalHost, Mode, Summary};

use crate::demo;
use crate::exit::Exit;
use crate::input::Input;
use crate::report::{Human, Json, Report, Scene, show_error};
use crate::session::{Checked, Loaded, Session};

/// Plans or applies; returns what it came to, or none if there was no run and the reason was told.
pub(crate) fn run(input: &Input, session: &mut Session, mode: Mode) -> Option<Summary> {
    let mut report = reporter(session);
    let folder = match input.demo.then(|| demo::prepare_root(mode, session)).transpose() {
        Ok(folder) => folder.flatten(),
        Err(error) => {
            report.error(&error, &mut session.ui);
            return None;
        }
    };
    let summary = converge(input, session, mode, &mut *report);
    let parted = folder.map_or(Ok(()), |folder| demo::part_with(&folder, mode, &mut session.ui));
    parted.unwrap_or_else(|error| show_error(&error, &mut session.ui));
    summary
}

fn converge(input: &Input, session: &mut Session, mode: Mode, report: &mut dyn Report) -> Option<Summary> {
    let loaded = load(input, session, report)?.for_a_run();
    let Checked { engine, program, sources } = sound(loaded, session, report)?;
    let mut scene = Scene::new(&program, &sources);
    let ui = &mut session.ui;
    Some(engine.run(&program, mode, &mut |event| report.event(event, &mut scene, ui)))
}

/// Reads and checks, and no more.
pub(crate) fn validate(input: &Input, session: &mut Session) -> Exit {
    let mut report = reporter(session);
    let loaded = load(input, session, &mut *report);
    match loaded.and_then(|loaded| sound(loaded, session, &mut *report)) {
        Some(checked) => {
            report.valid(&checked.program, &mut session.ui);
            Exit::Success
        }
        None => Exit::Failure,
    }
}

fn reporter(session: &mut Session) -> Box<dyn Report> {
    let mut report: Box<dyn Report> = match session.flags.json {
        true => Box::new(Json::new(LocalHost::new().clock().now())),
        false => Box::new(Human::new(&session.flags)),
    };
    report.begin(&mut session.ui);
    report
}

/// The configuration, if it can be read; else it was told why not.
fn load(input: &Input, session: &mut Session, report: &mut dyn Report) -> Option<Loaded> {
    session.load(input).map_err(|error| report.error(&error, &mut session.ui)).ok()
}

/// The configuration, if it is sound; else it was told why not.
fn sound(loaded: Loaded, session: &mut Session, report: &mut dyn Report) -> Option<Checked> {
    report.diagnostics(&loaded.diagnostics, &loaded.sources, &mut session.ui);
    let checked = loaded.checked();
    if checked.is_none() {
        report.refused(&mut session.ui);
    }
    checked
}
