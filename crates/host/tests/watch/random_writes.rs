//! Random writes, closed or not, among random changes: every final difference was reported after it occurred, at most a second
//! later.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use uphold_resource::{Interest, Token};

use super::random::{Dice, change, interest, state_of};
use super::scene::Scene;

const SEEDS: u64 = 30;
const STEPS: usize = 30;

/// A small tree, its writers, and the state as of the last report.
struct Play {
    scene: Scene,
    dice: Dice,
    open: Vec<File>,
    known: BTreeMap<Token, (Interest, Vec<String>)>,
    story: Vec<String>,
}

impl Play {
    fn new(seed: u64) -> Self {
        let scene = Scene::new();
        // So deep that no link can lead out of the scene.
        fs::create_dir_all(scene.path("x/y")).unwrap();
        Self { scene, dice: Dice::new(seed), open: Vec::new(), known: BTreeMap::new(), story: Vec::new() }
    }

    fn arm(&mut self) {
        let token = u32::try_from(self.dice.roll(6)).unwrap();
        let new = interest(&mut self.dice, &self.scene.path("x/y"));
        self.scene.watch(token, new.clone());
        let seen = state_of(&new, Path::new("/"));
        self.story.push(format!("{token} wants {new:?}"));
        self.known.insert(token, (new, seen));
    }

    fn change(&mut self) {
        let top = self.scene.path("x/y");
        let said = match self.dice.roll(6) {
            0 | 1 => {
                let path = top.join(self.dice.path());
                let opened = File::options().write(true).create(true).truncate(true).open(&path);
                let said = format!("open {path:?} {:?}", opened.as_ref().err());
                self.open.extend(opened);
                said
            }
            2 | 3 if !self.open.is_empty() => {
                let which = self.dice.roll(self.open.len());
                self.open[which].write_all(b"x").unwrap();
                format!("write {:?}", self.open[which])
            }
            4 if !self.open.is_empty() => {
                let which = self.dice.roll(self.open.len());
                format!("close {:?}", self.open.swap_remove(which))
            }
            _ => change(&mut self.dice, &top, Path::new("/")),
        };
        self.story.push(said);
    }

    fn collect(&mut self) {
        let tokens = self.scene.tokens();
        self.story.push(format!("reported {tokens:?}"));
        for token in tokens {
            let (interest, seen) = self.known.get_mut(&token).unwrap();
            *seen = state_of(interest, Path::new("/"));
        }
    }

    fn go_on(&mut self) {
        self.arm();
        (0..=self.dice.roll(4)).for_each(|_| self.change());
        self.collect();
    }

    fn check(&mut self, seed: u64) {
        self.collect();
        for (token, (interest, seen)) in &self.known {
            let now = state_of(interest, Path::new("/"));
            assert_eq!(*seen, now, "seed {seed}: {token}, {interest:?}\n{:#?}", self.story);
        }
    }
}

#[test]
fn every_write_is_reported_in_the_end() {
    let mut plays: Vec<Play> = (0..SEEDS).map(Play::new).collect();
    for play in &mut plays {
        (0..STEPS).for_each(|_| play.go_on());
    }
    std::thread::sleep(Duration::from_millis(1300));
    for (seed, play) in (0..).zip(&mut plays) {
        play.check(seed);
    }
}
