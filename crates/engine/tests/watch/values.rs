//! Values that other resources read: which readers a change wakes.

use std::sync::{Arc, Mutex};

use uphold_engine::{Cause, Wake};
use uphold_model::ResourceId;
use uphold_resource::Interest;

use super::stage::{Scene, Stage};

const TEXT: &str = r#"
    lamp x {}
    note "/d/colour" { text = "it is ${lamp.x.colour}" }
    note "/d/size" { text = "size ${length(lamp.x.colour)}" }
    note "/d/deep" { text = "${note["/d/size"].content}!" }
    note "/d/other" { text = "size ${length("abc")}" }"#;

/// One step of the script.
type Step = Box<dyn FnOnce(&Scene<'_>) + Send>;

/// The lamp has the colour that was set last.
fn coloured(first: &str) -> (Stage, impl Fn(&str) -> Step + use<>) {
    let colour = Arc::new(Mutex::new(first.to_owned()));
    let transcript = Arc::clone(&colour);
    let stage = Stage::new().answer(move |call, word, name| match (word, name) {
        ("look", "x") => call.succeed(&*transcript.lock().expect("nobody panics with it")),
        _ => call.succeed(""),
    });
    let paint = move |new: &str| -> Step {
        let (colour, new) = (Arc::clone(&colour), new.to_owned());
        Box::new(move |scene| {
            *colour.lock().expect("nobody panics with it") = new;
            scene.host.report(&Interest::Unit("x".into()));
        })
    };
    (stage, paint)
}

#[test]
fn a_changed_value_wakes_only_its_readers() {
    let (stage, paint) = coloured("red");
    let transcript =
        stage.then(paint("green")).then(paint("white")).then(paint("white")).then(|_| {}).watch(TEXT).check(
            r#"= x
        + /d/colour
        + /d/size
        + /d/deep
        + /d/other
        watching 5
        -
        = x because the unit x changed
        ~ /d/colour because lamp.x has a new value
        ~ /d/size because lamp.x has a new value
        ~ /d/deep because note["/d/size"] has a new value
        -
        = x because the unit x changed
        ~ /d/colour because lamp.x has a new value
        = /d/size because lamp.x has a new value
        -
        = x because the unit x changed
        -"#,
        );
    assert_eq!(transcript.text("/d/colour").as_deref(), Some("it is white"));
    assert_eq!(
        (transcript.text("/d/size").as_deref(), transcript.text("/d/deep").as_deref()),
        (Some("size 5"), Some("size 5!"))
    );
}

/// A repaired resource has the same values as before.
#[test]
fn equal_values_wake_no_reader() {
    let (stage, _) = coloured("red");
    let transcript = stage.then(|scene| scene.host.tamper("/d/size", "tampered")).then(|_| {}).watch(TEXT);
    assert_eq!(transcript.later(), ["-", "~ /d/size because /d/size changed", "-"]);
}

/// A changed value wakes readers by a condition, too.
#[test]
fn a_condition_wakes_too() {
    let (stage, paint) = coloured("red");
    let text = r#"
        lamp x {}
        note "/d/a" {
          text    = "1"
          only_if = lamp.x.colour == "green"
        }"#;
    let transcript = stage.then(paint("green")).then(paint("red")).then(|_| {}).watch(text);
    assert_eq!(
        transcript.lines,
        [
            "= x",
            "o /d/a",
            "watching 2",
            "-",
            "= x because the unit x changed",
            "+ /d/a because lamp.x has a new value",
            "-",
            "= x because the unit x changed",
            "o /d/a because lamp.x has a new value",
            "-",
        ]
    );
}

/// Readers wait until the resources that they read are checked: they never see one of two changes.
#[test]
fn a_reader_waits_for_the_resources_that_it_reads() {
    let (stage, paint) = coloured("red");
    let green = paint("green");
    let both = move |scene: &Scene<'_>| {
        scene.host.tamper("/d/colour", "tampered");
        green(scene);
    };
    let transcript = stage.then(both).then(|_| {}).watch(TEXT);
    assert_eq!(transcript.lines_of("~ /d/colour").len(), 1, "{:?}", transcript.lines);
    assert_eq!(transcript.text("/d/colour").as_deref(), Some("it is green"));
}

/// An output is reported after the first run, and when its value changes.
#[test]
fn an_output_is_reported_when_it_changes() {
    let (stage, paint) = coloured("red");
    let text = r#"
        lamp x {}
        note "/d/a" { text = "1" }
        output "colour" { value = lamp.x.colour }
        output "size" { value = length(lamp.x.colour) }"#;
    let transcript =
        stage.then(paint("tan")).then(|scene| scene.host.tamper("/d/a", "x")).then(paint("tan")).watch(text);
    let said: Vec<&str> =
        transcript.lines.iter().map(String::as_str).filter(|line| !line.starts_with("= x")).collect();
    assert_eq!(
        said,
        [
            "+ /d/a",
            "colour = \"red\"",
            "size = 3",
            "watching 2",
            "-",
            "colour = \"tan\"",
            "-",
            "~ /d/a because /d/a changed",
            "-",
        ]
    );
}

#[test]
fn only_unrequested_changes_count_as_drift() {
    let check = |cause: Cause, expected: bool| assert_eq!(cause.is_outside(), expected, "{cause:?}");
    check(Cause::Woken(Wake::Rechecked), true);
    check(Cause::Woken(Wake::Reported(Interest::Accounts)), true);
    check(Cause::Woken(Wake::Received(ResourceId::new("a", "b"))), false);
    check(Cause::Written, false);
}
