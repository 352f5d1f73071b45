//! A correct resource keeps all laws; insufficient wishes are reported.

use uphold_testkit::laws::{
    Law, an_outside_change_wakes_it, an_unset_property_survives, apply_then_check_is_converged,
};
use uphold_testkit::{Subject, Wish};

use crate::keeps_all;
use crate::note::{apply, load, note, tried};

note!(Note, NoteState, load, apply);

#[test]
fn a_correct_resource_keeps_all_laws() {
    keeps_all(&tried(Subject::of::<Note>()));
}

#[test]
fn insufficient_wishes_are_reported() {
    let check = |law: Law, subject: Subject, words: &str| {
        let why = law(&subject).expect_err("nothing was tested").why;
        assert!(why.contains(words), "{why}");
    };
    let one = Subject::of::<Note>()
        .world(|host| host.directory("/srv", 0o755))
        .wish(Wish::named("/srv/motd").set("text", "hello"));
    check(an_unset_property_survives, one, "add a second one");
    check(apply_then_check_is_converged, Subject::of::<Note>(), "no examples");
    let undetected = tried(Subject::of::<Note>()).drift(|host| host.tamper("/srv/seen", "x"));
    check(an_outside_change_wakes_it, undetected, "no example detects");
    let misspelt = Subject::of::<Note>().wish(Wish::named("/motd").set("txt", "hello"));
    check(apply_then_check_is_converged, misspelt, "did you mean");
}

uphold_testkit::laws! {
    Note,
    world: |host| host.directory("/srv", 0o755),
    wishes: [
        { "/srv/motd", text = "hello", mode = "0640" },
        { "/srv/motd", text = "other" },
        { "/srv/issue" },
    ],
    drift: [
        |host| host.tamper("/srv/motd", "x"),
        |host| host.delete("/srv/issue"),
    ],
}
