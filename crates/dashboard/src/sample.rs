//! Sample watches for the tests of the screen.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold::ChangeKind;
use uphold::model::{Action, Name, ResourceId};
use uphold_status::{
    Blind, LastChange, Next, Overview, Phase, RecentEvent, Refusal, ResourceStatus, Snapshot, State, Totals,
    Trouble, Visit, WatchEventKind, Why,
};

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
    Why { word: "change_detected".into(), text: text.to_owned() }
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
        busy: None,
        next: None,
        blind: None,
        last_change: None,
        last_visit: Some(Visit { at: at(0), took: Duration::from_micros(80), why: why("it is written") }),
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
    ResourceStatus { next: Some(next), failures: 3, ..resource(id, State::Failed(Arc::new(trouble))) }
}

pub(crate) fn repaired(id: ResourceId) -> ResourceStatus {
    let last_change = LastChange {
        at: at(184),
        kind: ChangeKind::Update,
        properties: names(&["content", "mode"]),
        why: why("/etc/motd changed"),
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

fn blind(id: ResourceId) -> ResourceStatus {
    let blind = Blind { because: "no watches are left".to_owned(), every: Duration::from_secs(10) };
    ResourceStatus { blind: Some(Arc::new(blind)), ..resource(id, State::Held) }
}

fn differing(id: ResourceId) -> ResourceStatus {
    resource(id, State::Differs { kind: ChangeKind::Update, properties: names(&["owner"]) })
}

fn happening(seconds: u64, id: Option<ResourceId>, kind: WatchEventKind) -> Arc<RecentEvent> {
    let is_visit = id.is_some() && !matches!(kind, WatchEventKind::Blind { .. });
    let why = is_visit.then(|| why("/etc/motd changed"));
    let took = is_visit.then_some(Duration::from_micros(430));
    Arc::new(RecentEvent { at: at(seconds), resource: id, kind, why, took })
}

/// The event of a repair.
pub(crate) fn repair(seconds: u64, id: ResourceId) -> Arc<RecentEvent> {
    let kind = WatchEventKind::Repaired { kind: ChangeKind::Update, properties: names(&["content", "mode"]) };
    happening(seconds, Some(id), kind)
}

/// A watch of these resources, without events.
pub(crate) fn quiet(resources: Vec<ResourceStatus>) -> Snapshot {
    let count = |fits: fn(&ResourceStatus) -> bool| resources.iter().filter(|status| fits(status)).count();
    let totals = Totals {
        all: resources.len(),
        held: count(|status| status.state == State::Held),
        failed: count(|status| matches!(status.state, State::Failed(_))),
        blocked: count(|status| matches!(status.state, State::Blocked(_))),
        differ: count(|status| matches!(status.state, State::Differs { .. })),
        waiting: count(|status| status.state == State::Waiting),
        blind: count(|status| status.blind.is_some()),
        busy: count(|status| status.busy.is_some()),
        ..Totals::default()
    };
    let overview = Overview {
        began: at(0),
        pid: 1,
        phase: Phase::Watching { since: at(0) },
        generation: 0,
        swapped: None,
        refused: None,
        totals,
        troubles: resources.iter().filter(|status| status.is_trouble()).cloned().collect(),
        more_problems: 0,
        busy: resources.iter().filter(|status| status.busy.is_some()).cloned().collect(),
        happenings: Vec::new(),
    };
    Snapshot { overview, resources }
}

/// A watch with events of every kind.
pub(crate) fn lively() -> Snapshot {
    let migrate = ResourceId::new("task", "migrate");
    let busy =
        ResourceStatus { busy: Some(at(588)), ..resource(ResourceId::new("task", "backup"), State::Held) };
    let mut watch = quiet(vec![
        repaired(file("/etc/motd")),
        resource(file("/etc/hosts"), State::Held),
        failed(migrate.clone(), "cannot run `app migrate`: exit status 1: no route to the database"),
        resource(file("/srv/app/ready"), State::Blocked(migrate.clone())),
        blind(ResourceId::new("directory", "/mnt/share")),
        differing(file("/etc/passwd")),
        busy,
        resource(file("/etc/issue"), State::LeftAlone("its `when` is false".into())),
    ]);
    watch.overview.totals.repaired = 2;
    watch.overview.totals.changes = 3;
    watch.overview.totals.left_alone = 1;
    watch.overview.happenings = events(migrate);
    watch
}

fn events(migrate: ResourceId) -> Vec<Arc<RecentEvent>> {
    let motd = file("/etc/motd");
    let (create, update) = (ChangeKind::Create, ChangeKind::Update);
    let created = WatchEventKind::Changed { kind: create, properties: names(&["content"]) };
    let audited = WatchEventKind::Drifted { kind: update, properties: names(&["owner"]) };
    let message = "cannot run `app migrate`: exit status 1: no route to the database".to_owned();
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
            WatchEventKind::Blind { because: "no watches are left".into() },
        ),
        happening(140, None, WatchEventKind::ReportsLost),
        happening(150, Some(file("/etc/passwd")), audited),
        happening(160, None, WatchEventKind::Swapped { generation: 1, kept: 7, visited: 1, left: 2 }),
        repair(184, motd),
        happening(300, None, WatchEventKind::ReloadFailed { message: refused }),
    ]
}

/// The lively watch, with a refused configuration.
pub(crate) fn refused() -> Snapshot {
    let mut watch = lively();
    let message = "error: unknown kind `flie`\n --> site.hcl:3:1".to_owned();
    watch.overview.refused = Some(Refusal { at: at(300), message });
    watch
}

/// A watch during its first run.
pub(crate) fn converging() -> Snapshot {
    let waiting = |name: &str| resource(file(name), State::Waiting);
    let busy = ResourceStatus { busy: Some(at(597)), ..waiting("/b") };
    let mut watch = quiet(vec![resource(file("/a"), State::Held), busy, waiting("/c"), waiting("/d")]);
    watch.overview.phase = Phase::Converging { done: 1, of: 4 };
    watch
}
