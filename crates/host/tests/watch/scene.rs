//! The common setup of these tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use uphold_host::LocalHost;
use uphold_resource::{Interest, Token, WatchEvent, Watcher, Watchers};

/// A fresh directory and a watcher.
pub(crate) struct Scene {
    pub(crate) watcher: Arc<dyn Watcher>,
    directory: TempDir,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let directory = fresh();
        Self { watcher: LocalHost::new().watcher().unwrap(), directory }
    }

    /// A scene whose directory is the root of the watcher.
    pub(crate) fn rooted() -> Self {
        let directory = fresh();
        Self { watcher: LocalHost::rooted(directory.path()).unwrap().watcher().unwrap(), directory }
    }

    pub(crate) fn top(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.top().join(name)
    }

    /// Writes a file, and creates its directories.
    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn watch(&self, token: Token, interest: Interest) {
        self.watcher.arm(token, &[interest]).unwrap();
    }

    /// The tokens of the reports up to now, without waiting.
    pub(crate) fn tokens(&self) -> BTreeSet<Token> {
        let changed = |reports| match reports {
            WatchEvent::Changed { token, .. } => token,
            other => panic!("unexpected {other:?}"),
        };
        self.reports().into_iter().map(changed).collect()
    }

    /// The paths of the reports up to now.
    pub(crate) fn changed_paths(&self) -> Vec<PathBuf> {
        let path = |reports| match reports {
            WatchEvent::Changed { what: Interest::Path(path), .. } => path,
            other => panic!("unexpected {other:?}"),
        };
        self.reports().into_iter().map(path).collect()
    }

    pub(crate) fn reports(&self) -> Vec<WatchEvent> {
        let mut reports = Vec::new();
        self.watcher.collect(&mut |one| reports.push(one));
        reports
    }

    /// Waits and collects until there is a report.
    pub(crate) fn next(&self, timeout: Duration) -> Vec<WatchEvent> {
        let end = Instant::now() + timeout;
        loop {
            let reports = self.reports();
            let left = end.saturating_duration_since(Instant::now());
            if !reports.is_empty() || left.is_zero() {
                return reports;
            }
            self.watcher.wait(Some(left));
        }
    }
}

fn fresh() -> TempDir {
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    TempDir::new_in(place.canonicalize().unwrap()).unwrap()
}

pub(crate) fn only(token: Token) -> BTreeSet<Token> {
    BTreeSet::from([token])
}

pub(crate) fn none() -> BTreeSet<Token> {
    BTreeSet::new()
}

/// Prints past the capture of the test harness, for skipped tests and measurements.
pub(crate) fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{text}");
}
