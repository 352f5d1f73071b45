//! What every init system can be asked.

use std::path::Path;

use uphold_resource::{Act, Error, ErrorKind, Interest, Property, Reading, Result, Value};

use super::resource::Service;
use super::runit::Runit;
use super::systemd::Systemd;
use super::sysvinit::SysvInit;

/// The init system that a service is under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum ServiceProvider {
    /// systemd, over D-Bus.
    Systemd,
    /// runit: directories that `runsvdir` supervises.
    Runit,
    /// Scripts in `/etc/init.d`.
    Sysvinit,
}

/// Programs by which an init system that does not run can enable services.
const INSTALLED: [(&str, ServiceProvider); 5] = [
    ("/usr/bin/systemctl", ServiceProvider::Systemd),
    ("/bin/systemctl", ServiceProvider::Systemd),
    ("/usr/bin/runsvdir", ServiceProvider::Runit),
    ("/usr/sbin/update-rc.d", ServiceProvider::Sysvinit),
    ("/sbin/update-rc.d", ServiceProvider::Sysvinit),
];

/// How things stand with a service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    /// Whether it runs.
    pub(super) running: bool,
    /// Whether it is started at boot.
    pub(super) enabled: bool,
    /// Whether it cannot be started at all.
    pub(super) masked: bool,
    /// Its main process.
    pub(super) pid: Option<u32>,
    /// What it does, in the word of the init system.
    pub(super) activity: String,
    /// Whether the init system does not run here, so that nothing can be started.
    pub(super) nothing_runs: bool,
}

/// What can be done with a service that runs, or should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    /// Bring it up.
    Start,
    /// Bring it down.
    Stop,
    /// Down and up again.
    Restart,
    /// Let it read its configuration again.
    Reload,
    /// The same, or a restart if it cannot.
    ReloadOrRestart,
}

/// An init system, as one service meets it.
pub(super) trait Init {
    /// How things stand. A service that there is not does not run, and is not enabled: something
    /// that comes before may install it.
    fn look(&self, host: &Reading<'_>) -> Result<Standing>;

    /// Moves it, and waits until it has: a start that does not last is a failure.
    fn shift(&self, motion: Motion, host: &Act<'_>) -> Result<()>;

    /// Whether it is started at boot.
    fn enable(&self, enabled: bool, host: &Act<'_>) -> Result<()>;

    /// Whether it cannot be started at all.
    fn mask(&self, masked: bool, host: &Act<'_>) -> Result<()>;

    /// What tells that it changed.
    fn interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>);
}

/// The init system that a service is under: the one it names, else the one of the machine.
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
        // A chroot or an image: what is installed will run it.
        _ if is_none(host)? => installed(service, host),
        other => {
            let what = format!("cannot manage the service {}: the init system is {other}", service.name.0);
            let hint = "say what it is under, as in `provider = \"runit\"`";
            Err(Error::new(ErrorKind::Unsupported, what).hint(hint))
        }
    }
}

/// Whether no init system runs here, as in a chroot or an image build.
pub(super) fn is_none(host: &Reading<'_>) -> Result<bool> {
    Ok(host.facts().fact("init")? == Value::text("none"))
}

/// The init system that is installed where none runs.
fn installed(service: &Service, host: &Reading<'_>) -> Result<ServiceProvider> {
    for (program, provider) in INSTALLED {
        if host.files().look(Path::new(program))?.is_some() {
            return Ok(provider);
        }
    }
    let what = format!(
        "cannot manage the service {}: no init system is running here, and none is installed",
        service.name.0
    );
    Err(Error::new(ErrorKind::Missing, what).hint("install one before, such as the package `systemd`"))
}

/// Nothing can be started where no init system runs.
pub(super) fn nothing_runs(service: &Service) -> Error {
    let what = format!("cannot start {}: no init system is running here", service.name.whole());
    let hint = "leave `running` unset in a chroot, below `--root` and in an image build; if a supervisor runs, name it, \
                as in `provider = \"runit\"`";
    Error::new(ErrorKind::Unsupported, what).hint(hint)
}

/// This init system has no such thing.
pub(super) fn cannot_mask(service: &Service) -> Error {
    let what = format!("cannot mask the service {}: only systemd can do that", service.name.0);
    Error::new(ErrorKind::Unsupported, what).hint("use `running = false` and `enabled = false`")
}
