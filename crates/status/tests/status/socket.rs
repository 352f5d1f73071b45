//! Asking over a real socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use tempfile::TempDir;
use uphold_engine::EventKind;
use uphold_status::{Answer, Ask, Snapshot, StatusServer, Steering};

use crate::happened::Story;

/// Counts what it is asked.
#[derive(Default)]
pub(crate) struct Wheel {
    reloads: AtomicU32,
    rechecks: AtomicU32,
}

impl Wheel {
    pub(crate) fn steering(self: &Arc<Self>) -> Steering {
        let (reload, recheck) = (self.clone(), self.clone());
        Steering {
            reload: Box::new(move || _ = reload.reloads.fetch_add(1, Ordering::Relaxed)),
            recheck: Box::new(move || _ = recheck.rechecks.fetch_add(1, Ordering::Relaxed)),
        }
    }
}

/// A server with something to tell.
pub(crate) struct Scene {
    pub(crate) story: Story,
    pub(crate) wheel: Arc<Wheel>,
    pub(crate) server: StatusServer,
    pub(crate) path: PathBuf,
    pub(crate) directory: TempDir,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("uphold/watch.sock");
        let mut story = Story::new();
        story.converge(&["/a", "/b"]);
        let wheel = Arc::new(Wheel::default());
        let server = StatusServer::start(&path, story.board.clone(), wheel.steering()).expect("it listens");
        Self { story, wheel, server, path, directory }
    }

    /// Everything that comes back for these bytes.
    pub(crate) fn say(&self, bytes: &[u8]) -> String {
        let mut stream = connect(&self.path);
        stream.write_all(bytes).expect("it is sent");
        stream.shutdown(std::net::Shutdown::Write).expect("that is all");
        let mut answer = Vec::new();
        // Who is cut off before everything was read gets an error after the answer.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8(answer).expect("it is text")
    }
}

pub(crate) fn connect(path: &Path) -> UnixStream {
    let stream = UnixStream::connect(path).expect("a listener");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    stream
}

#[test]
fn a_request_is_answered_in_one_line() {
    let scene = Scene::new();
    let answer = scene.say(b"{\"request\":\"status\"}\n");
    assert_eq!(answer.lines().count(), 1);
    assert_eq!(Snapshot::from_line(&answer), Ok(scene.story.board.snapshot()));
    let short: Json = serde_json::from_str(&scene.say(b"{\"request\":\"overview\"}")).expect("it is JSON");
    assert_eq!((short["type"].as_str(), short.get("resources")), (Some("overview"), None));
}

#[test]
fn the_client_parses_the_answer() {
    let scene = Scene::new();
    let status = Answer::to(Ask::Status, &scene.path).and_then(|mut answer| answer.snapshot());
    assert_eq!(status.expect("an answer"), scene.story.board.snapshot());
    let overview = Answer::to(Ask::Overview, &scene.path).and_then(|mut answer| answer.snapshot());
    let overview = overview.expect("an answer");
    assert_eq!((overview.resources.len(), overview.overview.totals.ok), (0, 2));
}

#[test]
fn reload_and_recheck_reach_the_watch() {
    let scene = Scene::new();
    let accepted =
        |ask| Answer::to(ask, &scene.path).and_then(|mut answer| answer.line()).expect("an answer");
    assert!(accepted(Ask::Reload).is_some_and(|line| line.contains("\"accepted\"")));
    assert!(accepted(Ask::Recheck).is_some());
    assert!(accepted(Ask::Recheck).is_some());
    let heard = (scene.wheel.reloads.load(Ordering::Relaxed), scene.wheel.rechecks.load(Ordering::Relaxed));
    assert_eq!(heard, (1, 2));
}

#[test]
fn a_follower_gets_the_status_and_then_events() {
    let mut scene = Scene::new();
    let mut answer = Answer::to(Ask::Follow, &scene.path).expect("an answer");
    assert_eq!(answer.snapshot().expect("a snapshot").overview.totals.ok, 2);
    let broadcast = scene.server.broadcast();
    assert!(broadcast.has_followers());
    scene.story.tell(EventKind::ReportsLost);
    broadcast.tell("{\"type\":\"events_lost\"}\n");
    assert_eq!(answer.line().expect("a line").as_deref(), Some("{\"type\":\"events_lost\"}"));
    broadcast.tell("{\"n\":2}");
    drop(scene);
    let rest: Vec<String> = std::iter::from_fn(|| answer.line().expect("the end is no failure")).collect();
    assert_eq!(rest, ["{\"n\":2}", "{\"type\":\"end\"}"], "lines before the end are received");
}

/// As `nc -N` does: everything is said, but not everything is heard.
#[test]
fn a_follower_may_close_its_write_side() {
    let scene = Scene::new();
    let mut stream = connect(&scene.path);
    stream.write_all(b"{\"request\":\"follow\"}\n").expect("it is sent");
    stream.shutdown(std::net::Shutdown::Write).expect("that is all");
    let mut lines = BufReader::new(stream).lines();
    assert!(lines.next().is_some_and(|line| line.is_ok()));
    // Longer than a silent connection is left alone.
    std::thread::sleep(Duration::from_millis(1_500));
    scene.server.broadcast().tell("{}");
    assert_eq!(lines.next().expect("a line").expect("it is read"), "{}");
}

#[test]
fn a_closed_follower_is_noticed() {
    let scene = Scene::new();
    let mut answer = Answer::to(Ask::Follow, &scene.path).expect("an answer");
    answer.snapshot().expect("a snapshot");
    drop(answer);
    let began = Instant::now();
    while scene.server.broadcast().has_followers() && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!scene.server.broadcast().has_followers());
}

#[test]
fn the_server_stops_at_once_with_open_connections() {
    let scene = Scene::new();
    let silent: Vec<UnixStream> = (0..5).map(|_| connect(&scene.path)).collect();
    let mut stuck = connect(&scene.path);
    stuck.write_all(b"{\"request\":\"follow\"}\n").expect("it is sent");
    stuck.read_exact(&mut [0; 10]).expect("it begins");
    let line = "x".repeat(1 << 20);
    (0..8).for_each(|_| scene.server.broadcast().tell(&line));
    let path = scene.path.clone();
    let began = Instant::now();
    drop(scene);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    assert!(!path.exists());
    drop((silent, stuck));
}
