//! Systemd installed but not running: on a plain host, and below another root.

use uphold_testbed::{Bed, Host, Story};

const UNIT: &str = "[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n";

#[test]
fn services_are_enabled_and_masked_without_a_systemd() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("offline");
    host.write("/usr/lib/systemd/system/web.service", UNIT);
    Story::of(&host, "a service that is enabled")
        .configuration("service \"web\" {\n enabled = true\n masked = false\n}")
        .drift("enabled", "systemctl disable web")
        .drift("masked", "systemctl mask web")
        .wrong(
            "service \"web\" {\n running = true\n provider = \"systemd\"\n}",
            "no init system is running here",
        )
        .wrong("service \"web\" { running = true }", "no init system is running here")
        .change_to(
            "service \"web\" {\n masked = true\n provider = \"systemd\"\n}",
            "test $(systemctl is-enabled web) = masked",
        )
        .run();
    Story::of(&host, "a unit and a timer")
        .configuration(
            r#"systemd_unit "app.service" { content = "[Service]\nExecStart=/bin/true\n" }
            systemd_timer "tick" {
                on_calendar = "daily"
                command     = "/bin/true"
            }"#,
        )
        .drift("content", "echo >>/etc/systemd/system/app.service")
        .drift("enabled", "systemctl disable tick.timer")
        .removed_by(
            r#"systemd_unit "app.service" { action = "remove" }
            systemd_timer "tick" { action = "remove" }"#,
            "! ls /etc/systemd/system/app.service /etc/systemd/system/tick.* /etc/systemd/system/timers.target.wants/tick.timer",
        )
        .run();
}

#[test]
fn services_of_an_image() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("image");
    host.ok("mkdir /srv/image && mount --bind / /srv/image && mount --bind /run /srv/image/run && mkdir -p /srv/upper /srv/work");
    host.write("/usr/lib/systemd/system/web.service", UNIT);
    host.write(&format!("{}/a.hcl", Host::SITE), "service \"web\" { enabled = true }\n");
    let ran = host.uphold(&["apply", "--root", "/srv/image", "a.hcl"]);
    assert_eq!(ran.status, 0, "{ran}");
    host.ok("test -L /etc/systemd/system/multi-user.target.wants/web.service");
    host.write(&format!("{}/b.hcl", Host::SITE), "service \"web\" { running = true }\n");
    let ran = host.uphold(&["plan", "--root", "/srv/image", "b.hcl"]);
    assert!(ran.status == 1 && format!("{ran}").contains("no init system is running here"), "{ran}");
    host.write(&format!("{}/c.hcl", Host::SITE), "service \"web\" { action = \"restart\" }\n");
    let ran = host.uphold(&["apply", "--root", "/srv/image", "c.hcl"]);
    assert_eq!(ran.status, 0, "there is nothing to restart: {ran}");
    host.ok("! systemctl -q is-active web");
    // One cause gives one error: the notified reload has nothing to do.
    host.write(
        &format!("{}/d.hcl", Host::SITE),
        "service \"web\" { running = true }\nfile \"/srv/conf\" {\n notifies = [service.web.reload]\n}\n",
    );
    let ran = host.uphold(&["apply", "--root", "/srv/image", "d.hcl"]);
    assert!(ran.status == 1 && format!("{ran}").matches("no init system is running").count() == 1, "{ran}");
}
