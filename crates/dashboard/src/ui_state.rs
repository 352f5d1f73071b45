//! The state of the user interface, and how keys change it.

use std::sync::Arc;

use uphold::model::ResourceId;
use uphold_status::RecentEvent;

use crate::cursor::Cursor;
use crate::filter::Filter;
use crate::terminal::Key;

/// A list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pane {
    /// Resources that need attention.
    Problems,
    /// Events.
    #[default]
    Log,
    /// All resources.
    Resources,
}

/// A page that covers the lists.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Overlay {
    /// The keys and their effects.
    Help,
    /// Details of a resource or an event.
    Details(Subject),
}

/// The subject of a line of a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Subject {
    /// A resource.
    Resource(ResourceId),
    /// An event.
    RecentEvent(Arc<RecentEvent>),
}

/// A request to the watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// End it.
    End,
    /// Reload the configuration.
    Reload,
    /// Check everything now.
    Recheck,
    /// Suspend this process until the shell resumes it.
    Pause,
}

/// The state of the user interface.
#[derive(Debug, Default)]
pub(crate) struct UiState {
    /// The list that has the focus.
    pub(crate) pane: Pane,
    /// The selection among the problems.
    pub(crate) problems: Cursor,
    /// The selection in the log.
    pub(crate) log: Cursor,
    /// The selection among all resources.
    pub(crate) resources: Cursor,
    /// The scroll position of the overlay.
    pub(crate) lines: Cursor,
    /// The page that covers the lists.
    pub(crate) overlay: Option<Overlay>,
    /// The filter of the lists.
    pub(crate) filter: Filter,
    /// The selected subject when the screen was last drawn.
    pub(crate) subject: Option<Subject>,
    /// The selected event of the log at that time, and its index.
    pub(crate) anchor: Option<(usize, Arc<RecentEvent>)>,
    /// The response to the last key.
    pub(crate) response: Option<&'static str>,
}

impl UiState {
    /// Handles a key, and returns its request to the watch, if any.
    pub(crate) fn press(&mut self, key: &Key) -> Option<Request> {
        self.response = None;
        match key {
            Key::Control('c') => return Some(Request::End),
            Key::Control('z') => return Some(Request::Pause),
            _ if self.filter.is_typed => self.type_filter(key),
            _ if self.moves(key) => {}
            Key::Char(letter) => return self.letter(*letter),
            Key::Tab => self.turn([Pane::Log, Pane::Resources, Pane::Problems]),
            Key::BackTab => self.turn([Pane::Resources, Pane::Problems, Pane::Log]),
            Key::Enter => self.open(),
            Key::Escape | Key::Backspace => self.close(),
            _ => {}
        }
        None
    }

    fn letter(&mut self, letter: char) -> Option<Request> {
        match letter {
            'q' => return Some(Request::End),
            'r' => {
                self.response = Some("reloading the configuration");
                return Some(Request::Reload);
            }
            'c' => {
                self.response = Some("checking everything");
                return Some(Request::Recheck);
            }
            '/' => {
                self.overlay = None;
                self.filter.is_typed = true;
            }
            '?' | 'h' => self.show(Overlay::Help),
            _ => {}
        }
        None
    }

    fn type_filter(&mut self, key: &Key) {
        match key {
            Key::Char(character) => self.filter.push(character.encode_utf8(&mut [0; 4])),
            Key::Pasted(text) => self.filter.push(text),
            Key::Backspace => _ = self.filter.text.pop(),
            Key::Control('u') => self.filter.text.clear(),
            Key::Escape => self.filter = Filter::default(),
            Key::Enter | Key::Tab => self.filter.is_typed = false,
            other => _ = self.moves(other),
        }
    }

    /// Moves within the list or overlay; false if the key does not move.
    fn moves(&mut self, key: &Key) -> bool {
        let cursor = match (&self.overlay, self.pane) {
            (Some(_), _) => &mut self.lines,
            (None, Pane::Problems) => &mut self.problems,
            (None, Pane::Log) => &mut self.log,
            (None, Pane::Resources) => &mut self.resources,
        };
        match key {
            Key::Up | Key::Char('k') => cursor.up(1),
            Key::Down | Key::Char('j') => cursor.down(1),
            Key::PageUp | Key::Control('b') => cursor.up(cursor.page()),
            Key::PageDown | Key::Control('f') | Key::Char(' ') => cursor.down(cursor.page()),
            Key::Home | Key::Char('g') => cursor.first(),
            Key::End | Key::Char('G') => cursor.last(),
            _ => return false,
        }
        true
    }

    /// Moves the focus: `next` are the successors of problems, log and resources.
    fn turn(&mut self, next: [Pane; 3]) {
        self.overlay = None;
        self.pane = match self.pane {
            Pane::Problems => next[0],
            Pane::Log => next[1],
            Pane::Resources => next[2],
        };
    }

    fn open(&mut self) {
        match (&self.overlay, &self.subject) {
            (Some(_), _) => self.close(),
            (None, Some(subject)) => self.show(Overlay::Details(subject.clone())),
            (None, None) => {}
        }
    }

    fn show(&mut self, overlay: Overlay) {
        self.lines = Cursor::default();
        self.overlay = Some(overlay);
    }

    /// Closes the overlay if there is one, else clears the filter.
    fn close(&mut self) {
        if self.overlay.take().is_none() {
            self.filter = Filter::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<Key> {
        let key = |character| match character {
            '\t' => Key::Tab,
            '\n' => Key::Enter,
            '<' => Key::Escape,
            '↑' => Key::Up,
            '↓' => Key::Down,
            '^' => Key::Control('c'),
            other => Key::Char(other),
        };
        text.chars().map(key).collect()
    }

    fn pressed(text: &str) -> (UiState, Vec<Request>) {
        let mut ui =
            UiState { subject: Some(Subject::Resource(ResourceId::new("task", "a"))), ..UiState::default() };
        for cursor in [&mut ui.problems, &mut ui.log, &mut ui.resources, &mut ui.lines] {
            cursor.fit(100, 10);
        }
        let requests = keys(text).iter().filter_map(|key| ui.press(key)).collect();
        (ui, requests)
    }

    #[test]
    fn some_keys_are_requests() {
        let check = |text: &str, expected: &[Request]| assert_eq!(pressed(text).1, expected, "{text}");
        check("q", &[Request::End]);
        check("^", &[Request::End]);
        check("rc", &[Request::Reload, Request::Recheck]);
        check("jkgG\t\n", &[]);
        check("/qrc", &[]);
        check("/q^", &[Request::End]);
        check("/a\nq", &[Request::End]);
        check("?q", &[Request::End]);
        let pasted = Key::Pasted("q".to_owned());
        assert_eq!(pressed("").0.press(&pasted), None, "pasted text is not a key");
    }

    #[test]
    fn keys_move_in_the_overlay_or_the_list() {
        let check = |text: &str, expected: [usize; 4]| {
            let ui = pressed(text).0;
            let selected = [ui.problems, ui.log, ui.resources, ui.lines].map(|cursor| cursor.selected);
            assert_eq!(selected, expected, "{text}");
        };
        check("jj↓k", [0, 2, 0, 0]);
        check("G", [0, 99, 0, 0]);
        check("Gg", [0, 0, 0, 0]);
        check(" ", [0, 9, 0, 0]);
        check("\tj", [0, 0, 1, 0]);
        check("\t\tj", [1, 0, 0, 0]);
        check("\t\t\tj", [0, 1, 0, 0]);
        check("/a↓", [0, 1, 0, 0]);
    }

    #[test]
    fn tab_cycles_through_the_lists() {
        let mut ui = UiState::default();
        let mut went = |key: Key| {
            ui.press(&key);
            ui.pane
        };
        assert_eq!(
            [went(Key::Tab), went(Key::Tab), went(Key::Tab)],
            [Pane::Resources, Pane::Problems, Pane::Log]
        );
        let back = [went(Key::BackTab), went(Key::BackTab), went(Key::BackTab)];
        assert_eq!(back, [Pane::Problems, Pane::Resources, Pane::Log]);
    }

    #[test]
    fn overlays_open_and_close() {
        let overlay = |text: &str| pressed(text).0.overlay;
        let details = Overlay::Details(Subject::Resource(ResourceId::new("task", "a")));
        assert_eq!(overlay("\n"), Some(details));
        assert_eq!(overlay("\n\n"), None);
        assert_eq!(overlay("\n<"), None);
        assert_eq!(overlay("?"), Some(Overlay::Help));
        assert_eq!(overlay("?\t"), None);
        assert_eq!(overlay("?/"), None);
    }

    #[test]
    fn a_filter_can_be_typed_kept_and_cleared() {
        let check = |text: &str, expected: &str, is_typed: bool| {
            assert_eq!(pressed(text).0.filter, Filter { text: expected.to_owned(), is_typed }, "{text}");
        };
        check("/motd", "motd", true);
        check("/motd\n", "motd", false);
        check("/motd\n/x", "motdx", true);
        check("/motd<", "", false);
        check("/motd\n<", "", false);
        check("/motd\n?<", "motd", false);
    }
}
