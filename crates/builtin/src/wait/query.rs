//! The kind `wait_query`.

use std::time::Duration;

use uphold_kit::checks::is_not_empty;
use uphold_kit::pattern::Pattern;
use uphold_kit::read_only;
use uphold_kit::runner::Runner;
use uphold_kit::script::{Script, required_script};
use uphold_kit::status::Status;
use uphold_kit::watched::Watched;
use uphold_resource::{
    AbsolutePath, Act, Bytes, Claiming, Claims, Error, Excess, Found, Interest, Look, Output, Reading,
    Resource, Result, Seen, Step, Watching,
};

use super::pace::takes_time;

/// Waits until a script succeeds. Other blocks can use its output, as in `wait_query.leader.value`.
///
/// The script is repeated until it succeeds, and runs once in a plan: it must not change anything. Its dependents
/// wait, too; all other resources continue. Set the meta argument `timeout` to limit the total time; after that,
/// the wait has failed.
///
/// The script is passed to `interpreter` after `flags`; the default is `/bin/sh -c SCRIPT`. It gets the environment
/// of Uphold without its parameters, plus the variables in `env`.
///
/// ```hcl
/// wait_query "leader" {
///   query   = "cat /run/cluster/leader"
///   matches = "^node-[0-9]+$"
///   every   = "2s"
/// }
///
/// file "/etc/cluster-leader" {
///   content = "${wait_query.leader.value}\n"
/// }
/// ```
///
/// Once the wait is over, `uphold watch` runs the script again when a path in `watch_paths` changes, when
/// `watch_command` prints a line, and at the interval of the meta argument `poll`. Such events can also end a wait
/// earlier than `every` would.
///
/// ```hcl
/// wait_query "mounted" {
///   query         = "findmnt --target /srv/data --noheadings --output SOURCE"
///   watch_command = "findmnt --poll --noheadings --target /srv/data"
/// }
/// ```
#[derive(Debug, Clone, Resource)]
#[resource(kind = "wait_query", also("wait_for_command", "wait_until", "wait"), claims, interests, permanent)]
pub struct WaitQuery {
    /// Name of the wait; defaults to the block's label.
    #[name]
    pub name: String,
    /// Script that exits with one of `returns` once the wait is over. It must not change anything.
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
    /// Exit statuses that end the wait. With any other status, it continues.
    #[default(vec![0])]
    #[check(is_not_empty, "must have at least one status")]
    pub returns: Vec<u8>,
    /// Regular expression that a line of standard output must also match.
    #[also("regex", "match")]
    pub matches: Option<Pattern>,
    /// Interval between checks.
    #[also("sleep", "delay", "interval")]
    #[default("1s")]
    #[check(takes_time, "must be longer than 0s")]
    pub every: Duration,
    /// Standard output without its final newline. Output that is not UTF-8 is an error.
    pub value: Seen<String>,
    /// Exit status and output of the script.
    pub status: Seen<Status>,
}

impl Resource for WaitQuery {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let script = self.script()?;
        let output = script.probe(look)?;
        self.check_output(&script, &output)?;
        let status = Status::of(&output);
        Ok(Found::This(WaitQueryState { value: status.value()?, status }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        read_only::refuse("wait_query")
    }
}

impl Claiming for WaitQuery {
    /// It depends on its interpreter.
    fn add_claims(&self, claims: &mut Claims) {
        self.runner.need_interpreter(claims);
    }
}

/// The files that the script reads are unknown, so they must be declared.
impl Watching for WaitQuery {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.watched.add_interests(&self.runner, self.dir.as_ref(), host, interests);
    }
}

impl WaitQuery {
    /// Fails as "not yet" until the output matches. The output is only a cause, and the pattern is not shown: both
    /// may contain a secret.
    fn check_output(&self, script: &Script<'_>, output: &Output) -> Result<()> {
        script.expect_later(output, &self.returns, self.every)?;
        match &self.matches {
            Some(pattern) if !pattern.matches_any(&output.stdout) => {
                Err(Error::not_yet("no line of the output of `query` matches `matches` yet", self.every))
            }
            _ => Ok(()),
        }
    }

    fn script(&self) -> Result<Script<'_>> {
        let text = required_script("query", self.query.as_deref())?;
        let (dir, stdin) = (self.dir.as_ref(), self.stdin.as_ref());
        Ok(Script { dir, stdin, excess: Excess::Refuse, ..Script::plain("query", text, &self.runner) })
    }
}
