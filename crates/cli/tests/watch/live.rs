//! Values that change over time.

use std::time::Duration;

use super::session::Sandbox;

const REFRESH: &[&str] = &["--refresh", "300ms"];

/// A fact of the machine below the root: only its readers are visited.
#[test]
fn a_changed_fact_visits_its_readers() {
    let sandbox = Sandbox::with(
        "file \"/motd\" { content = \"I am ${host.hostname}\" }\nfile \"/other\" { content = \"same\" }\n",
    );
    std::fs::create_dir(sandbox.path("root/etc")).expect("a folder");
    sandbox.write("root/etc/hostname", "web1\n");
    let mut session = sandbox.watching(REFRESH);
    assert_eq!(sandbox.read("root/motd"), "I am web1");
    sandbox.write("root/etc/hostname", "web2\n");
    session.await_line("changed file[\"/motd\"]: content, because host.hostname changed");
    assert_eq!(sandbox.read("root/motd"), "I am web2");
    session.expect_silence(Duration::from_millis(700));
}

/// The content changes each second; resources that do not read the time are not visited.
#[test]
fn the_time_is_refreshed() {
    let sandbox =
        Sandbox::with("file \"/now\" { content = timestamp() }\nfile \"/other\" { content = \"same\" }\n");
    let mut session = sandbox.watching(REFRESH);
    let first = sandbox.read("root/now");
    session.await_line("changed file[\"/now\"]");
    session.await_line("changed file[\"/now\"]");
    assert_ne!(sandbox.read("root/now"), first);
    assert!(
        !session.printed.iter().any(|line| line.contains("changed file[\"/other\"]")),
        "{:?}",
        session.printed
    );
}

/// Files of procfs have no events, so they are polled.
#[test]
fn files_without_events_are_polled() {
    let sandbox = Sandbox::with("file \"/up\" { content = file(\"/proc/uptime\") }\n");
    let mut session = sandbox.watching(REFRESH);
    session.await_line("changed file[\"/up\"]: content, because /proc/uptime changed");
    session.await_line("changed file[\"/up\"]: content, because /proc/uptime changed");
}

/// A changed fact that does not change the expression causes no visit.
#[test]
fn an_unchanged_comparison_causes_no_visit() {
    let sandbox =
        Sandbox::with("file \"/load\" { content = host.load.one > 100000 ? \"busy\" : \"idle\" }\n");
    let mut session = sandbox.watching(REFRESH);
    session.expect_silence(Duration::from_millis(1200));
    assert_eq!(sandbox.read("root/load"), "idle");
}

/// A missing value is reported once, and the previous configuration stays in force.
#[test]
fn a_repeated_reload_error_is_reported_once() {
    let sandbox = Sandbox::with("file \"/motd\" { content = \"I am ${host.os.family}\" }\n");
    std::fs::create_dir(sandbox.path("root/etc")).expect("a folder");
    sandbox.write("root/etc/os-release", "ID=debian\nNAME=Debian\n");
    let mut session = sandbox.watching(REFRESH);
    std::fs::remove_file(sandbox.path("root/etc/os-release")).expect("it existed");
    session.await_line("cannot reload the configuration");
    session.expect_silence(Duration::from_millis(1200));
    sandbox.write("root/etc/os-release", "ID=alpine\nNAME=Alpine\n");
    sandbox.await_content("root/motd", "I am alpine");
}
