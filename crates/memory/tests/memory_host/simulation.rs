//! Time and ports that a test controls.

use std::time::Duration;

use uphold_memory::MemoryHost;
use uphold_resource::{Clock, Probes};

#[test]
fn skipping_time_advances_the_clock() {
    let host = MemoryHost::new();
    let (now, elapsed) = (host.now(), host.elapsed());
    assert!(host.skip(Duration::from_secs(90)));
    assert_eq!(host.now(), now + Duration::from_secs(90));
    assert_eq!(host.elapsed(), elapsed + Duration::from_secs(90));
}

#[test]
fn ports_are_open_until_they_are_closed() {
    let host = MemoryHost::new().listening("db", 5432);
    let is_open = |name: &str, port| host.listens(name, port, Duration::ZERO).unwrap();
    assert_eq!([is_open("db", 5432), is_open("db", 80), is_open("web", 5432)], [true, false, false]);
    host.open_port("web", 80);
    host.close_port("db", 5432);
    assert_eq!([is_open("db", 5432), is_open("web", 80)], [false, true]);
}
