//! Whether the kernel has a module.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use uphold_resource::{Parsed, Reading, Result, Value};

use super::ModuleName;

/// How the kernel has a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// Not now.
    Absent,
    /// It was loaded, and can be taken out.
    Loaded,
    /// It is a part of the kernel.
    BuiltIn,
}

/// What the kernel has of this module.
pub(super) fn find(module: &ModuleName, host: &Reading<'_>) -> Result<Presence> {
    let shown = PathBuf::from(format!("/sys/module/{module}"));
    if host.files().look(&shown)?.is_some() {
        // What is a part of the kernel has no state of its own.
        let is_loaded = host.files().look(&shown.join("initstate"))?.is_some();
        return Ok(if is_loaded { Presence::Loaded } else { Presence::BuiltIn });
    }
    let Value::Text(release) = host.facts().fact("kernel.release")? else { return Ok(Presence::Absent) };
    let list = format!("/lib/modules/{release}/modules.builtin");
    let built_in = host.parsed::<BuiltIn>(Path::new(&list))?;
    let is_built_in = built_in.is_some_and(|all| all.0.contains(module));
    Ok(if is_built_in { Presence::BuiltIn } else { Presence::Absent })
}

/// The modules that are parts of the kernel.
struct BuiltIn(BTreeSet<ModuleName>);

impl Parsed for BuiltIn {
    /// A path for each: `kernel/fs/ext4/ext4.ko`.
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
    fn parts_of_the_kernel_are_listed() {
        let list =
            BuiltIn::parse(b"kernel/fs/ext4/ext4.ko\nkernel/net/br-x.ko\nodd\n").expect("it can be read");
        let check = |name: &str, expected| {
            let name = ModuleName::parse(name).expect("a name");
            assert_eq!(list.0.contains(&name), expected, "{name}");
        };
        check("ext4", true);
        check("br_x", true);
        check("odd", false);
    }
}
