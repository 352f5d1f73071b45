//! What wakes a script: settings that all kinds with a script of the user's have in common.

use uphold_resource::{AbsolutePath, Interest, Property, Reading, Value};

use crate::runner::Runner;
use crate::script::Script;

/// What wakes a script in `uphold watch`, since nobody can know what it looks at.
#[derive(Clone, Debug, PartialEq, Property)]
pub struct Watched {
    /// Paths whose change wakes it in `uphold watch`, whether or not they are there yet: a file when it is changed,
    /// replaced or removed, a directory when a name in it comes or goes. It stands on whoever makes them.
    #[also("watch_files", "watchfiles")]
    #[default(Vec::new())]
    pub watch_paths: Vec<AbsolutePath>,
    /// Script that runs as long as `uphold watch` does; each line that it writes wakes this one. It runs in the same
    /// directory, with the same interpreter, variables and user. One that ends is started again after a while.
    #[also("watch_cmd", "watchcmd")]
    #[check(is_script, "must be a script")]
    pub watch_command: Option<String>,
}

/// A script of nothing would end at once, again and again.
fn is_script(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.trim().is_empty())
}

impl Watched {
    /// Adds what the settings ask for, besides the paths themselves, which their type adds. The command is run as the
    /// other scripts of the resource are.
    ///
    /// A command whose user is not known is left out. Its resource fails to look for the same reason, and is asked
    /// again when there is such a user.
    pub(crate) fn add_interests(
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
