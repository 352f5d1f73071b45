//! The loop of the view: draw, wait, listen.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui_core::terminal::Terminal;
use rustix::process::{Signal, getpid, kill_process};

use crate::drawing::{Ending, Picture, draw};
use crate::local_time::LocalTime;
use crate::pace::Pace;
use crate::scene::{Scene, Wish};
use crate::setting::Setting;
use crate::terminal::{Ansi, Doors, Key, Keyboard, Lifeline, Wakening};
use crate::theme::Theme;

/// A sequence of bytes for one key comes in one piece, or at least within this time.
const KEY_GAP: Duration = Duration::from_millis(30);

/// How long a signal to ourselves may take.
const PAUSE: Duration = Duration::from_millis(200);

/// What the thread of the view owns.
pub(crate) struct Screen {
    setting: Setting,
    doors: Doors,
    lifeline: Lifeline,
    is_over: Arc<AtomicBool>,
    times: LocalTime,
    scene: Scene,
    keyboard: Keyboard,
    pace: Pace,
    has_left: bool,
}

impl Screen {
    /// What shows this, until it is over.
    pub(crate) fn new(setting: Setting, doors: Doors, lifeline: Lifeline, is_over: Arc<AtomicBool>) -> Self {
        Self {
            setting,
            doors,
            lifeline,
            is_over,
            times: LocalTime::of_this_machine(),
            scene: Scene::default(),
            keyboard: Keyboard::default(),
            pace: Pace::default(),
            has_left: false,
        }
    }

    /// Shows it until it is over, the person leaves, or the terminal goes away; that ends the watch, too.
    pub(crate) fn show(mut self) {
        if self.run().is_err() && !self.is_over.load(Ordering::Acquire) {
            self.setting.stop.request();
        }
    }

    fn run(&mut self) -> io::Result<()> {
        let mut terminal = Terminal::new(Ansi::new())?;
        while !self.has_left && !self.is_over.load(Ordering::Acquire) {
            if self.pace.wait(self.elapsed()).is_zero() {
                self.draw(&mut terminal)?;
            }
            let woken = self.doors.wait(self.patience());
            self.take(&woken, &mut terminal)?;
        }
        Ok(())
    }

    fn elapsed(&self) -> Duration {
        self.setting.host.clock.elapsed()
    }

    fn patience(&self) -> Duration {
        let wait = self.pace.wait(self.elapsed());
        if self.keyboard.is_waiting() { wait.min(KEY_GAP) } else { wait }
    }

    fn draw(&mut self, terminal: &mut Terminal<Ansi>) -> io::Result<()> {
        // Before the board is read: what is noted from now on rings again.
        self.doors.reset_bell();
        let setting = &self.setting;
        let picture = Picture {
            view: &*setting.view,
            overview: Picture::overview(&*setting.view),
            now: setting.host.clock.now(),
            times: &self.times,
            theme: Theme::new(setting.colour),
            machine: &setting.machine,
            configuration: &setting.configuration,
            ending: Ending::of(&setting.stop),
        };
        let scene = &mut self.scene;
        terminal.draw(|frame| {
            if let Some(cursor) = draw(&picture, scene, frame.buffer_mut()) {
                frame.set_cursor_position(cursor);
            }
        })?;
        self.pace.drew(self.elapsed());
        Ok(())
    }

    fn take(&mut self, woken: &Wakening, terminal: &mut Terminal<Ansi>) -> io::Result<()> {
        if woken.is_gone {
            return Err(io::Error::other("the terminal is gone"));
        }
        if woken.is_resumed {
            self.enter(terminal)?;
        }
        if woken.is_rung || woken.is_resized {
            self.pace.age();
        }
        let keys = match woken.typed.is_empty() {
            true if self.keyboard.is_waiting() => self.keyboard.settle().into_iter().collect(),
            true => Vec::new(),
            false => self.keyboard.feed(&woken.typed),
        };
        keys.iter().try_for_each(|key| self.press(key, terminal))
    }

    fn press(&mut self, key: &Key, terminal: &mut Terminal<Ansi>) -> io::Result<()> {
        self.pace.age();
        match self.scene.press(key) {
            Some(Wish::End) => self.end(),
            Some(Wish::Reload) => (self.setting.reload)(),
            Some(Wish::Recheck) => (self.setting.recheck)(),
            Some(Wish::Pause) => self.pause(terminal)?,
            None => {}
        }
        Ok(())
    }

    /// Kindly, then urgently; who still does not want to wait gets the terminal back, with its Ctrl-C.
    fn end(&mut self) {
        match Ending::of(&self.setting.stop) {
            Ending::None => self.setting.stop.request(),
            Ending::Kindly => self.setting.stop.urge(),
            Ending::Urgently => self.has_left = true,
        }
    }

    /// Stops this process, as the terminal would have done, until the shell lets it go on.
    fn pause(&mut self, terminal: &mut Terminal<Ansi>) -> io::Result<()> {
        self.lifeline.leave();
        kill_process(getpid(), Signal::TSTP)?;
        // Another thread may be the one that is hit, so this one could be back too early. A process without a shell
        // is not stopped at all.
        self.doors.wait(PAUSE);
        self.enter(terminal)
    }

    fn enter(&mut self, terminal: &mut Terminal<Ansi>) -> io::Result<()> {
        self.lifeline.enter()?;
        terminal.clear()?;
        self.pace = Pace::default();
        Ok(())
    }
}

/// The terminal is put back at the end of the thread, whatever ends it.
impl Drop for Screen {
    fn drop(&mut self) {
        self.lifeline.restore();
    }
}
