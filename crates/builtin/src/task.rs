//! The kind `task`.

use uphold_kit::checks::is_not_empty;
use uphold_kit::runner::Runner;
use uphold_kit::script::{Script, required_script};
use uphold_kit::status::Status;
use uphold_kit::watched::Watched;
use uphold_resource::{
    AbsolutePath, Act, Bytes, Claim, Claiming, Claims, Error, ErrorKind, Found, Interest, Look, Produced,
    Reading, Resource, Result, Step, Verbs, Watching,
};

/// The hint for a task without `check` and `creates`.
const NO_CHECK: &str = "add `check` or `creates`; if notifications run it, set `action = \"nothing\"`; to run it every time, `action = \"run\"`";

/// A script that runs only if its work is not done yet.
///
/// - `check` is a script: the work is done if it exits with status 0. It runs in a plan, too, so it must not change
///   anything.
/// - `creates` is a path: the work is done if it exists.
/// - A task needs at least one of them. If both are set, both must be satisfied.
/// - `apply` runs if the work is not done. Then `check` and `creates` must be satisfied, or the task has failed.
/// - `action = "run"` and a notification of `run` run `apply` regardless of `check` and `creates`. A task that only
///   runs when it is notified needs neither: set `action = "nothing"`.
///
/// Scripts are passed to `interpreter` after `flags`; the default is `/bin/sh -c SCRIPT`. They get the environment
/// of Uphold without its parameters, plus the variables in `env`. A script that contains a secret is passed in the
/// environment, so that no other user can read it.
///
/// A task cannot be removed, because a script cannot be undone.
///
/// ```hcl
/// task "migrate" {
///   check = "test -f /var/lib/app/migrated"
///   apply = "app migrate && touch /var/lib/app/migrated"
/// }
/// ```
///
/// `uphold watch` checks a task again when the path in `creates` appears or disappears. Anything else that `check`
/// depends on must be declared: `watch_paths` and `watch_command` cause a new check, and the meta argument `poll`
/// repeats it regularly.
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
    any_of(
        check,
        creates,
        fix = "add `check` or `creates`; if notifications run it, set `action = \"nothing\"`; to run it every time, `action = \"run\"`"
    ),
    verbs(run = "Run `apply` now, regardless of `check`."),
    claims,
    interests,
    permanent
)]
pub struct Task {
    /// Name of the task; defaults to the block's label.
    #[name]
    pub name: String,
    /// Script that exits with status 0 if the work is done, and with another status if not.
    #[also("unless", "ifcmd")]
    pub check: Option<String>,
    /// Script that does the work.
    #[also("command", "cmd", "code", "run")]
    #[required(converge, run)]
    pub apply: Option<String>,
    /// Path that exists once the work is done: a file, a directory or a link. A relative path starts at `dir`.
    #[relative_to(dir)]
    #[claim(provides)]
    pub creates: Option<AbsolutePath>,
    /// Interpreter, environment and user of the scripts.
    #[flatten(settings)]
    pub runner: Runner,
    /// Events after which a watch checks the task again.
    #[flatten(settings)]
    pub watched: Watched,
    /// Working directory of the scripts. Defaults to that of Uphold.
    #[also("cwd", "chdir")]
    pub dir: Option<AbsolutePath>,
    /// Standard input of `apply`.
    pub stdin: Option<Bytes>,
    /// Exit statuses of a successful `apply`.
    #[default(vec![0])]
    #[check(is_not_empty, "must have at least one status")]
    pub returns: Vec<u8>,
    /// Exit status and output of the last script: `apply` if it ran, otherwise `check`. Empty, with status 0, if no
    /// script had to run.
    pub status: Produced<Status>,
}

impl Resource for Task {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let status = match (&self.creates, &self.check) {
            (Some(path), _) if look.files().look(path)?.is_none() => self.check_creates(path, look)?,
            (_, Some(check)) => self.run_check(check, look)?,
            (Some(_), None) => Some(Status::default()),
            (None, None) => self.status.get(),
        };
        Ok(status.map(|status| TaskState { status: self.status.get().unwrap_or(status) }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        if matches!(step, Step::Remove { .. }) {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "a task cannot be removed, because its script cannot be undone",
            ));
        }
        if self.check.is_none() && self.creates.is_none() {
            let what =
                "it is unknown whether this task is done, because neither `check` nor `creates` is set";
            return Err(Error::new(ErrorKind::Invalid, what).hint(NO_CHECK));
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
    /// It depends on its interpreter, and on the directory of `creates`.
    fn add_claims(&self, claims: &mut Claims) {
        self.runner.need_interpreter(claims);
        let directory = self.creates.as_ref().and_then(|creates| creates.parent());
        claims.needs.extend(directory.map(|directory| Claim::Path(directory.to_owned())));
    }
}

/// `creates` is watched because of its type; what `check` depends on is unknown.
impl Watching for Task {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.watched.add_interests(&self.runner, self.dir.as_ref(), host, interests);
    }
}

impl Task {
    /// The path in `creates` is missing: work to do, or a failure if `apply` has just run. The user must exist, so
    /// that a plan fails, too.
    fn check_creates(&self, path: &AbsolutePath, host: &Reading<'_>) -> Result<Option<Status>> {
        if self.status.get().is_some() {
            let what = format!("`apply` succeeded, but {path} still does not exist");
            let hint = "correct `creates`, or change `apply` so that it creates the path";
            return Err(Error::new(ErrorKind::Rejected, what).hint(hint));
        }
        self.runner.run_as(host).map(|_| None)
    }

    /// The status of `check`, if it reports that the work is done. If it does not directly after `apply`, the task
    /// has failed.
    fn run_check(&self, check: &str, host: &Reading<'_>) -> Result<Option<Status>> {
        let script = Script { stdin: None, ..self.script("check", check) };
        if script.is_early(host)? {
            return Ok(None);
        }
        let output = script.probe(host)?;
        if self.status.get().is_some() {
            script.expect(&output, &[0]).map_err(|error| {
                let hint = "correct `check`, or change `apply` so that `check` succeeds";
                error.while_("`check` still fails after `apply`").hint(hint)
            })?;
        }
        Ok(output.success().then(|| Status::of(&output)))
    }

    fn run_apply(&self, host: &Act<'_>) -> Result<()> {
        let script = self.script("apply", required_script("apply", self.apply.as_deref())?);
        let output = script.run(host)?;
        self.status.set(Status::of(&output));
        script.expect(&output, &self.returns)
    }

    fn script<'a>(&'a self, property: &'static str, text: &'a str) -> Script<'a> {
        let (dir, stdin) = (self.dir.as_ref(), self.stdin.as_ref());
        Script { dir, stdin, ..Script::plain(property, text, &self.runner) }
    }
}
