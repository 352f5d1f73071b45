//! `systemd_timer` with a booted systemd.

use uphold_testbed::{Bed, Story};

const BACKUP: &str = r#"systemd_timer "backup" {
    description  = "Back up"
    on_calendar  = ["daily", "Mon..Fri 08:30"]
    on_boot      = "10min"
    accuracy     = "1s"
    random_delay = "1min"
    persistent   = true
    command      = "/bin/sh -c 'echo $$A >>/run/backups'"
    user         = "root"
    dir          = "/srv"
    env          = { A = "100% \"sure\"" }
}"#;

#[test]
fn a_timer_from_plan_to_removal() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("timers");
    let timer = "/etc/systemd/system/backup.timer";
    let service = "/etc/systemd/system/backup.service";
    let edit = |file: &str, script: &str| format!("sed -i '{script}' {file} && systemctl daemon-reload");
    Story::of(&host, "a timer")
        .configuration(BACKUP)
        .drift("description", &edit(timer, "s/^Description=.*/Description=x/"))
        .drift("on_calendar", &edit(timer, "s/^OnCalendar=daily/OnCalendar=weekly/"))
        .drift("on_boot", &edit(timer, "s/^OnBootSec=.*/OnBootSec=5min/"))
        .drift("on_active", &edit(timer, "/^OnBootSec/i OnActiveSec=1h"))
        .drift("accuracy", &edit(timer, "/^AccuracySec/d"))
        .drift("random_delay", &edit(timer, "s/^RandomizedDelaySec=.*/RandomizedDelaySec=2/"))
        .drift("persistent", &edit(timer, "/^Persistent/d"))
        .drift("unit", &edit(timer, "/^OnBootSec/a Unit=cron.service"))
        .drift("loaded", &edit(timer, "/^OnBootSec/a FixedRandomDelay=yes"))
        .drift("command", &edit(service, "s/^ExecStart=.*/ExecStart=\\/bin\\/true/"))
        .drift("user", &edit(service, "s/^User=.*/User=nobody/"))
        .drift("dir", &edit(service, "/^WorkingDirectory/d"))
        .drift("env", &edit(service, "/^Environment/d"))
        .drift("enabled", "systemctl disable backup.timer")
        // A repair that is quicker than the command cancels its job.
        .drift("running", "systemctl stop backup.timer || true")
        .missing(&format!("rm {timer}"))
        .watch()
        .wrong(r#"systemd_timer "backup" { command = "/bin/true" }"#, "on_calendar")
        .wrong(r#"systemd_timer "backup" { on_calendar = "sometimes" }"#, "not a valid calendar event")
        .wrong(r#"systemd_timer "backup.service" { on_calendar = "daily" }"#, "name")
        .wrong(r#"systemd_timer "backup" { on_boot = "soon" }"#, "on_boot")
        .change_to(
            "systemd_timer \"backup\" {\n on_active = \"1s\"\n accuracy = \"1ms\"\n command = \"/bin/touch /run/elapsed\"\n}",
            "for i in $(seq 100); do test -e /run/elapsed && exit 0; sleep 0.1; done; exit 1",
        )
        .removed_by(
            r#"systemd_timer "backup" { action = "remove" }"#,
            "! ls /etc/systemd/system/backup.* && ! systemctl -q is-active backup.timer && ! systemctl is-enabled backup.timer",
        )
        .run();
    host.ok("! test -e /etc/systemd/system/timers.target.wants/backup.timer");
}

#[test]
fn a_timer_runs_its_command() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("elapsing");
    host.write(&format!("{}/a.hcl", uphold_testbed::Host::SITE), BACKUP);
    let ran = host.uphold(&["apply", "a.hcl"]);
    assert_eq!(ran.status, 0, "{ran}");
    host.ok("systemctl start backup.service");
    assert_eq!(host.read("/run/backups"), "100% \"sure\"\n");
    assert_eq!(host.ok("systemctl show -P WorkingDirectory backup.service"), "/srv\n");
}
