//! Sample watches for the tests of the screen.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold::ChangeKind;
use uphold::model::{Action, Name, ResourceId};
use uphold_status::{
    LastChange, Next, Overview, Page, Phase, Polling, RecentEvent, Refusal, ResourceStatus, Snapshot, State,
    Totals, Trouble, Visit, WatchEventKind, Why,
};

use crate::view::View;

/// 2026-11-16 12:00:00.
const NOON: u64 = 1_794_830_400;

/// A time after noon.
pub(crate) fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(NOON + seconds)
}

/// The time of every test screen: ten past twelve.
pub(crate) fn now() -> SystemTime {
    at(600)
}

pub(crate) fn file(path: &str) -> ResourceId {
    ResourceId::new("file", path)
}

fn why(text: &str) -> Why {
    Why { reason: "change_detected".into(), message: text.to_owned() }
}

fn names(names: &[&str]) -> Arc<[Name]> {
    names.iter().copied().map(Name::from).collect()
}

/// A resource without any events.
pub(crate) fn resource(id: ResourceId, state: State) -> ResourceStatus {
    ResourceStatus {
        resource: id,
        action: Action::Converge,
        state,
        since: at(0),
        busy_since: None,
        next_attempt: None,
        polling: None,
        last_change: None,
        last_visit: Some(Visit {
            at: at(0),
            duration: Duration::from_micros(80),
            cause: why("it is written"),
        }),
        visits: 1,
        changes: 0,
        drifted: 0,
        repaired: 0,
        failures: 0,
    }
}

pub(crate) fn failed(id: ResourceId, message: &str) -> ResourceStatus {
    let hint = Some("start the database first".to_owned());
    let trouble = Trouble { kind: "failed".into(), message: message.to_owned(), hint };
    let next = Next { at: at(612), reason: "it failed 3 times".to_owned() };
    ResourceStatus { next_attempt: Some(next), failures: 3, ..resource(id, State::Failed(Arc::new(trouble))) }
}

pub(crate) fn repaired(id: ResourceId) -> ResourceStatus {
    let last_change = LastChange {
        at: at(184),
        change: ChangeKind::Update,
        properties: names(&["content", "mode"]),
        cause: why("/etc/motd changed"),
    };
    ResourceStatus {
        last_change: Some(last_change),
        visits: 3,
        changes: 2,
        drifted: 2,
        repaired: 2,
        ..resource(id, State::Held)
    }
}

fn polled(id: ResourceId) -> ResourceStatus {
    let polling = Polling { reason: "no watches are left".to_owned(), interval: Duration::from_secs(10) };
    ResourceStatus { polling: Some(Arc::new(polling)), ..resource(id, State::Held) }
}

fn differing(id: ResourceId) -> ResourceStatus {
    resource(id, State::Differs { kind: ChangeKind::Update, properties: names(&["owner"]) })
}

fn happening(seconds: u64, id: Option<ResourceId>, kind: WatchEventKind) -> Arc<RecentEvent> {
    let is_visit = id.is_some() && !matches!(kind, WatchEventKind::Polling { .. });
    let cause = is_visit.then(|| why("/etc/motd changed"));
    let duration = is_visit.then_some(Duration::from_micros(430));
    Arc::new(RecentEvent { at: at(seconds), resource: id, kind, cause, duration })
}

/// The event of a repair.
pub(crate) fn repair(seconds: u64, id: ResourceId) -> Arc<RecentEvent> {
    let kind =
        WatchEventKind::Repaired { change: ChangeKind::Update, properties: names(&["content", "mode"]) };
    happening(seconds, Some(id), kind)
}

/// A watch of these resources, without events.
pub(crate) fn quiet(resources: Vec<ResourceStatus>) -> Snapshot {
    let count = |fits: fn(&ResourceStatus) -> bool| resources.iter().filter(|status| fits(status)).count();
    let totals = Totals {
        all: resources.len(),
        ok: count(|status| status.state == State::Held),
        failed: count(|status| matches!(status.state, State::Failed(_))),
        blocked: count(|status| matches!(status.state, State::Blocked(_))),
        differs: count(|status| matches!(status.state, State::Differs { .. })),
        not_visited: count(|status| status.state == State::Waiting),
        polled: count(|status| status.polling.is_some()),
        busy: count(|status| status.busy_since.is_some()),
        ..Totals::default()
    };
    let overview = Overview {
        started_at: at(0),
        pid: 1,
        phase: Phase::Watching { since: at(0) },
        generation: 0,
        reloaded_at: None,
        reload_error: None,
        totals,
        problems: resources.iter().filter(|status| status.is_trouble()).cloned().collect(),
        more_problems: 0,
        busy: resources.iter().filter(|status| status.busy_since.is_some()).cloned().collect(),
        events: Vec::new(),
    };
    Snapshot { overview, resources }
}

/// A watch with events of every kind.
pub(crate) fn lively() -> Snapshot {
    let migrate = ResourceId::new("task", "migrate");
    let busy = ResourceStatus {
        busy_since: Some(at(588)),
        ..resource(ResourceId::new("task", "backup"), State::Held)
    };
    let mut watch = quiet(vec![
        repaired(file("/etc/motd")),
        resource(file("/etc/hosts"), State::Held),
        failed(migrate.clone(), "cannot run `app migrate`: exit status 1: no route to the database"),
        resource(file("/srv/app/ready"), State::Blocked(migrate.clone())),
        polled(ResourceId::new("directory", "/mnt/share")),
        differing(file("/etc/passwd")),
        busy,
        resource(file("/etc/issue"), State::LeftAlone("its `when` is false".into())),
    ]);
    watch.overview.totals.repaired = 2;
    watch.overview.totals.changes = 3;
    watch.overview.totals.skipped = 1;
    watch.overview.events = events(migrate);
    watch
}

fn events(migrate: ResourceId) -> Vec<Arc<RecentEvent>> {
    let motd = file("/etc/motd");
    let (create, update) = (ChangeKind::Create, ChangeKind::Update);
    let created = WatchEventKind::Changed { change: create, properties: names(&["content"]) };
    let audited = WatchEventKind::Drifted { change: update, properties: names(&["owner"]) };
    let message = "cannot run `app migrate`: exit status 1: no route to the database".to_owned();
    let reloaded = WatchEventKind::ConfigurationReloaded {
        generation: 1,
        unchanged: 7,
        visited: 1,
        no_longer_declared: 2,
    };
    let refused = "error: unknown kind `flie`\n --> site.hcl:3:1".to_owned();
    vec![
        happening(0, Some(motd.clone()), created),
        happening(1, None, WatchEventKind::Watching { resources: 8 }),
        repair(60, motd.clone()),
        happening(90, Some(migrate), WatchEventKind::Failed { message }),
        happening(120, Some(file("/srv/app/ready")), WatchEventKind::Recovered),
        happening(
            130,
            Some(file("/mnt/share")),
            WatchEventKind::Polling { reason: "no watches are left".into() },
        ),
        happening(140, None, WatchEventKind::EventsLost),
        happening(150, Some(file("/etc/passwd")), audited),
        happening(160, None, reloaded),
        repair(184, motd),
        happening(300, None, WatchEventKind::ReloadFailed { message: refused }),
    ]
}

/// The lively watch, with a refused configuration.
pub(crate) fn refused() -> Snapshot {
    let mut watch = lively();
    let message = "error: unknown kind `flie`\n --> site.hcl:3:1".to_owned();
    watch.overview.reload_error = Some(Refusal { at: at(300), message });
    watch
}

/// A watch during its first run.
pub(crate) fn converging() -> Snapshot {
    let waiting = |name: &str| resource(file(name), State::Waiting);
    let busy = ResourceStatus { busy_since: Some(at(597)), ..waiting("/b") };
    let mut watch = quiet(vec![resource(file("/a"), State::Held), busy, waiting("/c"), waiting("/d")]);
    watch.overview.phase = Phase::Converging { done: 1, of: 4 };
    watch
}

/// A view that does not change.
impl View for Snapshot {
    fn overview(&self, troubles: usize) -> Overview {
        let mut overview = self.overview.clone();
        overview.more_problems += overview.problems.len().saturating_sub(troubles);
        overview.problems.truncate(troubles);
        overview
    }

    fn page(&self, containing: &str, skip: usize, take: usize) -> Page {
        let wanted = containing.to_lowercase();
        let fits = |status: &&ResourceStatus| {
            wanted.is_empty() || status.resource.to_string().to_lowercase().contains(&wanted)
        };
        let fitting: Vec<&ResourceStatus> = self.resources.iter().filter(fits).collect();
        let resources = fitting.iter().skip(skip).take(take).map(|status| (*status).clone()).collect();
        Page { resources, of: fitting.len() }
    }

    fn details(&self, resource: &ResourceId) -> Vec<ResourceStatus> {
        self.resources.iter().filter(|status| status.resource == *resource).cloned().collect()
    }
}
