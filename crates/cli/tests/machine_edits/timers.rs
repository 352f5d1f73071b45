//! A timer in a watch.

use uphold_testbed::Bed;

#[test]
fn a_timer_notifies_repeatedly() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("timer");
    host.write(
        "/run/uphold-testbed/site/a.hcl",
        r#"
        timer "often" {
            interval = "200ms"
            notifies = [task.count.run, log.tick.say]
        }
        task "count" {
            apply  = "echo x >>/tmp/count"
            action = "nothing"
        }
        log "tick" { action = "nothing" }
    "#,
    );
    // A timer does not fire in a plan or in a single run.
    for verb in ["plan", "apply", "apply"] {
        let ran = host.uphold(&[verb, "a.hcl"]);
        assert_eq!(ran.status, 0, "{ran}");
    }
    assert_eq!(host.ok("test -e /tmp/count || echo none").trim(), "none");
    let watch = host.spawn(&["watch", "--plain", "a.hcl"]);
    let waited = host.ok("for i in $(seq 100); do [ \"$(wc -l 2>/dev/null </tmp/count)\" -ge 3 ] 2>/dev/null && break; sleep 0.1; done; wc -l </tmp/count");
    let (_, printed) = watch.end();
    assert!(waited.trim().parse::<u32>().is_ok_and(|lines| lines >= 3), "{waited}: {printed}");
    assert!(printed.contains("tick"), "{printed}");
}
