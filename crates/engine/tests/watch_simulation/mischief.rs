//! Faults of the machine.

use std::time::Duration;

use uphold_engine::{Control, Engine};
use uphold_resource::{Access, Files, Interest};
use uphold_testkit::{MemoryHost, Trouble};

use super::invention::vary;
use super::plot::{FOLDERS, LAMP, THINGS, path_of};
use super::stage::Shared;
use crate::watch::program::program;

/// A temporary fault of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breakage {
    Load,
    Apply,
    Panic,
    Late,
}

impl Shared {
    /// Injects a random fault.
    pub(crate) fn act(
        &mut self,
        host: &MemoryHost,
        span: Option<Duration>,
        engine: &Engine,
        control: &Control,
    ) {
        match self.dice.roll(12) {
            0..=4 => (0..=self.dice.roll(3)).for_each(|_| self.tamper(host)),
            5 => self.break_one(),
            6 => self.mend_all(),
            7 => self.paint(host),
            8 => self.change_trouble(host),
            9 => {
                self.plot = vary(&mut self.dice, &self.plot);
                let generation = control.swap(program(engine, &self.plot.write()));
                self.note(&format!("swap {generation}:\n{}", self.plot.write()));
                self.referee.plots.insert(generation, self.plot.clone());
            }
            10 => {
                self.note("reports are lost");
                host.lose_reports();
            }
            _ => self.pass(host, span),
        }
    }

    fn pass(&mut self, host: &MemoryHost, span: Option<Duration>) {
        let whole = span.unwrap_or(Duration::from_secs(1));
        let part = if self.dice.once_in(2) { whole } else { whole / 2 };
        self.note(&format!("{part:?} pass of {span:?}"));
        host.advance(part);
    }

    /// Another process changes the machine.
    pub(crate) fn tamper(&mut self, host: &MemoryHost) {
        let path = path_of(self.dice.roll(THINGS));
        let is_there = |path: &str| host.look(path.as_ref()).is_ok_and(|entry| entry.is_some());
        let is_folder = FOLDERS.iter().any(|folder| path_of(*folder) == path);
        let parent = path.rsplit_once('/').map_or("/", |(parent, _)| parent).to_owned();
        let how = self.dice.roll(5);
        self.note(&format!("tamper {how} with {path}"));
        match how {
            0 => host.delete(&path),
            1 if is_there(&path) => {
                host.change_access(&path, Access { mode: Some(0o700), ..Access::default() });
            }
            2 if is_there(&path) && !is_there("/d/moved") => host.rename(&path, "/d/moved"),
            2 => host.delete("/d/moved"),
            _ if !is_folder && is_there(&parent) => host.tamper(&path, format!("x{}", self.dice.roll(9))),
            _ => {}
        }
    }

    fn break_one(&mut self) {
        let all = [Breakage::Load, Breakage::Apply, Breakage::Panic, Breakage::Late];
        let how = self.dice.pick(&all);
        let name = if self.dice.once_in(6) { "/d/z".to_owned() } else { path_of(self.dice.roll(THINGS)) };
        self.note(&format!("break {name}: {how:?}"));
        self.broken.insert(name, how);
    }

    fn mend_all(&mut self) {
        self.note("mend");
        self.broken.clear();
    }

    /// Changes the colour of the lamp.
    fn paint(&mut self, host: &MemoryHost) {
        self.colour = self.dice.pick(&["red", "blue", "green"]).to_owned();
        self.note(&format!("it is {}", self.colour));
        host.report(&Interest::Unit(LAMP.into()));
    }

    fn change_trouble(&mut self, host: &MemoryHost) {
        let dice = &mut self.dice;
        let mut chance = || if dice.once_in(3) { dice.pick(&[10, 50, 100]) } else { 0 };
        let trouble = Trouble {
            lost: if self.honest { 0 } else { chance() },
            doubled: chance(),
            delayed: chance(),
            shuffled: chance(),
            overflowing: chance(),
            refused: chance(),
        };
        self.trouble = trouble;
        self.note(&format!("{trouble:?}"));
        host.suffer(self.dice.seed(), trouble);
    }
}
