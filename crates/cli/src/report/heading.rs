//! The line that tells what becomes of a resource.

use std::fmt::Display;

use uphold::model::{Action, ResourceId};
use uphold::{ChangeKind, Skip, Verdict};

use crate::paint::{Paint, clean};

/// What becomes of a resource: a sign, and words.
pub(crate) struct Heading {
    sign: char,
    words: String,
}

impl Heading {
    /// The heading for a verdict.
    pub(crate) fn of(verdict: &Verdict, action: &Action) -> Self {
        let (sign, words) = match verdict {
            Verdict::Unchanged => ('=', "as declared".to_owned()),
            Verdict::WouldChange(change) => (sign(change.kind), planned(change.kind, action)),
            Verdict::Changed(change) => (sign(change.kind), done(change.kind, action)),
            Verdict::MayChange { waits_for, .. } => {
                ('?', format!("may change; waits for {}", clean(waits_for)))
            }
            Verdict::Failed(failure) => ('x', clean(&failure.message).into_owned()),
            Verdict::Skipped(Skip::FailedBefore(root)) => ('.', format!("skipped because {root} failed")),
            Verdict::NotWanted => ('.', "not wanted: its `when` is false".to_owned()),
            Verdict::Skipped(Skip::Stopped) => ('.', "skipped because the run was stopped".to_owned()),
        };
        Self { sign, words }
    }

    /// `file["/etc/motd"]: update`, for a line that stands alone.
    pub(crate) fn message(&self, resource: &ResourceId) -> String {
        format!("{resource}: {}", self.words)
    }

    /// `  ~ file["/etc/motd"]   (update; site.hcl:4:1)`.
    pub(crate) fn line(&self, resource: &ResourceId, written_at: Option<&str>, paint: Paint) -> String {
        let name = resource.to_string();
        let name = paint.strong(clean(&name));
        let at = written_at.map(|at| format!("; {}", clean(at))).unwrap_or_default();
        let about = format!("({}{at})", self.words);
        let sign = self.sign(paint);
        format!("  {sign} {name}   {}\n", paint.faint(about))
    }

    fn sign(&self, paint: Paint) -> Box<dyn Display> {
        match self.sign {
            '+' => Box::new(paint.added('+')),
            '-' => Box::new(paint.removed('-')),
            '~' | '?' => Box::new(paint.changed(self.sign)),
            '!' => Box::new(paint.run('!')),
            'x' => Box::new(paint.error('x')),
            other => Box::new(paint.faint(other)),
        }
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

fn planned(kind: ChangeKind, action: &Action) -> String {
    match (kind, action) {
        (ChangeKind::Create, _) => "create".to_owned(),
        (ChangeKind::Update, _) => "update".to_owned(),
        (ChangeKind::Remove, _) => "remove".to_owned(),
        (ChangeKind::Run, Action::Verb(verb)) => format!("will run, because the action is {verb:?}"),
        (ChangeKind::Run, _) => "will run, because it is not done yet".to_owned(),
    }
}

fn done(kind: ChangeKind, action: &Action) -> String {
    match (kind, action) {
        (ChangeKind::Create, _) => "created".to_owned(),
        (ChangeKind::Update, _) => "updated".to_owned(),
        (ChangeKind::Remove, _) => "removed".to_owned(),
        (ChangeKind::Run, Action::Verb(verb)) => format!("ran, because the action is {verb:?}"),
        (ChangeKind::Run, _) => "ran, because it was not done yet".to_owned(),
    }
}
