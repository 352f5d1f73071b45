//! A run and an action, for the tests of this directory and the unit tests of runs.

use uphold_journal::{Content, Difference, NewAction, NewRun, Previous, ResourceKey, Side, Time, Who};

pub(crate) const NOON: Time = Time(1_794_934_931_000);

pub(crate) fn new_run() -> NewRun {
    NewRun {
        mode: "apply".into(),
        time: NOON,
        who: Who { user: "ann".into(), sudo: true, terminal: Some("pts/3".into()), ..Who::default() },
        paths: vec!["/etc/uphold".into()],
        digest: "4f2c1d9".into(),
        version: "0.1.0".into(),
        ..NewRun::default()
    }
}

pub(crate) fn action(path: &str) -> NewAction {
    let mode = Difference {
        property: "mode".into(),
        from: Side::of("0666"),
        to: Side::of("0644"),
        cause: Some("drift".into()),
    };
    NewAction {
        key: ResourceKey::new("/etc/uphold", "file", path),
        address: format!("file[\"{path}\"]"),
        action: "update".into(),
        differences: vec![mode],
        previous: Previous::Values(Content::Text("{\"mode\":\"0666\"}".into())),
        recovery: None,
        applied: None,
        parent: None,
        time: NOON,
    }
}
