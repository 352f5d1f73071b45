//! `query`: a script that only looks, for others to refer to its answer.

use uphold_resource::{
    AbsolutePath, Act, Bytes, Claiming, Claims, Excess, Interest, Reading, Resource, Result, Seen, Step,
    Watching,
};

use crate::runner::Runner;
use crate::script::{Script, is_filled, only_looks, written};
use crate::status::Status;
use crate::watched::Watched;

/// A question to the machine, for others to refer to: `query.kernel.value`.
///
/// The script runs at every visit, in a plan, too: it must change nothing. It is never a
/// difference by itself.
///
/// It is handed to `interpreter` after `flags`: `/bin/sh -c SCRIPT` unless set otherwise. It sees
/// the environment of Uphold without its params, and what `env` adds.
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
/// `uphold watch` asks again when something in `watch_paths` changes, when `watch_command` writes a line, and as
/// often as the meta argument `poll` says. Whoever refers to the answer is visited only if it is another one.
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
    /// What it is called.
    #[name]
    pub name: String,
    /// Script that writes the answer to standard output, at most 16 MiB. More ends it, and is an error.
    #[also("command", "cmd")]
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
    /// Exit statuses of an answer; with any other, the query has failed.
    #[default(vec![0])]
    #[check(is_filled, "must hold a status")]
    pub returns: Vec<u8>,
    /// Standard output without its final newline. If it is not UTF-8, the query fails.
    pub value: Seen<String>,
    /// How the script ended.
    pub status: Seen<Status>,
}

impl Resource for Query {
    fn load(&self, host: &Reading<'_>) -> Result<Option<QueryState>> {
        let script = self.script()?;
        let output = script.probe(host)?;
        script.expect(&output, &self.returns)?;
        let status = Status::of(&output);
        Ok(Some(QueryState { value: status.value()?, status }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        only_looks("query")
    }
}

impl Claiming for Query {
    /// It stands on its interpreter.
    fn add_claims(&self, claims: &mut Claims) {
        self.runner.stand_on_interpreter(claims);
    }
}

/// What the script looks at, nobody can know.
impl Watching for Query {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.watched.add_interests(&self.runner, self.dir.as_ref(), host, interests);
    }
}

impl Query {
    fn script(&self) -> Result<Script<'_>> {
        let text = written("query", self.query.as_deref())?;
        let (dir, stdin) = (self.dir.as_ref(), self.stdin.as_ref());
        Ok(Script { dir, stdin, excess: Excess::Refuse, ..Script::plain("query", text, &self.runner) })
    }
}
