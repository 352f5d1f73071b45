//! The watch command from its first step to its exit code.

use std::path::PathBuf;

use uphold::resource::Clock;
use uphold::{Configuration, ConfigurationSource, LocalHost, Summary, Watch, WatchOutcome};
use uphold_status::Board;

use super::audience::{Audience, Progress};
use super::options::HoldFlags;
use super::pulse::Pulse;
use super::screen::Screen;
use super::status_door::StatusDoor;
use super::supervision::Supervision;
use crate::demo;
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
    let engine = session.engine_on(|host| felt.felt(host.machine()))?;
    let watch = Watch::new(engine, source(input, session)?)?;
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
    let outcome = watch.run(&mut audience).map_err(|error| hinted(error, input))?;
    let WatchOutcome::Ended(summary) = outcome else { return Ok(Exit::Failure) };
    let summary = Summary { differ: board.overview(0).totals.differ, ..summary };
    let took = audience.clock.elapsed();
    audience.end(&summary, took);
    Ok(exit(&summary, flags.audit))
}

/// Where the configuration comes from; each time a host is asked that has told nothing yet.
fn source(input: &Input, session: &Session) -> Result<ConfigurationSource, CliError> {
    let (asked, root, kinds) = (input.clone(), session.flags.root.clone(), session.kinds.clone());
    let reader = move || {
        let host = match &root {
            Some(root) => LocalHost::rooted(root)?,
            None => LocalHost::new(),
        };
        Ok(asked.prepare(Configuration::reader(host).kinds(kinds.clone())))
    };
    if input.demo {
        let (name, text) = demo::text();
        return Ok(ConfigurationSource::new([&name], reader)?.with_text(&name, text));
    }
    Ok(ConfigurationSource::new(paths(input), reader)?)
}

fn paths(input: &Input) -> Vec<PathBuf> {
    if input.files.is_empty() { vec![PathBuf::from(".")] } else { input.files.clone() }
}

/// What the configuration is called.
fn subject(input: &Input) -> String {
    if input.demo {
        return "the example".to_owned();
    }
    let shown = |path: &PathBuf| path.display().to_string();
    paths(input).iter().map(shown).collect::<Vec<_>>().join(" ")
}

fn hinted(error: uphold::Error, input: &Input) -> CliError {
    let here = input.files.is_empty() && !input.demo && input.params.is_empty();
    let error = CliError::from(error);
    if here { crate::input::here(error) } else { error }
}

fn exit(summary: &Summary, audit: bool) -> Exit {
    match (summary.is_success(), audit && summary.differ > 0) {
        (false, _) => Exit::Failure,
        (true, true) => Exit::Pending,
        (true, false) => Exit::Success,
    }
}
