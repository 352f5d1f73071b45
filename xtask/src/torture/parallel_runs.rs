//! Two runs of one configuration at the same time.

use std::process::Stdio;

use super::arena::{Arena, crash, finish, succeeded};
use super::snapshot::Snapshot;
use super::tally::Tally;
use crate::disk;
use crate::failure::Result;
use crate::program;

/// Two runs at once may back up one version twice, so backups are only counted and checked for completeness.
const BACKUP: &str = ".uphold-backup-";
const VERSIONS: [&[u8]; 4] = [b"version -1\n", b"version 0\n", b"version 1\n", b"version 2\n"];

/// The machine after one undisturbed run.
struct Expected {
    machine: Snapshot,
    backups: usize,
}

/// No run may crash, no file may be torn, and the next run must end as one undisturbed run does.
pub(crate) fn run(arena: &Arena) -> Result<Tally> {
    let words = arena.apply_mixed();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    arena.write_initial_state()?;
    succeeded(&finish(&mut arena.command(&words))?)?;
    let (machine, backups) = arena.snapshot()?.separate(BACKUP);
    let expected = Expected { machine, backups: backups.len() };
    let mut tally = Tally::default();
    for round in 0..arena.rounds(100) {
        arena.write_initial_state()?;
        tally.count(&format!("round {round}"), both(arena, &words, &expected)?);
    }
    Ok(tally)
}

fn both(arena: &Arena, words: &[&str], expected: &Expected) -> Result<Option<String>> {
    let mut first = arena.command(words);
    let first = first.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let first = first.map_err(|error| program::not_started(&arena.command(words), &error))?;
    // Two runs with one state directory would wait for each other.
    let second = finish(arena.command(words).env("UPHOLD_STATE", arena.path("other-state")))?;
    let first =
        first.wait_with_output().map_err(|error| program::not_started(&arena.command(words), &error))?;
    if let Some(crash) = crash(&first).or(crash(&second)) {
        return Ok(Some(crash));
    }
    let replaced = disk::read(&arena.path("machine/conf/replaced"))?;
    if !["old\n", "new content, longer than the old one\n"].contains(&replaced.as_str()) {
        return Ok(Some(format!("a torn file: {replaced:?}")));
    }
    // Each journal has the notifications that its own run could not deliver.
    for state in ["state", "other-state"] {
        let next = finish(arena.command(words).env("UPHOLD_STATE", arena.path(state)))?;
        if let Err(failure) = succeeded(&next) {
            return Ok(Some(format!("the next run {failure}")));
        }
    }
    let (machine, backups) = arena.snapshot()?.separate(BACKUP);
    let difference = machine.differs(&expected.machine);
    Ok(difference
        .or(wrong_backups(&backups, expected.backups))
        .map(|what| format!("after the next run {what}")))
}

/// More or fewer backups than one run keeps, or one that is no version of the file.
fn wrong_backups(found: &[Vec<u8>], expected: usize) -> Option<String> {
    if found.len() != expected {
        return Some(format!("there are {} backups instead of {expected}", found.len()));
    }
    let torn = found.iter().find(|content| !VERSIONS.contains(&content.as_slice()))?;
    Some(format!("a backup contains {:?}", String::from_utf8_lossy(torn)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backups_are_counted_and_must_be_whole() {
        let check = |found: &[&str], expected: Option<&str>| {
            let found: Vec<Vec<u8>> = found.iter().map(|content| (*content).into()).collect();
            assert_eq!(wrong_backups(&found, 2).as_deref(), expected);
        };
        check(&["version 1\n", "version 1\n"], None);
        check(&["version 1\n"], Some("there are 1 backups instead of 2"));
        check(&["version 1\n", "vers"], Some("a backup contains \"vers\""));
    }
}
