//! One service.

use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Error, ErrorKind, Interest, Level, OwnedPaths, Reading,
    Resource, Result, Seen, Step, Verbs, Want, Watching,
};

use super::init::{self, Motion, ServiceProvider, init_of};
use super::runit;
use crate::services::{UnitName, links};

/// Where unit files go that are written on this machine.
const UNIT_FILES: &str = "/etc/systemd/system";

/// Something that runs in the background.
///
/// It is under systemd, runit or the scripts of sysvinit: whichever runs the machine, unless
/// `provider` says. systemd is asked over D-Bus. A start, restart or reload waits until it is done,
/// and then until the service has stayed up for `settle`: one that starts and dies at once is a
/// failure, told with how it ended.
///
/// A service that there is not counts as not running and not enabled, because a package that comes
/// before it may bring it; to start it is an error then.
///
/// ```hcl
/// service "nginx" {
///   running = true
///   enabled = true
/// }
///
/// file "/etc/nginx/nginx.conf" {
///   content  = "events {}\n"
///   notifies = [service.nginx.reload]
/// }
/// ```
///
/// Below `--root`, in a chroot and in an image build, where the init system is installed and does not run, services can
/// be enabled, disabled and masked. To ask for `running = true` there is an error; a restart or reload has nothing to do.
///
/// It waits for `package` of the same name, for `systemd_unit` of the same name and for the file
/// in `/etc/systemd/system`. If its unit file changed since systemd read it, systemd reads it again before
/// anything is started.
///
/// A service cannot be removed: say `running = false` and `enabled = false`.
///
/// ```hcl
/// service "bluetooth" {
///   running = false
///   masked  = true
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "service",
    also("svc", "systemd", "systemd_service", "runit_service", "daemon", "unit"),
    any_of(
        running,
        enabled,
        masked,
        fix = "add `running = true`, or only act on it with `action = \"restart\"`"
    ),
    verbs(
        start = "Start it if it does not run.",
        stop = "Stop it if it runs.",
        restart = "Stop and start it; start it if it does not run.",
        reload = "Let it read its configuration again. Nothing happens if it does not run.",
        reload_or_restart = "The same, but restart it if it cannot reload."
    ),
    claims,
    interests,
    permanent
)]
pub struct Service {
    /// What it is called: `nginx`, or with its type `nginx.service`, `fstrim.timer`.
    #[also("service_name", "unit")]
    #[name]
    pub name: UnitName,
    /// Whether it runs now.
    #[also("ensure", "state", "started", "active")]
    pub running: Want<bool>,
    /// Whether it is started at boot. Under runit that is whether it is supervised: what is not enabled does not run.
    #[also("enable", "startup", "onboot")]
    pub enabled: Want<bool>,
    /// Whether it cannot be started at all, not even by hand. What is masked counts as not enabled. systemd only.
    #[also("mask")]
    pub masked: Want<bool>,
    /// The init system it is under; the one of the machine unless set.
    pub provider: Option<ServiceProvider>,
    /// How long a start, stop, restart or reload may take.
    #[also("wait", "start_timeout", "timeout_sec")]
    #[default("90s")]
    pub patience: Duration,
    /// How long it must stay up after a start. Services that say themselves when they are ready are
    /// believed, and not waited for.
    #[also("sleep")]
    #[default("500ms")]
    pub settle: Duration,
    /// Shell command that tells by its status whether it runs, if its script cannot. sysvinit only.
    #[also("status")]
    pub status_command: Option<String>,
    /// It runs if the command line of any process matches this, as for `pgrep -f`. sysvinit only.
    pub pattern: Option<String>,
    /// Shell command that starts it, instead of its script. sysvinit only.
    pub start_command: Option<String>,
    /// Shell command that stops it, instead of its script. sysvinit only.
    pub stop_command: Option<String>,
    /// Shell command that restarts it, instead of its script. sysvinit only.
    pub restart_command: Option<String>,
    /// Shell command that lets it reload, instead of its script. sysvinit only.
    pub reload_command: Option<String>,
    /// The directory that `runsvdir` looks at; the first of the usual ones unless set. runit only.
    #[also("service_dir", "svdir")]
    pub supervised_in: Option<AbsolutePath>,
    /// Its main process, if it has one and runs. Not told by sysvinit.
    pub pid: Seen<Option<u32>>,
    /// What it does, in the word of the init system, such as `running`, `exited` or `dead`.
    pub activity: Seen<String>,
}

impl Resource for Service {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        let is = |want: &Want<bool>| want.get() == Some(&true);
        if is(&self.masked) && (is(&self.running) || is(&self.enabled)) {
            let what = format!("the service {} cannot be masked and started", self.name.0);
            return Err(
                Error::new(ErrorKind::Invalid, what).hint("take out `masked`, or `running` and `enabled`")
            );
        }
        init_of(self, host).map(drop)
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<ServiceState>> {
        let standing = init_of(self, host)?.look(host)?;
        let is_started = self.running.get() == Some(&true);
        if is_started && (standing.nothing_runs || (self.provider.is_none() && init::is_none(host)?)) {
            return Err(init::nothing_runs(self));
        }
        Ok(Some(ServiceState {
            running: standing.running,
            enabled: standing.enabled,
            masked: standing.masked,
            pid: standing.pid,
            activity: standing.activity,
        }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let Step::Update { change, .. } = step else {
            return Err(Error::new(ErrorKind::Unsupported, "a service cannot be removed"));
        };
        let to = |delta: &Option<uphold_resource::Delta<bool>>| delta.as_ref().map(|delta| delta.to);
        let (running, enabled, masked) = (to(&change.running), to(&change.enabled), to(&change.masked));
        let init = init_of(self, host)?;
        // What is masked can only be unmasked first, and what is to be masked is stopped before.
        if masked == Some(false) {
            init.mask(false, host)?;
        }
        if running == Some(false) {
            init.shift(Motion::Stop, host)?;
        }
        enabled.map_or(Ok(()), |enabled| init.enable(enabled, host))?;
        if running == Some(true) {
            init.shift(Motion::Start, host)?;
        }
        match masked {
            Some(true) => init.mask(true, host),
            _ => Ok(()),
        }
    }
}

impl Verbs for Service {
    type Verb = ServiceVerb;

    fn run(&self, verb: ServiceVerb, host: &Act<'_>) -> Result<()> {
        let init = init_of(self, host)?;
        let runs = init.look(host)?.running;
        let motion = match (verb, runs) {
            (ServiceVerb::Start, false) => Motion::Start,
            (ServiceVerb::Stop, true) => Motion::Stop,
            (ServiceVerb::Restart, _) => Motion::Restart,
            (ServiceVerb::Reload, true) => Motion::Reload,
            (ServiceVerb::ReloadOrRestart, true) => Motion::ReloadOrRestart,
            (ServiceVerb::Start, true) | (ServiceVerb::Stop, false) => return Ok(()),
            (ServiceVerb::Reload | ServiceVerb::ReloadOrRestart, false) => {
                host.report(
                    Level::Info,
                    &format!("{} does not run: there is nothing to reload", self.name.0),
                );
                return Ok(());
            }
        };
        init.shift(motion, host)
    }
}

impl Claiming for Service {
    /// Paths of unit files cost nothing under other init systems: nobody provides them there.
    fn add_claims(&self, claims: &mut Claims) {
        let whole = self.name.whole();
        claims.need(Claim::Package(self.name.stem().into()));
        claims.need(Claim::Path(format!("{UNIT_FILES}/{whole}").into()));
        claims.need(Claim::Other("unit file", whole.as_str().into()));
        claims.hold(Claim::Unit(whole.into()));
        runit::places(self).for_each(|place| claims.own(place));
    }

    fn owned_paths(&self) -> Option<OwnedPaths> {
        Some(links::owned_by(self.name.whole()))
    }
}

impl Watching for Service {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        // Without an init system every look fails, and tells why.
        if let Ok(init) = init_of(self, host) {
            init.interests(host, interests);
        }
    }
}

impl Service {
    /// Only scripts can be replaced by commands.
    pub(super) fn has_no_scripts(&self) -> Result<()> {
        let settings = [
            ("status_command", &self.status_command),
            ("pattern", &self.pattern),
            ("start_command", &self.start_command),
            ("stop_command", &self.stop_command),
            ("restart_command", &self.restart_command),
            ("reload_command", &self.reload_command),
        ];
        let Some((name, _)) = settings.into_iter().find(|(_, setting)| setting.is_some()) else {
            return Ok(());
        };
        let what = format!("`{name}` has no meaning here: the service {} is under no script", self.name.0);
        Err(Error::new(ErrorKind::Invalid, what).hint("take it out, or set `provider = \"sysvinit\"`"))
    }
}
