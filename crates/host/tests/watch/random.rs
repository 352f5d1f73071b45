//! Random changes of a small tree: every visible difference must have been reported.
//!
//! Hard links are left out: a second link that a file gets after it was armed is not detected.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use uphold_resource::{Interest, Token};

use super::scene::Scene;

const SEEDS: u64 = 25;
const STEPS: usize = 120;

/// A repeatable sequence of numbers.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }

    /// A path of one to four names, of which there are three.
    pub(crate) fn path(&mut self) -> PathBuf {
        (0..=self.roll(4)).map(|_| *self.pick(&["a", "b", "c"])).collect()
    }
}

/// The state of `path`. A final link is not followed.
fn look(path: &Path) -> String {
    let Ok(itself) = path.symlink_metadata() else { return "nothing".to_owned() };
    let target = fs::read_link(path).ok();
    let content = fs::read(path).ok().filter(|_| itself.is_file());
    format!("{:?} {target:?} {content:?}", (itself.ino(), itself.mode()))
}

/// The state of `path` and of its target.
fn look_behind(path: &Path) -> String {
    let content = fs::read(path).ok();
    let seen = fs::metadata(path).map(|real| (real.ino(), real.mode())).ok();
    format!("{} {content:?} {seen:?}", look(path))
}

fn names(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten();
    let mut names: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

/// The state of everything below `path`. Links are not followed.
fn look_below(path: &Path, into: &mut Vec<String>) {
    for name in names(path) {
        let itself = name.symlink_metadata().unwrap();
        let content = fs::read(&name).ok().filter(|_| itself.is_file());
        into.push(format!(
            "{name:?} {:?} {:?} {content:?}",
            (itself.ino(), itself.mode()),
            fs::read_link(&name).ok()
        ));
        if itself.is_dir() {
            look_below(&name, into);
        }
    }
}

pub(crate) fn state_of(interest: &Interest, root: &Path) -> Vec<String> {
    let at = |path: &Path| root.join(path.strip_prefix("/").unwrap());
    match interest {
        Interest::Path(path) => vec![look(&at(path))],
        Interest::Entries(path) => vec![look_behind(&at(path)), format!("{:?}", names(&at(path)))],
        Interest::Tree(path) => {
            let mut seen = vec![look_behind(&at(path))];
            look_below(&at(path), &mut seen);
            seen
        }
        other => panic!("unexpected {other:?}"),
    }
}

/// Makes one change; many are impossible, and do nothing.
pub(crate) fn change(dice: &mut Dice, top: &Path, root: &Path) -> String {
    let (one, other) = (dice.path(), dice.path());
    let (from, to) = (top.join(&one), top.join(&other));
    let done = match dice.roll(9) {
        0 | 1 => fs::write(&from, format!("{}", dice.roll(1000))),
        2 => fs::create_dir_all(&from),
        3 => fs::remove_file(&from).or_else(|_| fs::remove_dir_all(&from)),
        4 | 5 => fs::rename(&from, &to),
        // Below a root, an absolute link leads elsewhere for the watcher than for this test.
        6 if root == Path::new("/") => symlink(top.join(&other), &from),
        6 | 7 => symlink(Path::new("..").join(&other), &from).or_else(|_| symlink(&other, &from)),
        // Root may do anything, so permissions do not matter.
        _ => fs::set_permissions(
            &from,
            fs::Permissions::from_mode(0o700 + u32::try_from(dice.roll(8)).unwrap()),
        ),
    };
    format!("{one:?} {other:?} {done:?}")
}

pub(crate) fn interest(dice: &mut Dice, top: &Path) -> Interest {
    let path = top.join(dice.path());
    match dice.roll(6) {
        0 => Interest::Entries(path),
        1 => Interest::Tree(path),
        _ => Interest::Path(path),
    }
}

/// `top` is the path of the scene for the watcher; `root` is the root of its paths for this test.
fn play(seed: u64, scene: &Scene, top: &Path, root: &Path) {
    // So deep that no link can lead out of the scene.
    let (below, top) = (scene.path("x/y"), top.join("x/y"));
    fs::create_dir_all(&below).unwrap();
    let mut dice = Dice::new(seed);
    let mut armed: BTreeMap<Token, Interest> = BTreeMap::new();
    let mut story = Vec::new();
    for step in 0..STEPS {
        let token = u32::try_from(dice.roll(12)).unwrap();
        let new = interest(&mut dice, &top);
        scene.watch(token, new.clone());
        armed.insert(token, new);
        scene.reports();
        let before: BTreeMap<Token, Vec<String>> =
            armed.iter().map(|(token, interest)| (*token, state_of(interest, root))).collect();
        story.clear();
        (0..=dice.roll(3)).for_each(|_| story.push(change(&mut dice, &below, root)));
        let tokens = scene.tokens();
        for (token, interest) in &armed {
            let after = state_of(interest, root);
            assert!(
                tokens.contains(token) || before[token] == after,
                "seed {seed}, step {step}: {interest:?} did not get a report of {story:#?}\nbefore {:?}\nafter {after:?}",
                before[token]
            );
        }
    }
}

#[test]
fn every_difference_was_reported() {
    for seed in 0..SEEDS {
        let scene = Scene::new();
        play(seed, &scene, scene.top(), Path::new("/"));
    }
}

#[test]
fn every_difference_below_a_root_was_reported() {
    for seed in 0..SEEDS {
        let scene = Scene::rooted();
        play(seed, &scene, Path::new("/"), scene.top());
    }
}
