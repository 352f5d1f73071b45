//! Clients that mean no good, or do not know better.

use std::fs::Permissions;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use uphold_status::{Answer, Ask};

use crate::socket::{Scene, connect};

#[test]
fn invalid_requests_are_answered_with_an_error() {
    let scene = Scene::new();
    let check = |bytes: &[u8], word: &str| {
        let answer = scene.say(bytes);
        let json: Json = serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"));
        assert_eq!((json["type"].as_str(), json["error"].as_str()), (Some("error"), Some(word)));
    };
    check(b"\n", "invalid_request");
    check(b"hello\n", "invalid_request");
    check(b"[]\n", "invalid_request");
    check(b"{\"request\":7}\n", "invalid_request");
    check(b"\xff\xfe\0\n", "invalid_request");
    check(b"{\"request\":\"everything\"}\n", "unknown_request");
    check(b"{\"request\":\"\\u001b[31m\"}\n", "unknown_request");
    check(&[b'['; 5_000], "request_too_long");
}

/// What nests too deep ends in an error of the reader, not of the stack.
#[test]
fn deep_nesting_is_an_invalid_request() {
    let scene = Scene::new();
    let line = [vec![b'['; 900], vec![b'\n']].concat();
    assert!(scene.say(&line).contains("invalid_request"));
}

#[test]
fn a_slow_request_is_cut_off() {
    let scene = Scene::new();
    let mut stream = connect(&scene.path);
    for byte in b"{\"request\":\"status\"         " {
        // The other side may have had enough already.
        if stream.write_all(&[*byte]).is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut answer = String::new();
    // What was sent and not read makes the end an error.
    let _ = BufReader::new(stream).read_line(&mut answer);
    assert!(answer.contains("request_too_long"), "{answer}");
}

#[test]
fn connections_are_limited_and_freed() {
    let scene = Scene::new();
    let idle: Vec<_> = (0..32).map(|_| connect(&scene.path)).collect();
    let refused = |_| Answer::to(Ask::Overview, &scene.path).and_then(|mut answer| answer.line());
    let began = Instant::now();
    // The last of them may not have been let in yet.
    let error = (0..100).map(refused).find_map(Result::err).expect("there is no room");
    assert_eq!(error.to_string(), "cannot answer: all 32 connections are in use; try again");
    drop(idle);
    while refused(0).is_err() {
        assert!(began.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// An answer before the request is read could be lost: a client that still writes gets a broken pipe.
#[test]
fn a_refusal_is_sent_after_the_request() {
    let scene = Scene::new();
    let _idle: Vec<_> = (0..32).map(|_| connect(&scene.path)).collect();
    let mut stream = connect(&scene.path);
    stream.set_read_timeout(Some(Duration::from_millis(300))).expect("a timeout");
    let early = stream.read(&mut [0; 1]).map_err(|error| error.kind());
    assert_eq!(early, Err(ErrorKind::WouldBlock));
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    stream.write_all(b"{\"request\":\"overview\"}\n").expect("it is heard");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("no reset");
    assert!(answer.contains("\"busy\""), "{answer}");
}

#[test]
fn concurrent_requests_are_answered() {
    let scene = Scene::new();
    let _idle: Vec<_> = (0..32).map(|_| connect(&scene.path)).collect();
    let mut crowd: Vec<_> = (0..60).map(|_| connect(&scene.path)).collect();
    for stream in &mut crowd {
        stream.write_all(b"{\"request\":\"overview\"}\n").expect("it is heard");
    }
    for mut stream in crowd {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("no reset");
        assert!(!answer.is_empty(), "an answer, at least that there is no room");
    }
}

/// Lines of 64 KiB: more than wait for anybody.
const LINES: usize = 200;

#[test]
fn a_slow_reader_is_cut_off_and_blocks_no_other() {
    let scene = Scene::new();
    let mut slow = connect(&scene.path);
    slow.write_all(b"{\"request\":\"follow\"}\n").expect("it is sent");
    slow.read_exact(&mut [0; 10]).expect("it begins");
    let mut quick = Answer::to(Ask::Follow, &scene.path).expect("an answer");
    quick.snapshot().expect("a snapshot");
    let heard = Arc::new(AtomicUsize::new(0));
    let counter = heard.clone();
    let reader = std::thread::spawn(move || {
        let lines = std::iter::from_fn(|| quick.line().ok().flatten());
        lines.filter(|line| line.starts_with('x')).for_each(|_| _ = counter.fetch_add(1, Ordering::Relaxed));
    });
    let line = "x".repeat(1 << 16);
    let mut slowest = Duration::ZERO;
    for sent in 0..LINES {
        // The quick one keeps up, however busy this machine is.
        while sent > heard.load(Ordering::Relaxed) + 20 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let began = Instant::now();
        scene.server.broadcast().tell(&line);
        slowest = slowest.max(began.elapsed());
    }
    // Waiting for the slow reader would take seconds.
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    let mut last = String::new();
    for line in BufReader::new(slow).lines() {
        match line {
            Ok(line) => last = line,
            Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
        }
    }
    assert!(last.contains("\"slow_reader\""), "{}", &last[..last.len().min(99)]);
    drop(scene);
    reader.join().expect("it read");
    assert_eq!(heard.load(Ordering::Relaxed), LINES);
}

/// The mode of the socket keeps other users out; if it is changed, the credentials still do.
#[test]
fn another_user_gets_no_answer() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let scene = Scene::new();
    let open =
        |path: &Path, mode| std::fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
    open(scene.directory.path(), 0o755);
    open(scene.path.parent().expect("a directory"), 0o755);
    open(&scene.path, 0o666);
    let ask = "import socket,sys\ns=socket.socket(socket.AF_UNIX)\ns.connect(sys.argv[1])\n\
               s.sendall(b'{\"request\":\"status\"}\\n')\nprint('heard', len(s.recv(99)))";
    let python = |uid: u32| {
        let mut command = Command::new("python3");
        let output = command.uid(uid).arg("-c").arg(ask).arg(&scene.path).output();
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
    };
    // Without the program, nothing can be said.
    if python(0).trim() == "heard 99" {
        assert_ne!(python(65_534).trim(), "heard 99");
    }
}
