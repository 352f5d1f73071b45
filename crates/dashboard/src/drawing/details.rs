//! All about one thing.

use ratatui_core::style::Style;
use uphold::model::Action;
use uphold_status::{Happening, ResourceStatus, State, Why};

use super::picture::Picture;
use super::row::Row;
use crate::number::{grouped, span, whole};
use crate::safe_text::wrap;
use crate::scene::Subject;
use crate::theme::{FAINT, Mood};
use crate::words::{change, happening, next, status};

/// Where values begin.
const LABEL: usize = 13;

/// A message may be long; more than this is not read here.
const MOST_LINES: usize = 100;

/// What it is about.
pub(super) fn title(subject: &Subject) -> String {
    match subject {
        Subject::Resource(resource) => resource.to_string(),
        Subject::Happening(what) => match &what.resource {
            Some(resource) => resource.to_string(),
            None => "what happened".to_owned(),
        },
    }
}

/// The lines.
pub(super) fn rows(picture: &Picture<'_>, subject: &Subject, wide: usize) -> Vec<Row> {
    let mut sheet = Sheet { picture, wide, rows: Vec::new() };
    let resource = match subject {
        Subject::Resource(resource) => Some(resource),
        Subject::Happening(what) => {
            sheet.happening(what);
            what.resource.as_ref()
        }
    };
    let Some(resource) = resource else {
        return sheet.rows;
    };
    let known = picture.view.details(resource);
    if known.is_empty() {
        sheet.line("now", "it is not held any more", Mood::Plain);
    }
    for status in &known {
        sheet.action(status);
    }
    sheet.rows
}

struct Sheet<'a> {
    picture: &'a Picture<'a>,
    wide: usize,
    rows: Vec<Row>,
}

impl Sheet<'_> {
    fn happening(&mut self, what: &Happening) {
        let told = happening(what);
        self.line(&self.picture.time(what.at), &format!("{} {}", told.word, told.text), told.mood);
        if let Some(took) = what.took {
            self.line("", &format!("took {}", span(took)), Mood::Plain);
        }
        self.rows.push(Row::new());
    }

    fn action(&mut self, known: &ResourceStatus) {
        if known.action != Action::Converge {
            self.line("action", known.action.word(), Mood::Plain);
        }
        self.state(known);
        self.due(known);
        self.last(known);
        self.counts(known);
        self.rows.push(Row::new());
    }

    fn state(&mut self, known: &ResourceStatus) {
        let picture = self.picture;
        let told = status(known);
        let age = whole(picture.now.duration_since(known.since).unwrap_or_default());
        let since = format!("{} since {} ({age})", told.word, picture.time(known.since));
        self.line("state", &since, told.mood);
        if !told.text.is_empty() {
            self.line("", &told.text, Mood::Plain);
        }
        if let State::Failed(trouble) | State::Ignored(trouble) = &known.state {
            self.line("kind", &trouble.kind, Mood::Plain);
            if let Some(hint) = &trouble.hint {
                self.line("hint", hint, Mood::News);
            }
        }
    }

    fn due(&mut self, known: &ResourceStatus) {
        let picture = self.picture;
        if let Some(since) = known.busy {
            let span = picture.now.duration_since(since).unwrap_or_default();
            self.line("busy", &format!("for {}", whole(span)), Mood::Plain);
        }
        if let Some(next) = next(known, picture.now) {
            let reason = known.next.as_ref().map(|next| format!(": {}", next.reason)).unwrap_or_default();
            self.line("due", &format!("{next}{reason}"), Mood::Plain);
        }
    }

    fn last(&mut self, known: &ResourceStatus) {
        let picture = self.picture;
        match &known.last_change {
            None => self.line("last change", "none", Mood::Plain),
            Some(last) => {
                let what = change(last.kind, &last.properties);
                self.line("last change", &format!("{}, {what}", picture.time(last.at)), Mood::Plain);
                self.because(&last.why);
            }
        }
        if let Some(visit) = &known.last_visit {
            let text = format!("{}, took {}", picture.time(visit.at), span(visit.took));
            self.line("last visit", &text, Mood::Plain);
            self.because(&visit.why);
        }
    }

    fn counts(&mut self, known: &ResourceStatus) {
        let [drifted, repaired, changes, visits] =
            [known.drifted, known.repaired, known.changes, known.visits].map(grouped);
        let text = format!("drifted {drifted}, repaired {repaired}, changes {changes}, visits {visits}");
        self.line("so far", &text, Mood::Plain);
        if known.failures > 0 {
            self.line("failures", &format!("{} in a row", grouped(known.failures)), Mood::Bad);
        }
    }

    fn because(&mut self, why: &Why) {
        self.line("", &format!("because {}", why.text), Mood::Plain);
    }

    /// A label and a text, on as many lines as it takes.
    fn line(&mut self, label: &str, text: &str, mood: Mood) {
        let (theme, room) = (self.picture.theme, self.wide.saturating_sub(LABEL + 2));
        let mut label = label;
        for part in wrap(text, room, MOST_LINES) {
            let row = Row::new().text(" ", Style::new()).column(label, LABEL, FAINT);
            self.rows.push(row.text(&part, theme.mood(mood)));
            label = "";
        }
    }
}
