//! What the person looks at, and what keys do to it.

use std::sync::Arc;

use uphold::model::ResourceId;
use uphold_status::Happening;

use crate::cursor::Cursor;
use crate::filter::Filter;
use crate::terminal::Key;

/// One of the lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pane {
    /// What is not as it should be.
    Troubles,
    /// What happened.
    #[default]
    Log,
    /// Everything that is held.
    Resources,
}

/// What lies over the lists.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Sheet {
    /// What the keys do.
    Help,
    /// All about this.
    Details(Subject),
}

/// What a line of a list is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Subject {
    /// A resource.
    Resource(ResourceId),
    /// Something that happened.
    Happening(Arc<Happening>),
}

/// What a key asks of the watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// To end it.
    End,
    /// To read the configuration again.
    Reload,
    /// To look at everything now.
    Recheck,
    /// To stop this process, until the shell lets it go on.
    Pause,
}

/// What the person looks at.
#[derive(Debug, Default)]
pub(crate) struct Scene {
    /// The list that the keys are about.
    pub(crate) pane: Pane,
    /// The place among the troubles.
    pub(crate) troubles: Cursor,
    /// The place in the log.
    pub(crate) log: Cursor,
    /// The place among all resources.
    pub(crate) resources: Cursor,
    /// The place on the sheet.
    pub(crate) lines: Cursor,
    /// What lies over the lists.
    pub(crate) sheet: Option<Sheet>,
    /// What is shown of the lists.
    pub(crate) filter: Filter,
    /// What was selected when it was drawn.
    pub(crate) subject: Option<Subject>,
    /// What was selected in the log then, and its place.
    pub(crate) anchor: Option<(usize, Arc<Happening>)>,
    /// An answer to the last key.
    pub(crate) notice: Option<&'static str>,
}

impl Scene {
    /// Takes a key in, and says what it asks of the watch.
    pub(crate) fn press(&mut self, key: &Key) -> Option<Wish> {
        self.notice = None;
        match key {
            Key::Control('c') => return Some(Wish::End),
            Key::Control('z') => return Some(Wish::Pause),
            _ if self.filter.is_typed => self.type_filter(key),
            _ if self.moves(key) => {}
            Key::Char(letter) => return self.letter(*letter),
            Key::Tab => self.turn([Pane::Log, Pane::Resources, Pane::Troubles]),
            Key::BackTab => self.turn([Pane::Resources, Pane::Troubles, Pane::Log]),
            Key::Enter => self.open(),
            Key::Escape | Key::Backspace => self.close(),
            _ => {}
        }
        None
    }

    fn letter(&mut self, letter: char) -> Option<Wish> {
        match letter {
            'q' => return Some(Wish::End),
            'r' => {
                self.notice = Some("the configuration is read again");
                return Some(Wish::Reload);
            }
            'c' => {
                self.notice = Some("everything is looked at now");
                return Some(Wish::Recheck);
            }
            '/' => {
                self.sheet = None;
                self.filter.is_typed = true;
            }
            '?' | 'h' => self.show(Sheet::Help),
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

    /// Whether the key moves within the list or sheet, which is done then.
    fn moves(&mut self, key: &Key) -> bool {
        let cursor = match (&self.sheet, self.pane) {
            (Some(_), _) => &mut self.lines,
            (None, Pane::Troubles) => &mut self.troubles,
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

    /// To what follows troubles, log and resources.
    fn turn(&mut self, next: [Pane; 3]) {
        self.sheet = None;
        self.pane = match self.pane {
            Pane::Troubles => next[0],
            Pane::Log => next[1],
            Pane::Resources => next[2],
        };
    }

    fn open(&mut self) {
        match (&self.sheet, &self.subject) {
            (Some(_), _) => self.close(),
            (None, Some(subject)) => self.show(Sheet::Details(subject.clone())),
            (None, None) => {}
        }
    }

    fn show(&mut self, sheet: Sheet) {
        self.lines = Cursor::default();
        self.sheet = Some(sheet);
    }

    /// What lies on top goes first, then the filter.
    fn close(&mut self) {
        if self.sheet.take().is_none() {
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

    fn pressed(text: &str) -> (Scene, Vec<Wish>) {
        let mut scene =
            Scene { subject: Some(Subject::Resource(ResourceId::new("task", "a"))), ..Scene::default() };
        for cursor in [&mut scene.troubles, &mut scene.log, &mut scene.resources, &mut scene.lines] {
            cursor.fit(100, 10);
        }
        let wishes = keys(text).iter().filter_map(|key| scene.press(key)).collect();
        (scene, wishes)
    }

    #[test]
    fn some_keys_are_wishes() {
        let check = |text: &str, expected: &[Wish]| assert_eq!(pressed(text).1, expected, "{text}");
        check("q", &[Wish::End]);
        check("^", &[Wish::End]);
        check("rc", &[Wish::Reload, Wish::Recheck]);
        check("jkgG\t\n", &[]);
        check("/qrc", &[]);
        check("/q^", &[Wish::End]);
        check("/a\nq", &[Wish::End]);
        check("?q", &[Wish::End]);
        let pasted = Key::Pasted("q".to_owned());
        assert_eq!(pressed("").0.press(&pasted), None, "what is pasted is no key");
    }

    #[test]
    fn keys_move_in_what_lies_on_top() {
        let check = |text: &str, expected: [usize; 4]| {
            let scene = pressed(text).0;
            let selected =
                [scene.troubles, scene.log, scene.resources, scene.lines].map(|cursor| cursor.selected);
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
    fn tab_goes_round_and_back() {
        let mut scene = Scene::default();
        let mut went = |key: Key| {
            scene.press(&key);
            scene.pane
        };
        assert_eq!(
            [went(Key::Tab), went(Key::Tab), went(Key::Tab)],
            [Pane::Resources, Pane::Troubles, Pane::Log]
        );
        let back = [went(Key::BackTab), went(Key::BackTab), went(Key::BackTab)];
        assert_eq!(back, [Pane::Troubles, Pane::Resources, Pane::Log]);
    }

    #[test]
    fn sheets_open_and_close() {
        let sheet = |text: &str| pressed(text).0.sheet;
        let details = Sheet::Details(Subject::Resource(ResourceId::new("task", "a")));
        assert_eq!(sheet("\n"), Some(details));
        assert_eq!(sheet("\n\n"), None);
        assert_eq!(sheet("\n<"), None);
        assert_eq!(sheet("?"), Some(Sheet::Help));
        assert_eq!(sheet("?\t"), None);
        assert_eq!(sheet("?/"), None);
    }

    #[test]
    fn a_filter_is_typed_kept_and_dropped() {
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
