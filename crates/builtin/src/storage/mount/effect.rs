//! Which of the options are in effect, by what the kernel shows of them.

use super::options::MountOptions;

/// Options that every file system has: the word that the kernel shows, and the one for its opposite,
/// which is the usual case and which it does not show.
const FLAGS: &[(&str, &str)] = &[
    ("ro", "rw"),
    ("nosuid", "suid"),
    ("nodev", "dev"),
    ("noexec", "exec"),
    ("sync", "async"),
    ("dirsync", "nodirsync"),
    // Of these two the kernel keeps what it has until it is told of another way.
    ("noatime", "relatime"),
    ("nodiratime", "relatime"),
    ("lazytime", "nolazytime"),
    ("nosymfollow", "symfollow"),
];

/// What some options bring along unless another one says otherwise.
const IMPLIED: &[(&str, &[&str])] = &[
    ("user", &["nosuid", "nodev", "noexec"]),
    ("users", &["nosuid", "nodev", "noexec"]),
    ("owner", &["nosuid", "nodev"]),
    ("group", &["nosuid", "nodev"]),
];

/// Other words for the opposite of a flag.
const OPPOSITES: &[(&str, &[&str])] =
    &[("noatime", &["atime", "strictatime"]), ("nodiratime", &["diratime"])];

/// What differs between options that are wanted and those that the kernel shows. What it does not show
/// of a file system's own options is taken to be in effect.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Deviation {
    /// Wanted, and not in effect.
    missing: Vec<String>,
    /// In effect, and not wanted.
    excess: Vec<String>,
}

impl Deviation {
    pub(super) fn of(wish: &MountOptions, shown: &str) -> Self {
        let shown = MountOptions::parse(shown);
        let mut found = Self::default();
        for (flag, opposite) in FLAGS {
            match (is_wanted(wish, flag, opposite), shown.has(flag)) {
                (true, false) => found.missing.push((*flag).to_owned()),
                (false, true) => found.excess.push((*flag).to_owned()),
                _ => {}
            }
        }
        found.missing.extend(wish.iter().filter(|option| !holds(option, &shown)).map(ToOwned::to_owned));
        found
    }

    pub(super) fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.excess.is_empty()
    }

    /// What is in effect of the wish, and what else is.
    pub(super) fn in_effect(&self, wish: &MountOptions) -> MountOptions {
        let kept = wish.iter().filter(|option| !self.missing.iter().any(|missing| missing == option));
        kept.map(ToOwned::to_owned).chain(self.excess.iter().cloned()).collect()
    }

    /// What to ask of a mount that is there so that the wish comes true. What is in excess is asked away:
    /// left out, it would stay.
    pub(super) fn remedy(&self, wish: &MountOptions) -> MountOptions {
        let is_said = |flag: &str| wish.iter().any(|option| is_opposite(option, flag));
        let away = FLAGS.iter().filter(|(flag, _)| self.excess.iter().any(|excess| excess == flag));
        let away = away.filter(|(flag, _)| !is_said(flag));
        wish.iter().map(ToOwned::to_owned).chain(away.map(|(_, usual)| (*usual).to_owned())).collect()
    }
}

/// The flags that a mount has of which nothing was asked.
pub(super) fn flags(shown: &str) -> MountOptions {
    Deviation::of(&MountOptions::default(), shown).in_effect(&MountOptions::default())
}

/// The last word counts, as it does for mount.
fn is_wanted(wish: &MountOptions, flag: &str, opposite: &str) -> bool {
    let implied = IMPLIED.iter().any(|(option, flags)| wish.has(option) && flags.contains(&flag));
    let is_usual = |option: &str| flag != "nodiratime" && option == opposite;
    let said = wish.iter().filter(|option| *option == flag || is_usual(option) || is_opposite(option, flag));
    said.last().map_or(implied, |option| option == flag)
}

/// Whether an option says by another word that a flag should not be.
fn is_opposite(option: &str, flag: &str) -> bool {
    OPPOSITES.iter().any(|(found, words)| *found == flag && words.contains(&option))
}

/// Whether an option with a value holds; nothing is known of what is not shown.
fn holds(option: &str, shown: &MountOptions) -> bool {
    let Some((key, wish)) = option.split_once('=') else { return true };
    let value = shown.iter().find_map(|option| option.strip_prefix(key)?.strip_prefix('='));
    value.is_none_or(|value| is_same(key, wish, value))
}

/// The kernel may show a value in another form than it was asked in.
fn is_same(key: &str, wish: &str, shown: &str) -> bool {
    match key {
        "size" | "nr_inodes" | "nr_blocks" => amount(wish).is_none_or(|bytes| amount(shown) == Some(bytes)),
        "mode" => wish.trim_start_matches('0') == shown.trim_start_matches('0'),
        // A name is turned into a number by mount.
        "uid" | "gid" if wish.parse::<u32>().is_err() => true,
        _ => wish == shown || shown.strip_prefix(wish).is_some_and(|rest| rest.starts_with(':')),
    }
}

/// `64m` and `65536k` are one amount; a share of the memory is none.
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
    fn what_the_kernel_adds_is_no_difference() {
        let check = |wish: &str, shown: &str, in_effect: &str, remedy: &str| {
            let wish = MountOptions::parse(wish);
            let deviation = Deviation::of(&wish, shown);
            assert_eq!(deviation.in_effect(&wish).text(), in_effect, "{shown}");
            assert_eq!(deviation.is_empty(), deviation.in_effect(&wish) == wish);
            assert_eq!(deviation.remedy(&wish).text(), remedy, "{shown}");
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
    fn values_are_compared_by_what_they_mean() {
        let check = |wish: &str, shown: &str, same: bool| {
            assert_eq!(Deviation::of(&MountOptions::parse(wish), shown).is_empty(), same, "{wish} {shown}");
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
    fn flags_are_read_without_a_wish() {
        assert_eq!(flags("ro,noatime,nodev,ro,size=1k").text(), "ro,nodev,noatime");
    }
}
