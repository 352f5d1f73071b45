//! A watched root that the benchmark tampers with.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::tampering::{PreparedChange, Sort, Tampering};
use crate::bench::configuration::{Content, DIRECTORIES, DIRECTORY_MODE, directory_path, file_path};
use crate::bench::floor::{below, check_file, check_metadata, owner};
use crate::disk;
use crate::failure::{Failure, Result};

/// A file that is not repaired within this time counts as not watched.
const PATIENCE: Duration = Duration::from_secs(5);

/// A root, and its declared state.
pub(crate) struct Side {
    root: PathBuf,
    /// The number of files.
    files: usize,
    owner: (u32, u32),
    /// The destination of moved entries: outside the root, so that it is not watched.
    aside: PathBuf,
    moved: Cell<usize>,
}

/// The times from just before the tampering until the repair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repair {
    /// Until the file was repaired.
    pub(crate) file: Duration,
    /// Until everything was repaired: if the parent was moved, all files in it.
    pub(crate) whole: Duration,
}

impl Side {
    pub(crate) fn new(root: PathBuf, files: usize) -> Result<Self> {
        let aside = root.with_extension("aside");
        disk::remove_tree(&aside)?;
        disk::make_directory(&aside)?;
        let owner = owner().map_err(|error| {
            Failure::new(format!("cannot determine the user and group of this process: {error}"))
        })?;
        Ok(Self { root, files, owner, aside, moved: Cell::new(0) })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The user ID that tampers.
    pub(crate) fn user(&self) -> u32 {
        self.owner.0
    }

    /// Tampers and spins until it is repaired.
    pub(crate) fn measure(&self, tampering: Tampering) -> Result<Repair> {
        let Tampering { sort, file } = tampering;
        let text = Content::new().of(file).to_owned();
        let path = self.path(file);
        let change = self.prepare(tampering)?;
        let begin = Instant::now();
        change.execute().map_err(|error| failed(sort, &path, &error))?;
        let right = || check_file(&path, &text, self.owner);
        let repaired = spin(begin, right).map_err(|error| unrepaired(sort, &path, &error))?;
        let whole = match sort {
            Sort::ParentMoved => self.wait_for_directory(begin, file)?,
            _ => repaired,
        };
        Ok(Repair { file: repaired, whole })
    }

    /// Tampers without waiting.
    pub(crate) fn tamper(&self, tampering: Tampering) -> Result {
        let executed = self.prepare(tampering)?.execute();
        executed.map_err(|error| failed(tampering.sort, &self.path(tampering.file), &error))
    }

    /// Spins until the file of this tampering is repaired.
    pub(crate) fn wait_for_file(&self, begin: Instant, tampering: Tampering) -> Result<Duration> {
        let (path, mut content) = (self.path(tampering.file), Content::new());
        let text = content.of(tampering.file);
        spin(begin, || check_file(&path, text, self.owner))
            .map_err(|error| unrepaired(tampering.sort, &path, &error))
    }

    /// Spins until the directory of `file` and all files in it are repaired.
    fn wait_for_directory(&self, begin: Instant, file: usize) -> Result<Duration> {
        let index = file % DIRECTORIES;
        let path = below(&self.root, &directory_path(index));
        let mut took = spin(begin, || check_metadata(&path, DIRECTORY_MODE, self.owner))
            .map_err(|error| unrepaired(Sort::ParentMoved, &path, &error))?;
        for file in (index..self.files).step_by(DIRECTORIES) {
            took = self.wait_for_file(begin, Tampering { sort: Sort::ParentMoved, file })?;
        }
        Ok(took)
    }

    fn prepare(&self, Tampering { sort, file }: Tampering) -> Result<PreparedChange> {
        self.moved.set(self.moved.get() + 1);
        let (path, aside) = (self.path(file), self.aside.join(self.moved.get().to_string()));
        PreparedChange::prepare(sort, &path, &aside).map_err(|error| failed(sort, &path, &error))
    }

    fn path(&self, file: usize) -> PathBuf {
        below(&self.root, &file_path(file))
    }
}

/// Checks without pauses, because pauses would be part of the measurement.
fn spin(begin: Instant, right: impl Fn() -> io::Result<()>) -> io::Result<Duration> {
    loop {
        match right() {
            Ok(()) => return Ok(begin.elapsed()),
            Err(error) if begin.elapsed() > PATIENCE => return Err(error),
            Err(_) => {}
        }
    }
}

fn failed(sort: Sort, path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("cannot tamper with `{}` ({}): {error}", path.display(), sort.name()))
}

fn unrepaired(sort: Sort, path: &Path, error: &io::Error) -> Failure {
    let seconds = PATIENCE.as_secs();
    Failure::new(format!("`{}` ({}) is not repaired after {seconds} s: {error}", path.display(), sort.name()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::floor;

    #[test]
    fn the_floor_repairs_every_sort_of_tampering() {
        let root = std::env::temp_dir().join(format!("xtask-side-{}", std::process::id()));
        disk::make_directory(&root.join("srv")).unwrap();
        let name = root.display().to_string();
        std::thread::spawn(move || floor::run(&["watch", &name, "300"]));
        let side = Side::new(root.clone(), 300).unwrap();
        side.wait_for_file(Instant::now(), Tampering { sort: Sort::Delete, file: 200 }).unwrap();
        for sort in Sort::possible(side.user()) {
            let repair = side.measure(Tampering { sort, file: 100 }).unwrap();
            assert!(repair.file <= repair.whole, "{sort:?}");
        }
        // Renamed first, so that it is not repaired while it is removed.
        std::fs::rename(&root, root.with_extension("gone")).unwrap();
        disk::remove_tree(&root.with_extension("gone")).unwrap();
        disk::remove_tree(&root.with_extension("aside")).unwrap();
    }
}
