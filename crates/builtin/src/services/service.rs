//! The kind `service`.

mod init;
mod runit;
mod systemd;
mod sysvinit;

use std::time::Duration;

use init::{Operation, init_of};
use uphold_kit::tool;
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Command, Error, ErrorKind, Found, Interest, Level, Look,
    OwnedPaths, Problem, Reading, Resource, Result, Seen, Step, Verbs, Want, Watching,
};

use super::{UnitName, links};

pub use init::ServiceProvider;

/// The hint for a setting that only sysvinit supports.
const SCRIPT_SETTING_FIX: &str = "remove it, or set `provider = \"sysvinit\"`";

/// The directory of local unit files.
const UNIT_FILES: &str = "/etc/systemd/system";

/// A system service.
///
/// Supports systemd, runit and sysvinit scripts. The init system is detected unless `provider` is set; systemd is
/// controlled over D-Bus. A start, restart or reload waits until it is complete, and then until the service has
/// stayed up for `settle`: a service that starts and exits at once is a failure, reported with its exit status.
///
/// A service that does not exist counts as not running and not enabled, because an earlier package may install it;
/// starting it is an error then.
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
/// With `--root`, in a chroot and in an image build, where the init system is installed but not running, services
/// can be enabled, disabled and masked. Setting `running = true` there is an error; a restart or reload does
/// nothing. One configuration for an image and for the machine leaves `running` out for the image:
///
/// ```hcl
/// param "image" { default = false }
///
/// service "cron" {
///   enabled = true
///   running = optional(param.image ? null : true)
/// }
/// ```
///
/// It comes after the `package` and the `systemd_unit` of the same name, and after its unit file in
/// `/etc/systemd/system`. If the unit file changed, systemd reloads it before the service is started.
///
/// A service cannot be removed; set `running = false` and `enabled = false` instead.
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
        fix = "add `running = true`; if notifications restart or reload it, set `action = \"nothing\"`"
    ),
    verbs(
        start = "Start it if it is not running.",
        stop = "Stop it if it is running.",
        restart = "Restart it; start it if it is not running.",
        reload = "Reload its configuration. Does nothing if it is not running.",
        reload_or_restart = "Reload its configuration, or restart it if it cannot reload. Does nothing if it is not running."
    ),
    claims,
    interests,
    permanent
)]
pub struct Service {
    /// Name of the service; defaults to the block's label: `nginx`, or with its unit type `nginx.service`,
    /// `fstrim.timer`.
    #[also("service_name", "unit")]
    #[name]
    pub name: UnitName,
    /// Whether the service is running.
    #[also("ensure", "state", "started", "active")]
    pub running: Want<bool>,
    /// Whether the service is started at boot. With runit: whether it is supervised; a service that is not enabled
    /// does not run.
    #[also("enable", "startup", "onboot")]
    pub enabled: Want<bool>,
    /// Whether the service is masked, so that it cannot be started at all. A masked service counts as not enabled.
    /// systemd only.
    #[also("mask")]
    pub masked: Want<bool>,
    /// Init system that manages the service. Defaults to the one of the machine.
    pub provider: Option<ServiceProvider>,
    /// Time limit of a start, stop, restart or reload.
    #[also("patience", "wait", "start_timeout", "stop_timeout", "timeout_sec")]
    #[default("90s")]
    pub operation_timeout: Duration,
    /// How long the service must stay up after a start to count as started. Not needed for services that report
    /// when they are ready.
    #[also("sleep")]
    #[default("500ms")]
    pub settle: Duration,
    /// Shell command that exits with status 0 if the service is running, if its script has no `status`. sysvinit
    /// only.
    #[also("status")]
    pub status_command: Option<String>,
    /// Regular expression for the command line of its process, as for `pgrep -f`: the service is running if any
    /// process matches. sysvinit only.
    pub pattern: Option<String>,
    /// Shell command that starts it, instead of its script. sysvinit only.
    pub start_command: Option<String>,
    /// Shell command that stops it, instead of its script. sysvinit only.
    pub stop_command: Option<String>,
    /// Shell command that restarts it, instead of its script. sysvinit only.
    pub restart_command: Option<String>,
    /// Shell command that reloads it, instead of its script. sysvinit only.
    pub reload_command: Option<String>,
    /// Directory that `runsvdir` supervises. Defaults to the first of the usual ones that exists. runit only.
    #[also("service_dir", "svdir")]
    pub supervised_in: Option<AbsolutePath>,
    /// Process ID of its main process; null if it has none. Always null with sysvinit.
    pub pid: Seen<Option<u32>>,
    /// State in the words of the init system, such as `running`, `exited` or `dead`.
    pub activity: Seen<String>,
}

impl Resource for Service {
    fn validate(&self) -> Result<(), Problem> {
        let is = |want: &Want<bool>| want.get() == Some(&true);
        let is_both = is(&self.masked) && (is(&self.running) || is(&self.enabled));
        let masked = is_both.then(|| {
            let fix = "remove `masked`, or set `running` and `enabled` to false";
            Problem::new(None, "cannot be true for a service that is running or enabled", fix)
                .inside("masked")
        });
        let has_scripts = self.provider.is_none_or(|provider| provider == ServiceProvider::Sysvinit);
        let script = self
            .script_setting()
            .filter(|_| !has_scripts)
            .map(|name| Problem::new(None, "is supported by sysvinit only", SCRIPT_SETTING_FIX).inside(name));
        Problem::of_members(masked.into_iter().chain(script)).map_or(Ok(()), Err)
    }

    fn prepare(&self, look: &Look<'_>) -> Result<ServiceWishes> {
        init_of(self, look)?;
        Ok(ServiceWishes::default())
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let status = init_of(self, look)?.look(look)?;
        let is_started = self.running.get() == Some(&true);
        if is_started && (status.nothing_runs || (self.provider.is_none() && init::is_none(look)?)) {
            return Err(init::nothing_runs(self, look));
        }
        Ok(Found::This(ServiceState {
            running: status.running,
            enabled: status.enabled,
            masked: status.masked,
            pid: status.pid,
            activity: status.activity,
        }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let Step::Update { change, .. } = step else {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "a service cannot be removed; set `running = false` and `enabled = false`",
            ));
        };
        let to = |delta: &Option<uphold_resource::Delta<bool>>| delta.as_ref().map(|delta| delta.to);
        let (running, enabled, masked) = (to(&change.running), to(&change.enabled), to(&change.masked));
        let init = init_of(self, host)?;
        // Unmask before a start or enable, and stop before masking.
        if masked == Some(false) {
            init.mask(false, host)?;
        }
        if running == Some(false) {
            init.perform(Operation::Stop, host)?;
        }
        enabled.map_or(Ok(()), |enabled| init.enable(enabled, host))?;
        if running == Some(true) {
            init.perform(Operation::Start, host)?;
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
        let operation = match (verb, runs) {
            (ServiceVerb::Start, false) => Operation::Start,
            (ServiceVerb::Stop, true) => Operation::Stop,
            (ServiceVerb::Restart, _) => Operation::Restart,
            (ServiceVerb::Reload, true) => Operation::Reload,
            (ServiceVerb::ReloadOrRestart, true) => Operation::ReloadOrRestart,
            _ => return Ok(()),
        };
        init.perform(operation, host)
    }

    fn is_due(&self, verb: ServiceVerb, host: &Reading<'_>) -> Result<bool> {
        let runs = init_of(self, host)?.look(host)?.running;
        let reloads = matches!(verb, ServiceVerb::Reload | ServiceVerb::ReloadOrRestart);
        if reloads && !runs {
            host.report(Level::Info, &format!("{} is not running, so it is not reloaded", self.name.0));
        }
        Ok(match verb {
            ServiceVerb::Restart => true,
            ServiceVerb::Start => !runs,
            ServiceVerb::Stop | ServiceVerb::Reload | ServiceVerb::ReloadOrRestart => runs,
        })
    }
}

impl Claiming for Service {
    /// The claim of a unit file has no effect under other init systems, because nothing provides it there.
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
        // Without an init system, `load` fails and reports it.
        if let Ok(init) = init_of(self, host) {
            init.interests(host, interests);
        }
    }
}

impl Service {
    /// The first setting for sysvinit scripts.
    fn script_setting(&self) -> Option<&'static str> {
        let settings = [
            ("status_command", &self.status_command),
            ("pattern", &self.pattern),
            ("start_command", &self.start_command),
            ("stop_command", &self.stop_command),
            ("restart_command", &self.restart_command),
            ("reload_command", &self.reload_command),
        ];
        settings.into_iter().find(|(_, setting)| setting.is_some()).map(|(name, _)| name)
    }

    /// Fails if a setting for sysvinit scripts is used with another init system.
    fn has_no_scripts(&self) -> Result<()> {
        let Some(name) = self.script_setting() else { return Ok(()) };
        let what = format!("`{name}` of the service {} is supported by sysvinit only", self.name.0);
        Err(Error::new(ErrorKind::Invalid, what).hint(SCRIPT_SETTING_FIX))
    }
}

// Running the commands of init systems.

/// A command with the time limit of the service.
fn command(service: &Service, program: &str, args: &[&str]) -> Command {
    Command { timeout: Some(service.operation_timeout), ..tool::command(program, args.iter().copied()) }
}

/// Runs a command that must succeed. `what` describes the failure.
fn run(command: &Command, what: &str, host: &Act<'_>) -> Result<()> {
    tool::run(command, what, host).map(drop).map_err(|error| match error.kind() {
        ErrorKind::TimedOut => error.hint("raise `operation_timeout` if the service needs more time"),
        _ => error,
    })
}
