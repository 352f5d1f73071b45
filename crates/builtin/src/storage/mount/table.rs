//! `/proc/self/mountinfo`: the mounted file systems.

use std::path::{Path, PathBuf};

use uphold_resource::{Reading, Result};

use super::super::escape::unescaped;

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
