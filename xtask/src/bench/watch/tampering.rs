//! Changes to watched files from outside.

use std::fs::{File, OpenOptions, Permissions};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _, lchown, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use crate::bench::table::Row;
use crate::disk;
use crate::failure::{Failure, Result};

use super::{Case, FILES};

/// A change of a file by one system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Overwrite,
    Delete,
    Chmod,
    Chown,
    RenameAway,
    ReplaceByLink,
    /// The directory of the file is moved with all its contents.
    ParentMoved,
}

impl Sort {
    pub(crate) const ALL: [Sort; 7] = [
        Sort::Overwrite,
        Sort::Delete,
        Sort::Chmod,
        Sort::Chown,
        Sort::RenameAway,
        Sort::ReplaceByLink,
        Sort::ParentMoved,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Sort::Overwrite => "overwritten",
            Sort::Delete => "deleted",
            Sort::Chmod => "mode changed",
            Sort::Chown => "owner changed",
            Sort::RenameAway => "renamed away",
            Sort::ReplaceByLink => "replaced by a link",
            Sort::ParentMoved => "parent moved away",
        }
    }

    /// The sorts that `user` may do: only root can change the owner.
    pub(crate) fn possible(user: u32) -> Vec<Sort> {
        Self::ALL.into_iter().filter(|sort| *sort != Sort::Chown || user == 0).collect()
    }
}

/// One sort of change to one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tampering {
    pub(crate) sort: Sort,
    /// The number of the file in the configuration.
    pub(crate) file: usize,
}

/// `count` tamperings with uniformly distributed sorts and files. The same seed gives the same list.
pub(crate) fn tamperings(seed: u64, count: usize, files: usize, sorts: &[Sort]) -> Vec<Tampering> {
    let mut random = Random::new(seed);
    let one = |_| Tampering { sort: sorts[random.below(sorts.len())], file: random.below(files) };
    (0..count).map(one).collect()
}

/// A prepared tampering, of which only the system call is left to do.
pub(crate) enum PreparedChange {
    Write(File),
    Remove(PathBuf),
    Permit(PathBuf),
    Give(PathBuf),
    Move { from: PathBuf, to: PathBuf },
}

impl PreparedChange {
    /// Prepares `sort` for the file at `path`. Moved entries go to `aside`, a free path in a directory that is not watched.
    pub(crate) fn prepare(sort: Sort, path: &Path, aside: &Path) -> io::Result<Self> {
        let (path, aside) = (path.to_owned(), aside.to_owned());
        Ok(match sort {
            Sort::Overwrite => PreparedChange::Write(OpenOptions::new().write(true).open(path)?),
            Sort::Delete => PreparedChange::Remove(path),
            Sort::Chmod => PreparedChange::Permit(path),
            Sort::Chown => PreparedChange::Give(path),
            Sort::RenameAway => PreparedChange::Move { from: path, to: aside },
            Sort::ReplaceByLink => {
                symlink("/etc/passwd", &aside)?;
                PreparedChange::Move { from: aside, to: path }
            }
            Sort::ParentMoved => {
                PreparedChange::Move { from: path.parent().unwrap_or(&path).to_owned(), to: aside }
            }
        })
    }

    pub(crate) fn execute(self) -> io::Result<()> {
        match self {
            // The size stays the same, so that only the content differs.
            PreparedChange::Write(file) => file.write_all_at(b"tampered with", 0),
            PreparedChange::Remove(path) => fs::remove_file(path),
            PreparedChange::Permit(path) => fs::set_permissions(path, Permissions::from_mode(0o666)),
            PreparedChange::Give(path) => lchown(path, Some(1), Some(1)),
            PreparedChange::Move { from, to } => fs::rename(from, to),
        }
    }
}

/// SplitMix64: fast, and good enough to choose files.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        // The bias of a remainder is far too small to matter in a benchmark.
        (self.next() % limit as u64) as usize
    }
}

// The work for an event depends on the affected resources, not on the size of the graph.

/// An arbitrary file; its directory and 99 others in it are watched, too.
const FILE: usize = 4711;
/// The time after the repair: long enough for other woken resources to show.
const SETTLE: Duration = Duration::from_millis(300);

/// The number of visits for one tampering, for each sort that affects one file.
pub(crate) fn run(case: &Case<'_>) -> Result<Vec<Row>> {
    let side = case.ours()?;
    let log = case.folder().join("watch.json");
    let output = File::create(&log)
        .map_err(|error| Failure::new(format!("cannot make `{}`: {error}", log.display())))?;
    let watch = case.watch_json(&side, output)?;
    let mut most: usize = 0;
    for sort in Sort::possible(side.user()).into_iter().filter(|sort| *sort != Sort::ParentMoved) {
        let before = visits(&log)?;
        side.measure(Tampering { sort, file: FILE })?;
        std::thread::sleep(SETTLE);
        let visits = visits(&log)? - before;
        if visits == 0 {
            return Err(Failure::new(format!(
                "no report of a repair ({}) in `{}`",
                sort.name(),
                log.display()
            )));
        }
        most = most.max(visits);
    }
    watch.end()?;
    let name = format!("most visits for one tampering among {FILES} files; floor is one");
    Ok(vec![Row::ratio(name, most as f64, 1.0, Some(1.0), |count| format!("{count:.0}"))])
}

fn visits(log: &Path) -> Result<usize> {
    Ok(finished(&disk::read(log)?))
}

/// The number of lines that report a finished action.
fn finished(lines: &str) -> usize {
    lines.lines().filter(|line| line.contains("\"type\":\"resource_finished\"")).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::configuration::{Content, file_path};
    use crate::bench::floor::{below, check_file, owner, run};
    use crate::disk;

    #[test]
    fn a_seed_determines_the_list_and_every_sort_occurs() {
        let list = tamperings(1, 200, 10_000, &Sort::ALL);
        assert_eq!(list, tamperings(1, 200, 10_000, &Sort::ALL));
        assert_ne!(list, tamperings(2, 200, 10_000, &Sort::ALL));
        for sort in Sort::ALL {
            assert!(list.iter().filter(|tampering| tampering.sort == sort).count() > 10, "{sort:?}");
        }
        assert!(list.iter().all(|tampering| tampering.file < 10_000));
    }

    #[test]
    fn only_root_changes_owners() {
        assert_eq!(Sort::possible(0), Sort::ALL);
        assert!(!Sort::possible(1000).contains(&Sort::Chown));
    }

    #[test]
    fn every_sort_makes_the_file_differ() {
        let root = std::env::temp_dir().join(format!("xtask-tampering-{}", std::process::id()));
        let owner = owner().unwrap();
        let path = below(&root, &file_path(0));
        let right = || check_file(&path, Content::new().of(0), owner).is_ok();
        for sort in Sort::possible(owner.0) {
            disk::remove_tree(&root).unwrap();
            run(&["write", &root.display().to_string(), "1"]).unwrap();
            let change = PreparedChange::prepare(sort, &path, &root.join("aside")).unwrap();
            assert!(right(), "{sort:?}: preparing changes nothing");
            change.execute().unwrap();
            assert!(!right(), "{sort:?}");
        }
        disk::remove_tree(&root).unwrap();
    }

    #[test]
    fn numbers_match_the_reference_implementation() {
        let mut random = Random::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn below_covers_exactly_the_range() {
        let mut random = Random::new(1);
        let mut seen = [false; 7];
        (0..200).for_each(|_| seen[random.below(7)] = true);
        assert_eq!(seen, [true; 7]);
    }
}

#[cfg(test)]
mod visits_tests {
    use super::*;

    #[test]
    fn finished_actions_are_counted() {
        let lines =
            "{\"type\":\"started\",\"x\":1}\n{\"level\":\"info\",\"type\":\"resource_finished\",\"x\":1}\n";
        assert_eq!(finished(lines), 1);
    }
}
