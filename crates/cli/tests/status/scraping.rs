//! Metrics of a real watch.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use super::stage::Stage;

fn scrape(port: u16) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it is answered");
    answer
}

#[test]
fn a_watch_counts_its_repairs() {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
    let port = free.port();
    let stage = Stage::new("file \"/motd\" { content = \"hi\\n\" }\n", &["--metrics", &port.to_string()]);
    assert!(scrape(port).contains("\nuphold_drifts_total{kind=\"file\"} 0\n"));
    fs::write(stage.path("root/motd"), "tampered").expect("a change");
    stage.wait_for("the repair", &[], |out| out.contains("1 repaired"));
    let text = scrape(port);
    assert!(text.contains("\nuphold_repairs_total{kind=\"file\"} 1\n"), "{text}");
    assert!(text.contains("\nuphold_resources{state=\"ok\"} 1\n"), "{text}");
}
