//! The description of the process that holds the lock. A hint only: the lock itself is in the kernel.

use serde::{Deserialize, Serialize};

use crate::process_id::{Liveness, ProcessId};
use crate::time::Time;

/// The run that holds the lock. Arguments of the command are left out, because they may contain secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Holder {
    /// The process.
    pub process: ProcessId,
    /// The user that it runs for: under `sudo`, the caller.
    pub user: String,
    /// Whether the user became root by `sudo`.
    pub sudo: bool,
    /// The terminal, such as `pts/3`.
    pub terminal: Option<String>,
    /// The systemd unit.
    pub unit: Option<String>,
    /// The command: `apply`, `watch`, `undo`.
    pub verb: String,
    /// The paths of the configuration.
    pub paths: Vec<String>,
    /// The start of the run.
    pub since: Time,
    /// The number of the run.
    pub run: Option<u64>,
    /// The status socket of a watch.
    pub socket: Option<String>,
}

/// The other process that holds the lock, as far as it can be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OtherHolder {
    /// A process of this machine.
    Known(Box<Holder>),
    /// A process that cannot be seen from here: it is in another container, or did not describe itself yet.
    Unseen,
}

impl OtherHolder {
    /// The description that the lock file contains, if such a process runs.
    pub(super) fn of(found: Option<Holder>) -> Self {
        match found {
            Some(holder) if holder.process.liveness() == Liveness::Running => Self::Known(Box::new(holder)),
            _ => Self::Unseen,
        }
    }

    /// The words for a message: `uphold apply /etc/uphold (pid 4121, ann by sudo on pts/3, since 17:02:11)`. `clock` is the
    /// start of the run in the caller's time zone.
    pub fn describe(&self, clock: impl FnOnce(Time) -> String) -> String {
        match self {
            Self::Known(holder) => holder.describe(clock),
            Self::Unseen => "a process in another container".to_owned(),
        }
    }
}

impl Holder {
    fn describe(&self, clock: impl FnOnce(Time) -> String) -> String {
        let command: Vec<&str> =
            ["uphold", &*self.verb].into_iter().chain(self.paths.iter().map(String::as_str)).collect();
        let by = match (&self.unit, &self.terminal) {
            (Some(unit), _) => unit.clone(),
            (None, terminal) => {
                let sudo = if self.sudo { " by sudo" } else { "" };
                let on = terminal.as_ref().map(|terminal| format!(" on {terminal}")).unwrap_or_default();
                format!("{}{sudo}{on}", self.user)
            }
        };
        format!("{} (pid {}, {by}, since {})", command.join(" "), self.process.pid, clock(self.since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder() -> Holder {
        let process = ProcessId { pid: 4121, ..ProcessId::default() };
        Holder {
            process,
            user: "ann".into(),
            verb: "apply".into(),
            paths: vec!["/etc/uphold".into()],
            ..Holder::default()
        }
    }

    fn check(holder: Holder, expected: &str) {
        let described = OtherHolder::Known(Box::new(holder)).describe(|_| "17:02:11".into());
        assert_eq!(described, expected);
    }

    #[test]
    fn is_described_by_command_user_and_place() {
        let by_sudo = Holder { sudo: true, terminal: Some("pts/3".into()), ..holder() };
        check(by_sudo, "uphold apply /etc/uphold (pid 4121, ann by sudo on pts/3, since 17:02:11)");
        check(holder(), "uphold apply /etc/uphold (pid 4121, ann, since 17:02:11)");
        let unit = Holder { unit: Some("uphold.service".into()), verb: "watch".into(), ..holder() };
        check(unit, "uphold watch /etc/uphold (pid 4121, uphold.service, since 17:02:11)");
    }

    #[test]
    fn a_holder_without_its_process_is_in_another_container() {
        assert_eq!(OtherHolder::of(Some(holder())), OtherHolder::Unseen);
        assert_eq!(OtherHolder::of(None).describe(|_| String::new()), "a process in another container");
        let own = Holder { process: ProcessId::current(), ..holder() };
        assert!(matches!(OtherHolder::of(Some(own)), OtherHolder::Known(_)));
    }
}
