//! `service` with a booted systemd.

use uphold_testbed::{Bed, Host, Story};

/// Installs a service like a package would.
pub(crate) fn install(host: &Host, name: &str, service: &str) {
    let unit = format!("[Service]\n{service}\n[Install]\nWantedBy=multi-user.target\n");
    host.write(&format!("/usr/lib/systemd/system/{name}.service"), &unit);
    host.ok("systemctl daemon-reload");
}

const RUNNING: &str = r#"service "web" {
    running = true
    enabled = true
    masked  = false
    settle  = "10ms"
}"#;

const MASKED_AND_STARTED: &str = r#"service "web" {
    running = true
    masked  = true
}"#;

const WITH_PATTERN: &str = r#"service "web" {
    running = true
    pattern = "x"
}"#;

const STOPPED: &str = r#"service "web" {
    running = false
    enabled = false
}"#;

#[test]
fn a_service_from_plan_to_repair() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("services");
    install(&host, "web", "ExecStart=/bin/sleep infinity");
    Story::of(&host, "a service that runs")
        .configuration(RUNNING)
        .drift("masked", "systemctl mask web")
        .drift("enabled", "systemctl disable web")
        .drift("running", "systemctl kill -s KILL web; sleep 0.3")
        // A repair that is quicker than the command cancels its job.
        .drift("running", "systemctl stop web || true")
        .watch()
        .wrong(MASKED_AND_STARTED, "cannot be true for a service that is running")
        .wrong(r#"service "web" { running = "yes" }"#, "running")
        .wrong(r#"service "web" {}"#, "running = true")
        .wrong(WITH_PATTERN, "sysvinit")
        .wrong(r#"service "a b" { running = true }"#, "name")
        .change_to(STOPPED, "! systemctl -q is-active web && ! systemctl -q is-enabled web")
        .change_to(r#"service "web.service" { masked = true }"#, "test $(systemctl is-enabled web) = masked")
        .run();
}
