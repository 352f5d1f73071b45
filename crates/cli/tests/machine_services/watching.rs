//! A watch gets events of units from systemd, and does not poll.

use std::time::{Duration, Instant};

use uphold_testbed::{Bed, Host};

use super::service::install;

const WEB: &str = r#"service "web" {
    running = true
    enabled = true
    settle  = "10ms"
}"#;

/// Each drift is repaired because of an event of systemd, since this watch does not poll.
fn repairs(host: &Host) {
    host.write(&format!("{}/a.hcl", Host::SITE), WEB);
    let mut watch = host.spawn(&["watch", "--plain", "--recheck", "never", "a.hcl"]);
    watch.await_line("watching");
    let drifts = [
        // The repair may overtake the stop, which then fails as canceled.
        ("systemctl --no-block stop web", "running"),
        ("systemctl disable web", "enabled"),
        ("kill -9 $(systemctl show -P MainPID web)", "running"),
    ];
    for (drift, property) in drifts {
        let begin = Instant::now();
        host.ok(drift);
        watch.await_line(&format!("repaired service.web: {property}, because the unit web.service changed"));
        host.ok("systemctl -q is-active web && systemctl -q is-enabled web");
        // A second on an idle machine; more on a busy one.
        assert!(begin.elapsed() < Duration::from_secs(10), "{drift}: {:?}", begin.elapsed());
    }
    let (code, printed) = watch.end();
    assert_eq!(code, 0, "{printed}");
}

#[test]
fn drift_reported_by_systemd_is_repaired() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("watching");
    install(&host, "web", "ExecStart=/bin/sleep infinity");
    repairs(&host);
}

#[test]
fn without_a_bus_the_private_socket_is_used() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("no-bus");
    install(&host, "web", "ExecStart=/bin/sleep infinity");
    host.ok("systemctl stop dbus.socket dbus.service && ! systemctl -q is-active dbus.socket");
    repairs(&host);
}

/// Unrelated units are ignored, although systemd reports them.
#[test]
fn other_units_wake_no_resource() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("strangers");
    install(&host, "web", "ExecStart=/bin/sleep infinity");
    install(&host, "other", "ExecStart=/bin/sleep infinity");
    host.write(&format!("{}/a.hcl", Host::SITE), WEB);
    let mut watch = host.spawn(&["watch", "--json", "--recheck", "never", "a.hcl"]);
    watch.await_line("watching");
    host.ok("systemctl start other; systemctl stop other; systemctl --no-block stop web");
    watch.await_line("\"change_detected\",\"subject\":\"the unit web.service\"},\"location\"");
    let (_, printed) = watch.end();
    let looks = printed.lines().filter(|line| line.contains("resource_started")).collect::<Vec<_>>();
    assert!(!printed.contains("other") && looks.len() <= 4, "{printed}");
}
