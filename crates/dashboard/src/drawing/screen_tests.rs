//! Compares screens with the expected ones in `screens/`.
//!
//! `UPHOLD_BLESS=1` writes them again: read the difference before you commit it.

use std::sync::Arc;

use ratatui_core::backend::TestBackend;
use ratatui_core::buffer::Buffer;
use ratatui_core::style::{Color, Modifier};
use ratatui_core::terminal::Terminal;
use uphold::model::ResourceId;
use uphold_status::{Snapshot, State};

use super::picture::{Ending, Picture, draw};
use crate::local_time::LocalTime;
use crate::sample::{self, file, now};
use crate::terminal::Keyboard;
use crate::theme::Theme;
use crate::ui_state::UiState;
use crate::view::View;

/// A screen whose user types keys.
struct TestScreen {
    terminal: Terminal<TestBackend>,
    ui: UiState,
    colour: bool,
    ending: Ending,
}

impl TestScreen {
    fn new(wide: u16, high: u16) -> Self {
        let terminal = Terminal::new(TestBackend::new(wide, high)).expect("it cannot fail");
        Self { terminal, ui: UiState::default(), colour: true, ending: Ending::None }
    }

    fn draw(&mut self, view: &dyn View) -> &mut Self {
        let times = LocalTime::utc();
        let picture = Picture {
            view,
            overview: Picture::overview(view),
            now: now(),
            times: &times,
            theme: Theme::new(self.colour),
            machine: "web-1",
            configuration: "site.hcl",
            ending: self.ending,
        };
        let ui = &mut self.ui;
        let drawn = self.terminal.draw(|frame| {
            if let Some(cursor) = draw(&picture, ui, frame.buffer_mut()) {
                frame.set_cursor_position(cursor);
            }
        });
        drawn.expect("it cannot fail");
        self
    }

    /// Types keys, and draws after each.
    fn press(&mut self, typed: &str, view: &dyn View) -> &mut Self {
        for key in Keyboard::default().feed(typed.as_bytes()) {
            self.ui.press(&key);
            self.draw(view);
        }
        self
    }

    fn buffer(&self) -> &Buffer {
        self.terminal.backend().buffer()
    }

    fn lines(&self) -> Vec<String> {
        let buffer = self.buffer();
        let line = |y| {
            let mut x = 0;
            let mut text = String::new();
            while let Some(cell) = buffer.cell((x, y)) {
                text += cell.symbol();
                x += u16::try_from(crate::safe_text::width(cell.symbol()).max(1)).expect("a cell is narrow");
            }
            text.trim_end().to_owned()
        };
        (0..buffer.area.height).map(line).collect()
    }
}

#[expect(clippy::disallowed_methods, reason = "the expected screens are files")]
fn check(name: &str, screen: &TestScreen) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("screens").join(format!("{name}.txt"));
    let seen = screen.lines().join("\n") + "\n";
    if std::env::var_os("UPHOLD_BLESS").is_some() {
        std::fs::write(&path, &seen).expect("the screen can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == seen, "{} is\n{kept}\nand was drawn as\n{seen}", path.display());
}

#[test]
fn screens_are_as_expected() {
    let (lively, refused, converging) = (sample::lively(), sample::refused(), sample::converging());
    let none = sample::quiet(Vec::new());
    check("lively", TestScreen::new(80, 24).draw(&lively));
    check("wide", TestScreen::new(140, 30).draw(&lively));
    check("narrow", TestScreen::new(40, 10).draw(&lively));
    check("refused", TestScreen::new(80, 24).draw(&refused));
    check("converging", TestScreen::new(80, 24).draw(&converging));
    check("converging_narrow", TestScreen::new(40, 10).draw(&converging));
    check("empty", TestScreen::new(80, 24).draw(&none));
    check("problems", TestScreen::new(80, 24).draw(&lively).press("\t\t", &lively));
    check("resources", TestScreen::new(80, 24).draw(&lively).press("\t", &lively));
    check("filtered", TestScreen::new(80, 24).draw(&lively).press("/motd", &lively));
    check("details", TestScreen::new(80, 24).draw(&lively).press("\tjj\r", &lively));
    check("details_of_event", TestScreen::new(80, 24).draw(&lively).press("j\r", &lively));
    check("details_narrow", TestScreen::new(40, 10).draw(&lively).press("\tjj\rjj", &lively));
    check("help", TestScreen::new(80, 24).draw(&lively).press("?", &lively));
    check("response", TestScreen::new(80, 24).draw(&lively).press("r", &lively));
}

#[test]
fn shows_that_the_watch_is_ending() {
    let lively = sample::lively();
    for (ending, expected) in [(Ending::Graceful, "q again kills"), (Ending::Urgent, "q again leaves")] {
        let mut screen = TestScreen { ending, ..TestScreen::new(80, 24) };
        let first = screen.draw(&lively).lines().remove(0);
        assert!(first.contains(expected), "{first}");
    }
}

#[test]
fn draws_every_size() {
    let (lively, keys) = (sample::refused(), ["", "\t", "\t\t", "?", "\r", "/東"]);
    let wides = [0, 1, 2, 5, 9, 20, 40, 80];
    for (wide, high) in wides.into_iter().flat_map(|wide| (0..=14).map(move |high| (wide, high))) {
        for typed in keys {
            let mut screen = TestScreen::new(wide, high);
            screen.draw(&lively).press(typed, &lively);
            assert_eq!(screen.lines().len(), usize::from(high));
        }
    }
}

#[test]
fn a_terminal_can_be_resized_at_any_time() {
    let lively = sample::lively();
    let mut screen = TestScreen::new(80, 24);
    screen.draw(&lively).press("GG", &lively);
    for (wide, high) in [(40, 10), (200, 60), (1, 1), (80, 24)] {
        screen.terminal.backend_mut().resize(wide, high);
        screen.draw(&lively);
    }
    let mut fresh = TestScreen::new(80, 24);
    fresh.draw(&lively).press("GG", &lively);
    assert_eq!(screen.lines(), fresh.lines());
}

const HOSTILE: &str = "\u{1b}]0;evil\u{7}\u{1b}[2J\u{9b}31m\r\n\u{202e}东\u{301}👩‍👩‍👧\t\u{0}x";

/// A watch with hostile names and messages.
fn hostile() -> Snapshot {
    let id = || ResourceId::new(HOSTILE, HOSTILE).in_module(Some(HOSTILE.into()));
    let mut watch = sample::quiet(vec![
        sample::failed(id(), HOSTILE),
        sample::repaired(id()),
        sample::resource(id(), State::LeftAlone(HOSTILE.into())),
        sample::resource(id(), State::Blocked(id())),
    ]);
    watch.overview.events = vec![sample::repair(3, id())];
    watch.overview.reload_error = sample::refused().overview.reload_error;
    if let Some(refusal) = &mut watch.overview.reload_error {
        refusal.message = HOSTILE.to_owned();
    }
    watch
}

#[test]
fn names_and_messages_cannot_control_the_terminal() {
    let hostile = hostile();
    for typed in ["", "\t", "\t\t", "\r", "\t\r", "/\u{1b}[200~\u{202e}\u{7}x\u{1b}[201~"] {
        let mut screen = TestScreen::new(80, 24);
        screen.draw(&hostile).press(typed, &hostile);
        let text = screen.lines().concat();
        assert!(!text.chars().any(crate::safe_text::is_command), "{typed:?}: {text:?}");
        assert!(
            typed.starts_with('/') || text.contains("u{1b}") || text.contains("…"),
            "it is shown: {text}"
        );
    }
}

#[test]
fn colour_can_be_disabled() {
    let lively = sample::lively();
    let colours = |colour: bool| {
        let mut screen = TestScreen { colour, ..TestScreen::new(80, 24) };
        screen.draw(&lively);
        screen
            .buffer()
            .content()
            .iter()
            .filter(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset)
            .count()
    };
    assert_eq!(colours(false), 0);
    assert!(colours(true) > 20);
}

#[test]
fn the_selection_is_visible_without_colour() {
    let lively = sample::lively();
    let mut screen = TestScreen { colour: false, ..TestScreen::new(80, 24) };
    screen.draw(&lively);
    let reversed = |cell: &&ratatui_core::buffer::Cell| cell.modifier.contains(Modifier::REVERSED);
    assert_eq!(screen.buffer().content().iter().filter(reversed).count(), 80, "one line");
}

#[test]
fn new_events_do_not_move_the_selection_in_the_log() {
    let mut watch = sample::quiet(Vec::new());
    watch.overview.events = (0..50).map(|n| sample::repair(n, file(&format!("/{n}")))).collect();
    let mut screen = TestScreen::new(80, 24);
    screen.draw(&watch).press("jjj", &watch);
    let selected = |screen: &TestScreen| screen.ui.subject.clone();
    let before = selected(&screen);
    watch.overview.events.push(sample::repair(60, file("/new")));
    assert_eq!(selected(screen.draw(&watch)), before);
    let third = screen.lines().into_iter().find(|line| line.contains("/46"));
    assert!(third.is_some(), "it is still visible");
    screen.press("g", &watch);
    watch.overview.events.push(sample::repair(61, file("/newer")));
    screen.draw(&watch);
    assert!(screen.lines().concat().contains("/newer"), "at the top, the newest is selected");
}

/// Counts the requested resources.
struct Counted {
    inner: Snapshot,
    resources: std::sync::atomic::AtomicUsize,
}

impl View for Counted {
    fn overview(&self, troubles: usize) -> uphold_status::Overview {
        self.inner.overview(troubles)
    }

    fn page(&self, containing: &str, skip: usize, take: usize) -> uphold_status::Page {
        let page = self.inner.page(containing, skip, take);
        self.resources.fetch_add(page.resources.len(), std::sync::atomic::Ordering::Relaxed);
        page
    }

    fn details(&self, resource: &ResourceId) -> Vec<uphold_status::ResourceStatus> {
        self.inner.details(resource)
    }
}

#[test]
fn requests_only_visible_resources() {
    let many = (0..10_000).map(|n| sample::resource(file(&format!("/srv/{n}")), State::Held)).collect();
    let view = Arc::new(Counted { inner: sample::quiet(many), resources: 0.into() });
    let mut screen = TestScreen::new(80, 24);
    let requested = || view.resources.swap(0, std::sync::atomic::Ordering::Relaxed);
    screen.draw(&*view);
    assert_eq!(requested(), 0, "the log needs none");
    screen.press("\t", &*view);
    assert_eq!(requested(), 19);
    screen.press("G", &*view);
    assert_eq!(requested(), 19);
    let last = screen.lines();
    assert!(last[3].contains("9,982 to 10,000 of 10,000"), "{}", last[3]);
    assert!(last[22].contains("/srv/9999"), "{}", last[22]);
}
