//! Two runs of one configuration at the same time.

use std::process::Stdio;

use super::arena::{Arena, crash, finish, succeeded};
use super::snapshot::Snapshot;
use super::tally::Tally;
use crate::disk;
use crate::failure::Result;
use crate::program;

/// Each of two runs makes its own backup.
const BACKUP: &str = ".uphold-backup-";

/// No run may crash, no file may be torn, and the next run must end as one undisturbed run does.
pub(crate) fn run(arena: &Arena) -> Result<Tally> {
    let words = arena.apply_mixed();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    arena.furnish()?;
    succeeded(&finish(&mut arena.command(&words))?)?;
    let expected = arena.snapshot()?.without(BACKUP);
    let mut tally = Tally::default();
    for round in 0..arena.rounds(100) {
        arena.furnish()?;
        tally.count(&format!("round {round}"), both(arena, &words, &expected)?);
    }
    Ok(tally)
}

fn both(arena: &Arena, words: &[&str], expected: &Snapshot) -> Result<Option<String>> {
    let mut first = arena.command(words);
    let first = first.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let first = first.map_err(|error| program::not_started(&arena.command(words), &error))?;
    let second = finish(&mut arena.command(words))?;
    let first =
        first.wait_with_output().map_err(|error| program::not_started(&arena.command(words), &error))?;
    if let Some(crash) = crash(&first).or(crash(&second)) {
        return Ok(Some(crash));
    }
    let replaced = disk::read(&arena.path("machine/conf/replaced"))?;
    if !["old\n", "new content, longer than the old one\n"].contains(&replaced.as_str()) {
        return Ok(Some(format!("a torn file: {replaced:?}")));
    }
    if let Err(failure) = succeeded(&finish(&mut arena.command(words))?) {
        return Ok(Some(format!("the next run {failure}")));
    }
    Ok(arena
        .snapshot()?
        .without(BACKUP)
        .differs(expected)
        .map(|difference| format!("after the next run {difference}")))
}
