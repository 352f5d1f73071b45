//! Services under sysvinit.

use std::path::Path;
use std::time::Duration;

use uphold_kit::tool::{NO_SECRETS, refusal};
use uphold_resource::{Act, Command, Error, ErrorKind, Exit, Interest, Reading, Result};

use super::Service;
use super::init::{Init, Operation, ServiceStatus, cannot_mask};
use super::{command, run};

/// The directory of scripts.
const SCRIPTS: &str = "/etc/init.d";

/// The links of services that are started, by runlevel.
const LEVELS: [&str; 4] = ["/etc/rc2.d", "/etc/rc3.d", "/etc/rc4.d", "/etc/rc5.d"];

/// The interval of checks in a watch, because there are no events for such services.
const CHECK_INTERVAL: Duration = Duration::from_secs(15);

/// A service under sysvinit.
pub(super) struct SysvInit<'a>(pub(super) &'a Service);

impl Init for SysvInit<'_> {
    fn look(&self, host: &Reading<'_>) -> Result<ServiceStatus> {
        let running = match self.status_command(host)? {
            Some(command) => self.is_running(&command, host)?,
            None => false,
        };
        let enabled = self.is_enabled(host)?;
        let activity = if running { "running" } else { "stopped" }.to_owned();
        Ok(ServiceStatus { running, enabled, masked: false, pid: None, activity, nothing_runs: false })
    }

    fn perform(&self, operation: Operation, host: &Act<'_>) -> Result<()> {
        let Service { start_command, stop_command, restart_command, reload_command, .. } = self.0;
        let (verb, own) = match operation {
            Operation::Start => ("start", start_command),
            Operation::Stop => ("stop", stop_command),
            Operation::Restart => ("restart", restart_command),
            Operation::Reload => ("reload", reload_command),
            Operation::ReloadOrRestart => ("force-reload", reload_command),
        };
        if own.is_none() {
            self.must_have_script(host)?;
        }
        let call = match own {
            Some(own) => command(self.0, "/bin/sh", &["-c", own]),
            None => command(self.0, "service", &[&self.0.name.0, verb]),
        };
        run(&call, &format!("cannot {verb} the service {}", self.0.name.0), host)?;
        match operation {
            Operation::Start | Operation::Restart => self.must_stay(host),
            _ => Ok(()),
        }
    }

    fn enable(&self, enabled: bool, host: &Act<'_>) -> Result<()> {
        self.must_have_script(host)?;
        let name = &*self.0.name.0;
        let word = if enabled { "enable" } else { "disable" };
        let what = format!("cannot {word} the service {name}");
        // `update-rc.d` can enable or disable only existing links.
        run(&command(self.0, "update-rc.d", &[name, "defaults"]), &what, host)?;
        run(&command(self.0, "update-rc.d", &[name, word]), &what, host)
    }

    fn mask(&self, masked: bool, _: &Act<'_>) -> Result<()> {
        if masked { Err(cannot_mask(self.0)) } else { Ok(()) }
    }

    fn interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(Path::new(SCRIPTS).join(&self.0.name.0)));
        interests.extend(LEVELS.map(|level| Interest::Entries(level.into())));
        interests.push(Interest::Interval(CHECK_INTERVAL));
    }
}

impl SysvInit<'_> {
    /// The command that checks whether it is running; none if it is not installed.
    fn status_command(&self, host: &Reading<'_>) -> Result<Option<Command>> {
        if let Some(own) = &self.0.status_command {
            return Ok(Some(command(self.0, "/bin/sh", &["-c", own])));
        }
        if let Some(pattern) = &self.0.pattern {
            return Ok(Some(command(self.0, "pgrep", &["-f", "--", pattern])));
        }
        let script = host.files().look(&Path::new(SCRIPTS).join(&self.0.name.0))?;
        Ok(script.map(|_| command(self.0, "service", &[&self.0.name.0, "status"])))
    }

    /// By the LSB standard, 0 means running, 1 to 3 stopped, and more a failure.
    fn is_running(&self, command: &Command, host: &Reading<'_>) -> Result<bool> {
        let output = host.probe(command)?;
        let is_own = self.0.status_command.is_some() || self.0.pattern.is_some();
        match output.exit {
            Exit::Code(0) => Ok(true),
            Exit::Code(1..=3) => Ok(false),
            Exit::Code(_) if is_own => Ok(false),
            _ => {
                let what = format!("cannot check whether the service {} is running", self.0.name.0);
                let hint = "set `status_command` or `pattern`";
                Err(refusal(&output, &command.program, &NO_SECRETS, what).hint(hint))
            }
        }
    }

    fn is_enabled(&self, host: &Reading<'_>) -> Result<bool> {
        for level in LEVELS.map(Path::new) {
            if host.files().look(level)?.is_some()
                && host
                    .files()
                    .list(level)?
                    .iter()
                    .any(|link| starts(&link.to_string_lossy(), &self.0.name.0))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn must_have_script(&self, host: &Reading<'_>) -> Result<()> {
        let script = Path::new(SCRIPTS).join(&self.0.name.0);
        match host.files().look(&script)? {
            Some(_) => Ok(()),
            None => {
                let what =
                    format!("the service {} does not exist: {} is missing", self.0.name.0, script.display());
                Err(Error::new(ErrorKind::Missing, what)
                    .hint("install the package that provides it, or correct its name"))
            }
        }
    }

    fn must_stay(&self, host: &Act<'_>) -> Result<()> {
        let settle = format!("{:.3}", self.0.settle.as_secs_f64());
        run(&command(self.0, "sleep", &[&settle]), "cannot wait for the service to settle", host)?;
        if self.look(host)?.running {
            Ok(())
        } else {
            let what = format!("the service {} started but did not stay up", self.0.name.0);
            let hint = "check its log; if its script has no `status`, set `status_command`";
            Err(Error::new(ErrorKind::Rejected, what).hint(hint))
        }
    }
}

/// Whether a link such as `S01ssh` starts the service.
fn starts(link: &str, service: &str) -> bool {
    let Some((number, name)) = link.strip_prefix('S').and_then(|rest| rest.split_at_checked(2)) else {
        return false;
    };
    number.bytes().all(|sign| sign.is_ascii_digit()) && name == service
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_start_links() {
        let check = |link, service, expected| assert_eq!(starts(link, service), expected, "{link}");
        check("S01ssh", "ssh", true);
        check("K01ssh", "ssh", false);
        check("S01sshd", "ssh", false);
        check("Sssh", "ssh", false);
        check("S1ssh", "ssh", false);
        check("S019p", "9p", true);
        check("README", "ssh", false);
    }
}
