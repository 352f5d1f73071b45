//! What every test stands on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use uphold_host::LocalHost;
use uphold_resource::{Interest, News, Token, Watcher, Watchers};

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

    /// The watcher sees the directory as its root.
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

    /// Writes a file, and makes the directories that it is in.
    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn watch(&self, token: Token, interest: Interest) {
        self.watcher.arm(token, &[interest]).unwrap();
    }

    /// Who is told something now, without waiting.
    pub(crate) fn told(&self) -> BTreeSet<Token> {
        let changed = |news| match news {
            News::Changed { token, .. } => token,
            other => panic!("unexpected {other:?}"),
        };
        self.news().into_iter().map(changed).collect()
    }

    /// The paths that are told now.
    pub(crate) fn told_paths(&self) -> Vec<PathBuf> {
        let path = |news| match news {
            News::Changed { what: Interest::Path(path), .. } => path,
            other => panic!("unexpected {other:?}"),
        };
        self.news().into_iter().map(path).collect()
    }

    pub(crate) fn news(&self) -> Vec<News> {
        let mut news = Vec::new();
        self.watcher.collect(&mut |one| news.push(one));
        news
    }

    /// Waits and collects until somebody is told something.
    pub(crate) fn next(&self, patience: Duration) -> Vec<News> {
        let end = Instant::now() + patience;
        loop {
            let news = self.news();
            let left = end.saturating_duration_since(Instant::now());
            if !news.is_empty() || left.is_zero() {
                return news;
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

pub(crate) fn nobody() -> BTreeSet<Token> {
    BTreeSet::new()
}

/// Says past the capture of the test harness that something was not tested, or what was measured.
pub(crate) fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{text}");
}
