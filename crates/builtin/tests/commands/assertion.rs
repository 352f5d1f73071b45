//! `assert`.

use uphold_host::LocalHost;
use uphold_model::Value;
use uphold_resource::ErrorKind;
use uphold_testkit::MemoryHost;

use super::block::{Block, block};

fn assert_block(property: &str, value: impl Into<Value>) -> Block {
    block("assert").label("enough memory").set(property, value)
}

#[test]
fn passes_without_a_change() {
    let check = |block: Block| {
        assert!(!block.visit(&LocalHost::new().machine().act()).expect("the assertion passes").changed);
    };
    check(assert_block("that", true));
    check(assert_block("command", "true"));
    check(assert_block("command", "true").set("message", "never shown"));
}

#[test]
fn fails_with_its_message() {
    let check = |block: Block, message: &str, chain: &str| {
        let error = block.error(&LocalHost::new().machine().act());
        assert_eq!(error.kind(), ErrorKind::Rejected);
        assert_eq!((error.to_string().as_str(), error.chain().as_str()), (message, chain));
    };
    let plain = "the assertion `enough memory` failed";
    check(assert_block("that", false), plain, plain);
    check(
        assert_block("that", false).set("message", "buy more"),
        plain,
        "the assertion `enough memory` failed: buy more",
    );
    check(
        assert_block("command", "echo 512 MB >&2; exit 2").set("message", "buy more"),
        plain,
        "the assertion `enough memory` failed: buy more: `command` exited with status 2, not 0: 512 MB",
    );
    check(
        assert_block("command", "false"),
        plain,
        "the assertion `enough memory` failed: `command` exited with status 1, not 0",
    );
}

/// The engine hides the causes of a failure that involves a secret, and shows the rest.
#[test]
fn a_secret_message_is_a_cause() {
    for (property, value) in [("that", Value::Bool(false)), ("command", Value::text("false"))] {
        let message = Value::text("the password is hunter2").sensitive();
        let error =
            assert_block(property, value).set("message", message).error(&LocalHost::new().machine().act());
        assert!(!error.to_string().contains("hunter2") && error.chain().contains("hunter2"), "{error}");
    }
}

#[test]
fn is_read_only() {
    let host = MemoryHost::new();
    assert!(assert_block("command", "true").visit(&host.act()).is_ok());
    assert!(host.writes().is_empty());
}

#[test]
fn needs_one_of_two() {
    let check = |block: Block, problem: &str| {
        assert_eq!(block.decode(&MemoryHost::new().act()).err().as_deref(), Some(problem));
    };
    check(block("assert"), "`that` or `command` is required; set one of `that`, `command`");
    check(assert_block("that", true).set("command", "true"), "`that` excludes `command`; keep one of them");
    check(
        assert_block("that", "false"),
        "`that` = \"false\" must be true or false, not a string; write true or false, without quotes",
    );
}
