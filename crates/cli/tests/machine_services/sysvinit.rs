//! `service` under the scripts of sysvinit.

use uphold_testbed::{Bed, Story};

const SCRIPT: &str = r#"#!/bin/sh
### BEGIN INIT INFO
# Provides:          web
# Required-Start:
# Required-Stop:
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: a service
### END INIT INFO
case "$1" in
    start) setsid sleep infinity >/dev/null 2>&1 & echo $! >/run/web.pid ;;
    stop) kill $(cat /run/web.pid); rm -f /run/web.pid ;;
    restart) $0 stop; $0 start ;;
    status) kill -0 $(cat /run/web.pid 2>/dev/null) 2>/dev/null || exit 3 ;;
    *) exit 2 ;;
esac
"#;

const WEB: &str = r#"service "web" {
    provider = "sysvinit"
    running  = true
    enabled  = true
    settle   = "50ms"
}"#;

#[test]
fn a_script() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("sysvinit");
    host.write("/etc/init.d/web", SCRIPT);
    host.ok("chmod 755 /etc/init.d/web");
    Story::of(&host, "a script")
        .configuration(WEB)
        .drift("running", "service web stop")
        .drift("enabled", "update-rc.d web disable")
        .wrong("service \"web\" {\n provider = \"sysvinit\"\n masked = true\n}", "only systemd can do that")
        .change_to(&WEB.replace("true", "false"), "! service web status && ! ls /etc/rc2.d/S*web")
        .run();
    host.write(&format!("{}/a.hcl", uphold_testbed::Host::SITE), &WEB.replace("\"web\"", "\"absent\""));
    let ran = host.uphold(&["apply", "a.hcl"]);
    assert!(ran.status == 1 && format!("{ran}").contains("/etc/init.d/absent is missing"), "{ran}");
}
