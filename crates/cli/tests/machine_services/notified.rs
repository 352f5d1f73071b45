//! Actions, notified and declared.

use uphold_testbed::{Bed, Host};

use super::service::install;

#[test]
fn a_changed_configuration_is_reloaded() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("notified");
    let reload = "ExecReload=/bin/sh -c 'cat /etc/web.conf >>/run/reloads'";
    install(&host, "web", &format!("ExecStart=/bin/sleep infinity\n{reload}"));
    install(&host, "dull", "ExecStart=/bin/sleep infinity");
    let apply = |content: &str| {
        let configuration = format!(
            "file \"/etc/web.conf\" {{\n content = \"{content}\\n\"\n notifies = [service.web.reload, service.dull.reload_or_restart]\n}}
            service \"web\" {{ running = true }}\nservice \"dull\" {{ running = true }}\n"
        );
        host.write(&format!("{}/a.hcl", Host::SITE), &configuration);
        let ran = host.uphold(&["apply", "a.hcl"]);
        assert_eq!(ran.status, 0, "{ran}");
    };
    let pid = |unit: &str| host.ok(&format!("systemctl show -P MainPID {unit}"));
    apply("one");
    let (web, dull) = (pid("web"), pid("dull"));
    host.ok(": >/run/reloads");
    apply("two");
    assert_eq!(host.read("/run/reloads"), "two\n");
    assert_eq!(pid("web"), web, "it was reloaded");
    assert_ne!(pid("dull"), dull, "it cannot reload, and was restarted");
    apply("two");
    assert_eq!(host.read("/run/reloads"), "two\n", "nothing changed");
    host.write(&format!("{}/b.hcl", Host::SITE), "service \"web\" { action = \"restart\" }\n");
    assert_eq!(host.uphold(&["apply", "b.hcl"]).status, 0);
    assert_ne!(pid("web"), web, "it was restarted");
    host.write(&format!("{}/c.hcl", Host::SITE), "service \"dull\" { action = \"reload\" }\n");
    let ran = host.uphold(&["apply", "c.hcl"]);
    assert!(ran.status == 1 && format!("{ran}").contains("cannot reload dull.service"), "{ran}");
}
