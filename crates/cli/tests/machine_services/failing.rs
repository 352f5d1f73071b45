//! Services that do not start, or do not stay up.

use uphold_testbed::{Bed, Host, Ran};

use super::service::install;

fn apply(host: &Host, configuration: &str) -> Ran {
    let file = format!("{}/a.hcl", Host::SITE);
    host.write(&file, configuration);
    host.uphold(&["apply", "a.hcl"])
}

#[test]
fn a_service_that_does_not_run_is_a_failure_with_its_reason() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("failing");
    let check = |name: &str, expected: &str| {
        let ran = apply(&host, &format!("service \"{name}\" {{ running = true }}"));
        let printed = format!("{}{}", ran.stdout, ran.stderr);
        assert!(ran.status == 1 && printed.contains(expected), "{ran}");
    };
    install(&host, "bad", "Type=forking\nExecStart=/bin/sh -c 'exit 3'");
    install(&host, "brief", "ExecStart=/bin/sh -c 'sleep 0.2; exit 4'");
    install(&host, "restless", "ExecStart=/bin/sh -c 'exit 5'\nRestart=always\nRestartSec=3");
    install(&host, "killed", "ExecStart=/bin/sh -c 'sleep 0.1; kill -9 $$$$'");
    install(&host, "once", "Type=oneshot\nExecStart=/bin/true");
    install(&host, "slow", "Type=notify\nExecStart=/bin/sleep infinity");
    install(&host, "needy", "ExecStart=/bin/sleep infinity\n[Unit]\nRequires=bad.service\nAfter=bad.service");
    check("bad", "cannot start bad.service: it is failed (exit-code)");
    check("bad", "journalctl -u bad.service");
    check("brief", "did not stay up: it is failed (exit-code): its main process ended with status 4");
    check("restless", "its main process ended with status 5");
    check("killed", "its main process was ended by signal 9");
    check("once", "RemainAfterExit=yes");
    check("needy", "a unit that it depends on failed");
    check("absent", "Unit absent.service not found");
    let ran = apply(&host, "service \"slow\" {\n running = true\n operation_timeout = \"1s\"\n}");
    assert!(
        format!("{}{}", ran.stdout, ran.stderr).contains("it took longer than 1 s to start slow"),
        "{ran}"
    );
}

#[test]
fn waiting_for_a_slow_start_can_be_disabled() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("left");
    install(&host, "slow", "Type=notify\nExecStart=/bin/sleep infinity");
    host.write(&format!("{}/a.hcl", Host::SITE), "service \"slow\" { running = true }\n");
    let left = "cd /run/uphold-testbed/site; timeout -s INT -k 15 1 uphold apply a.hcl";
    let ran = host.run(&format!("begin=$(date +%s); {left}; test $(($(date +%s) - begin)) -lt 10"));
    assert!(ran.status == 0 && format!("{ran}").contains("the run was stopped"), "{ran}");
}

#[test]
fn a_service_over_its_start_limit_can_be_started_again() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("too-often");
    install(
        &host,
        "web",
        "ExecStart=/bin/sh -c 'test -e /run/fine && exec sleep infinity'\nRestart=always\nRestartSec=1ms",
    );
    host.ok("systemctl start web; until systemctl -q is-failed web; do sleep 0.05; done; touch /run/fine");
    let ran = apply(&host, "service \"web\" { running = true }");
    assert_eq!(ran.status, 0, "{ran}");
    host.ok("systemctl -q is-active web");
}
