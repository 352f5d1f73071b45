//! Programs that the tests need besides cargo.

use std::os::unix::fs::MetadataExt;
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::program;

/// A program, the arguments that prove that it works, and where it comes from.
struct Requirement {
    name: &'static str,
    probe: &'static [&'static str],
    source: Source,
}

enum Source {
    /// These Debian packages, without recommended ones.
    Debian(&'static [&'static str]),
    Rustup(&'static str),
}

const REQUIREMENTS: &[Requirement] = &[
    Requirement { name: "cc", probe: &["--version"], source: Source::Debian(&["gcc", "libc6-dev"]) },
    Requirement { name: "git", probe: &["--version"], source: Source::Debian(&["git"]) },
    Requirement { name: "cargo-fmt", probe: &["--version"], source: Source::Rustup("rustfmt") },
    Requirement { name: "cargo-clippy", probe: &["--version"], source: Source::Rustup("clippy") },
];

/// Programs for the disposable hosts. Only root can have those, so other users do not need these.
const FOR_HOSTS: &[Requirement] = &[
    Requirement { name: "mmdebstrap", probe: &["--version"], source: Source::Debian(&["mmdebstrap"]) },
    Requirement { name: "unshare", probe: &["--version"], source: Source::Debian(&["util-linux"]) },
    Requirement { name: "strace", probe: &["--version"], source: Source::Debian(&["strace"]) },
    Requirement { name: "zstd", probe: &["--version"], source: Source::Debian(&["zstd"]) },
];

impl Requirement {
    fn is_met(&self) -> bool {
        program::succeeds(self.name, self.probe)
    }

    fn install(&self) -> Command {
        match self.source {
            Source::Debian(packages) => {
                let mut install = command("apt-get", &["install", "-y", "--no-install-recommends"]);
                install.args(packages);
                install
            }
            Source::Rustup(component) => command("rustup", &["component", "add", component]),
        }
    }

    /// Only root can install packages; any user can install toolchain components.
    fn may_install(&self) -> bool {
        matches!(self.source, Source::Rustup(_)) || is_root()
    }
}

/// Prints the programs found, installs missing ones if possible, and otherwise fails with the command to run.
pub(crate) fn provide() -> Result {
    let for_hosts = if wants_hosts() { FOR_HOSTS } else { &[] };
    let (present, missing): (Vec<_>, Vec<_>) =
        REQUIREMENTS.iter().chain(for_hosts).partition(|requirement| requirement.is_met());
    println!("present: {}; missing: {}", names(&present), names(&missing));
    let (ours, theirs): (Vec<_>, Vec<_>) =
        missing.into_iter().partition(|requirement| requirement.may_install());
    if !theirs.is_empty() {
        return Err(Failure::new(advice(&theirs)));
    }
    if ours.iter().any(|requirement| matches!(requirement.source, Source::Debian(_))) {
        program::run(&mut command("apt-get", &["update", "-q"]))?;
    }
    ours.iter().try_for_each(|requirement| program::run(&mut requirement.install()))
}

fn names(requirements: &[&Requirement]) -> String {
    if requirements.is_empty() {
        return "nothing".to_owned();
    }
    requirements.iter().map(|requirement| requirement.name).collect::<Vec<_>>().join(", ")
}

fn advice(missing: &[&Requirement]) -> String {
    let mut text = "the tests need programs that are not installed; as root, run:".to_owned();
    for requirement in missing {
        text.push_str(&format!("\n  {}", program::shown(&requirement.install())));
    }
    text
}

fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Whether tests run on disposable hosts here: as root, unless `UPHOLD_BED` is `skip`.
pub(crate) fn wants_hosts() -> bool {
    is_root() && std::env::var_os("UPHOLD_BED").is_none_or(|wish| wish != "skip")
}

pub(crate) fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_reported_with_its_package() {
        let missing = Requirement {
            name: "no-such-program",
            probe: &["--version"],
            source: Source::Debian(&["no-such-package"]),
        };
        assert!(!missing.is_met());
        assert_eq!(
            advice(&[&missing]),
            "the tests need programs that are not installed; as root, run:\n  \
             apt-get install -y --no-install-recommends no-such-package"
        );
    }

    #[test]
    fn names_are_listed() {
        assert_eq!(names(&[]), "nothing");
        assert_eq!(names(&REQUIREMENTS.iter().take(2).collect::<Vec<_>>()), "cc, git");
    }
}
