//! The settings that all kinds with a script share.

use std::collections::BTreeMap;

use uphold_resource::{
    Claim, Claims, Error, ErrorKind, GroupName, Property, Reading, Result, UserName, Value,
};

/// The default interpreter.
const SHELL: &str = "/bin/sh";

/// The interpreter of a script, its environment and its user.
#[derive(Clone, Debug, PartialEq, Property)]
pub struct Runner {
    /// Program that runs the script: a path, or a name to search for in `PATH`.
    #[default(SHELL)]
    pub interpreter: String,
    /// Arguments before the script: `["-e"]` for perl, `["-euc"]` for a stricter shell.
    #[default(shell_flags())]
    pub flags: Vec<String>,
    /// Environment variables to add. Secrets are passed on, but never shown.
    #[also("environment")]
    #[default(BTreeMap::new())]
    #[check(are_variables, "must have names that are not empty and do not contain `=`")]
    pub env: BTreeMap<String, String>,
    /// User that runs the script. Defaults to the user that runs Uphold. For another user, `HOME`, `USER`,
    /// `LOGNAME` and `SHELL` are those of that account, and of Uphold's own environment the script gets only
    /// `PATH`, `LANG`, `LANGUAGE`, `LC_*`, `TZ`, `TERM` and the proxy variables (`http_proxy`, `https_proxy`,
    /// `ftp_proxy`, `no_proxy`).
    pub user: Option<UserName>,
    /// Group that runs the script. Defaults to the primary group of `user`.
    pub group: Option<GroupName>,
}

/// `/bin/sh -c`, as the current user.
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

/// Whether all keys are valid names of variables.
fn are_variables(value: &Value) -> bool {
    let fine = |name: &str| !name.is_empty() && !name.contains(['=', '\0']);
    matches!(value, Value::Map(map) if map.keys().all(|name| fine(name)))
}

impl Runner {
    /// The uid and gid to run as, if declared. The group defaults to the primary group of the user.
    pub fn run_as(&self, host: &Reading<'_>) -> Result<Option<(u32, u32)>> {
        if self.user.is_none() && self.group.is_none() {
            return Ok(None);
        }
        let uid =
            self.user.as_ref().map_or_else(|| Ok(host.accounts().current_uid()), |user| user.id(host))?;
        let gid = self.group.as_ref().map_or_else(|| primary_group(uid, host), |group| group.id(host))?;
        Ok(Some((uid, gid)))
    }

    /// A script depends on its interpreter. An interpreter without a path is searched for in `PATH`, so it is not a
    /// dependency.
    pub fn need_interpreter(&self, claims: &mut Claims) {
        if self.interpreter.starts_with('/') {
            claims.need(Claim::Path(self.interpreter.as_str().into()));
        }
    }
}

fn primary_group(uid: u32, host: &Reading<'_>) -> Result<u32> {
    let user = host.accounts().user_by_id(uid)?;
    user.map(|user| user.gid).ok_or_else(|| {
        let what = format!("the user with the uid {uid} does not exist, so its primary group is unknown");
        Error::new(ErrorKind::Missing, what).hint("set `group` as well")
    })
}
