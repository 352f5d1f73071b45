//! The lines about a finished action, for people.

use std::time::Duration;

use uphold::model::{Action, DifferenceCause, ResourceId};
use uphold::{Cause, Change, Mode, Verdict};

use super::action_history::ActionHistory;
use super::failure::{self, Weight};
use super::heading::{Heading, notifier};
use super::human::To;
use super::property_lines::PropertyLines;
use super::reporter::Scene;
use crate::time_text;
use crate::{Ui, clean};

/// The result of an action, and its history.
pub(crate) struct FinishedAction<'a> {
    pub(crate) resource: &'a ResourceId,
    pub(crate) action: &'a Action,
    pub(crate) cause: &'a Cause,
    pub(crate) verdict: &'a Verdict,
    pub(crate) mode: Mode,
    /// How long it took, if it was applied.
    pub(crate) took: Option<Duration>,
    pub(crate) history: &'a ActionHistory,
}

/// Whether a finished action has no line.
pub(super) fn is_left_out(verdict: &Verdict, quiet: bool, verbose: bool) -> bool {
    match verdict {
        Verdict::Failed(_) | Verdict::Skipped(_) => false,
        Verdict::Unchanged | Verdict::NotWanted(_) => quiet || !verbose,
        _ => quiet,
    }
}

/// Why a resource differs: `drift` or `drift: mode`; with -v, new declarations, too. An unknown cause has no words.
fn causes(change: &Change, verbose: bool) -> Vec<String> {
    let words = |word: &str, of: DifferenceCause| {
        let is_it = |cause: DifferenceCause| cause == of || cause == DifferenceCause::Both;
        let all = || (0..).zip(&change.differences).map(|(index, one)| (change.causes.of(index), one));
        let is_all = all().all(|(cause, _)| is_it(cause) || cause == DifferenceCause::Unknown);
        let named = all().filter(|(cause, _)| is_it(*cause)).map(|(_, one)| &*one.property);
        let text = || {
            if is_all { word.to_owned() } else { format!("{word}: {}", named.collect::<Vec<_>>().join(", ")) }
        };
        is_it(change.causes.whole).then(text)
    };
    let new = words("new", DifferenceCause::New).filter(|_| verbose);
    words("drift", DifferenceCause::Drift).into_iter().chain(new).collect()
}

impl FinishedAction<'_> {
    /// The lines, and the stream to which they go.
    pub(crate) fn lines(&self, quiet: bool, verbose: bool, scene: &mut Scene<'_>, ui: &Ui) -> To {
        if is_left_out(self.verdict, quiet, verbose) {
            return To::Nowhere;
        }
        let failed = match self.verdict {
            Verdict::Failed(failure) | Verdict::Ignored(failure) => failure.place,
            _ => None,
        };
        let (at, identity) = (scene.located(failed, self.resource), scene.identity(self.resource));
        let (data, talk) = (ui.data_paint(), ui.talk_paint());
        let line =
            |paint| self.heading(verbose).line(self.resource, identity.as_deref(), at.as_deref(), paint);
        match self.verdict {
            Verdict::Failed(failure) => {
                let properties = PropertyLines { paint: talk, verbose };
                To::Talk(failure::failure(Weight::Error, &self.name(), failure, at.as_deref(), &properties))
            }
            Verdict::Ignored(failure) => {
                let properties = PropertyLines { paint: talk, verbose };
                let name = format!("{} failed, which is ignored", self.name());
                To::Talk(failure::failure(Weight::Warning, &name, failure, at.as_deref(), &properties))
            }
            Verdict::Skipped(_) => To::Talk(line(talk)),
            Verdict::Unchanged | Verdict::NotWanted(_) => To::Data(line(data)),
            Verdict::MayChange { because, .. } => {
                let now = because.as_ref().map(|failure| format!("      now: {}\n", clean(&failure.message)));
                To::Data(line(data) + &now.unwrap_or_default())
            }
            Verdict::Changed(change)
            | Verdict::PutBack(change)
            | Verdict::WouldChange(change)
            | Verdict::Differs(change)
            | Verdict::Paused(change, _) => {
                To::Data(line(data) + &PropertyLines { paint: data, verbose }.change(change))
            }
        }
    }

    /// Decides first, so that the unchanged resources, which are most of a run, cost nothing.
    fn heading(&self, verbose: bool) -> Heading {
        let mut heading = Heading::of(self.verdict, self.action, self.cause, self.mode);
        if verbose {
            heading = heading.explained(self.verdict, self.cause);
        }
        if let Verdict::Changed(change) | Verdict::WouldChange(change) | Verdict::Differs(change) =
            self.verdict
        {
            heading = causes(change, verbose).iter().fold(heading, |heading, words| heading.and(words));
        }
        if let Some(batch) = &self.history.merged {
            heading = heading.and(&format!("in a batch of {}", batch.resources.len()));
        }
        if verbose {
            self.effort().iter().fold(heading, |heading, words| heading.and(words))
        } else {
            heading
        }
    }

    /// The duration, the number of attempts, and the waits.
    fn effort(&self) -> Vec<String> {
        let took = self
            .took
            .filter(|took| took.as_millis() > 0)
            .map(|took| format!("took {}", time_text::words(took)));
        let attempts = match self.history.retries.len() {
            0 => None,
            more => Some(format!("{} attempts", more + 1)),
        };
        let waits = self.history.waits.iter();
        let waits = waits.map(|wait| format!("waited {}: {}", time_text::words(wait.span), wait.reason));
        took.into_iter().chain(attempts).chain(waits).collect()
    }

    /// The resource and, if another resource notified it, the action and the notifier.
    fn name(&self) -> String {
        match self.action {
            Action::Verb(verb) if *self.cause != Cause::Written => {
                format!("{}: {verb}{}", self.resource, notifier(self.cause, self.mode))
            }
            _ => self.resource.to_string(),
        }
    }
}
