//! The watch command from its first step to its exit code.

use std::path::PathBuf;

use uphold::resource::Clock;
use uphold::{LocalHost, Summary, WatchOutcome};
use uphold_status::Board;

use super::audience::{Audience, Progress};
use super::options::HoldFlags;
use super::pulse::Pulse;
use super::screen::Screen;
use super::status_door::StatusDoor;
use super::supervision::Supervision;
use crate::error::CliError;
use crate::exit::Exit;
use crate::input::Input;
use crate::report::{Chronicle, Json, Report, show_error};
use crate::session::Session;

/// Holds the machine until the watch ends, and tells all of it, also what keeps it from beginning.
pub(crate) fn hold(input: &Input, flags: &HoldFlags, session: &mut Session) -> Exit {
    // A repair must not wait for a terminal or a pipe that nobody reads.
    if let Err(error) = session.ui.detach() {
        show_error(&CliError::new("cannot start a thread for the output").because(&error), &mut session.ui);
        return Exit::Failure;
    }
    let mut json = Json::new(LocalHost::new().now(), flags.audit);
    if session.flags.json {
        json.begin(&mut session.ui);
    }
    watch(input, flags, session, json).unwrap_or_else(|error| {
        match session.flags.json {
            true => Json::new(LocalHost::new().now(), flags.audit).error(&error, &mut session.ui),
            false => show_error(&error, &mut session.ui),
        }
        Exit::Failure
    })
}

fn watch(input: &Input, flags: &HoldFlags, session: &mut Session, json: Json) -> Result<Exit, CliError> {
    let clock = LocalHost::new();
    let pulse = Pulse::default();
    let felt = pulse.clone();
    session.signals.listen()?;
    let engine = session.engine_on(felt.felt(session.host()?.machine()));
    let watch = input.watch(input.reader(&engine))?;
    let watch = watch.request(flags.request()).refresh(flags.refresh);
    let (steering, board) = (watch.steering(), Board::new(clock.now()));
    let stop = session.signals.stop().clone();
    let reload = steering.clone();
    session.signals.on_hangup(move || reload.reload());
    let door = StatusDoor::open(flags, &board, &steering)?;
    let supervision = Supervision::begin(&board, &pulse, &stop)?;
    let screen = (!flags.plain).then(|| Screen::new(&board, &steering, subject(input), session)).flatten();
    let mut audience = Audience {
        chronicle: Chronicle::new(&session.flags, flags.audit, &stop),
        json,
        prints_json: session.flags.json,
        screen,
        board: board.clone(),
        broadcast: door.status.as_ref().map(uphold_status::StatusServer::broadcast),
        supervision,
        clock,
        progress: Progress::default(),
        ui: &mut session.ui,
    };
    let outcome = watch.run(&mut audience).map_err(|error| input.hinted(error))?;
    let WatchOutcome::Ended(summary) = outcome else { return Ok(Exit::Failure) };
    let summary = Summary { differ: board.overview(0).totals.differ, ..summary };
    let took = audience.clock.elapsed();
    audience.end(&summary, took);
    Ok(exit(&summary, flags.audit))
}

/// What the configuration is called.
fn subject(input: &Input) -> String {
    if input.demo {
        return "the example".to_owned();
    }
    let shown = |path: &PathBuf| path.display().to_string();
    input.paths().iter().map(shown).collect::<Vec<_>>().join(" ")
}

fn exit(summary: &Summary, audit: bool) -> Exit {
    match (summary.is_success(), audit && summary.differ > 0) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Pending,
        (true, false) => Exit::Success,
    }
}
