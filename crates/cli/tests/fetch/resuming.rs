//! Interrupted transfers that are resumed.

use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::sandbox::Sandbox;
use super::server::{Page, Server, large};

/// More than the minimum for a resumption, and less than the whole.
const PART: usize = 500_000;

const NEVER: &str = "idle_timeout = \"1h\"";

fn scene(page: Page) -> (Sandbox, Server) {
    let server = Server::start();
    server.put("/app", page);
    let sandbox = Sandbox::new();
    sandbox.declare(&server.url("/app"), &[NEVER]);
    (sandbox, server)
}

/// Waits until the partial file has this size.
#[track_caller]
fn await_part(sandbox: &Sandbox, size: usize) {
    let begun = Instant::now();
    while sandbox.read(".app.uphold-partial").map_or(0, |part| part.len()) < size {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it runs");
}

#[test]
fn a_broken_transfer_is_resumed() {
    let (sandbox, server) = scene(Page { cut: Some(PART), ..Page::of(&large()) });
    sandbox.refuse("cannot request");
    assert_eq!(sandbox.names(), [".app.uphold-origin", ".app.uphold-partial"]);
    server.asked();
    server.put("/app", Page::of(&large()));
    sandbox.apply();
    let asked = server.asked();
    assert!(
        asked[0].contains(&format!("range: bytes={PART}-")) && asked[0].contains("if-range: \"one\""),
        "{asked:?}"
    );
    assert!(sandbox.read("app") == Some(large()));
    assert_eq!(sandbox.names(), [".app.uphold-origin", "app"]);
}

#[test]
fn the_transfer_of_a_killed_run_is_resumed() {
    let (sandbox, server) = scene(Page { stall: Some(PART), ..Page::of(&large()) });
    let mut child = sandbox.spawn();
    await_part(&sandbox, PART);
    signal(&child, Signal::KILL);
    child.wait().expect("it ends");
    assert_eq!(sandbox.read("app"), None);
    server.asked();
    server.put("/app", Page::of(&large()));
    sandbox.apply();
    assert!(server.asked()[0].contains(&format!("range: bytes={PART}-")));
    assert!(sandbox.read("app") == Some(large()));
}

#[test]
fn a_stopped_run_ends_soon_and_its_transfer_is_resumed() {
    let (sandbox, server) = scene(Page { stall: Some(PART), ..Page::of(&large()) });
    let mut child = sandbox.spawn();
    await_part(&sandbox, PART);
    let stopped = Instant::now();
    signal(&child, Signal::INT);
    assert!(!child.wait().expect("it ends").success());
    assert!(stopped.elapsed() < Duration::from_secs(5), "{:?}", stopped.elapsed());
    assert_eq!(sandbox.read("app"), None);
    server.put("/app", Page::of(&large()));
    sandbox.apply();
    assert!(sandbox.read("app") == Some(large()));
}

/// The file is complete even if the server does not send the rest.
#[test]
fn an_unusable_partial_file_is_downloaded_again() {
    let other: Vec<u8> = large().iter().rev().copied().collect();
    let check = |what: &str, page: Page, expected: &[u8]| {
        let (sandbox, server) = scene(Page { cut: Some(PART), ..Page::of(&large()) });
        sandbox.refuse("cannot request");
        server.put("/app", page);
        sandbox.apply();
        assert!(sandbox.read("app").as_deref() == Some(expected), "{what}");
    };
    check("another version", Page { etag: Some("\"two\""), ..Page::of(&other) }, &other);
    check("no ranges", Page { ranges: false, ..Page::of(&large()) }, &large());
    check("no versions any more", Page { etag: None, ..Page::of(&other) }, &other);
    check("much shorter", Page::of(&other[..1000]), &other[..1000]);
}

/// Only the checksum shows that the partial file is of another version.
#[test]
fn a_partial_file_with_a_wrong_checksum_is_downloaded_again() {
    let mut wrong = large();
    wrong[0] ^= 1;
    let server = Server::start();
    let sandbox = Sandbox::new();
    let checksum = "checksum = \"sha1:f45110622ab64cca20837414f72968f33d52b79a\"";
    server.put("/app", Page { cut: Some(PART), etag: None, ..Page::of(&wrong) });
    sandbox.declare(&server.url("/app"), &[checksum]);
    sandbox.refuse("cannot request");
    server.put("/app", Page { etag: None, ..Page::of(&large()) });
    server.asked();
    sandbox.apply();
    let asked = server.asked();
    assert!(asked[0].contains("range: bytes=") && !asked[1].contains("range: "), "{asked:?}");
    assert!(sandbox.read("app") == Some(large()));
}

/// A partial file that another user planted is not resumed.
#[test]
fn a_planted_partial_file_is_not_used() {
    let (sandbox, server) = scene(Page::of(&large()));
    sandbox.write("secret", "not to be touched");
    sandbox.write(".app.uphold-partial", vec![b'x'; PART]);
    sandbox.apply();
    assert!(!server.asked()[0].contains("range: ") && sandbox.read("app") == Some(large()));
    sandbox.delete("app");
    std::os::unix::fs::symlink(sandbox.at("secret"), sandbox.at(".app.uphold-partial")).expect("a link");
    sandbox.apply();
    assert!(sandbox.read("app") == Some(large()));
    assert_eq!(sandbox.read("secret"), Some(b"not to be touched".to_vec()));
}
