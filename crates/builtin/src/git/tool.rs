//! Running git.

use std::collections::BTreeMap;
use std::path::Path;

use uphold_resource::{Command, Error, ErrorKind, Host, Observe, Output, Result};

use super::resource::Git;
use crate::tool::refusal;

/// Nothing that lies in a repository is run, and nobody is asked anything.
const QUIET: [&str; 8] = [
    "--no-optional-locks",
    "--no-pager",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "advice.detachedHead=false",
];

/// Git, as one resource runs it.
pub(crate) struct Tool<'a> {
    git: &'a Git,
    repository: &'a str,
    env: BTreeMap<String, String>,
    run_as: Option<(u32, u32)>,
}

impl<'a> Tool<'a> {
    /// As `user`, or else as whoever owns the checkout: what others left in it must not be run by root.
    pub(crate) fn new(git: &'a Git, host: &dyn Observe) -> Result<Self> {
        let run_as = match &git.user {
            Some(user) => Some(account(user.id(host)?, host)?),
            None => owner(&git.path, host)?,
        };
        let mut env = BTreeMap::from([
            ("GIT_TERMINAL_PROMPT".to_owned(), "0".to_owned()),
            ("GIT_ASKPASS".to_owned(), "/bin/true".to_owned()),
            ("LC_ALL".to_owned(), "C".to_owned()),
            ("GIT_SSH_COMMAND".to_owned(), ssh(git)),
        ]);
        if let Some((uid, _)) = run_as
            && let Some(user) = host.accounts().user_by_id(uid)?
        {
            env.insert("HOME".to_owned(), user.home.display().to_string());
        }
        env.extend(git.env.clone());
        let repository = git.repository.get().map_or("", String::as_str);
        Ok(Self { git, repository, env, run_as })
    }

    /// Who owns what is made.
    pub(crate) fn owner(&self) -> Option<(u32, u32)> {
        self.run_as
    }

    fn command(&self, inside: bool, args: &[&str]) -> Command {
        let path = self.git.path.display().to_string();
        let safe = format!("safe.directory={path}");
        let place = if inside { vec!["-C", path.as_str()] } else { Vec::new() };
        let args =
            QUIET.iter().copied().chain(["-c", safe.as_str()]).chain(place).chain(args.iter().copied());
        let mut command = Command::new("git", args);
        command.env.clone_from(&self.env);
        command.run_as = self.run_as;
        // It wants to know where it is, even where it need not.
        command.dir = Some("/".into());
        command
    }

    /// What git says about something elsewhere. Changes nothing.
    pub(crate) fn ask(&self, args: &[&str], host: &dyn Observe) -> Result<String> {
        self.expect(args, host.probes().probe(&self.command(false, args)))
    }

    /// What git says about the checkout. Changes nothing.
    pub(crate) fn look(&self, args: &[&str], host: &dyn Observe) -> Result<String> {
        self.expect(args, host.probes().probe(&self.command(true, args)))
    }

    /// Does something in the checkout.
    pub(crate) fn run(&self, args: &[&str], host: &dyn Host) -> Result<String> {
        self.expect(args, host.commands().run(&self.command(true, args)))
    }

    /// Whether something can be done in the checkout.
    pub(crate) fn try_run(&self, args: &[&str], host: &dyn Host) -> Result<bool> {
        Ok(host.commands().run(&self.command(true, args))?.success())
    }

    fn expect(&self, args: &[&str], output: Result<Output>) -> Result<String> {
        let output = output.map_err(|error| match error.kind() {
            ErrorKind::Missing => error.hint("install git first, for example with `package \"git\" {}`"),
            _ => error,
        })?;
        if output.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let what = format!("`git {}` failed for {}", args.first().unwrap_or(&""), self.git.path);
        Err(refusal(&output, "git", &self.secrets(), what))
    }

    /// What git may repeat and nobody should see: an address with a password, and what `env` holds.
    fn secrets(&self) -> BTreeMap<String, String> {
        let mut secrets = self.git.env.clone();
        if has_password(self.repository) {
            secrets.insert("repository".to_owned(), self.repository.to_owned());
        }
        secrets
    }

    /// The repository, for messages.
    pub(crate) fn repository(&self) -> &str {
        if has_password(self.repository) { "the repository" } else { self.repository }
    }
}

/// Whether a URL holds more than a user: `https://token@…` is a password, too.
fn has_password(url: &str) -> bool {
    let authority = url.split_once("://").map(|(_, rest)| rest.split('/').next().unwrap_or_default());
    authority.is_some_and(|authority| authority.contains('@') && !url.starts_with("ssh://"))
}

/// How ssh is run: it asks nothing, and uses the key that was chosen.
fn ssh(git: &Git) -> String {
    let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
    let key = git.ssh_key.as_ref().map(|key| format!(" -o IdentitiesOnly=yes -i {}", quoted(key)));
    format!("ssh -o BatchMode=yes{}", key.unwrap_or_default())
}

fn account(uid: u32, host: &dyn Observe) -> Result<(u32, u32)> {
    let user = host.accounts().user_by_id(uid)?;
    user.map(|user| (user.uid, user.gid))
        .ok_or_else(|| Error::new(ErrorKind::Missing, format!("there is no account with the number {uid}")))
}

/// Who owns the checkout, if that is somebody else whom we can be.
fn owner(path: &Path, host: &dyn Observe) -> Result<Option<(u32, u32)>> {
    let own = host.accounts().current_uid();
    let entry = host.files().look(path)?.filter(|entry| own == 0 && entry.uid != 0);
    Ok(entry.map(|entry| (entry.uid, entry.gid)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords() {
        let check = |url: &str, expected: bool| assert_eq!(has_password(url), expected, "{url}");
        check("https://ada:secret@example.org/x.git", true);
        check("https://token@example.org/x.git", true);
        check("https://example.org/@x.git", false);
        check("ssh://git@example.org/x.git", false);
        check("git@example.org:x.git", false);
        check("/srv/x@y.git", false);
    }
}
