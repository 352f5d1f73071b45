//! `service` under runit.

use uphold_testbed::{Bed, Story};

#[test]
fn a_supervised_service() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("runit");
    let service = |name: &str, script: &str| {
        host.write(&format!("/etc/sv/{name}/run"), &format!("#!/bin/sh\n{script}\n"));
        host.ok(&format!("chmod 755 /etc/sv/{name}/run"));
    };
    host.ok("mkdir -p /etc/sv/web /etc/sv/bad /etc/service");
    service("web", "exec sleep infinity");
    service("bad", "exit 3");
    // The state files of runit change constantly.
    host.ok("for s in web bad; do mkdir -p /run/sv/$s && ln -sfn /run/sv/$s /etc/sv/$s/supervise; done");
    host.ok("setsid runsvdir -P /etc/service >/dev/null 2>&1 &");
    let running = "service \"web\" {\n running = true\n enabled = true\n provider = \"runit\"\n}";
    Story::of(&host, "a supervised service")
        .configuration(running)
        .drift("running", "sv down /etc/service/web")
        .wrong("service \"web\" { running = true }", "provider")
        .wrong(
            "service \"web\" {\n enabled = true\n provider = \"runit\"\n status_command = \"true\"\n}",
            "sysvinit",
        )
        .change_to(
            "service \"web\" {\n running = false\n provider = \"runit\"\n}",
            "sv status /etc/service/web | grep -q ^down",
        )
        .change_to(
            "service \"web\" {\n enabled = false\n provider = \"runit\"\n}",
            "! test -e /etc/service/web",
        )
        .run();
    host.write(&format!("{}/web.hcl", uphold_testbed::Host::SITE), running);
    let mut watch = host.spawn(&["watch", "--plain", "--recheck", "never", "web.hcl"]);
    watch.await_line("watching");
    host.ok("sv down /etc/service/web");
    watch.await_line("repaired");
    host.ok("sv status /etc/service/web | grep -q ^run");
    assert_eq!(watch.end().0, 0);
    host.write(
        &format!("{}/a.hcl", uphold_testbed::Host::SITE),
        "service \"bad\" {\n running = true\n enabled = true\n provider = \"runit\"\n operation_timeout = \"3s\"\n}",
    );
    let ran = host.uphold(&["apply", "a.hcl"]);
    assert!(ran.status == 1 && format!("{ran}").contains("bad"), "{ran}");
}
