//! `task`: a script that is run until a check says that it is done.

use uphold_resource::{
    AbsolutePath, Act, Bytes, Claim, Claiming, Claims, Error, ErrorKind, Interest, Reading, Resource, Result,
    Step, Told, Verbs, Watching,
};

use crate::runner::Runner;
use crate::script::{Script, is_filled, written};
use crate::status::Status;
use crate::watched::Watched;

/// What to do about a task that nothing can tell to be done.
const NEVER_DONE: &str = "add `check` or `creates`, or run it every time with `action = \"run\"`";

/// A script that is run when it has not done its work yet.
///
/// `check` and `creates` say whether the work is done; what is set of them must hold. If it does
/// not, `apply` is run, and they are asked again: a task whose `apply` succeeds and whose `check`
/// still fails has failed. `check` runs in a plan, too, so it must change nothing.
///
/// Scripts are handed to `interpreter` after `flags`: `/bin/sh -c SCRIPT` unless set otherwise.
/// They see the environment of Uphold without its params, and what `env` adds. A script that holds a
/// secret is passed in the environment, so that no other user can read it.
///
/// A task cannot be removed: there is no telling how to undo a script.
///
/// ```hcl
/// task "migrate" {
///   check = "test -f /var/lib/app/migrated"
///   apply = "app migrate && touch /var/lib/app/migrated"
/// }
/// ```
///
/// `uphold watch` visits a task again when what it `creates` comes or goes. What `check` looks at nobody can know:
/// `watch_paths` and `watch_command` say when to ask it again, and the meta argument `poll` how often.
///
/// ```hcl
/// task "load the rules" {
///   check         = "nft list ruleset | cmp -s - /etc/app/rules"
///   apply         = "nft flush ruleset && nft -f /etc/app/rules"
///   watch_paths   = ["/etc/app/rules"]
///   watch_command = "nft monitor"
/// }
/// ```
#[derive(Debug, Clone, Resource)]
#[resource(
    kind = "task",
    also("exec", "execute", "command", "shell", "script", "bash", "cmd"),
    any_of(check, creates, fix = "add `check` or `creates`, or run it every time with `action = \"run\"`"),
    verbs(run = "Run `apply` now, whatever `check` says."),
    claims,
    interests,
    permanent
)]
pub struct Task {
    /// What it is called.
    #[name]
    pub name: String,
    /// Script that exits with status 0 if the work is done, and with any other if not.
    #[also("unless", "ifcmd")]
    pub check: Option<String>,
    /// Script that does the work.
    #[also("command", "cmd", "code", "run")]
    #[required(converge, run)]
    pub apply: Option<String>,
    /// A path that is there once the work is done: a file, a directory or a link to anything. A
    /// relative one starts at `dir`.
    #[relative_to(dir)]
    pub creates: Option<AbsolutePath>,
    /// What runs the scripts.
    #[flatten(settings)]
    pub runner: Runner,
    /// What wakes it.
    #[flatten(settings)]
    pub watched: Watched,
    /// Directory in which the scripts run; the one Uphold runs in unless set.
    #[also("cwd", "chdir")]
    pub dir: Option<AbsolutePath>,
    /// What `apply` reads from standard input.
    pub stdin: Option<Bytes>,
    /// Exit statuses with which `apply` has succeeded.
    #[default(vec![0])]
    #[check(is_filled, "must hold a status")]
    pub returns: Vec<u8>,
    /// How the last script ended: `apply` if it ran, else `check`. Empty, with status 0, if the
    /// task is done and there was nothing to run.
    pub status: Told<Status>,
}

impl Resource for Task {
    fn load(&self, host: &Reading<'_>) -> Result<Option<TaskState>> {
        let status = match (&self.creates, &self.check) {
            (Some(path), _) if host.files().look(path)?.is_none() => self.miss(path, host)?,
            (_, Some(check)) => self.ask(check, host)?,
            (Some(_), None) => Some(Status::default()),
            (None, None) => self.status.told(),
        };
        Ok(status.map(|status| TaskState { status: self.status.told().unwrap_or(status) }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        if matches!(step, Step::Remove { .. }) {
            return Err(Error::new(ErrorKind::Unsupported, "a task cannot be undone"));
        }
        if self.check.is_none() && self.creates.is_none() {
            let what = "nothing tells whether this task is done";
            return Err(Error::new(ErrorKind::Invalid, what).hint(NEVER_DONE));
        }
        self.run_apply(host)
    }
}

impl Verbs for Task {
    type Verb = TaskVerb;

    fn run(&self, verb: TaskVerb, host: &Act<'_>) -> Result<()> {
        match verb {
            TaskVerb::Run => self.run_apply(host),
        }
    }
}

impl Claiming for Task {
    /// It stands on its interpreter. What it creates it does not stand on, as the path's type
    /// says, but provides.
    fn add_claims(&self, claims: &mut Claims) {
        self.runner.stand_on_interpreter(claims);
        let Some(creates) = &self.creates else { return };
        let path = Claim::Path(creates.to_path_buf());
        claims.needs.retain(|need| *need != path);
        claims.needs.extend(creates.parent().map(|parent| Claim::Path(parent.to_owned())));
        claims.provide(path);
    }
}

/// What it creates is watched because of its type; what `check` looks at, nobody can know.
impl Watching for Task {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.watched.add_interests(&self.runner, self.dir.as_ref(), host, interests);
    }
}

impl Task {
    /// What it creates is not there: that is work to do, or a failure if it was just done. Who is to
    /// do it must exist, so that a plan tells, too.
    fn miss(&self, path: &AbsolutePath, host: &Reading<'_>) -> Result<Option<Status>> {
        if self.status.told().is_some() {
            let what = format!("`apply` succeeded, but {path} is still not there");
            let hint = "correct `creates`, or let `apply` make it";
            return Err(Error::new(ErrorKind::Rejected, what).hint(hint));
        }
        self.runner.run_as(host).map(|_| None)
    }

    /// How the check ended, if it says that the work is done. That it is not is a failure if it was
    /// just done.
    fn ask(&self, check: &str, host: &Reading<'_>) -> Result<Option<Status>> {
        let script = Script { stdin: None, ..self.script("check", check) };
        if script.is_early(host)? {
            return Ok(None);
        }
        let output = script.probe(host)?;
        if self.status.told().is_some() {
            script.expect(&output, &[0]).map_err(|error| {
                let hint = "correct `check`, or let `apply` do what it looks for";
                error.while_("`check` still fails after `apply`").hint(hint)
            })?;
        }
        Ok(output.success().then(|| Status::of(&output)))
    }

    fn run_apply(&self, host: &Act<'_>) -> Result<()> {
        let script = self.script("apply", written("apply", self.apply.as_deref())?);
        let output = script.run(host)?;
        self.status.tell(Status::of(&output));
        script.expect(&output, &self.returns)
    }

    fn script<'a>(&'a self, property: &'static str, text: &'a str) -> Script<'a> {
        let (dir, stdin) = (self.dir.as_ref(), self.stdin.as_ref());
        Script { dir, stdin, ..Script::plain(property, text, &self.runner) }
    }
}
