//! The kind `kernel_module`.

mod probe_file;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use probe_file::{Parameters, ProbeFile};
use uphold_kit::edited_file::EditedFile;
use uphold_kit::{machine, tool};
use uphold_resource::{
    Act, Claim, Claiming, Claims, Error, ErrorKind, Found, Interest, Look, Parsed, Reading, Resource, Result,
    Step, Value, Want, Watching, Wish,
};

pub use probe_file::ModuleName;

/// A kernel module, loaded now and at boot.
///
/// A built-in module counts as loaded. Parameters take effect the next time the module is loaded. Manages
/// `/etc/modules-load.d/NAME.conf` for `persistent`, and `/etc/modprobe.d/NAME.conf` for `parameters` and
/// `blacklisted`; other lines of these files are kept, and other files are not read.
///
/// Removing it unloads the module, and removes it from the files.
///
/// ```hcl
/// kernel_module "br_netfilter" {}
///
/// kernel_module "pcspkr" {
///   blacklisted = true
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "kernel_module", also("modprobe", "kmod"), claims, interests)]
pub struct KernelModule {
    /// Name of the module; defaults to the block's label. `-` and `_` are the same.
    #[also("modname")]
    #[name]
    pub name: ModuleName,
    /// Whether it is loaded now. Defaults to true unless it is blacklisted.
    #[also("state", "ensure")]
    #[enforce(true)]
    pub loaded: Want<bool>,
    /// Whether it is loaded at boot. Defaults to true unless it is blacklisted.
    #[also("persist", "boot")]
    #[enforce(true)]
    pub persistent: Want<bool>,
    /// Complete set of its parameters; others are removed.
    #[also("options", "params")]
    #[check(are_words, "must have names and values without white space")]
    pub parameters: Want<Parameters>,
    /// Whether it is blacklisted, so that it is not loaded automatically for a device.
    #[also("blacklist", "disabled")]
    pub blacklisted: Want<bool>,
}

/// White space would begin another parameter.
fn are_words(value: &Value) -> bool {
    let is_word = |text: &str| !text.contains(char::is_whitespace);
    let Value::Map(map) = value else { return false };
    map.iter().all(|(name, value)| {
        !name.is_empty() && is_word(name) && !matches!(value, Value::Text(text) if !is_word(text))
    })
}

impl Resource for KernelModule {
    fn prepare(&self, look: &Look<'_>) -> Result<KernelModuleWishes> {
        let is_blacklisted = self.blacklisted.get() == Some(&true);
        let loaded = match self.loaded.get() {
            None if is_blacklisted => false,
            None => machine::is_running(look)?,
            Some(true) => {
                machine::must_run("`loaded = true`", "remove it when you build an image", look)?;
                true
            }
            Some(false) => false,
        };
        if !loaded && find(&self.name, look)? == Presence::BuiltIn {
            self.cannot_unload()?;
        }
        Ok(KernelModuleWishes {
            loaded: Wish::Set(loaded),
            persistent: if is_blacklisted && !self.persistent.is_set() {
                Wish::Set(false)
            } else {
                Wish::Declared
            },
            ..KernelModuleWishes::default()
        })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let loaded = machine::is_running(look)? && self.counts(find(&self.name, look)?);
        let listed = look.parsed::<LoadFile>(&self.load_file())?;
        let persistent = listed.is_some_and(|listed| listed.0.contains(&self.name));
        let probe = look.parsed::<ProbeFile>(&self.probe_file())?;
        let parameters = probe.as_ref().map(|file| file.parameters(&self.name)).unwrap_or_default();
        let blacklisted = probe.is_some_and(|file| file.is_blacklisted(&self.name));
        let exists = loaded || persistent || blacklisted || !parameters.is_empty();
        Ok(exists.then_some(KernelModuleState { loaded, persistent, parameters, blacklisted }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => self.converge(goal, host),
            Step::Remove { current } => self.remove(current, host),
        }
    }
}

impl Claiming for KernelModule {
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("kernel module", self.name.to_string().into()));
        claims.edit(Claim::Path(self.load_file()));
        claims.edit(Claim::Path(self.probe_file()));
    }
}

impl Watching for KernelModule {
    /// There are no events for loaded modules.
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(self.load_file()));
        interests.push(Interest::Path(self.probe_file()));
        interests.push(Interest::Interval(machine::LIVE));
    }
}

/// The modules that a file loads at boot.
struct LoadFile(Vec<ModuleName>);

impl Parsed for LoadFile {
    fn parse(content: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(content);
        Ok(Self(text.lines().filter_map(|line| ModuleName::parse(line.trim())).collect()))
    }
}

impl KernelModule {
    fn load_file(&self) -> PathBuf {
        PathBuf::from(format!("/etc/modules-load.d/{}.conf", self.name))
    }

    fn probe_file(&self) -> PathBuf {
        PathBuf::from(format!("/etc/modprobe.d/{}.conf", self.name))
    }

    /// A built-in module cannot be unloaded, so it counts as loaded only if that is declared.
    fn counts(&self, presence: Presence) -> bool {
        match presence {
            Presence::Absent => false,
            Presence::Loaded => true,
            Presence::BuiltIn => self.loaded.get() == Some(&true),
        }
    }

    fn cannot_unload(&self) -> Result<()> {
        let what = format!("the module {} is built into the kernel and cannot be unloaded", self.name);
        Err(Error::new(ErrorKind::Unsupported, what).hint("remove `loaded`, or set it to true"))
    }

    fn converge(&self, goal: &KernelModuleGoal, host: &Act<'_>) -> Result<()> {
        if goal.parameters.is_some() || goal.blacklisted.is_some() {
            EditedFile::of_system(&self.probe_file()).or_nothing().rewrite_lines(host, |file| {
                if let Some(parameters) = &goal.parameters {
                    probe_file::set_parameters(file, &self.name, parameters);
                }
                if let Some(blacklisted) = goal.blacklisted {
                    probe_file::blacklist(file, &self.name, blacklisted);
                }
            })?;
        }
        self.list(goal.persistent, host)?;
        match (goal.loaded, find(&self.name, host)?) {
            (true, Presence::Absent) => self.modprobe(&[], "load", host),
            (false, Presence::Loaded) => self.modprobe(&["--remove"], "unload", host),
            (false, Presence::BuiltIn) if machine::is_running(host)? => self.cannot_unload(),
            _ => Ok(()),
        }
    }

    fn remove(&self, current: &KernelModuleState, host: &Act<'_>) -> Result<()> {
        if current.loaded && find(&self.name, host)? == Presence::Loaded {
            self.modprobe(&["--remove"], "unload", host)?;
        }
        self.list(false, host)?;
        EditedFile::of_system(&self.probe_file()).or_nothing().rewrite_lines(host, |file| {
            probe_file::set_parameters(file, &self.name, &Parameters::new());
            probe_file::blacklist(file, &self.name, false);
        })
    }

    fn list(&self, is_wanted: bool, host: &Act<'_>) -> Result<()> {
        let is_ours = |line: &[u8]| {
            ModuleName::parse(String::from_utf8_lossy(line).trim()).is_some_and(|found| found == self.name)
        };
        EditedFile::of_system(&self.load_file()).or_nothing().rewrite_lines(host, |file| {
            if !is_wanted {
                file.retain(|line| !is_ours(line));
            } else if !file.lines().any(is_ours) {
                file.put(self.name.to_string(), is_ours);
            }
        })
    }

    fn modprobe(&self, flags: &[&str], what: &str, host: &Act<'_>) -> Result<()> {
        let name = self.name.to_string();
        let command = tool::command("modprobe", flags.iter().copied().chain([name.as_str()]));
        tool::run(&command, &format!("cannot {what} the kernel module {name}"), host).map(drop)
    }
}

// Whether a module is in the kernel.

/// How a module is present in the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// Not loaded.
    Absent,
    /// Loaded, and can be unloaded.
    Loaded,
    /// Built into the kernel.
    BuiltIn,
}

/// How the module is present.
fn find(module: &ModuleName, host: &Reading<'_>) -> Result<Presence> {
    let shown = PathBuf::from(format!("/sys/module/{module}"));
    if host.files().look(&shown)?.is_some() {
        // A built-in module has no such file.
        let is_loaded = host.files().look(&shown.join("initstate"))?.is_some();
        return Ok(if is_loaded { Presence::Loaded } else { Presence::BuiltIn });
    }
    let Value::Text(release) = host.facts().fact("kernel.release")? else { return Ok(Presence::Absent) };
    let list = format!("/lib/modules/{release}/modules.builtin");
    let built_in = host.parsed::<BuiltIn>(Path::new(&list))?;
    let is_built_in = built_in.is_some_and(|all| all.0.contains(module));
    Ok(if is_built_in { Presence::BuiltIn } else { Presence::Absent })
}

/// The built-in modules.
struct BuiltIn(BTreeSet<ModuleName>);

impl Parsed for BuiltIn {
    /// One path per line: `kernel/fs/ext4/ext4.ko`.
    fn parse(content: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(content);
        let name = |line: &str| ModuleName::parse(line.rsplit('/').next()?.strip_suffix(".ko")?);
        Ok(Self(text.lines().filter_map(|line| name(line.trim())).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_list_of_built_in_modules() {
        let list = BuiltIn::parse(b"kernel/fs/ext4/ext4.ko\nkernel/net/br-x.ko\nodd\n").expect("it parses");
        let check = |name: &str, expected| {
            let name = ModuleName::parse(name).expect("a name");
            assert_eq!(list.0.contains(&name), expected, "{name}");
        };
        check("ext4", true);
        check("br_x", true);
        check("odd", false);
    }
}
