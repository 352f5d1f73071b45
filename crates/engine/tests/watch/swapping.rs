//! A new configuration during a watch.

use uphold_engine::{Cause, EventKind};
use uphold_resource::Interest;

use super::stage::{Scene, Stage};

pub(crate) const OLD: &str = r#"
    note "/d/a" { text = "1" }
    note "/d/b" { text = "2" }
    note "/d/c" { text = "3" }"#;

/// `a` is unchanged, `b` different, `c` removed, `z` new.
pub(crate) const NEW: &str = r#"
    note "/d/z" { text = "9" }
    note "/d/a" { text = "1" }
    note "/d/b" { text = "two" }"#;

/// How many times a watch was set for a path.
fn armings(scene: &Scene<'_>, path: &str) -> usize {
    let interest = Interest::Path(path.into());
    scene.host.armings().iter().filter(|(_, interests)| interests.contains(&interest)).count()
}

#[test]
fn unchanged_resources_are_kept_and_the_rest_is_visited() {
    let transcript = Stage::new()
        .then(|scene| {
            scene.host.forget();
            assert_eq!(scene.swap(NEW), 1);
        })
        .then(|scene| {
            assert_eq!(armings(scene, "/d/a"), 0, "what is kept is not armed again");
            assert!(scene.host.is_watched("/d/a"));
            assert!(!scene.host.is_watched("/d/c"), "what left is not watched any more");
        })
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(|scene| {
            assert_eq!(armings(scene, "/d/a"), 0, "nor at its next visit");
            scene.host.tamper("/d/c", "left alone");
        })
        .then(|scene| scene.host.tamper("/d/z", "x"))
        .watch(OLD)
        .check(
            "+ /d/a
            + /d/b
            + /d/c
            watching 3
            -
            swapped 1: 1 kept, 2 visited, 1 left
            + /d/z
            ~ /d/b
            watching 3
            -
            -
            ~ /d/a because /d/a changed
            -
            -
            ~ /d/z because /d/z changed",
        );
    assert_eq!(transcript.text("/d/c").as_deref(), Some("left alone"));
    assert_eq!(transcript.count("look", "/d/a"), 4, "it was visited first, and when it was tampered with");
}

#[test]
fn an_equal_configuration_visits_nothing() {
    let transcript = Stage::new()
        .then(|scene| _ = scene.swap(OLD))
        .then(|scene| scene.host.tamper("/d/b", "x"))
        .watch(OLD);
    let visits: Vec<&String> = transcript.later().iter().filter(|line| line.contains("/d/")).collect();
    assert_eq!(visits, ["~ /d/b because /d/b changed"]);
    assert_eq!(transcript.lines_of("swapped"), ["swapped 1: 3 kept, 0 visited, 0 left"]);
}

#[test]
fn of_two_swaps_at_once_the_last_counts() {
    let transcript = Stage::new()
        .then(|scene| {
            scene.swap(r#"note "/d/never" { text = "1" }"#);
            assert_eq!(scene.swap(NEW), 2);
        })
        .then(|_| {})
        .watch(OLD);
    assert_eq!(transcript.lines_of("swapped"), ["swapped 2: 1 kept, 2 visited, 1 left"]);
    assert_eq!(transcript.text("/d/never"), None);
}

/// Readers of a changed resource are visited; readers of an unchanged one can still read it.
#[test]
fn values_of_unchanged_resources_can_be_read() {
    let text = |b: &str, c: &str| {
        format!(
            r#"
            note "/d/a" {{ text = "hello" }}
            note "/d/b" {{ text = "{b} ${{note["/d/a"].length}}" }}
            note "/d/c" {{ text = "{c} ${{note["/d/b"].length}}" }}"#
        )
    };
    let (second, third) = (text("longer", "c"), text("longer", "d"));
    let transcript = Stage::new()
        .then(move |scene| _ = scene.swap(&second))
        .then(move |scene| _ = scene.swap(&third))
        .then(|_| {})
        .watch(&text("b", "c"));
    assert_eq!(transcript.text("/d/b").as_deref(), Some("longer 5"));
    assert_eq!(transcript.text("/d/c").as_deref(), Some("d 8"));
    assert_eq!(transcript.count("look", "/d/a"), 2, "{:?}", transcript.lines);
    assert_eq!(transcript.count("write", "/d/b"), 2, "{:?}", transcript.lines);
    assert_eq!(
        transcript.count("look", "/d/b"),
        4,
        "what comes out the same is not looked at: {:?}",
        transcript.lines
    );
}

#[test]
fn a_new_dependency_makes_a_resource_wait() {
    let next = r#"
        note "/d/b" {
          text       = "two"
          depends_on = [note["/d/z"]]
        }
        note "/d/a" { text = "1" }
        note "/d/z" { text = "9" }"#;
    let transcript = Stage::new().then(|scene| _ = scene.swap(next)).then(|_| {}).watch(OLD);
    let place = |line: &str| transcript.later().iter().position(|transcript| transcript == line);
    assert!(place("+ /d/z").is_some() && place("+ /d/z") < place("~ /d/b"), "{:?}", transcript.lines);
}

/// A running visit ends with the old configuration; then the new one applies.
#[test]
fn a_swap_during_a_visit_waits_for_it() {
    let transcript = Stage::new().then(|scene| scene.host.tamper("/d/b", "x")).then(|_| {}).watch_with(
        OLD,
        |event, scene| {
            if matches!(event.kind, EventKind::Started { cause: Cause::Woken(_), .. }) {
                scene.swap(NEW);
            }
        },
    );
    assert_eq!(transcript.text("/d/b").as_deref(), Some("two"), "{:?}", transcript.lines);
    assert_eq!(transcript.lines_of("swapped").len(), 1, "{:?}", transcript.lines);
    assert_eq!(transcript.text("/d/z").as_deref(), Some("9"));
}

#[test]
fn a_swap_during_the_first_run_is_not_lost() {
    let mut asked = false;
    let transcript = Stage::new().then(|_| {}).watch_with(OLD, |event, scene| {
        if matches!(event.kind, EventKind::Finished { .. }) && !std::mem::replace(&mut asked, true) {
            scene.swap(NEW);
        }
    });
    assert_eq!(transcript.lines_of("swapped").len(), 1, "{:?}", transcript.lines);
    assert_eq!(
        (
            transcript.text("/d/a").as_deref(),
            transcript.text("/d/b").as_deref(),
            transcript.text("/d/z").as_deref()
        ),
        (Some("1"), Some("two"), Some("9"))
    );
}

/// Resources that are no longer declared do not notify.
#[test]
fn a_notification_follows_the_new_configuration() {
    let text = |transcript: &str| {
        format!(
            r#"
            note "/d/a" {{
              text     = "1"
              notifies = [note["{transcript}"].shout]
            }}
            note "/d/y" {{
              text   = "2"
              action = "nothing"
            }}
            note "/d/z" {{
              text   = "3"
              action = "nothing"
            }}"#
        )
    };
    let next = text("/d/z");
    let transcript = Stage::new()
        .then(move |scene| _ = scene.swap(&next))
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(|_| {})
        .watch(&text("/d/y"));
    assert_eq!(
        (transcript.count("shout", "/d/y"), transcript.count("shout", "/d/z")),
        (1, 1),
        "{:?}",
        transcript.lines
    );
}

/// The machine completed its declaration; the comparison uses the original one.
#[test]
fn a_resource_that_the_machine_completed_is_unchanged() {
    let text = |more: &str| format!("copy \"/d/a\" {{ from = \"/d/source\" }}\n{more}");
    let next = text("note \"/d/b\" { text = \"1\" }");
    let transcript = Stage::new()
        .on(|host| host.file("/d/source", "s", 0o644))
        .then(move |scene| _ = scene.swap(&next))
        .then(|scene| scene.host.tamper("/d/source", "t"))
        .then(|_| {})
        .watch(&text(""))
        .check(
            "+ /d/a
            watching 1
            -
            swapped 1: 1 kept, 1 visited, 0 left
            + /d/b
            watching 2
            -
            ~ /d/a because /d/source changed
            -",
        );
    assert_eq!(transcript.text("/d/a").as_deref(), Some("t"));
}
