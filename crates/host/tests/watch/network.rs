//! Network links.

use std::process::Command;
use std::time::Duration;

use uphold_resource::{Interest, WatchEvent};

use super::alone::alone_in_namespaces;
use super::scene::{Scene, none, only};

#[test]
fn reports_changes_of_links_and_addresses() {
    let script = "ip link >/dev/null";
    alone_in_namespaces(
        "network::reports_changes_of_links_and_addresses",
        &["--net"],
        script,
        in_its_own_network,
    );
}

fn ip(arguments: &str) {
    let status = Command::new("ip").args(arguments.split(' ')).status().unwrap();
    assert!(status.success(), "ip {arguments}");
}

fn in_its_own_network() {
    let others = std::fs::read_to_string("/proc/net/dev").unwrap();
    assert!(!others.contains("eth"), "this must not run on a real network:\n{others}");
    let scene = Scene::new();
    scene.watch(1, Interest::NetworkLink("lo".into()));
    scene.watch(2, Interest::NetworkLink("other0".into()));
    assert_eq!(scene.tokens(), none());
    // An unknown link may have had any name.
    ip("link set lo up");
    assert!(scene.tokens().contains(&1), "up");
    ip("addr add 192.0.2.7/32 dev lo");
    assert_eq!(scene.reports(), [WatchEvent::Changed { token: 1, what: Interest::NetworkLink("lo".into()) }]);
    ip("addr del 192.0.2.7/32 dev lo");
    assert_eq!(scene.tokens(), only(1), "an address vanished");
    ip("-6 addr add 2001:db8::7/128 dev lo");
    assert_eq!(scene.tokens(), only(1), "an IPv6 address");
    assert_eq!(scene.tokens(), none());
    ip("link set lo down");
    assert_eq!(scene.tokens(), only(1), "down");
    ip("link set lo name other0");
    assert_eq!(scene.tokens(), [1, 2].into(), "renamed");
    scene.watcher.arm(1, &[]).unwrap();
    scene.watcher.arm(2, &[]).unwrap();
    ip("link set other0 up");
    assert_eq!(scene.next(Duration::from_millis(100)), []);
    floods(&scene);
}

/// More messages than the socket queues: the loss is reported.
fn floods(scene: &Scene) {
    scene.watch(1, Interest::NetworkLink("other0".into()));
    let batch: String = (0..3000)
        .map(|number| format!("addr {} 192.0.2.7/32 dev other0\n", ["add", "del"][number % 2]))
        .collect();
    let file = scene.write("batch", &batch);
    ip(&format!("-batch {}", file.display()));
    assert!(scene.reports().contains(&WatchEvent::Lost));
    ip("link set other0 down");
    assert_eq!(scene.tokens(), only(1), "it is watched as before");
}
