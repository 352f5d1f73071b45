//! Services under runit.

use std::path::{Path, PathBuf};

use uphold_resource::{Act, Error, ErrorKind, Interest, Reading, Result};

use super::Service;
use super::init::{Init, Operation, ServiceStatus, cannot_mask};
use super::{command, run};

/// The directory of service definitions.
const DEFINITIONS: &str = "/etc/sv";

/// The supervised directories of common distributions.
const SUPERVISED: [&str; 4] = ["/etc/service", "/service", "/var/service", "/etc/runit/runsvdir/default"];

/// `runsvdir` scans for new services every five seconds, and does not report when it has found one.
const AWAIT_SUPERVISION: &str = "n=0; until [ -p \"$1/supervise/ok\" ] && sv status \"$1\" >/dev/null; do n=$((n+1)); [ $n -lt 100 ] || exit 1; sleep 0.1; done";

/// A service under runit.
pub(super) struct Runit<'a>(pub(super) &'a Service);

impl Init for Runit<'_> {
    fn look(&self, host: &Reading<'_>) -> Result<ServiceStatus> {
        let directory = self.directory(host)?;
        let enabled = host.files().look(&directory)?.is_some();
        let (running, pid, activity) =
            if enabled { self.status(&directory, host)? } else { (false, None, "down".to_owned()) };
        Ok(ServiceStatus { running, enabled, masked: false, pid, activity, nothing_runs: false })
    }

    fn perform(&self, operation: Operation, host: &Act<'_>) -> Result<()> {
        let directory = self.directory(host)?;
        if host.files().look(&directory)?.is_none() {
            return match operation {
                Operation::Stop => Ok(()),
                _ => Err(self.not_supervised(&directory)),
            };
        }
        let verb = match operation {
            Operation::Start => "start",
            Operation::Stop => "stop",
            Operation::Restart => "restart",
            Operation::Reload => "reload",
            Operation::ReloadOrRestart => "try-restart",
        };
        if matches!(operation, Operation::Start | Operation::Restart) {
            self.await_supervision(&directory, host)?;
        }
        let what = format!("cannot {verb} the service {}", self.0.name.0);
        let seconds = self.0.operation_timeout.as_secs().max(1).to_string();
        let directory_text = directory.to_string_lossy();
        run(&command(self.0, "sv", &["-w", &seconds, verb, &directory_text]), &what, host)?;
        match operation {
            Operation::Start | Operation::Restart => self.must_stay(&directory, host),
            _ => Ok(()),
        }
    }

    fn enable(&self, enabled: bool, host: &Act<'_>) -> Result<()> {
        let directory = self.directory(host)?;
        if !enabled {
            return host.edits().remove_file(&directory);
        }
        let definition = Path::new(DEFINITIONS).join(&self.0.name.0);
        if host.files().look(&definition)?.is_none() {
            let what =
                format!("the service {} does not exist: {} is missing", self.0.name.0, definition.display());
            return Err(Error::new(ErrorKind::Missing, what)
                .hint("install the package that provides it, or correct its name"));
        }
        host.edits().make_link(&directory, &definition)
    }

    fn mask(&self, masked: bool, _: &Act<'_>) -> Result<()> {
        if masked { Err(cannot_mask(self.0)) } else { Ok(()) }
    }

    fn interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        if let Ok(directory) = self.directory(host) {
            interests.push(Interest::Path(directory.join("supervise/status")));
            interests.push(Interest::Path(directory));
        }
    }
}

/// All paths at which the service may be supervised.
pub(super) fn places(service: &Service) -> impl Iterator<Item = PathBuf> {
    let own = service.supervised_in.iter().map(|parent| parent.to_path_buf());
    own.chain(SUPERVISED.map(PathBuf::from)).map(|parent| parent.join(&service.name.0))
}

impl Runit<'_> {
    /// The supervised directory of the service.
    fn directory(&self, host: &Reading<'_>) -> Result<PathBuf> {
        if let Some(parent) = &self.0.supervised_in {
            return Ok(parent.join(&self.0.name.0));
        }
        for parent in SUPERVISED.map(Path::new) {
            if host.files().look(parent)?.is_some() {
                return Ok(parent.join(&self.0.name.0));
            }
        }
        let what =
            format!("cannot manage the service {}: none of {} exists", self.0.name.0, SUPERVISED.join(", "));
        Err(Error::new(ErrorKind::Missing, what).hint("install runit, or set `supervised_in`"))
    }

    /// Whether it is running, its process, and its state in the words of runit.
    fn status(&self, directory: &Path, host: &Reading<'_>) -> Result<(bool, Option<u32>, String)> {
        let output = host.probe(&command(self.0, "sv", &["status", &directory.to_string_lossy()]))?;
        Ok(read_status(&String::from_utf8_lossy(&output.stdout)))
    }

    fn await_supervision(&self, directory: &Path, host: &Act<'_>) -> Result<()> {
        let (_, _, activity) = self.status(directory, host)?;
        if activity != "fail" {
            return Ok(());
        }
        let wait = command(self.0, "/bin/sh", &["-c", AWAIT_SUPERVISION, "sh", &directory.to_string_lossy()]);
        if host.run(&wait)?.success() {
            Ok(())
        } else {
            let what = format!("no runsvdir process supervises {}", directory.display());
            let hint = "start `runsvdir -P` for its parent directory";
            Err(Error::new(ErrorKind::Missing, what).hint(hint))
        }
    }

    /// A service that exits is started again after a second, so another process means that it did not stay up.
    fn must_stay(&self, directory: &Path, host: &Act<'_>) -> Result<()> {
        let before = self.status(directory, host)?;
        let settle = format!("{:.3}", self.0.settle.as_secs_f64());
        run(&command(self.0, "sleep", &[&settle]), "cannot wait for the service to settle", host)?;
        let after = self.status(directory, host)?;
        if after.0 && before.1 == after.1 {
            return Ok(());
        }
        let name = &self.0.name.0;
        let what = format!("the service {name} started but did not stay up: its state is {}", after.2);
        let hint = format!("run {DEFINITIONS}/{name}/run by hand to see its output");
        Err(Error::new(ErrorKind::Rejected, what).hint(hint))
    }

    fn not_supervised(&self, directory: &Path) -> Error {
        let what = format!(
            "cannot start the service {}: it is not supervised, because {} does not exist",
            self.0.name.0,
            directory.display()
        );
        Error::new(ErrorKind::Missing, what).hint("set `enabled = true`")
    }
}

/// Parses the output of `sv status`: `run: NAME: (pid 12) 3s`, `down: NAME: 1s, normally up`, `fail: …`.
fn read_status(text: &str) -> (bool, Option<u32>, String) {
    let (word, rest) = text.split_once(':').unwrap_or(("fail", ""));
    let pid = rest.split_once("(pid ").and_then(|(_, rest)| rest.split_once(')')?.0.parse().ok());
    let word = if ["run", "down", "finish"].contains(&word) { word } else { "fail" };
    let running = word == "run";
    (running, pid.filter(|_| running), word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_status() {
        let check = |text: &str, running, pid, word: &str| {
            assert_eq!(read_status(text), (running, pid, word.to_owned()), "{text}");
        };
        check("run: /etc/service/a: (pid 12) 3s\n", true, Some(12), "run");
        check("run: a: (pid 12) 3s; run: log: (pid 13) 3s\n", true, Some(12), "run");
        check("down: a: 1s, normally up\n", false, None, "down");
        check("finish: a: (pid 12) 0s\n", false, None, "finish");
        check("fail: a: runsv not running\n", false, None, "fail");
        check("warning: a: unable to open supervise/ok: file does not exist\n", false, None, "fail");
        check("", false, None, "fail");
    }
}
