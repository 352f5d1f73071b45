//! Whether a module is in the kernel.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use uphold_resource::{Parsed, Reading, Result, Value};

use super::ModuleName;

/// How a module is present in the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// Not loaded.
    Absent,
    /// Loaded, and can be unloaded.
    Loaded,
    /// Built into the kernel.
    BuiltIn,
}

/// How the module is present.
pub(super) fn find(module: &ModuleName, host: &Reading<'_>) -> Result<Presence> {
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
