//! Details of a resource or an event.

use ratatui_core::style::Style;
use uphold::model::Action;
use uphold_status::{RecentEvent, ResourceStatus, State, Why};

use super::picture::Picture;
use super::row::Row;
use crate::number::{grouped, span, whole};
use crate::safe_text::wrap;
use crate::summary::{change, happening, next, status};
use crate::theme::{FAINT, Tone};
use crate::ui_state::Subject;

/// The column of the values.
const LABEL: usize = 13;

/// Most lines of a message.
const MOST_LINES: usize = 100;

/// The title of the page.
pub(super) fn title(subject: &Subject) -> String {
    match subject {
        Subject::Resource(resource) => resource.to_string(),
        Subject::RecentEvent(what) => match &what.resource {
            Some(resource) => resource.to_string(),
            None => "event".to_owned(),
        },
    }
}

/// The lines of the page.
pub(super) fn rows(picture: &Picture<'_>, subject: &Subject, wide: usize) -> Vec<Row> {
    let mut details = Details { picture, wide, rows: Vec::new() };
    let resource = match subject {
        Subject::Resource(resource) => Some(resource),
        Subject::RecentEvent(what) => {
            details.happening(what);
            what.resource.as_ref()
        }
    };
    let Some(resource) = resource else {
        return details.rows;
    };
    let known = picture.view.details(resource);
    if known.is_empty() {
        details.line("now", "no longer declared", Tone::Plain);
    }
    for status in &known {
        details.action(status);
    }
    details.rows
}

struct Details<'a> {
    picture: &'a Picture<'a>,
    wide: usize,
    rows: Vec<Row>,
}

impl Details<'_> {
    fn happening(&mut self, what: &RecentEvent) {
        let summary = happening(what);
        self.line(&self.picture.time(what.at), &format!("{} {}", summary.word, summary.text), summary.tone);
        if let Some(took) = what.duration {
            self.line("", &format!("took {}", span(took)), Tone::Plain);
        }
        self.rows.push(Row::new());
    }

    fn action(&mut self, known: &ResourceStatus) {
        if known.action != Action::Converge {
            self.line("action", known.action.word(), Tone::Plain);
        }
        self.state(known);
        self.due(known);
        self.last(known);
        self.counts(known);
        self.rows.push(Row::new());
    }

    fn state(&mut self, known: &ResourceStatus) {
        let picture = self.picture;
        let summary = status(known);
        let age = whole(picture.now.duration_since(known.since).unwrap_or_default());
        let since = format!("{} since {} ({age})", summary.word, picture.time(known.since));
        self.line("state", &since, summary.tone);
        if !summary.text.is_empty() {
            self.line("", &summary.text, Tone::Plain);
        }
        if let State::Failed(trouble) | State::Ignored(trouble) = &known.state {
            self.line("kind", &trouble.kind, Tone::Plain);
            if let Some(hint) = &trouble.hint {
                self.line("hint", hint, Tone::Info);
            }
        }
    }

    fn due(&mut self, known: &ResourceStatus) {
        let picture = self.picture;
        if let Some(since) = known.busy_since {
            let span = picture.now.duration_since(since).unwrap_or_default();
            self.line("busy", &format!("for {}", whole(span)), Tone::Plain);
        }
        if let Some(next) = next(known, picture.now) {
            let reason =
                known.next_attempt.as_ref().map(|next| format!(": {}", next.reason)).unwrap_or_default();
            self.line("due", &format!("{next}{reason}"), Tone::Plain);
        }
    }

    fn last(&mut self, known: &ResourceStatus) {
        let picture = self.picture;
        match &known.last_change {
            None => self.line("last change", "none", Tone::Plain),
            Some(last) => {
                let what = change(last.change, &last.properties);
                self.line("last change", &format!("{}, {what}", picture.time(last.at)), Tone::Plain);
                self.because(&last.cause);
            }
        }
        if let Some(visit) = &known.last_visit {
            let text = format!("{}, took {}", picture.time(visit.at), span(visit.duration));
            self.line("last visit", &text, Tone::Plain);
            self.because(&visit.cause);
        }
    }

    fn counts(&mut self, known: &ResourceStatus) {
        let [drifted, repaired, changes, visits] =
            [known.drifted, known.repaired, known.changes, known.visits].map(grouped);
        let text = format!("drifted {drifted}, repaired {repaired}, changes {changes}, visits {visits}");
        self.line("counts", &text, Tone::Plain);
        if known.failures > 0 {
            self.line("failures", &format!("{} in a row", grouped(known.failures)), Tone::Bad);
        }
    }

    fn because(&mut self, why: &Why) {
        self.line("", &format!("because {}", why.message), Tone::Plain);
    }

    /// Adds a label and a text, wrapped to as many lines as needed.
    fn line(&mut self, label: &str, text: &str, tone: Tone) {
        let (theme, room) = (self.picture.theme, self.wide.saturating_sub(LABEL + 2));
        let mut label = label;
        for part in wrap(text, room, MOST_LINES) {
            let row = Row::new().text(" ", Style::new()).column(label, LABEL, FAINT);
            self.rows.push(row.text(&part, theme.tone(tone)));
            label = "";
        }
    }
}
