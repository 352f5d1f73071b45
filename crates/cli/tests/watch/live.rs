//! Values that change over time.

use std::time::Duration;

use crate::session::Ground;

const REFRESH: &[&str] = &["--refresh", "300ms"];

/// A fact of the machine below the root: only its readers are visited.
#[test]
fn a_changed_fact_visits_its_readers() {
    let ground = Ground::with(
        "file \"/motd\" { content = \"I am ${host.hostname}\" }\nfile \"/other\" { content = \"same\" }\n",
    );
    std::fs::create_dir(ground.path("root/etc")).expect("a folder");
    ground.write("root/etc/hostname", "web1\n");
    let mut session = ground.watching(REFRESH);
    assert_eq!(ground.read("root/motd"), "I am web1");
    ground.write("root/etc/hostname", "web2\n");
    session.await_line("changed file[\"/motd\"]: content, because host.hostname changed");
    assert_eq!(ground.read("root/motd"), "I am web2");
    session.expect_silence(Duration::from_millis(700));
}

/// The content changes each second; resources that do not read the time are not visited.
#[test]
fn the_time_is_refreshed() {
    let ground =
        Ground::with("file \"/now\" { content = timestamp() }\nfile \"/other\" { content = \"same\" }\n");
    let mut session = ground.watching(REFRESH);
    let first = ground.read("root/now");
    session.await_line("changed file[\"/now\"]");
    session.await_line("changed file[\"/now\"]");
    assert_ne!(ground.read("root/now"), first);
    assert!(!session.said.iter().any(|line| line.contains("changed file[\"/other\"]")), "{:?}", session.said);
}

/// Files of procfs have no events, so they are polled.
#[test]
fn files_without_events_are_polled() {
    let ground = Ground::with("file \"/up\" { content = file(\"/proc/uptime\") }\n");
    let mut session = ground.watching(REFRESH);
    session.await_line("changed file[\"/up\"]: content, because /proc/uptime changed");
    session.await_line("changed file[\"/up\"]: content, because /proc/uptime changed");
}

/// A changed fact that does not change the expression causes no visit.
#[test]
fn an_unchanged_comparison_causes_no_visit() {
    let ground = Ground::with("file \"/load\" { content = host.load.one > 100000 ? \"busy\" : \"idle\" }\n");
    let mut session = ground.watching(REFRESH);
    session.expect_silence(Duration::from_millis(1200));
    assert_eq!(ground.read("root/load"), "idle");
}

/// A missing value is reported once, and the previous configuration stays in force.
#[test]
fn a_repeated_reload_error_is_reported_once() {
    let ground = Ground::with("file \"/motd\" { content = \"I am ${host.os.family}\" }\n");
    std::fs::create_dir(ground.path("root/etc")).expect("a folder");
    ground.write("root/etc/os-release", "ID=debian\nNAME=Debian\n");
    let mut session = ground.watching(REFRESH);
    std::fs::remove_file(ground.path("root/etc/os-release")).expect("it existed");
    session.await_line("cannot reload the configuration");
    session.expect_silence(Duration::from_millis(1200));
    ground.write("root/etc/os-release", "ID=alpine\nNAME=Alpine\n");
    ground.await_content("root/motd", "I am alpine");
}
