//! `systemd_unit` with a booted systemd.

use uphold_testbed::{Bed, Host, Story};

const APP: &str = r#"systemd_unit "app.service" {
    mode    = "0644"
    content = {
        Unit    = { Description = "The app" }
        Service = { ExecStart = "/bin/sleep infinity", Environment = ["A=1", "B=2"] }
        Install = { WantedBy = "multi-user.target" }
    }
}"#;

const LIMITS: &str = r#"systemd_unit "limits" {
    name    = "cron.service"
    drop_in = "limits"
    content = "[Service]\nTasksMax=77\n"
}"#;

#[test]
fn unit_files_and_drop_ins() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("units");
    Story::of(&host, "a unit from a map")
        .configuration(APP)
        .drift("content", "echo '[Unit]' >/etc/systemd/system/app.service")
        .drift("mode", "chmod 600 /etc/systemd/system/app.service")
        .missing("rm /etc/systemd/system/app.service")
        .watch()
        .wrong(r#"systemd_unit "app" { content = "[Service]\n" }"#, "app.service")
        .wrong(
            r#"systemd_unit "app.service" { content = "ExecStart=/bin/true\n" }"#,
            "before the first section",
        )
        .wrong(r#"systemd_unit "app.service" {}"#, "content")
        .change_to(
            r#"systemd_unit "app.service" { content = "[Service]\nExecStart=/bin/sleep 5\n" }"#,
            "systemctl show -P ExecStart app | grep -q 'sleep 5'",
        )
        .removed_by(
            r#"systemd_unit "app.service" { action = "remove" }"#,
            "! test -e /etc/systemd/system/app.service",
        )
        .run();
    Story::of(&host, "a drop-in")
        .configuration(LIMITS)
        .drift("content", "echo >>/etc/systemd/system/cron.service.d/limits.conf")
        .drift("loaded", "touch -d '+1 minute' /etc/systemd/system/cron.service.d/limits.conf")
        .missing("rm -r /etc/systemd/system/cron.service.d")
        .change_to(
            &LIMITS.replace("77", "78"),
            "test $(systemctl show -P TasksMax cron) = 78 && test $(systemctl show -P NeedDaemonReload cron) = no",
        )
        .removed_by(&LIMITS.replace("content", "action = \"remove\"\n#"), "! test -e /etc/systemd/system/cron.service.d")
        .run();
}

#[test]
fn a_unit_that_systemd_refuses_is_not_installed() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("verify");
    let apply = |configuration: &str| {
        host.write(&format!("{}/a.hcl", Host::SITE), configuration);
        host.uphold(&["apply", "a.hcl"])
    };
    let unit = |start: &str, more: &str| {
        format!(
            "systemd_unit \"app.service\" {{\n content = \"[Service]\\nExecStart={start}\\n\"\n {more}\n}}"
        )
    };
    let ran = apply(&unit("/no/such/program", ""));
    assert!(ran.status == 1 && format!("{ran}").contains("/no/such/program"), "{ran}");
    host.ok("! test -e /etc/systemd/system/app.service");
    let ran = apply(&unit("/bin/true\\\\nTypo=1", ""));
    assert!(ran.status == 1 && format!("{ran}").contains("Typo"), "{ran}");
    assert_eq!(apply(&unit("/no/such/program", "verify = false")).status, 0);
    let ran = apply(
        "systemd_unit \"x\" {\n name = \"cron.service\"\n drop_in = \"x\"\n content = \"[Service]\\nNonsense=1\\n\"\n}",
    );
    assert!(ran.status == 1 && format!("{ran}").contains("Nonsense"), "{ran}");
    host.ok("! test -e /etc/systemd/system/cron.service.d/x.conf");
}

/// Generators run at each reload of the units, so that one of them can count reloads.
#[test]
fn twenty_units_need_one_reload() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("once");
    host.write("/etc/systemd/system-generators/count", "#!/bin/sh\necho x >>/run/readings\n");
    host.ok("chmod 755 /etc/systemd/system-generators/count");
    let configuration = r#"
        systemd_unit "app" {
            for_each = range(20)
            name     = "app${each.value}.service"
            content  = "[Service]\nExecStart=/bin/sleep infinity\n"
        }
        service "app7" { running = true }"#;
    host.write(&format!("{}/a.hcl", Host::SITE), configuration);
    let ran = host.uphold(&["apply", "a.hcl"]);
    assert_eq!(ran.status, 0, "{ran}");
    assert_eq!(
        host.ok("ls /etc/systemd/system/app*.service | wc -l; cat /run/readings | wc -l"),
        "20\n1\n",
        "{ran}"
    );
    host.ok("systemctl -q is-active app7");
}
