//! The kind `wait_query`.

use std::time::Duration;

use uphold_kit::pattern::Pattern;
use uphold_kit::read_only;
use uphold_kit::script::Script;
use uphold_resource::{Act, Error, Found, Look, Output, Resource, Result, Step};

use super::takes_time;
use crate::query::{Query, QueryState};

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
#[resource(kind = "wait_query", also("wait_for_command", "wait_until", "wait"), permanent)]
pub struct WaitQuery {
    /// The script and its output.
    #[flatten]
    pub query: Query,
    /// Regular expression that a line of standard output must also match.
    #[also("regex", "match")]
    pub matches: Option<Pattern>,
    /// Interval between checks.
    #[also("sleep", "delay", "interval")]
    #[default("1s")]
    #[check(takes_time, "must be longer than 0s")]
    pub every: Duration,
}

impl Resource for WaitQuery {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let script = self.query.script()?;
        let output = script.probe(look)?;
        self.check_output(&script, &output)?;
        Ok(Found::This(WaitQueryState { query: QueryState::of(&output)? }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        read_only::refuse("wait_query")
    }
}

impl WaitQuery {
    /// Fails as "not yet" until the output matches. The output is only a cause, and the pattern is not shown: both
    /// may contain a secret.
    fn check_output(&self, script: &Script<'_>, output: &Output) -> Result<()> {
        script.expect_later(output, &self.query.returns, self.every)?;
        match &self.matches {
            Some(pattern) if !pattern.matches_any(&output.stdout) => {
                Err(Error::not_yet("no line of the output of `query` matches `matches` yet", self.every))
            }
            _ => Ok(()),
        }
    }
}
