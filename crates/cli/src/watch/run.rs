//! The watch command, from its setup to its exit code.

use std::path::PathBuf;
use std::sync::Arc;

use uphold::journal::{Records, RemovalRequest, Removals};
use uphold::resource::Clock;
use uphold::{LocalHost, Summary, Watch, WatchOutcome, WatchRequest};
use uphold_status::StatusModel;

use super::flags::Servers;
use super::flags::WatchFlags;
use super::liveness::Liveness;
use super::observers::{Observers, ReloadState};
use super::screen::Screen;
use super::service_manager::Supervision;
use crate::journal::{Recording, StoredPauses, Subject};
use crate::report::{Json, Report, WatchLog, show_error};
use crate::{CliError, Exit, Input, Session};

/// Watches until stopped, and reports everything, also an error that prevents the watch.
pub(crate) fn watch(input: &Input, flags: &WatchFlags, session: &mut Session) -> Exit {
    // A repair must not wait for a blocked terminal or pipe.
    if let Err(error) = session.ui.detach() {
        show_error(&CliError::new("cannot start a thread for the output").because(&error), &mut session.ui);
        return Exit::Failure;
    }
    let mut json = Json::new(LocalHost::new().now(), flags.audit);
    if session.flags.json {
        json.begin(&mut session.ui);
    }
    try_watch(input, flags, session, json).unwrap_or_else(|error| {
        if session.flags.json {
            Json::new(LocalHost::new().now(), flags.audit).error(&error, &mut session.ui);
        } else {
            show_error(&error, &mut session.ui);
        }
        Exit::Failure
    })
}

fn try_watch(input: &Input, flags: &WatchFlags, session: &mut Session, json: Json) -> Result<Exit, CliError> {
    let clock = LocalHost::new();
    let liveness = Liveness::default();
    session.signals.listen()?;
    let engine = session.engine_on(liveness.clone().counting(session.host()?.machine()));
    let (recording, records) = if flags.audit { (None, None) } else { record(input, flags, session)? };
    let engine = match &recording {
        Some(recording) => engine.recorded_by(recording.journal.clone()),
        None => engine,
    };
    // Standard input and pipes are read here, once.
    let watch = session.signals.while_waiting(|| input.watch(input.reader(&engine)))?;
    let (steering, board) = (watch.steering(), StatusModel::new(clock.now()));
    let watch = with_pauses(watch.refresh(flags.refresh), flags, session)?;
    let machine = engine.machine().clone();
    let watch = match records {
        Some(records) => with_removals(watch, records, Subject::of_input(input, session).name, flags),
        None => watch,
    };
    let stop = session.signals.stop().clone();
    let reload = steering.clone();
    session.signals.on_hangup(move || reload.reload());
    let servers = Servers::start(flags, &board, &steering)?;
    let supervision = Supervision::begin(&board, &liveness, &stop)?;
    let screen = (!flags.plain).then(|| Screen::new(&board, &steering, subject(input), session)).flatten();
    let mut observers = Observers {
        log: WatchLog::new(&session.flags, flags.audit, &stop),
        json,
        prints_json: session.flags.json,
        screen,
        board: board.clone(),
        broadcast: servers.status.as_ref().map(uphold_status::StatusServer::broadcast),
        supervision,
        clock,
        reload: ReloadState::default(),
        recording,
        machine,
        program: None,
        ui: &mut session.ui,
    };
    let outcome = watch.run(&mut observers).map_err(|error| input.with_hint(error))?;
    let WatchOutcome::Ended(summary) = outcome else { return Ok(Exit::Failure) };
    let totals = board.overview(0).totals;
    let summary = Summary { differ: totals.differs, paused: totals.paused, ..summary };
    let took = observers.clock.elapsed();
    observers.end(&summary, took);
    Ok(Exit::of(summary.is_success(), flags.audit && summary.differ > 0))
}

/// A watch that leaves paused resources unchanged, and follows the file of pauses. An audit changes nothing in any case.
fn with_pauses(watch: Watch, flags: &WatchFlags, session: &mut Session) -> Result<Watch, CliError> {
    let stored = match StoredPauses::find(session) {
        Ok(Some(stored)) if !flags.audit => stored,
        Err(error) if !flags.audit && !flags.lock.has_no_journal() => return Err(error),
        _ => return Ok(watch.request(flags.request())),
    };
    let pauses = Arc::new(stored.read(&mut session.ui)?);
    let request = WatchRequest { pauses: Some(pauses.clone()), ..flags.request() };
    let (path, steering) = (stored.path(), watch.steering());
    let changed = move || {
        if stored.update(&pauses) {
            steering.pauses_changed();
        }
    };
    Ok(watch.request(request).follow(path, changed))
}

/// A watch that removes resources that are no longer declared, if they are to be removed.
fn with_removals(watch: Watch, records: Records, configuration: String, flags: &WatchFlags) -> Watch {
    if configuration.is_empty() {
        return watch;
    }
    let allowed = flags.allow_removals.unwrap_or(0);
    watch.removals(move |program, machine| {
        let request = RemovalRequest { records: &records, configuration: &configuration, allowed };
        Removals::plan(&request, program, machine)
    })
}

/// Waits for other runs, and begins the record of this one. The records of earlier ones, if they can be changed.
fn record(
    input: &Input,
    flags: &WatchFlags,
    session: &mut Session,
) -> Result<(Option<Recording>, Option<Records>), CliError> {
    let subject = Subject::of_input(input, session);
    let Some(locked) = flags.lock.lock("watch", &subject, session)? else { return Ok((None, None)) };
    let records = locked.writable_records();
    Ok((Some(locked.begin("watch", &subject, &mut session.ui)?), records))
}

/// The name of the configuration in the terminal view.
fn subject(input: &Input) -> String {
    if input.demo {
        return "the example".to_owned();
    }
    let shown = |path: &PathBuf| path.display().to_string();
    input.paths().iter().map(shown).collect::<Vec<_>>().join(" ")
}
