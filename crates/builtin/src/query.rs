//! `query`: a script that only looks, for others to refer to its answer.

use std::collections::BTreeMap;
use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Bytes, Claiming, Claims, GroupName, Host, Observe, Resource, Result, Seen, Step, UserName,
};

use crate::script::{Script, are_variables, is_filled, only_looks, stand_on, written};
use crate::status::Status;

/// A question to the machine, for others to refer to: `query.kernel.value`.
///
/// The script runs at every visit, in a plan, too: it must change nothing. It is never a
/// difference by itself.
///
/// It is handed to `interpreter` after `flags`: `/bin/sh -c SCRIPT` unless set otherwise. It sees
/// the environment of Uphold and what `env` adds.
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
#[derive(Debug, Clone, Resource)]
#[resource(kind = "query", claims, permanent)]
pub struct Query {
    /// What it is called.
    #[name]
    pub name: String,
    /// Script that writes the answer to standard output.
    #[also("command", "cmd")]
    #[required(converge)]
    pub query: Option<String>,
    /// The program that understands the script: a path, or a name to look for in `PATH`.
    #[default("/bin/sh")]
    pub interpreter: String,
    /// What the interpreter is given before the script: `["-e"]` for perl, `["-euc"]` for a
    /// stricter shell.
    #[default(vec!["-c".to_owned()])]
    pub flags: Vec<String>,
    /// Directory in which the script runs; the one Uphold runs in unless set.
    pub dir: Option<AbsolutePath>,
    /// Variables to add to the environment. A secret is passed on, and shown nowhere.
    #[default(BTreeMap::new())]
    #[check(are_variables, "must have names that are not empty and hold no `=`")]
    pub env: BTreeMap<String, String>,
    /// The user that the script runs as.
    pub user: Option<UserName>,
    /// The group that the script runs as; that of `user` unless set.
    pub group: Option<GroupName>,
    /// What the script reads from standard input.
    pub stdin: Option<Bytes>,
    /// How long the script may take. After that it is killed, with all that it started.
    #[default("1h")]
    pub timeout: Duration,
    /// Exit statuses of an answer; with any other, the query has failed.
    #[default(vec![0])]
    #[check(is_filled, "must hold a status")]
    pub returns: Vec<u8>,
    /// Standard output without its final newline.
    pub value: Seen<String>,
    /// How the script ended.
    pub status: Seen<Status>,
}

impl Resource for Query {
    fn load(&self, host: &dyn Observe) -> Result<Option<QueryState>> {
        let script = self.script()?;
        let output = script.probe(host)?;
        script.expect(&output, &self.returns)?;
        let status = Status::of(&output);
        Ok(Some(QueryState { value: status.value(), status }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &dyn Host) -> Result<()> {
        only_looks("query")
    }
}

impl Claiming for Query {
    /// It stands on its interpreter.
    fn add_claims(&self, claims: &mut Claims) {
        stand_on(&self.interpreter, claims);
    }
}

impl Query {
    fn script(&self) -> Result<Script<'_>> {
        Ok(Script {
            property: "query",
            text: written("query", self.query.as_deref())?,
            interpreter: &self.interpreter,
            flags: self.flags.iter().map(String::as_str).collect(),
            dir: self.dir.as_ref(),
            env: &self.env,
            user: self.user.as_ref(),
            group: self.group.as_ref(),
            stdin: self.stdin.as_ref(),
            timeout: self.timeout,
            limit: Some("timeout"),
        })
    }
}
