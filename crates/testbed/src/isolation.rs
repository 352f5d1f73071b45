//! The environment of a command that a test starts on this machine.

use std::path::Path;
use std::process::Command;

/// The name of the state directory in the folder of a test, for tests that list the folder.
pub const STATE: &str = ".state";

/// Lets `uphold` keep its journal in the folder of a test: tests run at the same time, so they must not share a journal
/// and its lock, and none may use those of this machine.
pub fn own_state<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    command.env("UPHOLD_STATE", folder.join(STATE))
}

/// Starts a command in the folder of a test, with [its own state](own_state) and a `PATH` as the whole environment.
pub fn isolate<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    own_state(command.current_dir(folder).env_clear().env("PATH", "/usr/bin:/bin"), folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_a_path_and_the_state_directory() {
        let folder = std::env::temp_dir();
        let output = isolate(&mut Command::new("env"), &folder).output().expect("`env` runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["PATH=/usr/bin:/bin", &format!("UPHOLD_STATE={}/.state", folder.display())]);
    }
}
