//! The checks.

use std::io::{Read, Write};
use std::time::Duration;

use crate::session::Session;

/// All checks, one after the other.
pub(crate) fn all() {
    let checks: &[(&str, fn())] = &[
        ("shows the watch, handles keys and restores the terminal", shows_and_leaves),
        ("follows a resize", follows_a_resize),
        ("passes requests on", passes_requests_on),
        ("the second q is urgent", second_is_urgent),
        ("draws a burst only a few times", burst_is_drawn_a_few_times),
        ("writes only clocks when idle", idle_is_cheap),
        ("a panic restores the terminal", panic_restores_the_terminal),
        ("a caught panic does not disturb the screen", caught_panic_keeps_the_screen),
        ("the terminal is restored before an exit", terminal_is_restored_before_an_exit),
        ("a stalled terminal does not delay the end", stalled_terminal_ends),
        ("a terminal that goes away ends the watch", hang_up_ends),
    ];
    for (name, check) in checks {
        // Without a test harness, nothing else prints the names.
        let _ = writeln!(std::io::stdout(), "{name}");
        check();
    }
}

fn started(play: &str) -> Session {
    let mut session = Session::start(play, 80, 24);
    // The program may already be further when the first frame is read.
    session.see(" resources for ");
    assert!(session.is_raw() && session.emulator.is_other_screen && !session.emulator.is_cursor_shown);
    session
}

fn is_restored(session: &Session) {
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
    is_restored(&session);
    let left = &session.emulator.ordinary;
    assert!(left.starts_with("watched 3 resources for ") && left.contains(": 1 repaired"), "{left:?}");
}

fn follows_a_resize() {
    let mut session = started("hold");
    session.resize(40, 10);
    session.see("━━ log ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━\n");
    session.resize(120, 40);
    session.see(&"━".repeat(113));
}

fn passes_requests_on() {
    let mut session = started("hold");
    session.press("r");
    session.see("file[\"/reload\"]");
    session.press("c");
    session.see("file[\"/recheck\"]");
}

fn second_is_urgent() {
    let mut session = started("slow");
    session.press("\u{3}");
    session.see("ending; q again kills running commands");
    session.press("q");
    assert!(session.end().success());
    is_restored(&session);
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
    // A frame is a few kilobytes at most: one for each 50 ms, and some before and after.
    let most = (span / 50 + 8) * 4096;
    let bytes = session.emulator.bytes as u64;
    assert!(bytes < most, "{bytes} bytes for a burst of {span} ms, at most {most}");
}

fn idle_is_cheap() {
    let mut session = started("hold");
    session.watch(Duration::from_millis(200));
    let before = session.emulator.bytes;
    session.watch(Duration::from_secs(3));
    let written = session.emulator.bytes - before;
    assert!((1..300).contains(&written), "{written} bytes in three seconds");
}

fn panic_restores_the_terminal() {
    let mut session = Session::start("panic", 80, 24);
    assert!(!session.end().success());
    is_restored(&session);
    let mut errors = String::new();
    session.errors.read_to_string(&mut errors).expect("text");
    assert!(errors.contains("the play is over"), "{errors}");
}

fn caught_panic_keeps_the_screen() {
    let mut session = started("caught");
    session.watch(Duration::from_millis(200));
    // The program may already be further when the first frame is read.
    session.see(" resources for ");
    session.press("q");
    assert!(session.end().success());
    is_restored(&session);
    let left = &session.emulator.ordinary;
    assert!(left.contains("a kind panicked"), "{left:?}");
}

fn terminal_is_restored_before_an_exit() {
    let mut session = Session::start("killed", 80, 24);
    assert_eq!(session.end().code(), Some(7));
    is_restored(&session);
}

fn hang_up_ends() {
    let mut session = started("hold");
    session.hang_up();
    // Its closing summary cannot be printed: the terminal is gone.
    session.end();
}

fn stalled_terminal_ends() {
    let mut session = Session::start("mute", 200, 60);
    session.see("repaired 10,001");
    // Large frames, until the buffer of the terminal is full.
    for _ in 0..30 {
        session.press("\r");
        std::thread::sleep(Duration::from_millis(60));
    }
    assert!(session.ends_unread().success());
    assert!(!session.is_raw(), "the modes are as they were");
    let bytes = session.emulator.bytes;
    assert!(session.emulator.is_other_screen, "it was stalled, after {bytes} bytes");
}
