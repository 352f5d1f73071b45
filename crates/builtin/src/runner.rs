//! What runs a script: settings that all kinds with a script have in common.

use std::collections::BTreeMap;

use uphold_resource::{
    Claim, Claims, Error, ErrorKind, GroupName, Property, Reading, Result, UserName, Value,
};

/// What understands a script unless something else is asked for.
const SHELL: &str = "/bin/sh";

/// The program that understands a script, what it is given, and who it runs as.
#[derive(Clone, Debug, PartialEq, Property)]
pub struct Runner {
    /// The program that understands the script: a path, or a name to look for in `PATH`.
    #[default(SHELL)]
    pub interpreter: String,
    /// What the interpreter is given before the script: `["-e"]` for perl, `["-euc"]` for a
    /// stricter shell.
    #[default(shell_flags())]
    pub flags: Vec<String>,
    /// Variables to add to the environment. A secret is passed on, and shown nowhere.
    #[also("environment")]
    #[default(BTreeMap::new())]
    #[check(are_variables, "must have names that are not empty and hold no `=`")]
    pub env: BTreeMap<String, String>,
    /// The user that the script runs as; the user that runs Uphold unless set. A script of another user has `HOME`, `USER`,
    /// `LOGNAME` and `SHELL` of that account. Of Uphold's own environment it inherits only `PATH`, `LANG`, `LANGUAGE`, `LC_*`,
    /// `TZ`, `TERM` and the proxy variables (`http_proxy`, `https_proxy`, `ftp_proxy`, `no_proxy`).
    pub user: Option<UserName>,
    /// The group that the script runs as; that of `user` unless set.
    pub group: Option<GroupName>,
}

/// `/bin/sh -c`, as whoever runs Uphold.
impl Default for Runner {
    fn default() -> Self {
        Self {
            interpreter: SHELL.to_owned(),
            flags: shell_flags(),
            env: BTreeMap::new(),
            user: None,
            group: None,
        }
    }
}

fn shell_flags() -> Vec<String> {
    vec!["-c".to_owned()]
}

/// Whether all keys can name a variable.
fn are_variables(value: &Value) -> bool {
    let fine = |name: &str| !name.is_empty() && !name.contains(['=', '\0']);
    matches!(value, Value::Map(map) if map.keys().all(|name| fine(name)))
}

impl Runner {
    /// The numbers of who runs it, if that is asked for. A user runs with its own group unless another
    /// is asked for.
    pub(crate) fn run_as(&self, host: &Reading<'_>) -> Result<Option<(u32, u32)>> {
        if self.user.is_none() && self.group.is_none() {
            return Ok(None);
        }
        let uid =
            self.user.as_ref().map_or_else(|| Ok(host.accounts().current_uid()), |user| user.id(host))?;
        let gid = self.group.as_ref().map_or_else(|| primary_group(uid, host), |group| group.id(host))?;
        Ok(Some((uid, gid)))
    }

    /// A script stands on its interpreter. Where one is that is only named is for `PATH` to say.
    pub(crate) fn stand_on_interpreter(&self, claims: &mut Claims) {
        if self.interpreter.starts_with('/') {
            claims.need(Claim::Path(self.interpreter.as_str().into()));
        }
    }
}

fn primary_group(uid: u32, host: &Reading<'_>) -> Result<u32> {
    let user = host.accounts().user_by_id(uid)?;
    user.map(|user| user.gid).ok_or_else(|| {
        let what = format!("there is no account with the number {uid} to take a group from");
        Error::new(ErrorKind::Missing, what).hint("set `group`, too")
    })
}
