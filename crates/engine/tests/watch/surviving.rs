//! Pending work when the configuration is swapped: none of it is lost.

use std::sync::atomic::{AtomicUsize, Ordering};

use uphold_engine::{Cause, EventKind};

use super::stage::Stage;
use super::swapping::{NEW, OLD};

/// A failed resource is retried at once, changed or not.
#[test]
fn a_failure_is_retried() {
    let broken = AtomicUsize::new(0);
    let stage = Stage::new().answer(move |call, word, name| {
        let fails = (word, name) == ("look", "/d/a") && broken.fetch_add(1, Ordering::Relaxed) == 0;
        if fails { call.fail(2, "broken") } else { call.succeed("") }
    });
    let transcript = stage.then(|scene| _ = scene.swap(NEW)).then(|_| {}).watch(OLD);
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1"), "{:?}", transcript.lines);
    assert_eq!(transcript.summary.failed, 0);
}

/// An event that arrived before the swap is not lost.
#[test]
fn an_event_survives_a_swap() {
    let transcript = Stage::new()
        .then(|scene| {
            scene.host.tamper("/d/a", "x");
            scene.swap(NEW);
        })
        .then(|_| {})
        .watch(OLD);
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1"), "{:?}", transcript.lines);
}

/// `a` is not ready, and `z`, which both notify, waits for it.
#[test]
fn a_swap_does_not_wait_for_a_resource_that_is_not_ready() {
    let text = |more: &str| {
        format!(
            r#"
            note "/d/a" {{
              text     = "1"
              notifies = [note["/d/z"].shout]
            }}
            note "/d/b" {{
              text     = "2"
              notifies = [note["/d/z"].shout]
            }}
            {more}
            note "/d/z" {{
              text   = "3"
              action = "nothing"
            }}"#
        )
    };
    let next = text(r#"note "/d/c" { text = "4" }"#);
    let looks = AtomicUsize::new(0);
    let late = move |word: &str, name: &str| {
        (word, name) == ("look", "/d/a") && looks.fetch_add(1, Ordering::Relaxed) == 2
    };
    let transcript = Stage::new()
        .answer(move |call, word, name| if late(word, name) { call.fail(75, "") } else { call.succeed("") })
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(|scene| scene.host.tamper("/d/b", "x"))
        .then(move |scene| _ = scene.swap(&next))
        .then(|_| {})
        .watch(&text(""));
    assert_eq!(transcript.lines_of("swapped").len(), 1, "{:?}", transcript.lines);
    assert_eq!(
        (transcript.text("/d/a").as_deref(), transcript.text("/d/c").as_deref()),
        (Some("1"), Some("4"))
    );
    assert_eq!(
        transcript.count("shout", "/d/z"),
        2,
        "once at first, and once for both: {:?}",
        transcript.lines
    );
}

/// An event that was already processed before the swap is not lost, either.
#[test]
fn a_processed_event_survives_a_swap() {
    let transcript = Stage::new().then(|scene| scene.host.tamper("/d/b", "x")).then(|_| {}).watch_with(
        OLD,
        |event, scene| {
            if matches!(event.kind, EventKind::Started { cause: Cause::Woken(_), .. }) {
                scene.host.tamper("/d/a", "y");
                scene.swap(NEW);
            }
        },
    );
    assert_eq!(transcript.lines_of("swapped").len(), 1, "{:?}", transcript.lines);
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1"), "{:?}", transcript.lines);
}

/// The visit was requested, but has to wait; then the swap comes.
#[test]
fn a_delayed_visit_survives_a_swap() {
    let text = |more: &str| {
        format!(
            r#"
            note "/d/a" {{
              text  = "1"
              limit = {{ times = 1, per = "30s" }}
            }}
            {more}"#
        )
    };
    let next = text(r#"note "/d/b" { text = "2" }"#);
    let transcript = Stage::new()
        .then(|scene| scene.host.tamper("/d/a", "x"))
        .then(|scene| scene.host.tamper("/d/a", "y"))
        .then(move |scene| _ = scene.swap(&next))
        .then(|scene| scene.host.advance(scene.span.unwrap_or_default()))
        .then(|_| {})
        .watch(&text(""));
    assert_eq!(transcript.lines_of("swapped").len(), 1, "{:?}", transcript.lines);
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1"), "{:?}", transcript.lines);
}

/// It is retried, although its failure is ignored.
#[test]
fn an_ignored_failure_survives_a_swap() {
    let text = |more: &str| {
        format!(
            r#"
            note "/d/a" {{
              text           = "1"
              ignore_failure = true
            }}
            {more}"#
        )
    };
    let next = text(r#"note "/d/b" { text = "2" }"#);
    let looks = AtomicUsize::new(0);
    let transcript = Stage::new()
        .answer(move |call, word, name| {
            let fails = (word, name) == ("look", "/d/a") && looks.fetch_add(1, Ordering::Relaxed) == 0;
            if fails { call.fail(2, "broken") } else { call.succeed("") }
        })
        .then(move |scene| _ = scene.swap(&next))
        .then(|scene| scene.host.advance(scene.span.unwrap_or_default()))
        .then(|_| {})
        .watch(&text(""));
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1"), "{:?}", transcript.lines);
}

/// It cannot be watched: it is polled, before and after the swap.
#[test]
fn a_polled_resource_survives_a_swap() {
    for value in ["one", "${note[\"/d/c\"].content}"] {
        let text = |more: &str| {
            format!("note \"/d/c\" {{ text = \"one\" }}\nnote \"/d/a\" {{ text = \"{value}\" }}\n{more}")
        };
        let next = text(r#"note "/d/b" { text = "2" }"#);
        let transcript = Stage::new()
            .on(|host| {
                host.refuse_watches("/d/a");
                host
            })
            .then(move |scene| _ = scene.swap(&next))
            .then(|scene| {
                scene.host.tamper("/d/a", "x");
                scene.host.advance(scene.span.unwrap_or_default());
            })
            .then(|_| {})
            .watch(&text(""));
        assert_eq!(transcript.text("/d/a").as_deref(), Some("one"), "{value}: {:?}", transcript.lines);
    }
}

/// A resource with `poll` is polled after the swap, too.
#[test]
fn a_poll_survives_a_swap() {
    for value in ["one", "${note[\"/d/c\"].content}"] {
        let text = |more: &str| {
            format!(
                "note \"/d/c\" {{ text = \"one\" }}\nnote \"/d/a\" {{\n text = \"{value}\"\n poll = \"20s\"\n}}\n{more}"
            )
        };
        let next = text(r#"note "/d/b" { text = "2" }"#);
        let transcript =
            Stage::new().then(move |scene| _ = scene.swap(&next)).pass().then(|_| {}).watch(&text(""));
        let polled = transcript.lines_of("= /d/a because it is polled");
        assert_eq!(polled.len(), 1, "{value}: {:?}", transcript.lines);
    }
}

/// Its declaration is unchanged, so it would not be visited; but its file changes before its place in the order.
#[test]
fn an_event_during_the_run_after_a_swap_is_not_lost() {
    let text = |b: &str| {
        format!(
            r#"
            note "/d/a" {{ text = "1" }}
            note "/d/b" {{ text = "{b}" }}
            note "/d/c" {{ text = "it is ${{note["/d/a"].content}}" }}"#
        )
    };
    for lost in [false, true] {
        let next = text("new");
        let writes = AtomicUsize::new(0);
        let transcript = Stage::new()
            .answer(move |call, word, name| {
                if (word, name) == ("wrote", "/d/b") && writes.fetch_add(1, Ordering::Relaxed) == 1 {
                    call.host.tamper("/d/c", "x");
                    if lost {
                        call.host.lose_reports();
                    }
                }
                call.succeed("")
            })
            .then(move |scene| _ = scene.swap(&next))
            .then(|_| {})
            .watch(&text("old"));
        assert_eq!(transcript.text("/d/b").as_deref(), Some("new"), "{lost}: {:?}", transcript.lines);
        assert_eq!(transcript.text("/d/c").as_deref(), Some("it is 1"), "{lost}: {:?}", transcript.lines);
    }
}

/// Its declaration is unchanged, but it was blocked for long: its file may have changed.
#[test]
fn a_resource_that_was_blocked_after_a_swap_is_visited() {
    let text = |b: &str| {
        format!(
            r#"
            note "/d/a" {{ text = "1" }}
            note "/d/b" {{ text = "{b}" }}
            note "/d/c" {{
              text       = "it is ${{note["/d/a"].content}}"
              depends_on = [note["/d/b"]]
            }}"#
        )
    };
    let next = text("new");
    let writes = AtomicUsize::new(0);
    let transcript = Stage::new()
        .answer(move |call, word, name| {
            let fails = (word, name) == ("write", "/d/b") && writes.fetch_add(1, Ordering::Relaxed) == 1;
            if fails { call.fail(2, "broken") } else { call.succeed("") }
        })
        .then(move |scene| _ = scene.swap(&next))
        .then(|scene| scene.host.tamper("/d/c", "x"))
        .pass()
        .then(|_| {})
        .watch(&text("old"));
    assert_eq!(transcript.text("/d/b").as_deref(), Some("new"), "{:?}", transcript.lines);
    assert_eq!(transcript.text("/d/c").as_deref(), Some("it is 1"), "{:?}", transcript.lines);
}
