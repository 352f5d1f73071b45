//! The journal on a real file system: killed processes, readers beside a writer, and the files of format 1.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests use real files, processes and threads"
)]

mod beside;
mod damage;
mod golden;
mod killed;
mod opening;

use uphold_journal::{
    Content, Difference, NewAction, NewNotification, NewRun, Previous, ResourceKey, Side, Time, Who,
};

pub(crate) const NOON: Time = Time(1_794_934_931_000);

pub(crate) fn notification(target: &str) -> NewNotification {
    NewNotification {
        target: ResourceKey::new("/etc/uphold", "service", target),
        address: format!("service.{target}"),
        verb: "reload".into(),
        moment: "delayed".into(),
        notifier: "file[\"/etc/nginx/site.conf\"]".into(),
        run: Some(1),
        time: NOON,
        parent: None,
    }
}

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
        parent: None,
        time: NOON,
    }
}
