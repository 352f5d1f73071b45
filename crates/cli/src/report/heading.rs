//! The first line about a finished action.

use jiff::tz::TimeZone;
use uphold::model::{Action, Difference, Moment, ResourceId};
use uphold::resource::Clock;
use uphold::{Cause, Change, ChangeKind, LocalHost, Mode, Pause, Skip, Unwanted, Verdict};

use crate::paint::Painted;
use crate::time_text::Now;
use crate::{Paint, clean};

/// The number of properties that are named as a reason.
const NAMED: usize = 3;

/// A sign and words for the result of an action.
pub(crate) struct Heading {
    sign: char,
    words: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tense {
    Future,
    Past,
}

impl From<Mode> for Tense {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Plan => Self::Future,
            Mode::Apply => Self::Past,
        }
    }
}

impl Heading {
    pub(crate) fn of(verdict: &Verdict, action: &Action, cause: &Cause, mode: Mode) -> Self {
        let (sign, words) = match verdict {
            Verdict::WouldChange(change) => describe_change(change, action, cause, Tense::Future),
            Verdict::Changed(change) => describe_change(change, action, cause, Tense::Past),
            Verdict::PutBack(change) => {
                let (_, words) = describe_change(change, action, cause, Tense::Past);
                ('.', format!("{words}, then put back"))
            }
            Verdict::Differs(change) => {
                (sign(change.kind), format!("{}; only audited", audited(change.kind)))
            }
            Verdict::Paused(change, pause) => (sign(change.kind), paused(change, pause, action, cause)),
            Verdict::Unchanged => {
                ('=', format!("as declared{}", because_notified(cause, mode.into(), "; notified ")))
            }
            Verdict::MayChange { waits_for, .. } => {
                ('?', format!("may change; depends on {}", clean(waits_for)))
            }
            Verdict::Failed(failure) => ('x', clean(&failure.message).into_owned()),
            Verdict::Ignored(failure) => {
                ('x', format!("failed, which is ignored: {}", clean(&failure.message)))
            }
            Verdict::Skipped(why) => ('.', skipped(why)),
            Verdict::NotWanted(why) => ('.', format!("skipped: {}", unwanted(why))),
        };
        Self { sign, words }
    }

    /// Adds the reason for a change that was not caused by a notification.
    #[must_use]
    pub(crate) fn explained(mut self, verdict: &Verdict, cause: &Cause) -> Self {
        let (change, tense) = match verdict {
            Verdict::WouldChange(change) => (change, Tense::Future),
            Verdict::Changed(change) => (change, Tense::Past),
            _ => return self,
        };
        if *cause == Cause::Written {
            self.words += &reason(change, tense);
        }
        self
    }

    /// Adds a remark.
    #[must_use]
    pub(crate) fn and(mut self, more: &str) -> Self {
        self.words += &format!("; {}", clean(more));
        self
    }

    /// `file["/etc/motd"]: update`, for JSON.
    pub(crate) fn message(&self, resource: &ResourceId) -> String {
        format!("{resource}: {}", self.words)
    }

    /// `  ~ file.motd (/etc/motd)   (update; site.hcl:4:1)`. The identity is left out if the address shows it.
    pub(crate) fn line(
        &self,
        resource: &ResourceId,
        identity: Option<&str>,
        written_at: Option<&str>,
        paint: Paint,
    ) -> String {
        let name = resource.to_string();
        let name = paint.strong(clean(&name));
        let identity =
            identity.map(|identity| format!(" ({})", shortened(&clean(identity)))).unwrap_or_default();
        let at = written_at.map(|at| format!("; {}", clean(at))).unwrap_or_default();
        let about = format!("({}{at})", self.words);
        let sign = painted(self.sign, paint);
        format!("  {sign} {name}{identity}   {}\n", paint.faint(about))
    }
}

fn painted(sign: char, paint: Paint) -> Painted<char> {
    match sign {
        '+' => paint.added(sign),
        '-' => paint.removed(sign),
        '~' | '?' => paint.changed(sign),
        '!' => paint.run(sign),
        'x' => paint.error(sign),
        _ => paint.faint(sign),
    }
}

/// Enough of a long identity, such as a public key, to recognize it.
fn shortened(identity: &str) -> String {
    const ENOUGH: usize = 80;
    match identity.char_indices().nth(ENOUGH) {
        Some((end, _)) => format!("{}…", &identity[..end]),
        None => identity.to_owned(),
    }
}

fn sign(kind: ChangeKind) -> char {
    match kind {
        ChangeKind::Create => '+',
        ChangeKind::Update => '~',
        ChangeKind::Remove => '-',
        ChangeKind::Run => '!',
    }
}

/// A change, and the notification that caused it.
fn describe_change(change: &Change, action: &Action, cause: &Cause, tense: Tense) -> (char, String) {
    let word = |future: &str, past: &str| if tense == Tense::Future { future } else { past }.to_owned();
    let is_notified = *cause != Cause::Written;
    // The commands of a script are listed below its heading.
    let is_listed = !change.differences.is_empty();
    let (kind, run) = (change.kind, word("will run", "ran"));
    let what = match (kind, action) {
        (ChangeKind::Create, _) => word("create", "created"),
        (ChangeKind::Update, _) => word("update", "updated"),
        (ChangeKind::Remove, _) => word("remove", "removed"),
        (ChangeKind::Run, Action::Verb(verb)) if is_notified && &**verb != "run" => {
            format!("{run} {}", clean(verb))
        }
        (ChangeKind::Run, Action::Converge | Action::Remove) if is_listed => run,
        (ChangeKind::Run, _) if is_notified => run,
        (ChangeKind::Run, Action::Verb(verb)) => format!("{run}, because the action is {verb:?}"),
        (ChangeKind::Run, _) => format!("{run}, because it {} not done yet", word("is", "was")),
    };
    (sign(kind), what + &because_notified(cause, tense, ", "))
}

/// The notification that caused an action; empty if there is none.
fn because_notified(cause: &Cause, tense: Tense, join: &str) -> String {
    let (by, moment) = match cause {
        Cause::Notified { by, moment } => (by.to_string(), moment),
        Cause::Pending { by, since } => {
            let now = Now::new(LocalHost::new().now(), TimeZone::system());
            return format!("{join}pending since {}, because {} changed", now.clock(*since), clean(by));
        }
        Cause::Written | Cause::Woken(_) => return String::new(),
    };
    let by = clean(&by);
    match (tense, moment) {
        (Tense::Future, _) => format!("{join}because {by} will change"),
        (Tense::Past, Moment::Before) => format!("{join}because {by} was about to change"),
        (Tense::Past, _) => format!("{join}because {by} changed"),
    }
}

/// The notification that caused a failed action; empty if there is none.
pub(crate) fn notifier(cause: &Cause, mode: Mode) -> String {
    because_notified(cause, mode.into(), ", ")
}

/// The difference that a change removes.
fn reason(change: &Change, tense: Tense) -> String {
    let future = tense == Tense::Future;
    match change.kind {
        ChangeKind::Create => format!(", because it {} not exist", if future { "does" } else { "did" }),
        ChangeKind::Remove => format!(", because it {}", if future { "exists" } else { "existed" }),
        ChangeKind::Update => format!(", because {}", differing(&change.differences)),
        ChangeKind::Run => String::new(),
    }
}

/// `content and mode differ`.
fn differing(differences: &[Difference]) -> String {
    let names: Vec<&str> = differences.iter().map(|difference| &*difference.property).collect();
    match names.as_slice() {
        [] => "it differs".to_owned(),
        [one] => format!("{one} differs"),
        [first @ .., last] if names.len() <= NAMED => format!("{} and {last} differ", first.join(", ")),
        _ => format!("{} and {} more differ", names[..NAMED].join(", "), names.len() - NAMED),
    }
}

/// The difference of a paused resource, or the action that it was notified to run.
fn paused(change: &Change, pause: &Pause, action: &Action, cause: &Cause) -> String {
    let what = match (cause, action) {
        (Cause::Notified { by, .. }, Action::Verb(verb)) => {
            format!("{} is due, notified by {}", clean(verb), clean(&by.to_string()))
        }
        (Cause::Pending { .. }, Action::Verb(verb)) => {
            format!("{} is due{}", clean(verb), because_notified(cause, Tense::Past, ", "))
        }
        _ => audited(change.kind).to_owned(),
    };
    let now = Now::new(LocalHost::new().now(), TimeZone::system());
    format!("{what}; {}", now.paused(pause.until, &pause.by, pause.reason.as_deref()))
}

/// The difference that an audit found.
fn audited(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Create => "is missing",
        ChangeKind::Update => "differs",
        ChangeKind::Remove => "exists, but should not",
        ChangeKind::Run => "is not done",
    }
}

fn skipped(why: &Skip) -> String {
    match why {
        Skip::FailedBefore(root) => format!("skipped because {} failed", clean(&root.to_string())),
        Skip::Stopped => "skipped because the run was stopped".to_owned(),
        Skip::TooManyFailures => "skipped because of too many failures".to_owned(),
        Skip::TooManyChanges => "skipped because the limit of changes was reached".to_owned(),
        Skip::NotAsPlanned(what) => format!("skipped because it differs from the plan: {}", clean(what)),
    }
}

/// The condition that skips an action.
fn unwanted(why: &Unwanted) -> String {
    match why {
        Unwanted::When => "`when` is false".to_owned(),
        Unwanted::Guard { word, command, of_group } => {
            let group = if *of_group { " of its group" } else { "" };
            let command = command.as_deref().map(|command| format!(" {:?}", clean(command)));
            format!("{word}{}{group} is {}", command.unwrap_or_default(), *word == "not_if")
        }
        Unwanted::NothingChanged => "nothing changed that its group subscribes to".to_owned(),
        Unwanted::RunFailed => "the run failed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use uphold::model::Side;

    use super::*;

    fn change(kind: ChangeKind, properties: &[&str]) -> Change {
        let difference =
            |name: &&str| Difference { property: (*name).into(), from: Side::Absent, to: Side::Absent };
        Change {
            kind,
            differences: properties.iter().map(difference).collect(),
            causes: uphold::model::DifferenceCauses::default(),
            unknown: Vec::new(),
            inputs: uphold::model::Map::new(),
        }
    }

    fn by(moment: Moment) -> Cause {
        Cause::Notified { by: ResourceId::new("file", "/x").into(), moment }
    }

    #[test]
    fn names_the_notifier() {
        let check = |verdict: Verdict, action: Action, cause: Cause, expected: &str| {
            assert_eq!(Heading::of(&verdict, &action, &cause, Mode::Apply).words, expected);
        };
        let restart = Action::Verb("restart".into());
        let ran = Verdict::Changed(change(ChangeKind::Run, &[]));
        let will = Verdict::WouldChange(change(ChangeKind::Run, &[]));
        let cause = by(Moment::Delayed);
        check(ran.clone(), restart.clone(), cause.clone(), "ran restart, because file[\"/x\"] changed");
        check(will, restart.clone(), cause.clone(), "will run restart, because file[\"/x\"] will change");
        let before = by(Moment::Before);
        check(ran.clone(), restart.clone(), before, "ran restart, because file[\"/x\"] was about to change");
        check(ran.clone(), restart, Cause::Written, "ran, because the action is \"restart\"");
        let run = Action::Verb("run".into());
        check(ran.clone(), run, cause.clone(), "ran, because file[\"/x\"] changed");
        let updated = Verdict::Changed(change(ChangeKind::Update, &["mode"]));
        check(updated, Action::Converge, cause.clone(), "updated, because file[\"/x\"] changed");
        check(
            Verdict::Unchanged,
            Action::Converge,
            cause,
            "as declared; notified because file[\"/x\"] changed",
        );
        check(Verdict::Unchanged, Action::Converge, Cause::Written, "as declared");
        let planned = Heading::of(&Verdict::Unchanged, &Action::Converge, &by(Moment::Delayed), Mode::Plan);
        assert_eq!(planned.words, "as declared; notified because file[\"/x\"] will change");
    }

    #[test]
    fn explains_changes_without_a_notifier() {
        let check = |change: Change, expected: &str| {
            let verdict = Verdict::Changed(change);
            let heading = Heading::of(&verdict, &Action::Converge, &Cause::Written, Mode::Apply);
            assert_eq!(heading.explained(&verdict, &Cause::Written).words, expected);
        };
        check(change(ChangeKind::Create, &["mode"]), "created, because it did not exist");
        check(change(ChangeKind::Remove, &[]), "removed, because it existed");
        check(change(ChangeKind::Update, &["mode"]), "updated, because mode differs");
        check(change(ChangeKind::Update, &["a", "b", "c"]), "updated, because a, b and c differ");
        check(
            change(ChangeKind::Update, &["a", "b", "c", "d", "e"]),
            "updated, because a, b, c and 2 more differ",
        );
        check(change(ChangeKind::Run, &[]), "ran, because it was not done yet");
        check(change(ChangeKind::Run, &["inline.reindex"]), "ran");
    }

    #[test]
    fn explains_skipped_actions() {
        let check = |why: Unwanted, expected: &str| assert_eq!(unwanted(&why), expected);
        let guard = |word, command: Option<&str>, of_group| Unwanted::Guard {
            word,
            command: command.map(str::to_owned),
            of_group,
        };
        check(Unwanted::When, "`when` is false");
        check(guard("only_if", Some("test -f /x"), false), "only_if \"test -f /x\" is false");
        check(guard("not_if", None, true), "not_if of its group is true");
        check(Unwanted::NothingChanged, "nothing changed that its group subscribes to");
        check(Unwanted::RunFailed, "the run failed");
    }
}
