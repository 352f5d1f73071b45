//! Events of an engine.

use std::time::{Duration, SystemTime};

use uphold_engine::{Cause, Change, ChangeKind, Event, EventKind, Failure, Mode, Skip, Verdict, Wake};
use uphold_model::{Action, Difference, ResourceId, Side, Value};
use uphold_resource::{ErrorKind, Interest};
use uphold_status::{Snapshot, StatusModel};

/// When everything begins.
pub(crate) const BEGAN: SystemTime = SystemTime::UNIX_EPOCH;

/// A board, and a clock that goes on by a second with each event.
pub(crate) struct Story {
    pub(crate) board: StatusModel,
    pub(crate) now: SystemTime,
}

impl Story {
    pub(crate) fn new() -> Self {
        Self { board: StatusModel::new(BEGAN), now: BEGAN }
    }

    /// One more event.
    pub(crate) fn tell(&mut self, kind: EventKind) {
        self.now += Duration::from_secs(1);
        let at = self.now.duration_since(BEGAN).expect("time goes on");
        self.board.note(&Event { at, kind }, self.now);
    }

    /// A whole visit.
    pub(crate) fn visit(&mut self, name: &str, cause: Cause, verdict: Verdict) {
        let (resource, action) = (file(name), Action::Converge);
        self.tell(EventKind::Started {
            resource: resource.clone(),
            action: action.clone(),
            cause: cause.clone(),
        });
        let took = Duration::from_micros(1_500);
        self.tell(EventKind::Finished { resource, action, cause, verdict, took });
    }

    /// A first walk over these, and then the watch.
    pub(crate) fn converge(&mut self, names: &[&str]) {
        self.tell(EventKind::RunStarted { mode: Mode::Apply, actions: names.len() });
        names.iter().for_each(|name| self.visit(name, Cause::Written, Verdict::Unchanged));
        self.tell(EventKind::Watching { resources: names.len() });
    }
}

pub(crate) fn file(name: &str) -> ResourceId {
    ResourceId::new("file", name)
}

/// The kernel reported a change of this path.
pub(crate) fn reported(path: &str) -> Cause {
    Cause::Woken(Wake::Reported(Interest::Path(path.into())))
}

/// A change of these properties, with a secret in each.
pub(crate) fn change(properties: &[&str]) -> Change {
    let side = |text: &str| Side::Value(Value::text(text).sensitive());
    let difference =
        |name: &&str| Difference { property: (*name).into(), from: side("hunter1"), to: side("hunter2") };
    let differences = properties.iter().map(difference).collect();
    let (causes, unknown, inputs) = Default::default();
    Change { kind: ChangeKind::Update, differences, causes, unknown, inputs }
}

pub(crate) fn failed(message: &str) -> Verdict {
    Verdict::Failed(Failure {
        kind: ErrorKind::Denied,
        message: message.to_owned(),
        causes: vec!["permission denied".to_owned()],
        hint: Some("ask an administrator".to_owned()),
        differences: Vec::new(),
        place: None,
    })
}

pub(crate) fn blocked(by: &str) -> Verdict {
    Verdict::Skipped(Skip::FailedBefore(file(by)))
}

/// A snapshot as it goes over the socket.
pub(crate) fn written(snapshot: &Snapshot) -> String {
    uphold_wire::line(&snapshot.answer())
}
