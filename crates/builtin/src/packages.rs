//! Packages and their repositories.

mod apk;
mod apt;
mod apt_key;
mod apt_repository;
mod apt_update;
mod dnf;
mod order;
mod package;
mod provider;
mod record;
mod version;

use std::collections::BTreeMap;
use std::time::Duration;

use uphold_kit::tool;
use uphold_resource::{Act, Claim, Command, Output, Property, Reading, Result, Value};

pub use self::Settings as PackageSettings;
pub use apt_key::{AptKey, AptKeyChange, AptKeyGoal, AptKeyState, AptKeyWishes, Keyring};
pub use apt_repository::{
    AptRepository, AptRepositoryChange, AptRepositoryGoal, AptRepositoryState, AptRepositoryWishes,
    Fields as AptFields, SignedBy,
};
pub use apt_update::{
    AptUpdate, AptUpdateChange, AptUpdateGoal, AptUpdateState, AptUpdateVerb, AptUpdateWishes,
};
pub use package::{Package, PackageChange, PackageGoal, PackageState, PackageWishes};
pub use provider::Manager;
pub use version::Version;

pub(crate) use uphold_kit::tool::run;

// Ordering between the kinds of this module.

/// Repositories and their keys: before the package lists, and before packages.
pub(crate) fn sources() -> Claim {
    Claim::Other("package sources", "of this machine".into())
}

/// The package lists: resources that update them come before packages.
pub(crate) fn lists() -> Claim {
    Claim::Other("package lists", "of this machine".into())
}

// Settings of package installations. Packages with equal settings share a transaction.

/// Settings of a package manager.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Property)]
pub struct Settings {
    /// Install recommended packages, too. Defaults to the configuration of the package manager.
    #[also("install_weak_deps")]
    pub install_recommends: Option<bool>,
    /// Release to install from, such as `"bookworm-backports"`. apt only.
    #[also("default_release", "target_release", "enablerepo")]
    pub release: Option<String>,
    /// How to handle a locally changed configuration file when the package has a new one: `"keep"` the changed
    /// file, or install the `"new"` one. apt only.
    #[also("overwrite_config_files", "force_conf", "configfiles", "dpkg_options")]
    #[default(ConfigFiles::Keep)]
    pub config_files: ConfigFiles,
    /// Additional options for the package manager.
    #[also("install_options")]
    #[default(Vec::new())]
    #[check(are_options, "must be options that begin with `-`")]
    pub options: Vec<String>,
    /// Environment variables for the package manager.
    #[also("environment")]
    #[default(BTreeMap::new())]
    pub env: BTreeMap<String, String>,
    /// Update the package lists when a package or version is unknown, or when they are older than `cache_max_age`.
    #[default(true)]
    pub update_cache: bool,
    /// Maximum age of the package lists for an installation: older ones are updated first, once for all packages.
    /// They are not updated while nothing needs to be installed; for that, use `apt_update`.
    #[also("cache_valid_time")]
    pub cache_max_age: Option<Duration>,
    /// How long to wait for another program that is installing packages.
    #[default("10m")]
    pub lock_timeout: Duration,
}

/// How to handle locally changed configuration files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Property)]
pub enum ConfigFiles {
    /// Keep them.
    Keep,
    /// Replace them.
    New,
}

/// An argument that is not an option would be taken as a package.
fn are_options(value: &Value) -> bool {
    let is_option = |value: &Value| matches!(value, Value::Text(text) if text.starts_with('-'));
    matches!(value, Value::List(list) if list.iter().all(is_option))
}

// Running the programs of a package manager.

/// An unprivileged user: read-only commands run as this user cannot write.
const NOBODY: (u32, u32) = (65534, 65534);

/// Runs a program that does not wait for a lock by itself: it is run again until the lock is free or `patience` has
/// passed.
pub(crate) fn run_when_unlocked(
    command: &Command,
    what: &str,
    patience: Duration,
    host: &Act<'_>,
) -> Result<Output> {
    let started = host.clock().elapsed();
    loop {
        let output = host.run(command).map_err(|error| error.while_(what))?;
        if !is_locked_out(&output) || host.clock().elapsed() - started > patience {
            return tool::expect(output, command, what);
        }
        // Waits with a command, so that it ends when the run is interrupted.
        host.run(&Command::new("sleep", ["0.3"]))?;
    }
}

/// Recognises the lock messages of apt and dpkg.
fn is_locked_out(output: &Output) -> bool {
    let printed = String::from_utf8_lossy(&output.stderr);
    !output.success()
        && ["Could not get lock", "lock was locked by another"].iter().any(|words| printed.contains(words))
}

/// Runs a read-only command, and returns its output whatever its status.
///
/// As root, even `apt-cache` writes to its cache, so it is run as an unprivileged user.
pub(crate) fn probe(command: Command, host: &Reading<'_>) -> Result<Output> {
    let run_as = (host.accounts().current_uid() == 0).then_some(NOBODY);
    host.probe(&Command { run_as, ..command })
}

/// `program` with an environment that disables prompts and makes its output parseable.
pub(crate) fn command<A: Into<String>>(program: &str, args: impl IntoIterator<Item = A>) -> Command {
    let mut command = tool::command(program, args);
    let quiet = [("DEBIAN_FRONTEND", "noninteractive"), ("APT_LISTCHANGES_FRONTEND", "none")];
    command.env.extend(quiet.map(|(name, value)| (name.to_owned(), value.to_owned())));
    command
}

/// The duration in whole seconds, as all programs take it.
pub(crate) fn seconds(span: Duration) -> String {
    span.as_secs().to_string()
}

// Paragraphs of `Name: value` fields, as dpkg and apt write them.

/// The paragraphs of a text with their fields. Continuation lines and comments are skipped: the fields needed here
/// have a single line.
pub(crate) fn paragraphs(text: &str) -> impl Iterator<Item = impl Iterator<Item = (&str, &str)>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches('\n');
        if rest.is_empty() {
            return None;
        }
        let (paragraph, after) = rest.split_once("\n\n").unwrap_or((rest, ""));
        rest = after;
        Some(paragraph.lines().filter_map(field))
    })
}

fn field(line: &str) -> Option<(&str, &str)> {
    if line.starts_with([' ', '\t', '#']) {
        return None;
    }
    line.split_once(':').map(|(name, value)| (name, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_paragraphs() {
        let check = |text: &str, expected: &[&[(&str, &str)]]| {
            let found: Vec<Vec<_>> = paragraphs(text).map(Iterator::collect).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("", &[]);
        check("A: 1\nB:2\n", &[&[("A", "1"), ("B", "2")]]);
        check("A: 1\n more: x\n.\nB: u:v\n\n\nA: 2", &[&[("A", "1"), ("B", "u:v")], &[("A", "2")]]);
        check("# C: 1\nA: 1\n", &[&[("A", "1")]]);
    }
}
