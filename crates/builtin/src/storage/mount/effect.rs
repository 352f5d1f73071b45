//! Comparison of declared options with those that the kernel shows.

use super::table::MountOptions;

/// Options of all file systems: the word that the kernel shows, and its opposite, which is the default and not
/// shown.
const FLAGS: &[(&str, &str)] = &[
    ("ro", "rw"),
    ("nosuid", "suid"),
    ("nodev", "dev"),
    ("noexec", "exec"),
    ("sync", "async"),
    ("dirsync", "nodirsync"),
    // These two stay set until another access-time option is given.
    ("noatime", "relatime"),
    ("nodiratime", "relatime"),
    ("lazytime", "nolazytime"),
    ("nosymfollow", "symfollow"),
];

/// Options that some options imply, unless overridden.
const IMPLIED: &[(&str, &[&str])] = &[
    ("user", &["nosuid", "nodev", "noexec"]),
    ("users", &["nosuid", "nodev", "noexec"]),
    ("owner", &["nosuid", "nodev"]),
    ("group", &["nosuid", "nodev"]),
];

/// Other words for the opposite of a flag.
const OPPOSITES: &[(&str, &[&str])] =
    &[("noatime", &["atime", "strictatime"]), ("nodiratime", &["diratime"])];

/// The differences between declared options and those that the kernel shows. Options of a file system that are not
/// shown count as set.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Deviation {
    /// Declared, but not set.
    missing: Vec<String>,
    /// Set, but not declared.
    excess: Vec<String>,
}

impl Deviation {
    pub(super) fn of(declared: &MountOptions, shown: &str) -> Self {
        let shown = MountOptions::parse(shown);
        let mut found = Self::default();
        for (flag, opposite) in FLAGS {
            match (is_wanted(declared, flag, opposite), shown.has(flag)) {
                (true, false) => found.missing.push((*flag).to_owned()),
                (false, true) => found.excess.push((*flag).to_owned()),
                _ => {}
            }
        }
        found.missing.extend(declared.iter().filter(|option| !holds(option, &shown)).map(ToOwned::to_owned));
        found
    }

    pub(super) fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.excess.is_empty()
    }

    /// The declared options that are set, and others that are set.
    pub(super) fn in_effect(&self, declared: &MountOptions) -> MountOptions {
        let kept = declared.iter().filter(|option| !self.missing.iter().any(|missing| missing == option));
        kept.map(ToOwned::to_owned).chain(self.excess.iter().cloned()).collect()
    }

    /// The options for a remount that resolves the differences. Options in excess must be reset explicitly.
    pub(super) fn remedy(&self, declared: &MountOptions) -> MountOptions {
        let is_overridden = |flag: &str| declared.iter().any(|option| is_opposite(option, flag));
        let excess_flags = FLAGS.iter().filter(|(flag, _)| self.excess.iter().any(|excess| excess == flag));
        let excess_flags = excess_flags.filter(|(flag, _)| !is_overridden(flag));
        declared
            .iter()
            .map(ToOwned::to_owned)
            .chain(excess_flags.map(|(_, usual)| (*usual).to_owned()))
            .collect()
    }
}

/// The flags that are set on a mount without declared options.
pub(super) fn flags(shown: &str) -> MountOptions {
    Deviation::of(&MountOptions::default(), shown).in_effect(&MountOptions::default())
}

/// Whether a flag is declared. The last word counts, as for mount.
fn is_wanted(declared: &MountOptions, flag: &str, opposite: &str) -> bool {
    let implied = IMPLIED.iter().any(|(option, flags)| declared.has(option) && flags.contains(&flag));
    let is_usual = |option: &str| flag != "nodiratime" && option == opposite;
    let words =
        declared.iter().filter(|option| *option == flag || is_usual(option) || is_opposite(option, flag));
    words.last().map_or(implied, |option| option == flag)
}

/// Whether an option is another word for the opposite of a flag.
fn is_opposite(option: &str, flag: &str) -> bool {
    OPPOSITES.iter().any(|(found, words)| *found == flag && words.contains(&option))
}

/// Whether an option with a value is set; options that are not shown count as set.
fn holds(option: &str, shown: &MountOptions) -> bool {
    let Some((key, declared)) = option.split_once('=') else { return true };
    let value = shown.iter().find_map(|option| option.strip_prefix(key)?.strip_prefix('='));
    value.is_none_or(|value| is_same(key, declared, value))
}

/// The kernel may show a value in another form than declared.
fn is_same(key: &str, declared: &str, shown: &str) -> bool {
    match key {
        "size" | "nr_inodes" | "nr_blocks" => {
            amount(declared).is_none_or(|bytes| amount(shown) == Some(bytes))
        }
        "mode" => declared.trim_start_matches('0') == shown.trim_start_matches('0'),
        // mount converts a name to a number.
        "uid" | "gid" if declared.parse::<u32>().is_err() => true,
        _ => declared == shown || shown.strip_prefix(declared).is_some_and(|rest| rest.starts_with(':')),
    }
}

/// The number of bytes: `64m` and `65536k` are equal. None for a percentage.
fn amount(text: &str) -> Option<u64> {
    let (digits, power) = match text.to_ascii_lowercase().strip_suffix(['k', 'm', 'g', 't']) {
        Some(digits) => {
            let unit = text.chars().next_back()?.to_ascii_lowercase();
            (digits.to_owned(), u32::try_from("kmgt".find(unit)?).ok()? + 1)
        }
        None => (text.to_owned(), 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1024_u64.checked_pow(power)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_options_that_the_kernel_adds() {
        let check = |declared: &str, shown: &str, in_effect: &str, remedy: &str| {
            let declared = MountOptions::parse(declared);
            let deviation = Deviation::of(&declared, shown);
            assert_eq!(deviation.in_effect(&declared).text(), in_effect, "{shown}");
            assert_eq!(deviation.is_empty(), deviation.in_effect(&declared) == declared);
            assert_eq!(deviation.remedy(&declared).text(), remedy, "{shown}");
        };
        check("", "rw,relatime,rw,errors=remount-ro", "", "");
        check("", "ro,relatime,rw", "ro", "rw");
        check("noatime", "rw,relatime", "", "noatime");
        check("noatime,nodev", "rw,noatime", "noatime", "noatime,nodev");
        check("nodev", "rw,nodev,noexec", "nodev,noexec", "nodev,exec");
        check("relatime", "rw,noatime", "relatime,noatime", "relatime");
        check("strictatime", "rw,noatime", "strictatime,noatime", "strictatime");
        check("", "rw,nodiratime,relatime", "nodiratime", "relatime");
        check("nodiratime,relatime", "rw,nodiratime,relatime", "nodiratime,relatime", "nodiratime,relatime");
        check("user", "rw,nosuid,nodev,noexec", "user", "user");
        check("user,exec", "rw,nosuid,nodev", "user,exec", "user,exec");
        check(
            "nofail,x-systemd.automount,_netdev,discard",
            "rw",
            "nofail,x-systemd.automount,_netdev,discard",
            "nofail,x-systemd.automount,_netdev,discard",
        );
        check("ro,rw", "rw", "ro,rw", "ro,rw");
    }

    #[test]
    fn compares_values_by_meaning() {
        let check = |declared: &str, shown: &str, same: bool| {
            assert_eq!(
                Deviation::of(&MountOptions::parse(declared), shown).is_empty(),
                same,
                "{declared} {shown}"
            );
        };
        check("size=64m", "rw,size=65536k", true);
        check("size=64m", "rw,size=64k", false);
        check("size=50%", "rw,size=12345k", true);
        check("mode=0755", "rw,mode=755", true);
        check("mode=0700", "rw,mode=755", false);
        check("uid=app", "rw,uid=1000", true);
        check("uid=7", "rw,uid=1000", false);
        check("compress=zstd", "rw,compress=zstd:3", true);
        check("data=journal", "rw", true);
        check("subvol=/a", "rw,subvol=/ab", false);
    }

    #[test]
    fn reads_flags_without_declared_options() {
        assert_eq!(flags("ro,noatime,nodev,ro,size=1k").text(), "ro,nodev,noatime");
    }
}
