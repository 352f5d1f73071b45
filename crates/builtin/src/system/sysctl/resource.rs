//! A setting of the kernel, now and whenever the machine starts.

use std::path::{Path, PathBuf};

use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Command, Error, ErrorKind, Interest, Reading, Resource,
    Result, Step, Want, Watching, closest,
};

use super::SysctlKey;
use super::entries::{self, Entries};
use super::key::KERNEL;
use crate::edited_file::EditedFile;
use crate::system::KernelValue;
use crate::{machine, tool};

/// A setting of the kernel, now and whenever the machine starts.
///
/// `value` says both, and both are looked at: what the kernel has now (`runtime`), and what a file in
/// `/etc/sysctl.d` says (`persistent`). To have only one of them, set that one. Below another root only the
/// file is written.
///
/// Removing it takes it out of the file; the kernel keeps what it has until the machine starts again.
///
/// ```hcl
/// sysctl "net.ipv4.ip_forward" {
///   value = 1
/// }
///
/// sysctl "net.ipv4.ip_local_port_range" {
///   value = "32768 60999"
/// }
/// ```
#[expect(clippy::duplicated_attributes, reason = "a property can be in two groups")]
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "sysctl",
    any_of(value, runtime, persistent),
    exclusive(value, runtime),
    exclusive(value, persistent),
    claims,
    interests
)]
pub struct Sysctl {
    /// Its name, as sysctl prints it; the block's label unless set. What has a dot in it, such as a network
    /// interface, is written with a slash there: `net.ipv4.conf.eth0/100.forwarding`.
    #[also("name", "variable")]
    #[name]
    pub key: SysctlKey,
    /// What it should be, now and from the next start on.
    pub value: Option<KernelValue>,
    /// What the kernel has now.
    pub runtime: Want<KernelValue>,
    /// What the file says; null if it should say nothing.
    #[also("persist", "permanent")]
    pub persistent: Want<Option<KernelValue>>,
    /// Whether a setting that the kernel does not have is written to the file alone, and is no error.
    #[also("ignoreerrors", "ignore_error", "silent")]
    #[default(false)]
    pub ignore_unknown: bool,
    /// The file to write it to; one of its own in `/etc/sysctl.d` unless set. What else it says stays.
    #[also("sysctl_file", "target", "conf_dir", "path")]
    pub file: Option<AbsolutePath>,
}

impl Resource for Sysctl {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        let is_halved = self.runtime.is_set() || self.persistent.is_set();
        match &self.value {
            Some(value) if !is_halved => {
                self.persistent = Want::of(Some(value.clone()));
                self.runtime = if machine::is_running(host)? { Want::of(value.clone()) } else { Want::Unset };
            }
            Some(_) => {}
            // Nobody can ask for both, so both together tell `load` that it is not to be removed.
            None => self.value = Some(KernelValue::default()),
        }
        if self.runtime.is_set() {
            machine::must_run("setting `runtime`", "set `persistent` instead, for an image", host)?;
            self.must_be_known(host)?;
        }
        Ok(())
    }

    /// The kernel has it whether or not somebody asks: what can come and go is its line in the file. Who asks for
    /// no line, or for the running kernel alone, asks for something that is always there, unless it is to be removed.
    fn load(&self, host: &Reading<'_>) -> Result<Option<SysctlState>> {
        let file = host.parsed::<Entries>(&self.file())?;
        let persistent = file.and_then(|entries| entries.find(&self.key).cloned());
        let is_always_there = self.runtime.is_set() || self.persistent.get() == Some(&None);
        let live = self.live(host)?;
        // Somebody who only reads wants to know what the kernel has, and needs no line.
        let is_read = live.is_some() && host.only_reads();
        if persistent.is_none() && !(is_always_there && self.value.is_some()) && !is_read {
            return Ok(None);
        }
        let wish = self.runtime.get().cloned();
        let runtime = live.or(wish.filter(|_| self.ignore_unknown)).unwrap_or_default();
        Ok(Some(SysctlState { runtime, persistent }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { .. } => self.converge(true, true, host),
            Step::Update { change, .. } => {
                self.converge(change.runtime.is_some(), change.persistent.is_some(), host)
            }
            Step::Remove { .. } => EditedFile::of_system(&self.file())
                .or_nothing()
                .rewrite_lines(host, |file| entries::remove(file, &self.key)),
        }
    }
}

impl Claiming for Sysctl {
    /// Several may be kept in one file.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("kernel setting", self.key.to_string().into()));
        claims.edit(Claim::Path(self.file()));
    }
}

impl Watching for Sysctl {
    /// Who writes to the kernel's file is reported; what the kernel changes by itself is not.
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(self.file()));
        interests.push(Interest::Path(self.key.path()));
        interests.push(Interest::Interval(machine::LIVE));
    }
}

impl Sysctl {
    fn file(&self) -> PathBuf {
        self.file.as_ref().map_or_else(|| self.key.file(), |file| file.to_path_buf())
    }

    /// What the kernel has; none if it does not have this setting.
    fn live(&self, host: &Reading<'_>) -> Result<Option<KernelValue>> {
        let path = self.key.path();
        if host.files().look(&path)?.is_none() {
            return Ok(None);
        }
        let content = host.files().read(&path, 0)?;
        Ok(Some(KernelValue::new(&String::from_utf8_lossy(&content))))
    }

    fn must_be_known(&self, host: &Reading<'_>) -> Result<()> {
        if self.ignore_unknown || host.files().look(&self.key.path())?.is_some() {
            return Ok(());
        }
        if host.files().look(Path::new(KERNEL))?.is_none() {
            let what = format!("cannot look at {}: {KERNEL} is not mounted", self.key);
            let hint = "mount /proc, or set `persistent` instead of `value` to write the file alone";
            return Err(Error::new(ErrorKind::Missing, what).hint(hint));
        }
        let error = Error::new(ErrorKind::Missing, format!("the kernel has no setting {}", self.key));
        Err(match self.near(host) {
            Some(near) => error.hint(format!("did you mean {near}?")),
            None => error.hint("load the module that has it first, or set `ignore_unknown = true`"),
        })
    }

    /// A setting beside it whose name is nearly the same.
    fn near(&self, host: &Reading<'_>) -> Option<SysctlKey> {
        let names = host.files().list(self.key.path().parent()?).ok()?;
        let names: Vec<_> = names.iter().filter_map(|name| name.to_str()).collect();
        closest(self.key.last(), names).map(|near| self.key.beside(near))
    }

    fn converge(&self, runtime: bool, persistent: bool, host: &Act<'_>) -> Result<()> {
        if let Some(value) = self.runtime.get().filter(|_| runtime)
            && self.live(host)?.is_some_and(|live| live != *value)
        {
            self.set(value, host)?;
        }
        let Some(value) = self.persistent.get().filter(|_| persistent) else { return Ok(()) };
        EditedFile::of_system(&self.file()).or_nothing().rewrite_lines(host, |file| match value {
            Some(value) => entries::put(file, &self.key, value, self.ignore_unknown),
            None => entries::remove(file, &self.key),
        })
    }

    /// The kernel's file cannot be replaced as others are: it is written to, by a tool that every system has.
    fn set(&self, value: &KernelValue, host: &Act<'_>) -> Result<()> {
        let tee = tool::command("tee", [self.key.path().display().to_string()]);
        let command = Command { stdin: Some(format!("{}\n", value.as_str()).into_bytes()), ..tee };
        tool::run(&command, &format!("cannot set {} to {:?}", self.key, value.as_str()), host).map(drop)
    }
}
