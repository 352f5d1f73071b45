//! Random writes that are finished, or not, among random changes: whatever looks different in the end was told after
//! it had changed, a second later at the latest.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use uphold_resource::{Interest, Token};

use crate::random::{Dice, change, interest, sight};
use crate::scene::Scene;

const SEEDS: u64 = 30;
const STEPS: usize = 30;

/// A small tree, those who write in it, and what somebody knows of it who looks whenever he is told.
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
        // So far down no link can lead out of the scene.
        fs::create_dir_all(scene.path("x/y")).unwrap();
        Self { scene, dice: Dice::new(seed), open: Vec::new(), known: BTreeMap::new(), story: Vec::new() }
    }

    fn arm(&mut self) {
        let token = u32::try_from(self.dice.roll(6)).unwrap();
        let new = interest(&mut self.dice, &self.scene.path("x/y"));
        self.scene.watch(token, new.clone());
        let seen = sight(&new, Path::new("/"));
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
        let told = self.scene.told();
        self.story.push(format!("told {told:?}"));
        for token in told {
            let (interest, seen) = self.known.get_mut(&token).unwrap();
            *seen = sight(interest, Path::new("/"));
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
            let now = sight(interest, Path::new("/"));
            assert_eq!(*seen, now, "seed {seed}: {token}, {interest:?}\n{:#?}", self.story);
        }
    }
}

#[test]
fn whatever_is_written_is_told_in_the_end() {
    let mut plays: Vec<Play> = (0..SEEDS).map(Play::new).collect();
    for play in &mut plays {
        (0..STEPS).for_each(|_| play.go_on());
    }
    std::thread::sleep(Duration::from_millis(1300));
    for (seed, play) in (0..).zip(&mut plays) {
        play.check(seed);
    }
}
