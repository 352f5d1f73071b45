//! Metrics over real HTTP.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use uphold_engine::{Cause, EventKind, Verdict};
use uphold_model::{Action, ResourceId};
use uphold_status::{MetricsServer, StatusModel, metrics_address};

use crate::happened::{Story, change, failed, file, reported};
use crate::prometheus::{Samples, parse};

fn serve(board: &StatusModel) -> MetricsServer {
    let address = metrics_address("0").expect("an address");
    MetricsServer::start(address, board.clone(), "1.2.3").expect("it listens")
}

/// Head and body of the answer to these bytes.
fn ask(address: SocketAddr, bytes: &[u8]) -> (String, String) {
    let mut stream = TcpStream::connect(address).expect("a listener");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    stream.write_all(bytes).expect("it is sent");
    let mut answer = Vec::new();
    // Who sent more than is read gets an error after the answer.
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8(answer).expect("it is text");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    (head.to_owned(), body.to_owned())
}

fn get(samples: &Samples, name: &str, labels: &[(&str, &str)]) -> Option<f64> {
    let labels: BTreeMap<_, _> =
        labels.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    samples.get(&(name.to_owned(), labels)).copied()
}

#[test]
fn a_scrape_has_all_counters() {
    let mut story = Story::new();
    story.converge(&["/a", "/b"]);
    story.visit("/a", reported("/a"), Verdict::Changed(change(&["mode"])));
    story.visit("/b", reported("/b"), failed("no"));
    story.tell(EventKind::Blind { resource: file("/b"), because: "x".into(), every: Duration::from_secs(9) });
    story.tell(EventKind::ReportsLost);
    story.tell(EventKind::Swapped { generation: 4, kept: 1, visited: 1, left: 0 });
    story.board.reload_failed("no", story.now);
    let odd = ResourceId::new("o\"d\\d\n", "x");
    let (cause, took) = (Cause::Written, Duration::from_secs(7_200));
    story.tell(EventKind::Finished {
        resource: odd,
        action: Action::Converge,
        cause,
        verdict: Verdict::Unchanged,
        took,
    });
    let server = serve(&story.board);
    let (head, body) = ask(server.address(), b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(
        head.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n")
    );
    assert!(head.contains(&format!("Content-Length: {}", body.len())));
    let samples = parse(&body);
    let check = |name: &str, labels: &[(&str, &str)], expected: f64| {
        assert_eq!(get(&samples, name, labels), Some(expected), "{name} {labels:?}");
    };
    check("uphold_build_info", &[("version", "1.2.3")], 1.0);
    check("uphold_resources", &[("state", "ok")], 2.0);
    check("uphold_resources", &[("state", "failed")], 1.0);
    check("uphold_resources", &[("state", "blocked")], 0.0);
    check("uphold_resources_polled", &[], 1.0);
    check("uphold_resources_watched", &[], 2.0);
    check("uphold_watching", &[], 1.0);
    check("uphold_visits_total", &[("kind", "file")], 4.0);
    check("uphold_visits_total", &[("kind", "o\"d\\d\n")], 1.0);
    check("uphold_changes_total", &[("kind", "file"), ("change", "update")], 1.0);
    check("uphold_visit_failures_total", &[("kind", "file")], 1.0);
    check("uphold_drifts_total", &[("kind", "file")], 1.0);
    check("uphold_repairs_total", &[("kind", "file")], 1.0);
    check("uphold_visit_reasons_total", &[("reason", "change_detected")], 2.0);
    check("uphold_watch_events_lost_total", &[], 1.0);
    check("uphold_configuration_generation", &[], 4.0);
    check("uphold_configuration_reloads_total", &[], 1.0);
    check("uphold_configuration_reload_failures_total", &[], 1.0);
    check("uphold_configuration_reload_failed", &[], 1.0);
    check("uphold_visit_duration_seconds_bucket", &[("le", "0.001")], 0.0);
    check("uphold_visit_duration_seconds_bucket", &[("le", "0.01")], 4.0);
    check("uphold_visit_duration_seconds_bucket", &[("le", "1800")], 4.0);
    check("uphold_visit_duration_seconds_bucket", &[("le", "+Inf")], 5.0);
    check("uphold_visit_duration_seconds_count", &[], 5.0);
}

/// Cardinality is that of kinds, reasons and states.
#[test]
fn a_scrape_does_not_grow_with_the_resources() {
    let mut story = Story::new();
    story.converge(&["/1"]);
    let server = serve(&story.board);
    let scrape = || parse(&ask(server.address(), b"GET /metrics HTTP/1.1\r\n\r\n").1).len();
    let before = scrape();
    let names: Vec<String> = (0..1_000).map(|at| format!("/{at}")).collect();
    names.iter().for_each(|name| story.visit(name, Cause::Written, Verdict::Unchanged));
    assert_eq!(scrape(), before);
}

#[test]
fn http_requests_get_the_right_status() {
    let server = serve(&Story::new().board);
    let check = |bytes: &[u8], status: &str| {
        let (head, _) = ask(server.address(), bytes);
        let line = head.lines().next().unwrap_or_default();
        assert_eq!(
            line,
            format!("HTTP/1.1 {status}"),
            "{}",
            String::from_utf8_lossy(&bytes[..bytes.len().min(60)])
        );
    };
    check(b"GET /metrics?x=1 HTTP/1.0\r\n\r\n", "200 OK");
    check(b"HEAD /metrics HTTP/1.1\r\n\r\n", "200 OK");
    check(b"GET / HTTP/1.1\r\n\r\n", "404 Not Found");
    check(b"GET /../../etc/passwd HTTP/1.1\r\n\r\n", "404 Not Found");
    check(b"POST /metrics HTTP/1.1\r\n\r\n", "405 Method Not Allowed");
    check(b"GET /metrics SMTP/1.1\r\n\r\n", "400 Bad Request");
    check(b"\x16\x03\x01\0\0\r\n\r\n", "400 Bad Request");
    check(b"\r\n\r\n", "400 Bad Request");
    let long = [b"GET /metrics HTTP/1.1\r\nX: ".to_vec(), vec![b'x'; 9_000]].concat();
    check(&long, "431 Request Header Fields Too Large");
    let (_, body) = ask(server.address(), b"HEAD /metrics HTTP/1.1\r\n\r\n");
    assert_eq!(body, "");
}

#[test]
fn silent_connections_are_cut_off() {
    let server = serve(&Story::new().board);
    let idle: Vec<TcpStream> =
        (0..8).map(|_| TcpStream::connect(server.address()).expect("a connection")).collect();
    let began = Instant::now();
    let is_served = || ask(server.address(), b"GET /metrics HTTP/1.1\r\n\r\n").0.starts_with("HTTP/1.1 200");
    while !is_served() {
        assert!(began.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(idle);
    let began = Instant::now();
    drop(server);
    assert!(began.elapsed() < Duration::from_secs(2));
}

#[test]
fn an_address_in_use_is_an_error_with_a_hint() {
    let board = Story::new().board;
    let server = serve(&board);
    let address = server.address().to_string().parse().expect("an address");
    let error = MetricsServer::start(address, board, "1").err().expect("it is taken");
    assert_eq!(error.to_string(), format!("cannot serve metrics at {address}"));
    assert_eq!(error.advice(), Some("use another address: --metrics ADDR"));
}
