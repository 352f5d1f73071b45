//! Values that others read: who is woken by them, and who is not.

use std::sync::{Arc, Mutex};

use uphold_engine::{Cause, Wake};
use uphold_model::ResourceId;
use uphold_resource::Interest;

use crate::stage::{Scene, Stage};

const TEXT: &str = r#"
    lamp x {}
    note "/d/colour" { text = "it is ${lamp.x.colour}" }
    note "/d/size" { text = "size ${length(lamp.x.colour)}" }
    note "/d/deep" { text = "${note["/d/size"].content}!" }
    note "/d/other" { text = "size ${length("abc")}" }"#;

/// What happens at a wait.
type Step = Box<dyn FnOnce(&Scene<'_>) + Send>;

/// The lamp has the colour that is set last.
fn coloured(first: &str) -> (Stage, impl Fn(&str) -> Step + use<>) {
    let colour = Arc::new(Mutex::new(first.to_owned()));
    let told = Arc::clone(&colour);
    let stage = Stage::new().answer(move |call, word, name| match (word, name) {
        ("look", "x") => call.succeed(&*told.lock().expect("nobody panics with it")),
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
fn a_changed_value_wakes_its_readers_and_nobody_else() {
    let (stage, paint) = coloured("red");
    let told =
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
    assert_eq!(told.text("/d/colour").as_deref(), Some("it is white"));
    assert_eq!(
        (told.text("/d/size").as_deref(), told.text("/d/deep").as_deref()),
        (Some("size 5"), Some("size 5!"))
    );
}

/// What is repaired has the values that it had before.
#[test]
fn equal_values_wake_nobody() {
    let (stage, _) = coloured("red");
    let told = stage.then(|scene| scene.host.tamper("/d/size", "tampered")).then(|_| {}).watch(TEXT);
    assert_eq!(told.later(), ["-", "~ /d/size because /d/size changed", "-"]);
}

/// A condition is read again, too.
#[test]
fn a_condition_wakes_too() {
    let (stage, paint) = coloured("red");
    let text = r#"
        lamp x {}
        note "/d/a" {
          text    = "1"
          only_if = lamp.x.colour == "green"
        }"#;
    let told = stage.then(paint("green")).then(paint("red")).then(|_| {}).watch(text);
    assert_eq!(
        told.lines,
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

/// Readers wait until what they read is looked at: none sees a half of two changes.
#[test]
fn who_reads_waits_for_what_it_reads() {
    let (stage, paint) = coloured("red");
    let green = paint("green");
    let both = move |scene: &Scene<'_>| {
        scene.host.tamper("/d/colour", "tampered");
        green(scene);
    };
    let told = stage.then(both).then(|_| {}).watch(TEXT);
    assert_eq!(told.lines_of("~ /d/colour").len(), 1, "{:?}", told.lines);
    assert_eq!(told.text("/d/colour").as_deref(), Some("it is green"));
}

/// An output is told when everything was visited, and when it has another value.
#[test]
fn an_output_is_told_when_it_changes() {
    let (stage, paint) = coloured("red");
    let text = r#"
        lamp x {}
        note "/d/a" { text = "1" }
        output "colour" { value = lamp.x.colour }
        output "size" { value = length(lamp.x.colour) }"#;
    let told =
        stage.then(paint("tan")).then(|scene| scene.host.tamper("/d/a", "x")).then(paint("tan")).watch(text);
    let said: Vec<&str> =
        told.lines.iter().map(String::as_str).filter(|line| !line.starts_with("= x")).collect();
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
fn only_what_nobody_here_asked_for_can_be_drift() {
    let check = |cause: Cause, expected: bool| assert_eq!(cause.is_outside(), expected, "{cause:?}");
    check(Cause::Woken(Wake::Rechecked), true);
    check(Cause::Woken(Wake::Reported(Interest::Accounts)), true);
    check(Cause::Woken(Wake::Received(ResourceId::new("a", "b"))), false);
    check(Cause::Written, false);
}
