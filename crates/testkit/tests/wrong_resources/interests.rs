//! Interests that are missing, wrong or too many.

use std::path::Path;

use uphold_resource::{Command, Interest, Reading, Result, Watching};
use uphold_testkit::Subject;

use crate::breaks;
use crate::note::{FoundNote, Wants, apply, load, note, tried};

const WAKES: &str = "an_outside_change_wakes_it";
const SLEEPS: &str = "an_unrelated_change_does_not_wake_it";

note!(Deaf, DeafState, load, apply, interests);

impl Watching for Deaf {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.clear();
    }
}

#[test]
fn detects_missing_interests() {
    breaks(&tried(Subject::of::<Deaf>()), WAKES, "load reads /srv/motd, and no interest covers it: []");
}

note!(Astray, AstrayState, load, apply, interests);

impl Watching for Astray {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        *interests = vec![Interest::Path(self.path.with_extension("txt"))];
    }
}

#[test]
fn detects_an_interest_in_another_path() {
    let words = "load reads /srv/motd, and no interest covers it: [Path(\"/srv/motd.txt\")]";
    breaks(&tried(Subject::of::<Astray>()), WAKES, words);
}

note!(Shallow, ShallowState, load, apply, interests);

impl Watching for Shallow {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        *interests = self.path.parent().map(|parent| Interest::Path(parent.to_owned())).into_iter().collect();
    }
}

#[test]
fn detects_an_interest_in_a_directory_without_its_entries() {
    let words = "load reads /srv/motd, and no interest covers it: [Path(\"/srv\")]";
    breaks(&tried(Subject::of::<Shallow>()), WAKES, words);
}

note!(Nosy, NosyState, load, apply, interests);

impl Watching for Nosy {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Tree("/".into()));
    }
}

#[test]
fn detects_an_interest_in_everything() {
    breaks(&tried(Subject::of::<Nosy>()), SLEEPS, "a file /srv/uphold-unrelated wakes it");
}

note!(Crowded, CrowdedState, load, apply, interests);

impl Watching for Crowded {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.extend(self.path.parent().map(|parent| Interest::Entries(parent.to_owned())));
    }
}

#[test]
fn detects_an_interest_in_all_siblings() {
    breaks(&tried(Subject::of::<Crowded>()), SLEEPS, "a file /srv/uphold-unrelated wakes it");
}

/// Wrong: each load makes another change.
fn load_touches_the_file(wants: &Wants<'_>, host: &Reading<'_>) -> Result<Option<FoundNote>> {
    if host.files().look(wants.path)?.is_some() {
        let touch = format!("touch {}", Path::display(wants.path));
        host.probe(&Command::shell(touch))?;
    }
    load(wants, host)
}
note!(Sleepless, SleeplessState, load_touches_the_file, apply);

#[test]
fn detects_a_load_that_wakes_itself() {
    let subject = tried(Subject::of::<Sleepless>());
    breaks(
        &subject,
        "check_writes_nothing",
        "write /srv/motd (by /bin/sh)\n  and so it wakes itself for ever",
    );
}
