//! What is checked.

use std::io::{Read, Write};
use std::time::Duration;

use crate::session::Session;

/// All checks, one after the other.
pub(crate) fn all() {
    let checks: &[(&str, fn())] = &[
        ("it shows, listens and leaves the terminal as it was", shows_and_leaves),
        ("it takes another size", takes_another_size),
        ("what is asked for is passed on", passes_wishes_on),
        ("the second q is urgent", second_is_urgent),
        ("a burst is drawn a few times", burst_is_drawn_a_few_times),
        ("when nothing happens nothing is written but clocks", silence_is_cheap),
        ("a panic gives the terminal back", panic_gives_the_terminal_back),
        ("a panic that is caught leaves the picture alone", caught_panic_leaves_the_picture),
        ("who ends the process can give the terminal back", lifeline_gives_the_terminal_back),
        ("a terminal that takes nothing does not hold up the end", stalled_terminal_ends),
        ("a terminal that goes away ends the watch", hang_up_ends),
    ];
    for (name, check) in checks {
        // There is no harness that says it.
        let _ = writeln!(std::io::stdout(), "{name}");
        check();
    }
}

fn started(play: &str) -> Session {
    let mut session = Session::start(play, 80, 24);
    // A play may go on before the first picture is read.
    session.see(" resources for ");
    assert!(session.is_raw() && session.emulator.is_other_screen && !session.emulator.is_cursor_shown);
    session
}

fn is_given_back(session: &Session) {
    assert!(!session.is_raw(), "the modes are as they were");
    assert!(!session.emulator.is_other_screen, "the ordinary screen is back");
    assert!(session.emulator.is_cursor_shown, "the cursor is back");
}

fn shows_and_leaves() {
    let mut session = started("hold");
    session.see("test-machine  site.hcl");
    session.press("\r");
    session.see(r#"━━ file["/tmp/\u{1b}[2J\u{1b}]0;evil"#);
    session.see("東京");
    session.press("\u{1b}");
    session.see("━━ log");
    session.press("\t");
    session.see("all resources, 1 to 3 of 3");
    session.press("/motd\r");
    session.see("all resources, 1 to 1 of 1 ── containing motd");
    session.press("\r");
    session.see("last change  none");
    session.press("q");
    assert!(session.end().success());
    is_given_back(&session);
    let left = &session.emulator.ordinary;
    assert!(left.starts_with("held 3 resources for ") && left.contains(": 1 repaired"), "{left:?}");
}

fn takes_another_size() {
    let mut session = started("hold");
    session.resize(40, 10);
    session.see("━━ log ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━\n");
    session.resize(120, 40);
    session.see(&"━".repeat(113));
}

fn passes_wishes_on() {
    let mut session = started("hold");
    session.press("r");
    session.see("file[\"/reload\"]");
    session.press("c");
    session.see("file[\"/recheck\"]");
}

fn second_is_urgent() {
    let mut session = started("slow");
    session.press("\u{3}");
    session.see("ending; q again kills what runs");
    session.press("q");
    assert!(session.end().success());
    is_given_back(&session);
}

fn burst_is_drawn_a_few_times() {
    let mut session = started("burst");
    let took = |screen: &str| -> Option<u64> {
        let (_, rest) = screen.split_once("/took/")?;
        rest.split_once('"')?.0.parse().ok()
    };
    session.until("the burst is over", |emulator| took(&emulator.screen()).is_some());
    session.see("repaired 10,001");
    let span = took(&session.emulator.screen()).unwrap_or_default();
    // A picture is a few kilobytes at most: one for each 50 ms, and some around it.
    let most = (span / 50 + 8) * 4096;
    let bytes = session.emulator.bytes as u64;
    assert!(bytes < most, "{bytes} bytes for a burst of {span} ms, at most {most}");
}

fn silence_is_cheap() {
    let mut session = started("hold");
    session.watch(Duration::from_millis(200));
    let before = session.emulator.bytes;
    session.watch(Duration::from_secs(3));
    let written = session.emulator.bytes - before;
    assert!((1..300).contains(&written), "{written} bytes in three seconds");
}

fn panic_gives_the_terminal_back() {
    let mut session = Session::start("panic", 80, 24);
    assert!(!session.end().success());
    is_given_back(&session);
    let mut told = String::new();
    session.errors.read_to_string(&mut told).expect("text");
    assert!(told.contains("the play is over"), "{told}");
}

fn caught_panic_leaves_the_picture() {
    let mut session = started("caught");
    session.watch(Duration::from_millis(200));
    // A play may go on before the first picture is read.
    session.see(" resources for ");
    session.press("q");
    assert!(session.end().success());
    is_given_back(&session);
    let left = &session.emulator.ordinary;
    assert!(left.contains("a kind panicked"), "{left:?}");
}

fn lifeline_gives_the_terminal_back() {
    let mut session = Session::start("killed", 80, 24);
    assert_eq!(session.end().code(), Some(7));
    is_given_back(&session);
}

fn hang_up_ends() {
    let mut session = started("hold");
    session.hang_up();
    // Its farewell cannot be printed, and nothing is left to say it to.
    session.end();
}

fn stalled_terminal_ends() {
    let mut session = Session::start("mute", 200, 60);
    session.see("repaired 10,001");
    // Large pictures, until none fits any more.
    for _ in 0..30 {
        session.press("\r");
        std::thread::sleep(Duration::from_millis(60));
    }
    assert!(session.ends_unread().success());
    assert!(!session.is_raw(), "the modes are as they were");
    let bytes = session.emulator.bytes;
    assert!(session.emulator.is_other_screen, "it was stalled indeed, after {bytes} bytes");
}
