//! `wait_query`: until a script says so.

use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Act, Bytes, Claiming, Claims, Error, Excess, Interest, Output, Reading, Resource, Result,
    Seen, Step, Watching,
};

use super::pace::takes_time;
use crate::line::Pattern;
use crate::runner::Runner;
use crate::script::{Script, is_filled, only_looks, written};
use crate::status::Status;
use crate::watched::Watched;

/// Waits until a script ends well, for others to refer to its answer: `wait_query.leader.value`.
///
/// The script runs again and again until then, and once in a plan: it must change nothing. What depends
/// on it waits with it, and everything else goes on. The meta argument `timeout` says how long it waits
/// in all; a script that takes longer has failed.
///
/// It is handed to `interpreter` after `flags`: `/bin/sh -c SCRIPT` unless set otherwise. It sees
/// the environment of Uphold without its params, and what `env` adds.
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
/// Once the wait is over, `uphold watch` asks again when something in `watch_paths` changes, when `watch_command`
/// writes a line, and as often as the meta argument `poll` says. They also end a wait earlier than `every` would.
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
    /// What it is called.
    #[name]
    pub name: String,
    /// Script that ends with one of `returns` once the wait is over. It must change nothing.
    #[also("command", "cmd", "check")]
    #[required(converge)]
    pub query: Option<String>,
    /// What runs it.
    #[flatten(settings)]
    pub runner: Runner,
    /// What wakes it.
    #[flatten(settings)]
    pub watched: Watched,
    /// Directory in which the script runs; the one Uphold runs in unless set.
    #[also("cwd", "chdir")]
    pub dir: Option<AbsolutePath>,
    /// What the script reads from standard input.
    pub stdin: Option<Bytes>,
    /// Exit statuses that end the wait; with any other, it goes on.
    #[default(vec![0])]
    #[check(is_filled, "must hold a status")]
    pub returns: Vec<u8>,
    /// A regular expression that a line of standard output must match, too.
    #[also("regex", "match")]
    pub matches: Option<Pattern>,
    /// How long to wait before the next look.
    #[also("sleep", "delay", "interval")]
    #[default("1s")]
    #[check(takes_time, "must be longer than 0s")]
    pub every: Duration,
    /// Standard output without its final newline. If it is not UTF-8, it fails.
    pub value: Seen<String>,
    /// How the script ended.
    pub status: Seen<Status>,
}

impl Resource for WaitQuery {
    fn load(&self, host: &Reading<'_>) -> Result<Option<WaitQueryState>> {
        let script = self.script()?;
        let output = script.probe(host)?;
        self.look_at(&script, &output)?;
        let status = Status::of(&output);
        Ok(Some(WaitQueryState { value: status.value()?, status }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        only_looks("wait_query")
    }
}

impl Claiming for WaitQuery {
    /// It stands on its interpreter.
    fn add_claims(&self, claims: &mut Claims) {
        self.runner.stand_on_interpreter(claims);
    }
}

/// What the script looks at, nobody can know.
impl Watching for WaitQuery {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.watched.add_interests(&self.runner, self.dir.as_ref(), host, interests);
    }
}

impl WaitQuery {
    /// Fails as not yet while the output is not what is waited for. What the script said is a cause, and
    /// the pattern is not told: both may hold a secret.
    fn look_at(&self, script: &Script<'_>, output: &Output) -> Result<()> {
        script.expect_later(output, &self.returns, self.every)?;
        match &self.matches {
            Some(pattern) if !pattern.matches_any(&output.stdout) => {
                Err(Error::not_yet("no line that `query` writes matches `matches`", self.every))
            }
            _ => Ok(()),
        }
    }

    fn script(&self) -> Result<Script<'_>> {
        let text = written("query", self.query.as_deref())?;
        let (dir, stdin) = (self.dir.as_ref(), self.stdin.as_ref());
        Ok(Script { dir, stdin, excess: Excess::Refuse, ..Script::plain("query", text, &self.runner) })
    }
}
