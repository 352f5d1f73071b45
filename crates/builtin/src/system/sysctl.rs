//! The kind `sysctl`.

mod key;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use key::KERNEL;
use uphold_kit::document::Document;
use uphold_kit::edited_file::EditedFile;
use uphold_kit::{machine, tool};
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Command, Desired, Error, ErrorKind, Found, Interest, Look,
    Parsed, Reading, Resource, Result, Step, Want, Watching, Wish, closest,
};

use super::KernelValue;

pub use key::SysctlKey;

/// A kernel setting, now and at boot.
///
/// `value` manages both the running kernel (`runtime`) and a file in `/etc/sysctl.d` (`persistent`). To manage only
/// one of them, set that property instead. With `--root`, only the file is written.
///
/// Removing it removes the setting from the file; the running kernel keeps its value until the next boot.
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
    /// Name of the setting, as sysctl prints it; defaults to the block's label. A part that contains a dot, such as
    /// a network interface, is written with a slash there: `net.ipv4.conf.eth0/100.forwarding`.
    #[also("name", "variable")]
    #[name]
    pub key: SysctlKey,
    /// Value, both now and at boot.
    pub value: Option<KernelValue>,
    /// Value in the running kernel.
    pub runtime: Want<KernelValue>,
    /// Value in the file; null to have no entry.
    #[also("persist", "permanent")]
    pub persistent: Want<Option<KernelValue>>,
    /// If the kernel does not have the setting, only write the file, instead of failing.
    #[also("ignoreerrors", "ignore_error", "silent")]
    #[default(false)]
    pub ignore_unknown: bool,
    /// File to write to. Defaults to a file of its own in `/etc/sysctl.d`. Other lines are kept.
    #[also("sysctl_file", "target", "conf_dir", "path")]
    pub file: Option<AbsolutePath>,
}

impl Resource for Sysctl {
    fn prepare(&self, look: &Look<'_>) -> Result<SysctlWishes> {
        let mut wishes = SysctlWishes::default();
        if let Some(value) = &self.value {
            wishes.persistent = Wish::Set(Some(value.clone()));
            if machine::is_running(look)? {
                wishes.runtime = Wish::Set(value.clone());
            }
        }
        if self.runtime.is_set() || !wishes.runtime.is_declared() {
            machine::must_run("setting `runtime`", "set `persistent` instead when you build an image", look)?;
            self.must_be_known(look)?;
        }
        Ok(wishes)
    }

    /// The kernel always has the setting: only the line in the file can exist or not. So a resource that declares
    /// no line, or only the running kernel, always exists, unless it is to be removed.
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let file = look.parsed::<Entries>(&self.file())?;
        let persistent = file.and_then(|entries| entries.find(&self.key).cloned());
        let is_wanted = look.desired() == Some(Desired::Present);
        let always_exists = self.runtime.is_set() || self.persistent.get() == Some(&None);
        let live = self.live(look)?;
        // A read-only use needs the value of the kernel, and no line in the file.
        let is_read = live.is_some() && look.desired().is_none();
        if persistent.is_none() && !(always_exists && is_wanted) && !is_read {
            return Ok(Found::Absent);
        }
        let declared = self.runtime.get().cloned();
        let runtime = live.or(declared.filter(|_| self.ignore_unknown)).unwrap_or_default();
        Ok(Found::This(SysctlState { runtime, persistent }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { .. } => self.converge(true, true, host),
            Step::Update { change, .. } => {
                self.converge(change.runtime.is_some(), change.persistent.is_some(), host)
            }
            Step::Remove { .. } => EditedFile::of_system(&self.file())
                .or_nothing()
                .rewrite_lines(host, |file| remove(file, &self.key)),
        }
    }
}

impl Claiming for Sysctl {
    /// Several settings may be in one file.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("kernel setting", self.key.to_string().into()));
        claims.edit(Claim::Path(self.file()));
    }
}

impl Watching for Sysctl {
    /// Writes to the kernel's file are reported; changes by the kernel itself are not.
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

    /// The kernel's value; none if it does not have this setting.
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
            let what = format!("cannot read the kernel setting {}: {KERNEL} is not mounted", self.key);
            let hint = "mount /proc, or set `persistent` instead of `value` to write only the file";
            return Err(Error::new(ErrorKind::Missing, what).hint(hint));
        }
        let error = Error::new(ErrorKind::Missing, format!("the kernel has no setting `{}`", self.key));
        Err(match self.near(host) {
            Some(near) => error.hint(format!("did you mean {near}?")),
            None => error
                .hint("correct the name, or load the kernel module that provides it, with a `kernel_module`"),
        })
    }

    /// A sibling with a similar name.
    fn near(&self, host: &Reading<'_>) -> Option<SysctlKey> {
        let names = host.files().list(self.key.path().parent()?).ok()?;
        let names: Vec<_> = names.iter().filter_map(|name| name.to_str()).collect();
        closest(self.key.last(), names).map(|near| self.key.with_last(near))
    }

    fn converge(&self, runtime: bool, persistent: bool, host: &Act<'_>) -> Result<()> {
        if let Some(value) = self.runtime.get().filter(|_| runtime)
            && self.live(host)?.is_some_and(|live| live != *value)
        {
            self.set(value, host)?;
        }
        let Some(value) = self.persistent.get().filter(|_| persistent) else { return Ok(()) };
        EditedFile::of_system(&self.file()).or_nothing().rewrite_lines(host, |file| match value {
            Some(value) => put(file, &self.key, value, self.ignore_unknown),
            None => remove(file, &self.key),
        })
    }

    /// The kernel's file cannot be replaced atomically, so it is written in place with a standard tool.
    fn set(&self, value: &KernelValue, host: &Act<'_>) -> Result<()> {
        let tee = tool::command("tee", [self.key.path().display().to_string()]);
        let command = Command { stdin: Some(format!("{}\n", value.as_str()).into_bytes()), ..tee };
        tool::run(
            &command,
            &format!("cannot set the kernel setting {} to {:?}", self.key, value.as_str()),
            host,
        )
        .map(drop)
    }
}

// Files with kernel settings, as in `sysctl.d`.

/// The settings of a file. Of several lines with one key, the last counts.
struct Entries(BTreeMap<SysctlKey, KernelValue>);

impl Parsed for Entries {
    /// Other lines are skipped.
    fn parse(content: &[u8]) -> Result<Self> {
        Ok(Self(content.split(|byte| *byte == b'\n').filter_map(entry).collect()))
    }
}

impl Entries {
    /// The value of this key in the file.
    fn find(&self, key: &SysctlKey) -> Option<&KernelValue> {
        self.0.get(key)
    }
}

/// Parses `key = value`; a leading dash means that failures are ignored.
fn entry(line: &[u8]) -> Option<(SysctlKey, KernelValue)> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    let (key, value) = text.strip_prefix('-').unwrap_or(text).split_once('=')?;
    Some((SysctlKey::parse(key.trim())?, KernelValue::new(value)))
}

/// Sets the key, replacing an existing line.
fn put(file: &mut Document<'_>, key: &SysctlKey, value: &KernelValue, may_fail: bool) {
    let dash = if may_fail { "-" } else { "" };
    let line = format!("{dash}{key} = {}", value.as_str());
    file.put(line, |line| entry(line).is_some_and(|(found, _)| found == *key));
}

/// Removes the key.
fn remove(file: &mut Document<'_>, key: &SysctlKey) {
    file.retain(|line| entry(line).is_none_or(|(found, _)| found != *key));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> SysctlKey {
        SysctlKey::parse("net.a").expect("a key")
    }

    #[test]
    fn the_last_entry_counts() {
        let check = |text: &str, expected: Option<&str>| {
            let entries = Entries::parse(text.as_bytes()).expect("it parses");
            assert_eq!(entries.find(&key()).map(KernelValue::as_str), expected, "{text:?}");
        };
        check("net.a = 1\n", Some("1"));
        check("net.a=1\nnet/a\t=\t2 3\r\n", Some("2 3"));
        check("-net.a = 1", Some("1"));
        check("# net.a = 1\n; net.a = 1\nnet.ab = 1\nnet.a", None);
    }

    #[test]
    fn sets_and_removes_entries() {
        let check = |before: &str, may_fail, put_: &str, removed: &str| {
            let mut file = Document::new(before.as_bytes());
            put(&mut file, &key(), &KernelValue::new("7"), may_fail);
            assert_eq!(String::from_utf8_lossy(&file.content()), put_);
            let content = file.content();
            let mut file = Document::new(&content);
            remove(&mut file, &key());
            assert_eq!(String::from_utf8_lossy(&file.content()), removed);
        };
        check("", false, "net.a = 7\n", "");
        check("# a\nnet/a=1\nb.c=2\nnet.a=3\n", false, "# a\nnet.a = 7\nb.c=2\n", "# a\nb.c=2\n");
        check("", true, "-net.a = 7\n", "");
    }
}
