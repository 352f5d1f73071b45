//! `timer`.

use std::time::Duration;

use uphold_resource::Desired;
use uphold_testkit::MemoryHost;

use super::block::block;

#[test]
fn is_due_after_each_interval() {
    let host = MemoryHost::new();
    let timer = block("timer").set("interval", "1m").decode(&host.act()).expect("sound");
    let is_due = || !timer.observe(Desired::Present, &host.act()).expect("it reads only the clock").converged;
    assert!(!is_due(), "it starts at the first check");
    for _ in 0..2 {
        host.advance(Duration::from_secs(59));
        assert!(!is_due());
        host.advance(Duration::from_secs(1));
        assert!(is_due());
        assert!(is_due(), "until it is applied");
        let seen = timer.observe(Desired::Present, &host.act()).expect("as before");
        timer.apply(&seen, &host.act()).expect("it starts again");
        assert!(!is_due());
    }
    assert!(host.writes().is_empty());
}

#[test]
fn has_a_minimum_interval() {
    let host = MemoryHost::new();
    let problem = |interval: &str| block("timer").set("interval", interval).decode(&host.act()).err();
    assert!(problem("50ms").is_some_and(|problem| problem.contains("at least 100ms")));
    assert!(problem("0s").is_some_and(|problem| problem.contains("at least 100ms")));
    assert_eq!(problem("100ms"), None);
    assert!(
        block("timer")
            .decode(&host.act())
            .err()
            .is_some_and(|problem| problem.contains("`interval` is required"))
    );
}
