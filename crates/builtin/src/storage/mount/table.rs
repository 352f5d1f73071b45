//! `/proc/self/mountinfo`: what is mounted now.

use std::path::{Path, PathBuf};

use uphold_resource::{Reading, Result};

use super::super::escape::unescaped;

/// Where the kernel tells it. What it says there changes without any sign on the file, so it is read
/// each time.
const MOUNTINFO: &str = "/proc/self/mountinfo";

/// What is mounted.
pub(super) struct MountTable(Vec<Mounted>);

/// One thing that is mounted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mounted {
    /// Which file system it is, as two numbers.
    number: String,
    /// Which directory of that file system is seen there.
    top: String,
    pub(super) point: PathBuf,
    /// Those of the mount and those of the file system, with commas between them.
    pub(super) options: String,
    pub(super) fstype: String,
    pub(super) source: String,
}

impl MountTable {
    /// What is mounted now; nothing without `/proc`.
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

    /// What is mounted at this very point; the last one hides those before it.
    pub(super) fn at(&self, point: &Path) -> Option<&Mounted> {
        self.0.iter().rfind(|mounted| mounted.point == point)
    }

    /// Whether what is mounted is the directory `source` of something else that is mounted.
    pub(super) fn is_bound(&self, mounted: &Mounted, source: &Path) -> bool {
        let holders = self.0.iter().filter(|holder| source.starts_with(&holder.point));
        let Some(holder) = holders.max_by_key(|holder| holder.point.components().count()) else {
            return false;
        };
        let Ok(inside) = source.strip_prefix(&holder.point) else { return false };
        holder.number == mounted.number && Path::new(&holder.top).join(inside) == Path::new(&mounted.top)
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
            top: text(3)?,
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
    fn points_are_found() {
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
        let mounted = table.at(Path::new("/mnt/a b")).expect("it is there");
        assert_eq!((&*mounted.options, &*mounted.fstype), ("rw,nosuid,rw,size=64k", "tmpfs"));
    }

    #[test]
    fn what_is_bound_is_known_by_its_origin() {
        let bare = TABLE.split(|byte| *byte == b'\n').take(4).collect::<Vec<_>>().join(&b'\n');
        let table = MountTable::parse(&bare);
        let bound = table.at(Path::new("/bound")).expect("it is there");
        let check = |source: &str, expected| assert_eq!(table.is_bound(bound, Path::new(source)), expected);
        check("/srv/data", true);
        check("/srv", false);
        check("/srv/other", false);
        check("/data", false);
    }
}
