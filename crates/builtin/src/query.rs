//! The kind `query`.

use uphold_kit::checks::is_not_empty;
use uphold_kit::read_only;
use uphold_kit::runner::Runner;
use uphold_kit::script::{Script, required_script};
use uphold_kit::status::Status;
use uphold_kit::watched::Watched;
use uphold_resource::{
    AbsolutePath, Act, Bytes, Claiming, Claims, Excess, Found, Interest, Look, Output, Reading, Resource,
    Result, Seen, Step, Watching,
};

/// A read-only command whose output other blocks can use, as in `query.kernel.value`.
///
/// The script runs at each check, also in a plan: it must not change anything. It never counts as a change. If it
/// does not succeed, that is an error.
///
/// The script is passed to `interpreter` after `flags`; the default is `/bin/sh -c SCRIPT`. It gets the environment
/// of Uphold without its parameters, plus the variables in `env`.
///
/// ```hcl
/// query "kernel" {
///   query = "uname -r"
/// }
///
/// file "/etc/kernel-version" {
///   content = "${query.kernel.value}\n"
/// }
/// ```
///
/// `uphold watch` runs the script again when a path in `watch_paths` changes, when `watch_command` prints a line,
/// and at the interval of the meta argument `poll`. Blocks that use the output are checked only if it changed.
///
/// ```hcl
/// query "zone" {
///   query       = "cat /etc/timezone"
///   watch_paths = ["/etc/timezone"]
/// }
///
/// query "address" {
///   query         = "ip -br address show dev eth0"
///   watch_command = "ip monitor address dev eth0"
/// }
/// ```
#[derive(Debug, Clone, Resource)]
#[resource(kind = "query", claims, interests, permanent)]
pub struct Query {
    /// Name of the block; defaults to its label.
    #[name]
    pub name: String,
    /// Script that prints the result to standard output, at most 16 MiB. More output is an error.
    #[also("command", "cmd", "check")]
    #[required(converge)]
    pub query: Option<String>,
    /// Interpreter, environment and user of the script.
    #[flatten(settings)]
    pub runner: Runner,
    /// Events after which a watch runs the script again.
    #[flatten(settings)]
    pub watched: Watched,
    /// Working directory of the script. Defaults to that of Uphold.
    #[also("cwd", "chdir")]
    pub dir: Option<AbsolutePath>,
    /// Standard input of the script.
    pub stdin: Option<Bytes>,
    /// Exit statuses of success.
    #[default(vec![0])]
    #[check(is_not_empty, "must have at least one status")]
    pub returns: Vec<u8>,
    /// Standard output without its final newline. Output that is not UTF-8 is an error.
    pub value: Seen<String>,
    /// Exit status and output of the script.
    pub status: Seen<Status>,
}

impl Resource for Query {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let script = self.script()?;
        let output = script.probe(look)?;
        script.expect(&output, &self.returns)?;
        QueryState::of(&output).map(Found::This)
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        read_only::refuse("query")
    }
}

impl Claiming for Query {
    /// It depends on its interpreter.
    fn add_claims(&self, claims: &mut Claims) {
        self.runner.need_interpreter(claims);
    }
}

/// The files that the script reads are unknown, so they must be declared.
impl Watching for Query {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.watched.add_interests(&self.runner, self.dir.as_ref(), host, interests);
    }
}

impl Query {
    /// The script. Its output is data, so too much of it is an error.
    pub(crate) fn script(&self) -> Result<Script<'_>> {
        let text = required_script("query", self.query.as_deref())?;
        let (dir, stdin) = (self.dir.as_ref(), self.stdin.as_ref());
        Ok(Script { dir, stdin, excess: Excess::Refuse, ..Script::plain("query", text, &self.runner) })
    }
}

impl QueryState {
    /// The exports of a script that succeeded.
    pub(crate) fn of(output: &Output) -> Result<Self> {
        let status = Status::of(output);
        Ok(Self { value: status.value()?, status })
    }
}
