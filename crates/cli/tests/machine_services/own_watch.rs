//! `uphold watch` itself as a service: the unit that `--print-unit` prints.

use uphold_testbed::{Bed, Host};

fn await_shell(host: &Host, test: &str) {
    host.ok(&format!("for i in $(seq 100); do {test} && exit 0; sleep 0.1; done; exit 1"));
}

#[test]
fn a_watch_is_ready_reloads_and_stops() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("own-watch");
    host.ok(&format!("install {} /usr/bin/uphold && mkdir -p /etc/uphold", Host::BINARY));
    host.write("/etc/uphold/site.hcl", "file \"/etc/held\" { content = \"one\\n\" }\n");
    host.ok("cd /etc/uphold && uphold watch --print-unit /etc/uphold >/etc/systemd/system/uphold.service");
    // A short watchdog interval shows that the watch notifies the watchdog.
    host.ok("sed -i 's/^WatchdogSec=.*/WatchdogSec=2/' /etc/systemd/system/uphold.service && systemctl daemon-reload");
    // With Type=notify this returns when the watch is ready.
    host.ok("systemctl start uphold");
    assert_eq!(host.read("/etc/held"), "one\n", "it was ready when everything was held");
    let pid = host.ok("systemctl show -P MainPID uphold");
    host.ok("echo drifted >/etc/held");
    await_shell(&host, "grep -q one /etc/held");
    host.write("/etc/uphold/site.hcl", "file \"/etc/held\" { content = \"two\\n\" }\n");
    host.ok("systemctl reload uphold");
    await_shell(&host, "grep -q two /etc/held");
    host.ok("sleep 3; systemctl -q is-active uphold");
    assert_eq!(host.ok("systemctl show -P MainPID uphold"), pid, "no watchdog has bitten");
    assert_eq!(host.ok("systemctl show -P NRestarts uphold"), "0\n");
    host.ok("systemctl stop uphold");
    assert_eq!(host.ok("systemctl show -P Result -P ExecMainStatus uphold"), "success\n0\n");
}
