//! A directory for one section of a page, with a small Debian system in `machine`.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;
use uphold_testbed::isolate;

/// The files of the system, enough for plans below `--root`.
const FILES: [(&str, &str); 7] = [
    ("etc/os-release", "ID=debian\nVERSION_ID=\"12\"\nVERSION_CODENAME=bookworm\n"),
    ("etc/passwd", "root:x:0:0:root:/root:/bin/bash\nwww-data:x:33:33::/var/www:/usr/sbin/nologin\n"),
    ("etc/group", "root:x:0:\nadm:x:4:\nsudo:x:27:\nwww-data:x:33:\n"),
    ("etc/hostname", "web1\n"),
    ("var/lib/dpkg/status", ""),
    ("usr/share/zoneinfo/Europe/Vienna", "TZif2"),
    ("usr/lib/systemd/system/nginx.service", "[Service]\nExecStart=/usr/sbin/nginx\n"),
];

const DIRECTORIES: [&str; 10] = [
    "root",
    "srv",
    "tmp",
    "usr/local/bin",
    "etc/apt/sources.list.d",
    "etc/cron.d",
    "etc/nginx",
    "etc/ssh/sshd_config.d",
    "etc/sudoers.d",
    "etc/systemd/system",
];

/// Programs that a plan looks for but does not run.
const PROGRAMS: [&str; 4] =
    ["usr/bin/apt-get", "usr/bin/systemctl", "usr/lib/systemd/systemd", "usr/sbin/visudo"];

pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let sandbox = Self { folder: TempDir::new().expect("a temporary directory") };
        FILES.iter().for_each(|(name, text)| sandbox.write(&format!("machine/{name}"), text));
        for name in PROGRAMS {
            sandbox.write(&format!("machine/{name}"), "");
            let path = sandbox.folder.path().join("machine").join(name);
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a program");
        }
        for name in DIRECTORIES {
            fs::create_dir_all(sandbox.folder.path().join("machine").join(name)).expect("a directory");
        }
        sandbox
    }

    /// Writes a file and the directories above it.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }

    fn shell(&self, command: &str) -> Output {
        let binary = Path::new(env!("CARGO_BIN_EXE_uphold")).parent().expect("a parent");
        let path = format!("{}:/usr/sbin:/usr/bin:/sbin:/bin", binary.display());
        // One job makes the order of the output the same in every run.
        let before = "umask 022; uphold() { command uphold --jobs 1 \"$@\"; };";
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("{before} {{ {command}\n}} 2>&1")]);
        isolate(&mut shell, self.folder.path())
            .env("PATH", path)
            .env("HOME", self.folder.path())
            .output()
            .expect("a shell")
    }

    /// The command after a prompt, all that it prints, and an exit status other than 0 and 2.
    pub(crate) fn run(&self, command: &str) -> String {
        let output = self.shell(command);
        let text = String::from_utf8(output.stdout).expect("output in UTF-8");
        let text = text.replace(&*self.folder.path().to_string_lossy(), "/site");
        let lines: String = text.lines().map(|line| self.repeatable(line) + "\n").collect();
        match output.status.code().expect("no signal ends the shell") {
            0 | 2 => format!("$ {command}\n{lines}"),
            code => format!("$ {command}\n{lines}[exit {code}]\n"),
        }
    }

    /// The difference between a file and its common format.
    pub(crate) fn format_difference(&self, name: &str, text: &str) -> Option<String> {
        self.write(name, text);
        let output = self.shell(&format!("uphold fmt --check --diff '{name}'"));
        (!output.status.success()).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The line without values that differ between runs and machines: durations, the user, the program's path.
    fn repeatable(&self, line: &str) -> String {
        let line =
            line.replace(env!("CARGO_BIN_EXE_uphold"), "/usr/local/bin/uphold").replace(" --jobs 1", "");
        match line.rsplit_once(" in ") {
            Some((before, _)) if line.starts_with("Applied: ") => return format!("{before} in 0.01s."),
            _ if line.starts_with("This plan was made ") => return "This plan was made just now.".to_owned(),
            _ => {}
        }
        let Some((label, value)) = line.split_once(": ") else { return line };
        let metadata = fs::metadata(self.folder.path()).expect("the directory exists");
        let own = match label.trim() {
            "owner" => metadata.uid(),
            "group" => metadata.gid(),
            _ => return line,
        };
        let rest = value.trim_start().strip_prefix(&own.to_string());
        rest.map_or(line.clone(), |rest| format!("{label}: 0{rest}"))
    }
}
