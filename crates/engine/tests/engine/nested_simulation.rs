//! Random relays that notify each other, with locks, dependencies and cycles: every run ends, and visits that must not
//! overlap do not.
#![expect(clippy::disallowed_methods, reason = "a run that hangs is left in its thread")]

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use uphold_engine::EventKind;
use uphold_engine::Mode::Apply;
use uphold_model::{Handling, Lock, Moment};

use super::around::tell;
use super::relay::{Detector, idle_relay, relay};
use super::script::{Script, id};

const SEEDS: u64 = 100;
/// More events than any run has: a run with more never ends.
const EVENTS: usize = 20_000;
/// Far longer than any run takes, also on a loaded machine.
const HANG: Duration = Duration::from_secs(120);

/// `SplitMix64`.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }
}

/// One relay of a scene.
#[derive(Debug)]
struct Actor {
    name: String,
    sends: String,
    catches: bool,
    is_written: bool,
    locks: Vec<Lock>,
    after: Option<String>,
    notifies: Option<(String, Moment)>,
}

fn moment(dice: &mut Dice) -> Moment {
    [Moment::Immediately, Moment::Immediately, Moment::Before, Moment::Delayed, Moment::OnSuccess]
        [dice.roll(5) as usize]
}

fn scene(seed: u64) -> Vec<Actor> {
    let mut dice = Dice(seed.wrapping_mul(0x5851_f42d_4c95_7f2d));
    let count = 3 + dice.roll(5);
    let locks = [("x", 1), ("y", 1 + u32::try_from(dice.roll(2)).expect("small"))];
    let lock = |(name, most): (&str, u32)| Lock {
        name: name.into(),
        most: NonZeroU32::new(most).expect("not zero"),
    };
    let actor = |number: u64| {
        let sends: Vec<String> = (0..dice.roll(4))
            .map(|_| format!("r{} {}", dice.roll(count), moment(&mut dice).word()))
            .collect();
        let held = locks.into_iter().filter(|_| dice.roll(3) == 0).map(lock).collect();
        Actor {
            name: format!("r{number}"),
            sends: sends.join(" "),
            catches: dice.roll(2) == 0,
            is_written: dice.roll(4) > 0,
            locks: held,
            after: (number > 0 && dice.roll(4) == 0).then(|| format!("r{}", dice.roll(number))),
            notifies: (dice.roll(3) == 0).then(|| (format!("r{}", dice.roll(count)), moment(&mut dice))),
        }
    };
    (0..count).map(actor).collect()
}

fn script(actors: &[Actor]) -> Script {
    Script::all(actors.iter().map(|actor| {
        let Actor { name, sends, locks, .. } = actor;
        let script = if actor.is_written { relay(name, sends) } else { idle_relay(name, sends) };
        let script = script.set("catches", actor.catches);
        let notifies =
            actor.notifies.iter().map(|(target, moment)| tell(&id("relay", target), "ring", *moment));
        let handling = Handling { locks: locks.clone(), notifies: notifies.collect(), ..Handling::default() };
        let script = script.handled(handling);
        let written = |name: &&String| actors.iter().any(|other| other.is_written && other.name == **name);
        match actor.after.as_ref().filter(written) {
            Some(other) => script.after(&id("relay", other)),
            None => script,
        }
    }))
}

/// Runs a scene, and returns the broken rules.
fn play(seed: u64, jobs: usize) -> Vec<String> {
    let (actors, detector) = (scene(seed), Detector::default());
    let held: Vec<(&str, &[Lock])> =
        actors.iter().map(|actor| (actor.name.as_str(), actor.locks.as_slice())).collect();
    let engine = detector.engine(jobs, &held);
    let (program, transcript) = script(&actors).check(&engine);
    let Some(program) = program else { return vec![transcript] };
    let (mut events, mut open) = (0, BTreeMap::<String, i32>::new());
    engine.run(&program, Apply, &mut |event| {
        events += 1;
        assert!(events < EVENTS, "the run has no end");
        match &event.kind {
            EventKind::Started { resource, .. } => *open.entry(resource.to_string()).or_default() += 1,
            EventKind::Finished { resource, .. } => _ = open.entry(resource.to_string()).or_default(),
            _ => {}
        }
    });
    let mut wrong = detector.seen().complaints.clone();
    let written = actors.iter().filter(|actor| actor.is_written);
    let missing = written.filter(|actor| !open.contains_key(&format!("relay.{}", actor.name)));
    wrong.extend(missing.map(|actor| format!("{} was not visited", actor.name)));
    wrong
}

#[test]
fn every_scene_ends_and_nothing_overlaps() {
    for seed in 0..SEEDS {
        for jobs in [1, 2, 8] {
            let (done, result) = mpsc::channel();
            thread::spawn(move || _ = done.send(play(seed, jobs)));
            let wrong = result.recv_timeout(HANG).unwrap_or_else(|why| vec![why.to_string()]);
            assert!(wrong.is_empty(), "seed {seed}, {jobs} jobs: {wrong:?}\n{:#?}", scene(seed));
        }
    }
}
