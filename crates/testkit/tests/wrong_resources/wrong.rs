//! Kinds with one mistake each.

use std::path::Path;
use std::time::Duration;

use uphold_resource::{Act, Command, Error, Reading, Result, Want};
use uphold_testkit::Subject;

use crate::defined::{both_break, defined};
use crate::note::{FoundNote, Move, Wants, apply, load, note, permit, put, tried};
use crate::{breaks, keeps_all};

type Loaded = Result<Option<FoundNote>>;

fn load_writes(wants: &Wants<'_>, host: &Reading<'_>) -> Loaded {
    host.probe(&Command::shell("touch /srv/seen"))?;
    load(wants, host)
}
note!(Meddler, MeddlerState, load_writes, apply);

#[test]
fn detects_a_load_that_writes() {
    both_break::<Meddler>(load_writes, apply, "check_writes_nothing", "write /srv/seen (by /bin/sh)");
}

fn apply_forgets_the_mode(wants: &Wants<'_>, step: &Move<'_>, host: &Act<'_>) -> Result<()> {
    match *step {
        Move::Update { text: Some(text), .. } => put(wants.path, text, None, host),
        Move::Update { text: None, .. } => Ok(()),
        _ => apply(wants, step, host),
    }
}
note!(Forgetful, ForgetfulState, load, apply_forgets_the_mode);

#[test]
fn detects_an_apply_that_forgets_a_property() {
    both_break::<Forgetful>(
        load,
        apply_forgets_the_mode,
        "apply_then_check_is_converged",
        "mode: \"0777\" -> \"0640\"",
    );
}

fn load_grows_stale(wants: &Wants<'_>, host: &Reading<'_>) -> Loaded {
    let found = load(wants, host)?;
    let Some(entry) = host.files().look(wants.path)? else { return Ok(found) };
    let age = host.clock().now().duration_since(entry.modified).unwrap_or_default();
    let is_stale = age > Duration::from_secs(60);
    Ok(found.map(|found| if is_stale { FoundNote { text: "stale".to_owned(), ..found } } else { found }))
}
note!(Stale, StaleState, load_grows_stale, apply);

#[test]
fn detects_a_resource_that_differs_again_without_a_change() {
    both_break::<Stale>(
        load_grows_stale,
        apply,
        "a_second_apply_changes_nothing",
        "text: \"stale\" -> \"hello\"",
    );
}

fn apply_stamps_the_mode(wants: &Wants<'_>, step: &Move<'_>, host: &Act<'_>) -> Result<()> {
    match (step, wants.mode) {
        (Move::Update { text: Some(text), .. }, Want::Unset) => put(wants.path, text, Some(0o644), host),
        _ => apply(wants, step, host),
    }
}
note!(Stamper, StamperState, load, apply_stamps_the_mode);

#[test]
fn detects_a_default_that_overwrites_an_unset_property() {
    let words = "`mode` went from \"0640\" to \"0644\"";
    both_break::<Stamper>(load, apply_stamps_the_mode, "an_unset_property_survives", words);
}

fn apply_writes_all(wants: &Wants<'_>, step: &Move<'_>, host: &Act<'_>) -> Result<()> {
    match *step {
        Move::Update { mode, goal, .. } => put(wants.path, goal, mode, host),
        _ => apply(wants, step, host),
    }
}
note!(Wasteful, WastefulState, load, apply_writes_all);

#[test]
fn detects_a_needless_write_of_the_text() {
    both_break::<Wasteful>(load, apply_writes_all, "only_changed_properties_are_touched", "write /srv/motd");
}

fn apply_only_empties(wants: &Wants<'_>, step: &Move<'_>, host: &Act<'_>) -> Result<()> {
    match step {
        Move::Remove => put(wants.path, "", None, host),
        _ => apply(wants, step, host),
    }
}
note!(Clinging, ClingingState, load, apply_only_empties);

#[test]
fn detects_a_removal_that_removes_nothing() {
    both_break::<Clinging>(load, apply_only_empties, "load_finds_nothing_after_remove", "still exists");
}

fn load_exports_the_time(wants: &Wants<'_>, host: &Reading<'_>) -> Loaded {
    let now = host.clock().elapsed().as_secs();
    Ok(load(wants, host)?.map(|found| FoundNote { size: now, ..found }))
}
note!(Restless, RestlessState, load_exports_the_time, apply);

#[test]
fn detects_an_export_that_always_changes() {
    both_break::<Restless>(load_exports_the_time, apply, "exports_are_stable", "`size` was 0 and then 3600");
}

/// Wrong: a crash between the two writes leaves an undeclared mode that no check detects.
fn apply_permits_later(wants: &Wants<'_>, step: &Move<'_>, host: &Act<'_>) -> Result<()> {
    match *step {
        Move::Create { text, mode } => {
            put(wants.path, text, None, host)?;
            permit(wants.path, Some(mode), host)
        }
        _ => apply(wants, step, host),
    }
}

fn apply_permits_sometimes_later(wants: &Wants<'_>, step: &Move<'_>, host: &Act<'_>) -> Result<()> {
    // A symbolic or explicit mode of 0600 needs no second write.
    match step {
        Move::Create { mode: 0o600, .. } => apply(wants, step, host),
        _ => apply_permits_later(wants, step, host),
    }
}
note!(Unseen, UnseenState, load, apply_permits_sometimes_later);

#[test]
fn detects_a_write_that_no_check_reads() {
    let words = "`set the permissions of /srv/motd` was reverted to a regular file 0600";
    both_break::<Unseen>(load, apply_permits_sometimes_later, "check_detects_a_reverted_write", words);
}

fn load_reads_another_file(wants: &Wants<'_>, host: &Reading<'_>) -> Loaded {
    host.files().look(Path::new("/srv/policy"))?;
    load(wants, host)
}
note!(Asleep, AsleepState, load_reads_another_file, apply);

#[test]
fn detects_a_read_path_without_an_interest() {
    both_break::<Asleep>(
        load_reads_another_file,
        apply,
        "an_outside_change_wakes_it",
        "load reads /srv/policy",
    );
}

fn apply_writes_elsewhere(wants: &Wants<'_>, step: &Move<'_>, host: &Act<'_>) -> Result<()> {
    apply(wants, step, host)?;
    put(Path::new("/srv/seen"), &format!("{:?}", wants.text.get()), None, host)
}
note!(Sprawling, SprawlingState, load_with_second_file, apply_writes_elsewhere);

/// Reads the second file, too; only its interest is missing.
fn load_with_second_file(wants: &Wants<'_>, host: &Reading<'_>) -> Loaded {
    let second = host.probe(&Command::shell("cat /srv/seen"))?.stdout;
    let is_right = second == format!("{:?}", wants.text.get()).into_bytes();
    let reading = !wants.text.is_set();
    Ok(load(wants, host)?.map(|found| {
        if is_right || reading {
            return found;
        }
        FoundNote { text: format!("{} (without its second file)", found.text), ..found }
    }))
}

#[test]
fn detects_a_written_path_without_an_interest() {
    let broken = uphold_testkit::laws::an_outside_change_wakes_it(&tried(Subject::of::<Sprawling>()));
    let why = broken.expect_err("/srv/seen is not watched").why;
    assert!(why.contains("apply did `write /srv/seen`"), "{why}");
}

fn apply_in_halves(wants: &Wants<'_>, step: &Move<'_>, host: &Act<'_>) -> Result<()> {
    if let Move::Create { text, mode } = *step {
        put(wants.path, &text[..text.len() / 2], Some(mode), host)?;
        return put(wants.path, text, Some(mode), host);
    }
    apply(wants, step, host)
}
note!(Halving, HalvingState, load, apply_in_halves);

#[test]
fn detects_a_file_that_is_written_in_halves() {
    both_break::<Halving>(
        load,
        apply_in_halves,
        "the_run_after_an_interruption_converges",
        "/srv/motd was half-written",
    );
}

fn apply_under_lock(wants: &Wants<'_>, step: &Move<'_>, host: &Act<'_>) -> Result<()> {
    let lock = Path::new("/srv/lock");
    if host.files().look(lock)?.is_some() {
        return Err(Error::failed("another run has the lock"));
    }
    put(lock, "", None, host)?;
    apply(wants, step, host)?;
    host.edits().remove_file(lock)
}
note!(Locked, LockedState, load, apply_under_lock);

#[test]
fn detects_a_lock_that_outlives_its_run() {
    for subject in [Subject::of::<Locked>(), defined(load, apply_under_lock)] {
        let subject = tried(subject).side_effect("/srv/lock");
        breaks(&subject, "the_run_after_an_interruption_converges", "another run has the lock");
    }
}

fn apply_shouts(wants: &Wants<'_>, step: &Move<'_>, host: &Act<'_>) -> Result<()> {
    match *step {
        Move::Create { text, mode } => put(wants.path, &text.to_uppercase(), Some(mode), host),
        Move::Update { text: Some(text), mode, .. } => put(wants.path, &text.to_uppercase(), mode, host),
        _ => apply(wants, step, host),
    }
}

fn load_returns_the_wish(wants: &Wants<'_>, host: &Reading<'_>) -> Loaded {
    Ok(load(wants, host)?.map(|found| match wants.text {
        Want::Set(text) if text.to_uppercase() == found.text => FoundNote { text: text.clone(), ..found },
        _ => found,
    }))
}
note!(Flatterer, FlattererState, load_returns_the_wish, apply_shouts);

#[test]
fn detects_a_load_that_returns_the_wish() {
    let words = "`text`: \"hello\" was applied, \"HELLO\" is read";
    both_break::<Flatterer>(load_returns_the_wish, apply_shouts, "load_returns_the_applied_values", words);
}

#[test]
fn unreadable_properties_are_exempt() {
    keeps_all(&tried(Subject::of::<Flatterer>()).unreadable("text"));
    keeps_all(&tried(defined(load_returns_the_wish, apply_shouts)).unreadable("text"));
}
