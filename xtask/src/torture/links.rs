//! The owner of a directory exchanges names in it while root manages the entries.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::arena::{Arena, crash};
use super::tally::Tally;
use crate::disk;
use crate::failure::{Failure, Result};
use crate::requirement;

mod exchange;
mod home;

use exchange::Moments;
use exchange::Pace;
use home::Home;
use home::{CASES, Case};

/// At least one in this many rounds of a sweep must be a race; with fewer, a case would pass on vulnerable code, too.
const ONE_RACE_IN: usize = 4;

/// The workers of each processor: most of the time, an apply is delayed.
const WORKERS: usize = 2;

/// The delays of the sweeps. A busy machine wakes the attacker late, so a sweep with too few races is repeated with a
/// slower apply.
const DELAYS: [Duration; 4] = [
    Duration::from_millis(3),
    Duration::from_millis(6),
    Duration::from_millis(12),
    Duration::from_millis(24),
];

/// Nothing outside the attacker's directory may change, and nothing of root's in it may be given away.
pub(crate) fn run(arena: &Arena) -> Result<Tally> {
    if !requirement::is_root() {
        return Err(Failure::new("planted links need root: the attacker is another user"));
    }
    let next = AtomicUsize::new(0);
    let workers = WORKERS * thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<(&str, Outcome)> = thread::scope(|scope| {
        let work = |number| {
            let next = &next;
            scope.spawn(move || work(arena, number, next))
        };
        let started: Vec<_> = (0..workers).map(work).collect();
        let mut all = Vec::new();
        for worker in started {
            all.extend(worker.join().map_err(|_| Failure::new("a worker of torture panicked"))??);
        }
        Ok::<_, Failure>(all)
    })?;
    all.sort_by_key(|(name, _)| *name);
    let mut tally = Tally::default();
    let (mut races, mut applies) = (0, 0);
    for (name, outcome) in all {
        races += outcome.races;
        applies += outcome.rounds;
        tally.count(name, outcome.verdict());
    }
    tally.remark(format!("{races} of {applies} applies wrote while names were exchanged"));
    Ok(tally)
}

/// Attacks cases until none is left. Each worker has its own arena.
fn work(arena: &Arena, number: usize, next: &AtomicUsize) -> Result<Vec<(&'static str, Outcome)>> {
    let arena = arena.another(number)?;
    arena.write_initial_state()?;
    let mut outcomes = Vec::new();
    while let Some(case) = CASES.get(next.fetch_add(1, Ordering::Relaxed)) {
        outcomes.push((case.name, attack(&arena, case)?));
    }
    Ok(outcomes)
}

/// The result of all rounds of one case.
#[derive(Default)]
struct Outcome {
    rounds: usize,
    /// Rounds in which a name was exchanged between its first lookup and the last write.
    races: usize,
    /// The number of races without which the case proves nothing.
    enough: usize,
    broken: Option<String>,
}

impl Outcome {
    fn is_decided(&self) -> bool {
        self.broken.is_some() || self.races >= self.enough
    }

    fn verdict(self) -> Option<String> {
        if self.is_decided() {
            return self.broken;
        }
        let Self { rounds, races, .. } = self;
        Some(format!(
            "only {races} of {rounds} applies wrote while names were exchanged; that proves nothing"
        ))
    }
}

/// Applies the case in sweeps until something is broken, or there were enough races.
fn attack(arena: &Arena, case: &Case) -> Result<Outcome> {
    let home = Home::at(arena);
    let archive = arena.path("machine/input.tar").display().to_string();
    let text = case.block.replace("PATH", &home.target().display().to_string()).replace("ARCHIVE", &archive);
    disk::write(&arena.path("links.hcl"), &text)?;
    let rounds = arena.rounds(80);
    let mut outcome = Outcome { enough: rounds.div_ceil(ONE_RACE_IN), ..Outcome::default() };
    for delay in DELAYS {
        home.plant(case.entries)?;
        let calm = exchange::undisturbed(arena, &home, delay)?;
        let mut paces = (0..rounds).map(|round| pace(round, rounds, &calm, delay));
        while let (None, Some(pace)) = (&outcome.broken, paces.next()) {
            try_once(arena, &home, case, pace, &mut outcome)?;
        }
        if outcome.is_decided() {
            break;
        }
    }
    Ok(outcome)
}

fn try_once(arena: &Arena, home: &Home, case: &Case, pace: Pace, outcome: &mut Outcome) -> Result {
    let planted = home.plant(case.entries)?;
    let (output, is_race) = exchange::apply(arena, home, case.entries, pace)?;
    let broken = crash(&output).or(planted.broken(home)?);
    outcome.broken = broken.map(|broken| format!("round {}: {broken}", outcome.rounds));
    outcome.rounds += 1;
    outcome.races += usize::from(is_race);
    Ok(())
}

/// The rounds move the first exchange through the time between lookup and write.
fn pace(round: usize, rounds: usize, calm: &Moments, delay: Duration) -> Pace {
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Pace { delay, wait: calm.part(number(round), number(rounds).max(1)), is_restless: round % 2 == 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_without_races_fails() {
        let verdict = |races| Outcome { rounds: 8, races, enough: 2, broken: None }.verdict();
        assert_eq!(verdict(2), None);
        assert!(verdict(1).is_some_and(|verdict| verdict.starts_with("only 1 of 8 applies")));
        let broken = Outcome { broken: Some("round 0: x".to_owned()), enough: 2, ..Outcome::default() };
        assert_eq!(broken.verdict().as_deref(), Some("round 0: x"));
    }
}
