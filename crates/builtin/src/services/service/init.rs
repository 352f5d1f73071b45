//! The interface to init systems.

use std::path::Path;

use uphold_resource::{Act, Error, ErrorKind, Interest, Property, Reading, Result, Value};

use super::Service;
use super::runit::Runit;
use super::systemd::Systemd;
use super::sysvinit::SysvInit;

/// An init system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum ServiceProvider {
    /// systemd, over D-Bus.
    Systemd,
    /// runit: directories that `runsvdir` supervises.
    Runit,
    /// Scripts in `/etc/init.d`.
    Sysvinit,
}

/// The supervisor of runit.
const RUNIT: &str = "/usr/bin/runsvdir";

/// Programs that enable services for an init system that is not running.
const INSTALLED: [(&str, ServiceProvider); 5] = [
    ("/usr/bin/systemctl", ServiceProvider::Systemd),
    ("/bin/systemctl", ServiceProvider::Systemd),
    (RUNIT, ServiceProvider::Runit),
    ("/usr/sbin/update-rc.d", ServiceProvider::Sysvinit),
    ("/sbin/update-rc.d", ServiceProvider::Sysvinit),
];

/// The status of a service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ServiceStatus {
    /// Whether it is running.
    pub(super) running: bool,
    /// Whether it is started at boot.
    pub(super) enabled: bool,
    /// Whether it is masked.
    pub(super) masked: bool,
    /// Its main process.
    pub(super) pid: Option<u32>,
    /// Its state, in the words of the init system.
    pub(super) activity: String,
    /// Whether the init system is not running here, so that nothing can be started.
    pub(super) nothing_runs: bool,
}

/// An operation on a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// Start it.
    Start,
    /// Stop it.
    Stop,
    /// Stop and start it.
    Restart,
    /// Reload its configuration.
    Reload,
    /// Reload, or restart if it cannot reload.
    ReloadOrRestart,
}

/// An init system, for one service.
pub(super) trait Init {
    /// The current status. A service that does not exist is neither running nor enabled, because a dependency may
    /// install it.
    fn look(&self, host: &Reading<'_>) -> Result<ServiceStatus>;

    /// Performs an operation and waits for it: a start that does not last is a failure.
    fn perform(&self, operation: Operation, host: &Act<'_>) -> Result<()>;

    /// Enables or disables it at boot.
    fn enable(&self, enabled: bool, host: &Act<'_>) -> Result<()>;

    /// Masks or unmasks it.
    fn mask(&self, masked: bool, host: &Act<'_>) -> Result<()>;

    /// Adds the interests that report changes of its status.
    fn interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>);
}

/// The declared init system of a service, or that of the machine.
pub(super) fn init_of<'a>(service: &'a Service, host: &Reading<'_>) -> Result<Box<dyn Init + 'a>> {
    let provider = match service.provider {
        Some(provider) => provider,
        None => of_machine(service, host)?,
    };
    if provider != ServiceProvider::Sysvinit {
        service.has_no_scripts()?;
    }
    Ok(match provider {
        ServiceProvider::Systemd => Box::new(Systemd(service)),
        ServiceProvider::Runit => Box::new(Runit(service)),
        ServiceProvider::Sysvinit => Box::new(SysvInit(service)),
    })
}

fn of_machine(service: &Service, host: &Reading<'_>) -> Result<ServiceProvider> {
    let init = host.facts().fact("init")?;
    match &init {
        Value::Text(word) if **word == *"systemd" => Ok(ServiceProvider::Systemd),
        Value::Text(word) if **word == *"runit" => Ok(ServiceProvider::Runit),
        Value::Text(word) if **word == *"sysvinit" => Ok(ServiceProvider::Sysvinit),
        // A chroot or an image: the installed init system will run it.
        _ if is_none(host)? => installed(service, host),
        other => {
            let what = format!(
                "cannot manage the service {}: the init system {other} is not supported",
                service.name.0
            );
            let hint = "set `provider` if the service has another supervisor, as in `provider = \"runit\"`";
            Err(Error::new(ErrorKind::Unsupported, what).hint(hint))
        }
    }
}

/// Whether no init system is running, as in a chroot or an image build.
pub(super) fn is_none(host: &Reading<'_>) -> Result<bool> {
    Ok(host.facts().fact("init")? == Value::text("none"))
}

/// The installed init system, if none is running.
fn installed(service: &Service, host: &Reading<'_>) -> Result<ServiceProvider> {
    for (program, provider) in INSTALLED {
        if host.files().look(Path::new(program))?.is_some() {
            return Ok(provider);
        }
    }
    let what = format!(
        "cannot manage the service {}: no init system is running here (no /run/systemd/system), and none is \
         installed (no systemctl, runsvdir or update-rc.d)",
        service.name.0
    );
    // Only a machine with a package manager can install one.
    let can_install = host.facts().fact("package_manager").is_ok_and(|found| found != Value::Null);
    let hint = if can_install {
        "install the init system first, as with `package \"systemd\" {}`"
    } else {
        "a root needs a complete system, such as one of debootstrap, to manage services"
    };
    Err(Error::new(ErrorKind::Missing, what).hint(hint))
}

/// The error for a start where no init system is running.
pub(super) fn nothing_runs(service: &Service, host: &Reading<'_>) -> Error {
    let what = format!(
        "cannot start {}: no init system is running here (no /run/systemd/system)",
        service.name.whole()
    );
    let has_runit = host.files().look(Path::new(RUNIT)).is_ok_and(|found| found.is_some());
    let hint = if has_runit && service.provider != Some(ServiceProvider::Runit) {
        "remove `running` in an image build; if runit supervises it, set `provider = \"runit\"`"
    } else {
        "remove `running`; to use one configuration for an image and for the machine, declare a param and write \
         `running = optional(param.image ? null : true)`"
    };
    Error::new(ErrorKind::Unsupported, what).hint(hint)
}

/// The error for an init system without masking.
pub(super) fn cannot_mask(service: &Service) -> Error {
    let what = format!("cannot mask the service {}: only systemd can do that", service.name.0);
    Error::new(ErrorKind::Unsupported, what).hint("use `running = false` and `enabled = false`")
}
