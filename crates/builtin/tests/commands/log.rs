//! `log`.

use uphold_resource::{ErrorKind, Level};
use uphold_testkit::MemoryHost;

use super::block::{Block, block};

#[test]
fn logs_its_message_or_its_name_once() {
    let check = |block: Block, level: Level, text: &str| {
        let host = MemoryHost::new();
        assert!(!block.visit(&host.act()).expect("it logs").changed);
        assert_eq!(host.said(), [(level, text.to_owned())]);
        assert!(host.writes().is_empty());
    };
    let log = || block("log").label("danger");
    check(log(), Level::Info, "danger");
    check(log().set("message", "two\nlines"), Level::Info, "two\nlines");
    check(log().set("message", ""), Level::Info, "");
    check(log().set("level", "debug"), Level::Debug, "danger");
    check(log().set("level", "warning"), Level::Warning, "danger");
}

#[test]
fn logs_again_when_notified() {
    let host = MemoryHost::new();
    let log = block("log").label("danger").decode(&host.act()).expect("sound");
    log.run_verb("say", &host.act()).expect("it logs");
    assert_eq!(host.said(), [(Level::Info, "danger".to_owned())]);
}

#[test]
fn has_three_levels_and_cannot_be_removed() {
    let host = MemoryHost::new();
    let problem = block("log").set("level", "warn").decode(&host.act()).err().expect("a problem");
    let list = r#"`level` = "warn" must be one of "debug", "info", "warning"; "#;
    assert!(problem.starts_with(list), "{problem}");
    let log = block("log").decode(&host.act()).expect("sound");
    let seen = log.observe(uphold_resource::Desired::Absent, &host.act()).expect("it logs");
    assert_eq!(log.apply(&seen, &host.act()).expect_err("it is read-only").kind(), ErrorKind::Unsupported);
    assert!(!log.schema().removable);
}
