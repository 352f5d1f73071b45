//! A description of the machine on which the numbers were measured.

use std::path::Path;

use crate::disk;

/// The first lines of the report. Facts that cannot be read are shown as unknown.
pub(crate) fn facts(folder: &Path) -> String {
    let read = |path: &str| disk::read(path.as_ref()).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let cpuinfo = read("/proc/cpuinfo");
    format!(
        "machine: {cores} cores, {}, Linux {}\nfolder:  {} ({}; in memory, so syncing to disk costs nothing)\n",
        processor(&cpuinfo).unwrap_or("unknown processor"),
        read("/proc/sys/kernel/osrelease").trim(),
        folder.display(),
        filesystem_of(folder).as_deref().unwrap_or("unknown filesystem"),
    )
}

/// The type of the file system that contains `folder`.
pub(crate) fn filesystem_of(folder: &Path) -> Option<String> {
    let mounts = disk::read("/proc/mounts".as_ref()).ok()?;
    filesystem(&mounts, folder).map(str::to_owned)
}

fn processor(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

/// The file system type of the innermost mount that contains `folder`.
fn filesystem<'a>(mounts: &'a str, folder: &Path) -> Option<&'a str> {
    let fields = |line: &'a str| {
        let mut words = line.split(' ').skip(1);
        Some((words.next()?, words.next()?))
    };
    let holding = mounts.lines().filter_map(fields).filter(|(point, _)| folder.starts_with(point));
    holding.max_by_key(|(point, _)| point.len()).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_mount_counts() {
        let mounts = "/dev/a / ext4 rw 0 0\ntmpfs /dev tmpfs rw 0 0\nshm /dev/shm ramfs rw 0 0\n";
        assert_eq!(filesystem(mounts, Path::new("/dev/shm/x")), Some("ramfs"));
        assert_eq!(filesystem(mounts, Path::new("/dev/shmx")), Some("tmpfs"));
        assert_eq!(filesystem(mounts, Path::new("/srv")), Some("ext4"));
        assert_eq!(filesystem("", Path::new("/srv")), None);
    }

    #[test]
    fn the_processor_is_named() {
        assert_eq!(processor("x\nmodel name\t: Fast One\n"), Some("Fast One"));
        assert_eq!(processor(""), None);
    }
}
