//! A machine below a temporary directory, with its own journal.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A machine in `root`, a journal in `state`, and a configuration in `site.hcl`.
pub(crate) struct Machine {
    folder: TempDir,
}

/// The output and exit code of a command.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Each path with its mode and content, or its target.
pub(crate) type Tree = BTreeMap<PathBuf, (u32, Vec<u8>)>;

impl Machine {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder");
        fs::create_dir(folder.path().join("root")).expect("its machine");
        Self { folder }
    }

    /// A path on the machine.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join("root").join(path.trim_start_matches('/'))
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        fs::write(self.at(path), content).expect("a file");
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).expect("a text")
    }

    pub(crate) fn directory(&self, path: &str) {
        fs::create_dir(self.at(path)).expect("a directory");
    }

    pub(crate) fn link(&self, path: &str, target: &str) {
        symlink(target, self.at(path)).expect("a link");
    }

    pub(crate) fn set_mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.at(path), fs::Permissions::from_mode(mode)).expect("its mode");
    }

    /// Adds a kind in Luau beside the configuration.
    pub(crate) fn add_kind(&self, name: &str, script: &str) {
        let kinds = self.folder.path().join("kinds");
        fs::create_dir_all(&kinds).expect("a directory");
        fs::write(kinds.join(format!("{name}.luau")), script).expect("a script");
    }

    /// A path in the journal.
    pub(crate) fn state(&self, name: &str) -> PathBuf {
        self.folder.path().join("state").join(name)
    }

    /// Runs the command for this machine, without a terminal.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, Stdio::null())
    }

    /// Runs the command with this standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: impl Into<Stdio>) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        command.args(arguments).args(["--root", "root", "--state", "state"]);
        command.current_dir(self.folder.path()).env_clear().env("PATH", "/usr/bin:/bin");
        // An undo reads no configuration, so no param is unknown to it.
        if arguments.first() == Some(&"undo") {
            command.env("UPHOLD_PARAM_UNUSED", "1");
        }
        let output = command.stdin(input).output().expect("the command starts");
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("the command writes UTF-8");
            text.replace(&*self.folder.path().to_string_lossy(), "FOLDER")
        };
        Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Applies a configuration, whatever its result.
    pub(crate) fn try_apply(&self, configuration: &str) -> Ran {
        fs::write(self.folder.path().join("site.hcl"), configuration).expect("a configuration");
        self.run(&["apply", "site.hcl"])
    }

    /// Applies a configuration.
    #[track_caller]
    pub(crate) fn apply(&self, configuration: &str) {
        let ran = self.try_apply(configuration);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
    }

    /// Undoes without a question.
    pub(crate) fn undo(&self, arguments: &[&str]) -> Ran {
        self.run(&[&["undo", "--yes"], arguments].concat())
    }

    /// Everything on the machine.
    pub(crate) fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        collect(&self.at("/"), &mut tree);
        tree
    }

    /// The names of the files of the journal that contain this text.
    pub(crate) fn journal_files_with(&self, text: &str) -> Vec<PathBuf> {
        let mut tree = Tree::new();
        collect(&self.state(""), &mut tree);
        let contains = |content: &[u8]| content.windows(text.len()).any(|part| part == text.as_bytes());
        tree.into_iter().filter(|(_, (_, content))| contains(content)).map(|(path, _)| path).collect()
    }
}

fn collect(directory: &Path, tree: &mut Tree) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let about = fs::symlink_metadata(&path).expect("it exists");
        let content = match &about {
            about if about.is_symlink() => {
                fs::read_link(&path).expect("a link").into_os_string().into_encoded_bytes()
            }
            about if about.is_file() => fs::read(&path).expect("a file"),
            _ => Vec::new(),
        };
        if about.is_dir() {
            collect(&path, tree);
        }
        tree.insert(path, (about.permissions().mode(), content));
    }
}
