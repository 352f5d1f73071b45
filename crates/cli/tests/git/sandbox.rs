//! A folder with a repository and a checkout, and the command.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::site::{Ran, Site};

/// The number of files in each commit.
pub(crate) const FILES: usize = 5;

/// A commit with a tag of the same name, for `git fast-import`.
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

pub(crate) struct Sandbox {
    site: Site,
}

impl Sandbox {
    /// A repository `repo` with the tags `v1` and `v2`; its branch `main` is at `v2`.
    pub(crate) fn new() -> Self {
        let sandbox = Self { site: Site::new() };
        // One import instead of a process for each step, because each case of a table has its own repository.
        sandbox.write("commits", &(commit("v1", 1, None) + &commit("v2", 2, Some(1))));
        sandbox.shell(
            "chmod 755 . && git init -q -b main repo && cd repo && git fast-import --quiet <../commits \
             && git reset -q --hard && git rm -q only-v2 && rm ../commits",
        );
        sandbox
    }

    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.at(name), content).expect("a file");
    }

    pub(crate) fn path(&self) -> &Path {
        self.site.path()
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.site.at(name)
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
        let repository = format!("repository = {repository:?}");
        self.site.declare("git", path, &[&[repository.as_str()], attributes].concat());
    }

    /// Gives git a home without configuration, and an author.
    fn identify(&self, command: &mut Command) {
        command.env("HOME", self.path());
        command.env("GIT_AUTHOR_NAME", "Ada").env("GIT_AUTHOR_EMAIL", "ada@example.org");
        command.env("GIT_COMMITTER_NAME", "Ada").env("GIT_COMMITTER_EMAIL", "ada@example.org");
    }

    /// Runs a script that must succeed. Returns its output.
    #[track_caller]
    pub(crate) fn shell(&self, script: &str) -> String {
        let mut command = Command::new("/bin/sh");
        command.args(["-ec", script]);
        self.site.isolate(&mut command);
        self.identify(&mut command);
        let output = command.output().expect("a shell");
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{script}: {printed}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub(crate) fn run(&self, verb: &str) -> Ran {
        self.run_with(verb, &[])
    }

    /// Runs Uphold with additional environment variables.
    pub(crate) fn run_with(&self, verb: &str, env: &[(&str, &str)]) -> Ran {
        let mut command = self.site.command(verb);
        self.identify(&mut command);
        Ran::finish(command.envs(env.iter().copied()))
    }

    /// Runs an apply that must succeed.
    #[track_caller]
    pub(crate) fn apply(&self) {
        self.run("apply").succeeds();
    }

    /// Runs a command that must fail and print this.
    #[track_caller]
    pub(crate) fn refuse(&self, verb: &str, words: &str) {
        self.run(verb).fails_with(words);
    }

    /// Asserts that the checkout is exactly at a tag, without missing or additional files.
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

/// Only root can give files to other users; other users skip such tests.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
