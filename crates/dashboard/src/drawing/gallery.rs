//! Pictures that are kept: each is what a person sees, in `screens/`.
//!
//! With `UPHOLD_BLESS=1` they are written anew: read the difference before you keep it.

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
use crate::scene::Scene;
use crate::terminal::Keyboard;
use crate::theme::Theme;
use crate::view::View;

/// A screen with somebody before it.
struct Sitting {
    terminal: Terminal<TestBackend>,
    scene: Scene,
    colour: bool,
    ending: Ending,
}

impl Sitting {
    fn new(wide: u16, high: u16) -> Self {
        let terminal = Terminal::new(TestBackend::new(wide, high)).expect("it cannot fail");
        Self { terminal, scene: Scene::default(), colour: true, ending: Ending::None }
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
        let scene = &mut self.scene;
        let drawn = self.terminal.draw(|frame| {
            if let Some(cursor) = draw(&picture, scene, frame.buffer_mut()) {
                frame.set_cursor_position(cursor);
            }
        });
        drawn.expect("it cannot fail");
        self
    }

    /// Types this, with a picture after each key.
    fn press(&mut self, typed: &str, view: &dyn View) -> &mut Self {
        for key in Keyboard::default().feed(typed.as_bytes()) {
            self.scene.press(&key);
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

#[expect(clippy::disallowed_methods, reason = "the pictures are real files")]
fn check(name: &str, sitting: &Sitting) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("screens").join(format!("{name}.txt"));
    let seen = sitting.lines().join("\n") + "\n";
    if std::env::var_os("UPHOLD_BLESS").is_some() {
        std::fs::write(&path, &seen).expect("the picture can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == seen, "{} is\n{kept}\nand was drawn as\n{seen}", path.display());
}

#[test]
fn what_a_person_sees() {
    let (lively, refused, converging) = (sample::lively(), sample::refused(), sample::converging());
    let none = sample::quiet(Vec::new());
    check("lively", Sitting::new(80, 24).draw(&lively));
    check("wide", Sitting::new(140, 30).draw(&lively));
    check("narrow", Sitting::new(40, 10).draw(&lively));
    check("refused", Sitting::new(80, 24).draw(&refused));
    check("converging", Sitting::new(80, 24).draw(&converging));
    check("converging_narrow", Sitting::new(40, 10).draw(&converging));
    check("empty", Sitting::new(80, 24).draw(&none));
    check("troubles", Sitting::new(80, 24).draw(&lively).press("\t\t", &lively));
    check("resources", Sitting::new(80, 24).draw(&lively).press("\t", &lively));
    check("filtered", Sitting::new(80, 24).draw(&lively).press("/motd", &lively));
    check("details", Sitting::new(80, 24).draw(&lively).press("\tjj\r", &lively));
    check("details_of_happening", Sitting::new(80, 24).draw(&lively).press("j\r", &lively));
    check("details_narrow", Sitting::new(40, 10).draw(&lively).press("\tjj\rjj", &lively));
    check("help", Sitting::new(80, 24).draw(&lively).press("?", &lively));
    check("answer", Sitting::new(80, 24).draw(&lively).press("r", &lively));
}

#[test]
fn the_end_is_announced() {
    let lively = sample::lively();
    for (ending, expected) in [(Ending::Kindly, "q again kills"), (Ending::Urgently, "q again leaves")] {
        let mut sitting = Sitting { ending, ..Sitting::new(80, 24) };
        let first = sitting.draw(&lively).lines().remove(0);
        assert!(first.contains(expected), "{first}");
    }
}

#[test]
fn every_size_is_drawn() {
    let (lively, keys) = (sample::refused(), ["", "\t", "\t\t", "?", "\r", "/東"]);
    let wides = [0, 1, 2, 5, 9, 20, 40, 80];
    for (wide, high) in wides.into_iter().flat_map(|wide| (0..=14).map(move |high| (wide, high))) {
        for typed in keys {
            let mut sitting = Sitting::new(wide, high);
            sitting.draw(&lively).press(typed, &lively);
            assert_eq!(sitting.lines().len(), usize::from(high));
        }
    }
}

#[test]
fn a_terminal_may_change_its_size_at_any_time() {
    let lively = sample::lively();
    let mut sitting = Sitting::new(80, 24);
    sitting.draw(&lively).press("GG", &lively);
    for (wide, high) in [(40, 10), (200, 60), (1, 1), (80, 24)] {
        sitting.terminal.backend_mut().resize(wide, high);
        sitting.draw(&lively);
    }
    let mut fresh = Sitting::new(80, 24);
    fresh.draw(&lively).press("GG", &lively);
    assert_eq!(sitting.lines(), fresh.lines());
}

const HOSTILE: &str = "\u{1b}]0;evil\u{7}\u{1b}[2J\u{9b}31m\r\n\u{202e}东\u{301}👩‍👩‍👧\t\u{0}x";

/// A watch in which every text is hostile.
fn hostile() -> Snapshot {
    let id = || ResourceId::new(HOSTILE, HOSTILE).in_module(Some(HOSTILE.into()));
    let mut watch = sample::quiet(vec![
        sample::failed(id(), HOSTILE),
        sample::repaired(id()),
        sample::resource(id(), State::LeftAlone(HOSTILE.into())),
        sample::resource(id(), State::Blocked(id())),
    ]);
    watch.overview.happenings = vec![sample::repair(3, id())];
    watch.overview.refused = sample::refused().overview.refused;
    if let Some(refusal) = &mut watch.overview.refused {
        refusal.message = HOSTILE.to_owned();
    }
    watch
}

#[test]
fn names_and_messages_cannot_command_the_terminal() {
    let hostile = hostile();
    for typed in ["", "\t", "\t\t", "\r", "\t\r", "/\u{1b}[200~\u{202e}\u{7}x\u{1b}[201~"] {
        let mut sitting = Sitting::new(80, 24);
        sitting.draw(&hostile).press(typed, &hostile);
        let text = sitting.lines().concat();
        assert!(!text.chars().any(crate::safe_text::is_command), "{typed:?}: {text:?}");
        assert!(
            typed.starts_with('/') || text.contains("u{1b}") || text.contains("…"),
            "it is shown: {text}"
        );
    }
}

#[test]
fn without_colour_there_is_none() {
    let lively = sample::lively();
    let colours = |colour: bool| {
        let mut sitting = Sitting { colour, ..Sitting::new(80, 24) };
        sitting.draw(&lively);
        sitting
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
fn what_is_selected_is_seen_without_colour() {
    let lively = sample::lively();
    let mut sitting = Sitting { colour: false, ..Sitting::new(80, 24) };
    sitting.draw(&lively);
    let reversed = |cell: &&ratatui_core::buffer::Cell| cell.modifier.contains(Modifier::REVERSED);
    assert_eq!(sitting.buffer().content().iter().filter(reversed).count(), 80, "one line");
}

#[test]
fn who_reads_the_log_is_not_moved_by_what_happens() {
    let mut watch = sample::quiet(Vec::new());
    watch.overview.happenings = (0..50).map(|n| sample::repair(n, file(&format!("/{n}")))).collect();
    let mut sitting = Sitting::new(80, 24);
    sitting.draw(&watch).press("jjj", &watch);
    let selected = |sitting: &Sitting| sitting.scene.subject.clone();
    let before = selected(&sitting);
    watch.overview.happenings.push(sample::repair(60, file("/new")));
    assert_eq!(selected(sitting.draw(&watch)), before);
    let third = sitting.lines().into_iter().find(|line| line.contains("/46"));
    assert!(third.is_some(), "it is still in sight");
    sitting.press("g", &watch);
    watch.overview.happenings.push(sample::repair(61, file("/newer")));
    sitting.draw(&watch);
    assert!(sitting.lines().concat().contains("/newer"), "who is at the top sees the newest");
}

/// Counts what is asked for.
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
fn of_ten_thousand_resources_only_those_in_sight_are_asked_for() {
    let many = (0..10_000).map(|n| sample::resource(file(&format!("/srv/{n}")), State::Held)).collect();
    let view = Arc::new(Counted { inner: sample::quiet(many), resources: 0.into() });
    let mut sitting = Sitting::new(80, 24);
    let asked = || view.resources.swap(0, std::sync::atomic::Ordering::Relaxed);
    sitting.draw(&*view);
    assert_eq!(asked(), 0, "the log needs none");
    sitting.press("\t", &*view);
    assert_eq!(asked(), 19);
    sitting.press("G", &*view);
    assert_eq!(asked(), 19);
    let last = sitting.lines();
    assert!(last[3].contains("9,982 to 10,000 of 10,000"), "{}", last[3]);
    assert!(last[22].contains("/srv/9999"), "{}", last[22]);
}
