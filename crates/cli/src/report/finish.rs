//! An action that is done with, for people.

use std::time::Duration;

use uphold::model::{Action, ResourceId};
use uphold::{Cause, Verdict};

use super::course::Course;
use super::heading::{Heading, asked, together};
use super::human::To;
use super::property::Properties;
use super::reporter::Scene;
use super::span;
use super::trouble::{self, Weight};
use crate::paint::{Paint, clean};
use crate::ui::Ui;

/// What became of an action, and how it came to that.
pub(crate) struct Finish<'a> {
    pub(crate) resource: &'a ResourceId,
    pub(crate) action: &'a Action,
    pub(crate) cause: &'a Cause,
    pub(crate) verdict: &'a Verdict,
    /// How long it took, if that tells something.
    pub(crate) took: Option<Duration>,
    pub(crate) course: &'a Course,
}

impl Finish<'_> {
    /// The lines about it, and where they go.
    pub(crate) fn shown(&self, quiet: bool, verbose: bool, scene: &mut Scene<'_>, ui: &Ui) -> To {
        if self.is_left_out(quiet, verbose) {
            return To::Nowhere;
        }
        let at = self.written_at(scene);
        let (data, talk) = (Paint::new(ui.is_data_coloured()), Paint::new(ui.is_talk_coloured()));
        let line = |paint| self.heading(verbose).line(self.resource, at.as_deref(), paint);
        match self.verdict {
            Verdict::Failed(failure) => {
                let properties = Properties { paint: talk, verbose };
                To::Talk(trouble::failure(Weight::Error, &self.name(), failure, at.as_deref(), &properties))
            }
            Verdict::Ignored(failure) => {
                let properties = Properties { paint: talk, verbose };
                let name = format!("{} failed, which is ignored", self.name());
                To::Talk(trouble::failure(Weight::Warning, &name, failure, at.as_deref(), &properties))
            }
            Verdict::Skipped(_) => To::Talk(line(talk)),
            Verdict::Unchanged | Verdict::NotWanted(_) => To::Data(line(data)),
            Verdict::MayChange { because, .. } => {
                let now = because.as_ref().map(|failure| format!("      now: {}\n", clean(&failure.message)));
                To::Data(line(data) + &now.unwrap_or_default())
            }
            Verdict::Changed(change) | Verdict::WouldChange(change) | Verdict::Differs(change) => {
                To::Data(line(data) + &Properties { paint: data, verbose }.change(change))
            }
        }
    }

    /// What nobody asked to see costs nothing: most of a run is as declared.
    fn is_left_out(&self, quiet: bool, verbose: bool) -> bool {
        match self.verdict {
            Verdict::Failed(_) | Verdict::Skipped(_) => false,
            Verdict::Unchanged | Verdict::NotWanted(_) => quiet || !verbose,
            _ => quiet,
        }
    }

    fn heading(&self, verbose: bool) -> Heading {
        let mut heading = Heading::of(self.verdict, self.action, self.cause);
        if verbose {
            heading = heading.explained(self.verdict, self.cause);
        }
        if let Some(batch) = &self.course.merged {
            heading = heading.and(&together(batch.resources.len()));
        }
        if verbose {
            self.effort().iter().fold(heading, |heading, words| heading.and(words))
        } else {
            heading
        }
    }

    /// How long it took, how often it was tried and what it waited for.
    fn effort(&self) -> Vec<String> {
        let took =
            self.took.filter(|took| took.as_millis() > 0).map(|took| format!("took {}", span::words(took)));
        let tries = match self.course.retries.len() {
            0 => None,
            more => Some(format!("{} tries", more + 1)),
        };
        let waits = self.course.waits.iter();
        let waits = waits.map(|wait| format!("waited {}: {}", span::words(wait.span), wait.reason));
        took.into_iter().chain(tries).chain(waits).collect()
    }

    /// The resource; if somebody else asked for a verb, that too: the place of the resource does not tell it.
    fn name(&self) -> String {
        match self.action {
            Action::Verb(verb) if *self.cause != Cause::Written => {
                format!("{}: {verb}{}", self.resource, asked(self.cause))
            }
            _ => self.resource.to_string(),
        }
    }

    /// Where to look: at what failed, else at the resource.
    fn written_at(&self, scene: &mut Scene<'_>) -> Option<String> {
        let failed = match self.verdict {
            Verdict::Failed(failure) | Verdict::Ignored(failure) => failure.place,
            _ => None,
        };
        match failed {
            Some(place) => Some(scene.lines().describe(place)),
            None => scene.written_at(self.resource),
        }
    }
}
