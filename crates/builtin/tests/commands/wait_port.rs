//! `wait_port`.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use uphold_builtin::{PortState, WaitPort, WaitPortState};
use uphold_host::LocalHost;
use uphold_model::Value;
use uphold_resource::{ErrorKind, Port, Resource, Step};
use uphold_testkit::MemoryHost;

use super::block::{Block, block};
use super::waiting::ready_after;

fn wait(port: u16) -> Block {
    block("wait_port").set("port", i64::from(port)).set("host", "127.0.0.1")
}

/// Ports below the ephemeral range, so that none is taken between two checks.
static NEXT: AtomicU16 = AtomicU16::new(0);

fn listener() -> (TcpListener, u16) {
    let first = 20_000 + u16::try_from(std::process::id() % 10_000).expect("it is below 10000");
    let ports = std::iter::repeat_with(|| first + NEXT.fetch_add(1, Ordering::Relaxed)).take(1000);
    let listeners = ports.map(|port| (TcpListener::bind(("127.0.0.1", port)), port));
    let mut free = listeners.filter_map(|(listener, port)| Some((listener.ok()?, port)));
    free.next().expect("a free port")
}

#[test]
fn ends_at_once_if_the_state_matches() {
    let (listener, port) = listener();
    assert!(!wait(port).visit(&LocalHost::new().machine().act()).expect("it is open").changed);
    drop(listener);
    let closed = wait(port).set("state", "closed");
    assert!(!closed.visit(&LocalHost::new().machine().act()).expect("it is closed").changed);
}

#[test]
fn reports_the_reason_for_waiting() {
    let (listener, port) = listener();
    let check = |block: Block, what: &str| {
        let error = block.set("every", "20s").error(&LocalHost::new().machine().act());
        assert_eq!((error.kind(), error.retry_after()), (ErrorKind::NotYet, Some(Duration::from_secs(20))));
        assert_eq!(error.chain(), what);
    };
    check(wait(port).set("state", "closed"), &format!("port {port} of 127.0.0.1 is still open"));
    drop(listener);
    check(wait(port), &format!("port {port} of 127.0.0.1 is not open yet"));
}

#[test]
fn checks_every_second_by_default() {
    let error = block("wait_port").set("port", 80).error(&MemoryHost::new().act());
    assert_eq!(error.retry_after(), Some(Duration::from_secs(1)));
    assert_eq!(error.to_string(), "port 80 of localhost is not open yet");
}

#[test]
fn notices_a_port_open_and_close() {
    let (listener, port) = listener();
    drop(listener);
    let host = LocalHost::new().machine();
    let block = |state: &str| wait(port).set("state", state).set("every", "10ms");
    let open = move || TcpListener::bind(("127.0.0.1", port)).expect("the port is still free");
    let listener = ready_after(open, &block("open"), &host.act());
    ready_after(move || drop(listener), &block("closed"), &host.act());
}

/// The name may become resolvable later; the reason is reported.
#[test]
fn waits_for_the_name_of_a_host() {
    for state in ["open", "closed"] {
        let block =
            block("wait_port").set("port", 80).set("host", "no-such-host.invalid").set("state", state);
        let error = block.error(&LocalHost::new().machine().act());
        assert_eq!(error.kind(), ErrorKind::NotYet, "{}", error.chain());
        assert!(error.chain().contains("of no-such-host.invalid is open"), "{}", error.chain());
    }
}

#[test]
fn refuses_invalid_properties() {
    let check = |block: Block, problem: &str| {
        assert_eq!(block.decode(&MemoryHost::new().act()).err().as_deref(), Some(problem));
    };
    let wait = || block("wait_port").set("port", 80);
    check(block("wait_port"), "`port` is required; add `port = …` (port)");
    check(block("wait_port").set("port", 0), "`port` = 0 is not a port; write a number from 1 to 65535");
    check(
        wait().set("state", "opened"),
        "`state` = \"opened\" must be one of \"open\", \"closed\"; did you mean \"open\"?",
    );
    for span in ["every", "connect_timeout"] {
        let problem = format!("`{span}` = \"0s\" must be longer than 0s; change the value");
        check(wait().set(span, Value::Int(0)), &problem);
    }
    for host in ["", "two words", "db:5432", "http://db"] {
        let problem =
            format!("`host` = {host:?} must be a host name or an address, without a port; change the value");
        check(wait().set("host", host), &problem);
    }
    for host in ["db", "db.example.com", "127.0.0.1", "::1", "[::1]", "fe80::1%eth0"] {
        assert!(wait().set("host", host).decode(&MemoryHost::new().act()).is_ok(), "{host}");
    }
}

#[test]
fn changes_nothing() {
    let host = MemoryHost::new().listening("localhost", 80);
    assert!(!block("wait_port").set("port", 80).visit(&host.act()).expect("it is open").changed);
    assert!(host.writes().is_empty());
    let wait = WaitPort {
        name: "w".to_owned(),
        port: Port(80),
        host: "localhost".to_owned(),
        state: PortState::Open,
        every: Duration::from_secs(1),
        connect_timeout: Duration::from_secs(1),
    };
    let error =
        wait.apply(Step::Remove { current: &WaitPortState {} }, &host.act()).expect_err("it is read-only");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
}
