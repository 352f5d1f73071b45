//! The tested program: a real board on a real terminal, with made-up events.

use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant, SystemTime};

use uphold::LocalHost;
use uphold::model::{Action, ResourceId};
use uphold::resource::{Interest, Stop};
use uphold::{Cause, Change, ChangeKind, Event, EventKind, Mode, Verdict, Wake};
use uphold_dashboard::{Dashboard, DashboardOptions};
use uphold_status::StatusModel;

/// A name with codes that would clear the screen and change the title.
const HOSTILE: &str = "/tmp/\u{1b}[2J\u{1b}]0;evil\u{7}\u{9b}31m\u{202e}東京";

/// The time to fill a terminal whose output is not read.
const MUTE: Duration = Duration::from_secs(3);

/// Plays a scenario until the test ends it.
pub(crate) fn play(name: &str) {
    let board = StatusModel::new(SystemTime::now());
    let stop = Stop::default();
    let (pull, pulled) = channel();
    let (reload, recheck) = (pull.clone(), pull);
    let options = DashboardOptions {
        view: Arc::new(board.clone()),
        host: LocalHost::new().machine(),
        machine: "test-machine".to_owned(),
        configuration: "site.hcl".to_owned(),
        colour: true,
        stop: stop.clone(),
        reload: Box::new(move || reload.send("/reload").expect("the player listens")),
        recheck: Box::new(move || recheck.send("/recheck").expect("the player listens")),
    };
    let dashboard = Dashboard::start(options).expect("a terminal");
    let bell = dashboard.bell();
    let note = |kind| {
        board.note(&Event { at: Duration::ZERO, kind }, SystemTime::now());
        bell.ring();
    };
    begin(&note);
    match name {
        "burst" => burst(&note),
        "mute" => {
            burst(&note);
            std::thread::sleep(MUTE);
            drop(dashboard);
            return;
        }
        "panic" => panic!("the play is over"),
        "caught" => _ = std::panic::catch_unwind(|| panic!("a kind panicked")),
        "killed" => {
            dashboard.terminal_mode().restore();
            signal_hook::low_level::exit(7);
        }
        _ => {}
    }
    while !(stop.is_requested() && (name != "slow" || stop.is_urgent())) {
        pulled.recv_timeout(Duration::from_millis(10)).into_iter().for_each(|path| note(repaired(path)));
    }
    // The write fails if the terminal is gone.
    let _ = std::io::stdout().write_all(dashboard.join().as_bytes());
}

fn begin(note: &impl Fn(EventKind)) {
    note(EventKind::RunStarted { mode: Mode::Apply, actions: 3 });
    for path in ["/etc/motd", "/etc/hosts", HOSTILE] {
        note(finished(path, Cause::Written, Verdict::Unchanged));
    }
    note(EventKind::Watching { resources: 3 });
    note(repaired(HOSTILE));
}

/// Ten thousand repairs; the name of the last one contains the time that recording them took.
fn burst(note: &impl Fn(EventKind)) {
    let began = Instant::now();
    (0..10_000).for_each(|_| note(repaired("/etc/motd")));
    note(repaired(&format!("/took/{}", began.elapsed().as_millis())));
}

fn finished(path: &str, cause: Cause, verdict: Verdict) -> EventKind {
    let (resource, action) = (ResourceId::new("file", path), Action::Converge);
    EventKind::Finished { resource, action, cause, verdict, took: Duration::from_micros(400) }
}

fn repaired(path: &str) -> EventKind {
    let change = Change {
        kind: ChangeKind::Update,
        differences: Vec::new(),
        causes: uphold::model::DifferenceCauses::default(),
        unknown: Vec::new(),
        inputs: uphold::model::Map::new(),
    };
    let interest = Interest::Path(path.into());
    finished(path, Cause::Woken(Wake::Reported(interest)), Verdict::Changed(change))
}
