//! The loop of the view: draw, wait for input, handle it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui_core::terminal::Terminal;
use rustix::process::{Signal, getpid, kill_process};

use crate::dashboard::DashboardOptions;
use crate::drawing::{Ending, Picture, draw};
use crate::local_time::LocalTime;
use crate::terminal::{Ansi, Inputs, Key, Keyboard, TerminalMode, Wakeup};
use crate::theme::Theme;
use crate::ui_state::{Request, UiState};

/// The bytes of one key arrive within this time.
const KEY_GAP: Duration = Duration::from_millis(30);

/// How long the delivery of a signal to this process can take.
const SIGNAL_DELAY: Duration = Duration::from_millis(200);

/// The state of the view's thread.
pub(crate) struct Screen {
    options: DashboardOptions,
    inputs: Inputs,
    terminal_mode: TerminalMode,
    is_over: Arc<AtomicBool>,
    times: LocalTime,
    ui: UiState,
    keyboard: Keyboard,
    frame_timer: FrameTimer,
    has_left: bool,
}

impl Screen {
    /// A screen that runs until `is_over` is set.
    pub(crate) fn new(
        options: DashboardOptions,
        inputs: Inputs,
        terminal_mode: TerminalMode,
        is_over: Arc<AtomicBool>,
    ) -> Self {
        Self {
            options,
            inputs,
            terminal_mode,
            is_over,
            times: LocalTime::of_this_machine(),
            ui: UiState::default(),
            keyboard: Keyboard::default(),
            frame_timer: FrameTimer::default(),
            has_left: false,
        }
    }

    /// Runs until it is over, the user leaves, or the terminal goes away, which also ends the watch.
    pub(crate) fn show(mut self) {
        if self.run().is_err() && !self.is_over.load(Ordering::Acquire) {
            self.options.stop.request();
        }
    }

    fn run(&mut self) -> io::Result<()> {
        let mut terminal = Terminal::new(Ansi::new())?;
        while !self.has_left && !self.is_over.load(Ordering::Acquire) {
            if self.frame_timer.wait(self.elapsed()).is_zero() {
                self.draw(&mut terminal)?;
            }
            let woken = self.inputs.wait(self.wait_time());
            self.handle(&woken, &mut terminal)?;
        }
        Ok(())
    }

    fn elapsed(&self) -> Duration {
        self.options.host.clock.elapsed()
    }

    fn wait_time(&self) -> Duration {
        let wait = self.frame_timer.wait(self.elapsed());
        if self.keyboard.is_waiting() { wait.min(KEY_GAP) } else { wait }
    }

    fn draw(&mut self, terminal: &mut Terminal<Ansi>) -> io::Result<()> {
        // Before the board is read, so that each later event rings again.
        self.inputs.reset_bell();
        let options = &self.options;
        let picture = Picture {
            view: &*options.view,
            overview: Picture::overview(&*options.view),
            now: options.host.clock.now(),
            times: &self.times,
            theme: Theme::new(options.colour),
            machine: &options.machine,
            configuration: &options.configuration,
            ending: Ending::of(&options.stop),
        };
        let ui = &mut self.ui;
        terminal.draw(|frame| {
            if let Some(cursor) = draw(&picture, ui, frame.buffer_mut()) {
                frame.set_cursor_position(cursor);
            }
        })?;
        self.frame_timer.drew(self.elapsed());
        Ok(())
    }

    fn handle(&mut self, woken: &Wakeup, terminal: &mut Terminal<Ansi>) -> io::Result<()> {
        if woken.is_gone {
            return Err(io::Error::other("the terminal is gone"));
        }
        if woken.is_resumed {
            self.enter(terminal)?;
        }
        if woken.is_rung || woken.is_resized {
            self.frame_timer.mark_outdated();
        }
        let keys = if !woken.typed.is_empty() {
            self.keyboard.feed(&woken.typed)
        } else if self.keyboard.is_waiting() {
            self.keyboard.settle().into_iter().collect()
        } else {
            Vec::new()
        };
        keys.iter().try_for_each(|key| self.press(key, terminal))
    }

    fn press(&mut self, key: &Key, terminal: &mut Terminal<Ansi>) -> io::Result<()> {
        self.frame_timer.mark_outdated();
        match self.ui.press(key) {
            Some(Request::End) => self.end(),
            Some(Request::Reload) => (self.options.reload)(),
            Some(Request::Recheck) => (self.options.recheck)(),
            Some(Request::Pause) => self.pause(terminal)?,
            None => {}
        }
        Ok(())
    }

    /// Ends the watch gracefully, then urgently. The third time leaves the screen, so that Ctrl-C works as usual.
    fn end(&mut self) {
        match Ending::of(&self.options.stop) {
            Ending::None => self.options.stop.request(),
            Ending::Graceful => self.options.stop.urge(),
            Ending::Urgent => self.has_left = true,
        }
    }

    /// Suspends this process, as the terminal would have done, until the shell resumes it.
    fn pause(&mut self, terminal: &mut Terminal<Ansi>) -> io::Result<()> {
        self.terminal_mode.leave();
        kill_process(getpid(), Signal::TSTP)?;
        // The signal may reach another thread first, so this one could continue too early. A process without a shell is
        // not suspended at all.
        self.inputs.wait(SIGNAL_DELAY);
        self.enter(terminal)
    }

    fn enter(&mut self, terminal: &mut Terminal<Ansi>) -> io::Result<()> {
        self.terminal_mode.enter()?;
        terminal.clear()?;
        self.frame_timer = FrameTimer::default();
        Ok(())
    }
}

/// Restores the terminal when the thread ends, also by a panic.
impl Drop for Screen {
    fn drop(&mut self) {
        self.terminal_mode.restore();
    }
}

/// Twenty frames a second are as many as a person can follow.
const SHORTEST: Duration = Duration::from_millis(50);

/// Running clocks are updated even if nothing happens.
const LONGEST: Duration = Duration::from_secs(1);

/// Computes when the next frame is due. Times are those of a monotonic clock.
#[derive(Debug, Default)]
pub(crate) struct FrameTimer {
    drawn: Option<Duration>,
    is_outdated: bool,
}

impl FrameTimer {
    /// Marks the frame as outdated.
    pub(crate) fn mark_outdated(&mut self) {
        self.is_outdated = true;
    }

    /// The time until the next frame; zero if it is due.
    pub(crate) fn wait(&self, now: Duration) -> Duration {
        let Some(drawn) = self.drawn else {
            return Duration::ZERO;
        };
        let gap = if self.is_outdated { SHORTEST } else { LONGEST };
        (drawn + gap).saturating_sub(now)
    }

    /// Records that a frame was drawn.
    pub(crate) fn drew(&mut self, now: Duration) {
        *self = Self { drawn: Some(now), is_outdated: false };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_a_burst_twenty_times_a_second_and_an_idle_watch_once() {
        let frames = |is_busy: bool| {
            let (mut frame_timer, mut count) = (FrameTimer::default(), 0);
            for now in (0..10_000).map(Duration::from_millis) {
                if is_busy {
                    frame_timer.mark_outdated();
                }
                if frame_timer.wait(now).is_zero() {
                    frame_timer.drew(now);
                    count += 1;
                }
            }
            count
        };
        assert_eq!((frames(true), frames(false)), (200, 10));
    }

    #[test]
    fn draws_a_change_at_once_after_a_pause() {
        let mut frame_timer = FrameTimer::default();
        frame_timer.drew(Duration::ZERO);
        frame_timer.mark_outdated();
        assert_eq!(frame_timer.wait(Duration::from_millis(20)), Duration::from_millis(30));
        assert_eq!(frame_timer.wait(Duration::from_millis(500)), Duration::ZERO);
    }
}
