//! A folder with a repository and a checkout of it, and the command.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the test runs the real command")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// As many files are in each commit.
pub(crate) const FILES: usize = 5;

/// A commit with a tag of its name, for `git fast-import`.
fn commit(version: &str, mark: usize, parent: Option<usize>) -> String {
    let file = |path: String, content: String| {
        format!("M 100644 inline {path}\ndata {}\n{content}\n", content.len())
    };
    let files: String = (1..=FILES).map(|i| file(format!("sub/f{i}"), format!("{version} {i}\n"))).collect();
    let parent = parent.map(|mark| format!("from :{mark}\ndeleteall\n")).unwrap_or_default();
    let only = file(format!("only-{version}"), "only\n".to_owned());
    format!(
        "commit refs/heads/main\nmark :{mark}\ncommitter Ada <ada@example.org> 170000000{mark} +0000\n\
         data 2\n{version}\n{parent}{files}{only}reset refs/tags/{version}\nfrom :{mark}\n\n"
    )
}

pub(crate) struct Ground {
    home: TempDir,
}

/// How a run ended, and all that it printed.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) said: String,
}

impl Ground {
    /// A repository `repo` with the tags `v1` and `v2`; its branch `main` is at `v2`.
    pub(crate) fn new() -> Self {
        // In memory where that is possible: git syncs each object.
        let ground =
            Self { home: TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder") };
        // One import instead of a process for each step: there is a repository for each case of a table.
        ground.write("commits", &(commit("v1", 1, None) + &commit("v2", 2, Some(1))));
        ground.shell(
            "chmod 755 . && git init -q -b main repo && cd repo && git fast-import --quiet <../commits \
             && git reset -q --hard && git rm -q only-v2 && rm ../commits",
        );
        ground
    }

    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.at(name), content).expect("a file");
    }

    pub(crate) fn path(&self) -> &Path {
        self.home.path()
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.at(name)).ok()
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.at(name).exists()
    }

    /// Declares a checkout of `repo` at `path`.
    pub(crate) fn declare(&self, path: &str, attributes: &[&str]) {
        self.declare_of(&self.at("repo").display().to_string(), path, attributes);
    }

    pub(crate) fn declare_of(&self, repository: &str, path: &str, attributes: &[&str]) {
        let path = self.at(path);
        let text = format!("git {path:?} {{\nrepository = {repository:?}\n{}\n}}\n", attributes.join("\n"));
        std::fs::write(self.at("site.hcl"), text).expect("a file");
    }

    fn prepare(&self, command: &mut Command) {
        command.current_dir(self.path()).env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        command
            .env("HOME", self.path())
            .env("GIT_AUTHOR_NAME", "Ada")
            .env("GIT_AUTHOR_EMAIL", "ada@example.org");
        command.env("GIT_COMMITTER_NAME", "Ada").env("GIT_COMMITTER_EMAIL", "ada@example.org");
    }

    /// A script that has to succeed. Returns what it printed.
    #[track_caller]
    pub(crate) fn shell(&self, script: &str) -> String {
        let mut command = Command::new("/bin/sh");
        command.args(["-ec", script]);
        self.prepare(&mut command);
        let output = command.output().expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{script}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub(crate) fn run(&self, verb: &str) -> Ran {
        self.run_with(verb, &[])
    }

    /// Runs Uphold with more in its environment.
    pub(crate) fn run_with(&self, verb: &str, env: &[(&str, &str)]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        command.arg(verb).arg(self.at("site.hcl"));
        self.prepare(&mut command);
        let output = command.envs(env.iter().copied()).output().expect("the command runs");
        let said = [&output.stdout, &output.stderr].map(|said| String::from_utf8_lossy(said).into_owned());
        Ran { status: output.status.code(), said: said.concat() }
    }

    /// An apply that has to succeed.
    #[track_caller]
    pub(crate) fn apply(&self) {
        let ran = self.run("apply");
        assert_eq!(ran.status, Some(0), "{}", ran.said);
    }

    /// A run that has to fail, and to print this.
    #[track_caller]
    pub(crate) fn refuse(&self, verb: &str, words: &str) {
        let ran = self.run(verb);
        assert!(ran.status == Some(1) && ran.said.contains(words), "{words}: {ran:?}");
    }

    /// Asserts that the checkout is exactly at a tag, with nothing missing and nothing left over.
    #[track_caller]
    pub(crate) fn is_at(&self, path: &str, tag: &str) {
        let commit = self.shell(&format!("git -C repo rev-parse {tag}^{{commit}}"));
        assert_eq!(self.shell(&format!("git -C {path} rev-parse HEAD")), commit, "{path}");
        let status = self.shell(&format!(
            "git -C {path} status --porcelain && git -C {path} rev-list --objects --quiet HEAD 2>&1"
        ));
        assert_eq!(status, "", "{path}");
        for number in 1..=FILES {
            assert_eq!(self.read(&format!("{path}/sub/f{number}")), Some(format!("{tag} {number}\n")));
        }
        let locks = self.shell(&format!("find {path}/.git -name '*.lock' -o -name 'uphold-*'"));
        assert_eq!(locks, "", "{path}");
    }
}

/// Only root can give files to others. Elsewhere such a test has nothing to say.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
