//! `/proc/self/mountinfo`: the mounted file systems.

use std::path::{Path, PathBuf};

use uphold_resource::{Context, Problem, Property, Reading, Result, Type, Value};

use crate::storage::unescaped;

/// The kernel's table. It changes without a change of the file's metadata, so it is read each time.
const MOUNTINFO: &str = "/proc/self/mountinfo";

/// The mounted file systems.
pub(super) struct MountTable(Vec<Mounted>);

/// A mounted file system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mounted {
    /// The device number of the file system.
    number: String,
    /// The directory of the file system that is mounted.
    root: String,
    pub(super) point: PathBuf,
    /// The options of the mount and of the file system, separated by commas.
    pub(super) options: String,
    pub(super) fstype: String,
    pub(super) source: String,
}

impl MountTable {
    /// Reads the table; empty without `/proc`.
    pub(super) fn read(host: &Reading<'_>) -> Result<Self> {
        let path = Path::new(MOUNTINFO);
        match host.files().look(path)? {
            Some(_) => host.files().read(path, 0).map(|content| Self::parse(&content)),
            None => Ok(Self(Vec::new())),
        }
    }

    fn parse(content: &[u8]) -> Self {
        Self(content.split(|byte| *byte == b'\n').filter_map(Mounted::parse).collect())
    }

    /// The file system mounted at this point; the last one hides earlier ones.
    pub(super) fn at(&self, point: &Path) -> Option<&Mounted> {
        self.0.iter().rfind(|mounted| mounted.point == point)
    }

    /// Whether `mounted` is a bind mount of the directory `source`.
    pub(super) fn is_bound(&self, mounted: &Mounted, source: &Path) -> bool {
        let containing = self.0.iter().filter(|parent| source.starts_with(&parent.point));
        let Some(parent) = containing.max_by_key(|parent| parent.point.components().count()) else {
            return false;
        };
        let Ok(inside) = source.strip_prefix(&parent.point) else { return false };
        parent.number == mounted.number && Path::new(&parent.root).join(inside) == Path::new(&mounted.root)
    }
}

impl Mounted {
    /// `36 35 98:0 /top /point options [tags…] - fstype source options`.
    fn parse(line: &[u8]) -> Option<Self> {
        let fields: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
        let dash = fields.iter().position(|field| *field == b"-")?;
        let text = |at: usize| fields.get(at).map(|field| unescaped(field));
        let options = [text(5)?, text(dash + 3).unwrap_or_default()].join(",");
        Some(Self {
            number: text(2)?,
            root: text(3)?,
            point: PathBuf::from(text(4)?),
            options,
            fstype: text(dash + 1)?,
            source: text(dash + 2)?,
        })
    }
}

// The options of a mount.

/// The placeholder for no options.
const DEFAULTS: &str = "defaults";

/// Mount options, such as `noatime` and `size=64m`. The order does not matter.
#[derive(Clone, Debug, Default)]
pub struct MountOptions(Vec<String>);

impl MountOptions {
    /// Parses options separated by commas, as in fstab.
    pub(crate) fn parse(text: &str) -> Self {
        text.split(',').map(str::trim).map(ToOwned::to_owned).collect()
    }

    /// The options, separated by commas; empty if there are none.
    pub(crate) fn text(&self) -> String {
        self.0.join(",")
    }

    /// All options, in the order in which they are written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub(crate) fn has(&self, option: &str) -> bool {
        self.iter().any(|found| found == option)
    }
}

/// Removes duplicates and placeholders.
impl FromIterator<String> for MountOptions {
    fn from_iter<I: IntoIterator<Item = String>>(options: I) -> Self {
        let mut kept: Vec<String> = Vec::new();
        for option in options {
            if !option.is_empty() && option != DEFAULTS && !kept.contains(&option) {
                kept.push(option);
            }
        }
        Self(kept)
    }
}

impl PartialEq for MountOptions {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.iter().all(|option| other.has(option))
    }
}

impl Eq for MountOptions {}

impl Property for MountOptions {
    const TYPE: &'static Type = &Type::List(&Type::Text);

    /// Accepts a list, or a string as in fstab.
    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let words = match value {
            Value::Text(text) => text.split(',').map(|word| word.trim().to_owned()).collect(),
            other => Vec::<String>::from_value(other, context)?,
        };
        match words.iter().find(|word| word.contains([',', '\n'])) {
            Some(word) => {
                let fix = "write each option as a string of its own";
                Err(Problem::new(Some(&Value::text(word.as_str())), "is not a single option", fix))
            }
            None => Ok(words.into_iter().collect()),
        }
    }

    fn to_value(&self) -> Value {
        Value::list(self.iter().map(Value::text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[u8] = b"21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro\n\
        22 21 0:20 / /mnt/a\\040b rw,nosuid - tmpfs tmpfs rw,size=64k\n\
        23 21 8:2 / /srv rw - xfs /dev/sdb1 rw\n\
        24 21 8:2 /data /bound rw - xfs /dev/sdb1 rw\n\
        25 21 0:30 / /srv rw - tmpfs over rw\n\
        broken\n";

    #[test]
    fn finds_mount_points() {
        let check = |point: &str, source: Option<&str>| {
            let table = MountTable::parse(TABLE);
            let found = table.at(Path::new(point)).map(|mounted| mounted.source.clone());
            assert_eq!(found.as_deref(), source, "{point}");
        };
        check("/", Some("/dev/sda1"));
        check("/mnt/a b", Some("tmpfs"));
        check("/srv", Some("over"));
        check("/mnt", None);
        let table = MountTable::parse(TABLE);
        let mounted = table.at(Path::new("/mnt/a b")).expect("it is mounted");
        assert_eq!((&*mounted.options, &*mounted.fstype), ("rw,nosuid,rw,size=64k", "tmpfs"));
    }

    #[test]
    fn recognises_bind_mounts() {
        let bare = TABLE.split(|byte| *byte == b'\n').take(4).collect::<Vec<_>>().join(&b'\n');
        let table = MountTable::parse(&bare);
        let bound = table.at(Path::new("/bound")).expect("it is mounted");
        let check = |source: &str, expected| assert_eq!(table.is_bound(bound, Path::new(source)), expected);
        check("/srv/data", true);
        check("/srv", false);
        check("/srv/other", false);
        check("/data", false);
    }
}

#[cfg(test)]
mod options_tests {
    use super::*;

    #[test]
    fn order_and_repetition_do_not_matter() {
        let check = |one: &str, other: &str, equal: bool| {
            assert_eq!(MountOptions::parse(one) == MountOptions::parse(other), equal, "{one} {other}");
        };
        check("", "defaults", true);
        check("noatime,ro", "ro,noatime", true);
        check("ro,ro", "ro", true);
        check("ro", "ro,noatime", false);
        check("size=1", "size=2", false);
    }

    #[test]
    fn accepts_a_list_or_a_string() {
        let check = |value: Value, expected: Option<&str>| {
            let options = MountOptions::from_value(&value, &Context::NOTHING).ok();
            assert_eq!(options.map(|options| options.text()).as_deref(), expected, "{value}");
        };
        check(Value::text("noatime, ro"), Some("noatime,ro"));
        check(Value::list(["noatime".into(), "ro".into()]), Some("noatime,ro"));
        check(Value::text("defaults"), Some(""));
        check(Value::list(["a,b".into()]), None);
        check(Value::Int(1), None);
    }
}
