//! The watch settings that all kinds with a user's script share.

use uphold_resource::{AbsolutePath, Interest, Property, Reading, Value};

use crate::runner::Runner;
use crate::script::Script;

/// Events after which `uphold watch` runs a script again, because the files that it reads are unknown.
#[derive(Clone, Debug, PartialEq, Property)]
pub struct Watched {
    /// Paths that cause a new check in `uphold watch` when they change, whether or not they exist yet: a file when
    /// it is changed, replaced or removed, a directory when an entry is added or removed. It depends on the
    /// resources that create them.
    #[also("watch_files", "watchfiles")]
    #[default(Vec::new())]
    pub watch_paths: Vec<AbsolutePath>,
    /// Script that runs as long as `uphold watch`; each line that it prints causes a new check. It uses the same
    /// directory, interpreter, variables and user. If it exits, it is started again after a while.
    #[also("watch_cmd", "watchcmd")]
    #[check(is_script, "must not be empty")]
    pub watch_command: Option<String>,
}

/// An empty script would exit at once, again and again.
fn is_script(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.trim().is_empty())
}

impl Watched {
    /// Adds the interests of these settings, other than the paths themselves, which their type adds. The command
    /// runs like the other scripts of the resource.
    ///
    /// A command whose user does not exist is skipped. Its resource fails for the same reason, and is checked again
    /// when the user exists.
    pub fn add_interests(
        &self,
        runner: &Runner,
        dir: Option<&AbsolutePath>,
        host: &Reading<'_>,
        interests: &mut Vec<Interest>,
    ) {
        let names = self.watch_paths.iter().map(|path| Interest::Entries(path.to_path_buf()));
        interests.extend(names);
        let Some(text) = &self.watch_command else { return };
        let script = Script { dir, ..Script::plain("watch_command", text, runner) };
        interests.extend(script.command(host).ok().map(Interest::Lines));
    }
}
