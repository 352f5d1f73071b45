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
mod records;

use uphold_journal::{NewNotification, ResourceKey};

pub(crate) use records::{NOON, action, new_run};

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
