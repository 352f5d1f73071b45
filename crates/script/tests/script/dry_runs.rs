//! Notifications and dry runs: a dry run notifies nothing, and repeated dry runs are shown once.

use uphold_engine::Mode::{Apply, Plan};

use crate::bench::Bench;
use crate::stage::{play, play_with, said, show, site};

/// Would change and notify in a dry run, but fails when it runs.
const BROKEN: &str = r#"
function actions.idle() end
function actions.go()
    inline("tells", { notifies = "log.late.say" }, function() run({ "bad" }) end)
end
"#;

#[test]
fn a_failed_resource_does_not_notify() {
    let check = |body: &str| {
        let body = format!("log('late', {{ message = 'late', action = 'nothing' }})\n{body}");
        let bench = Bench::new(&[("broken", BROKEN), ("show", &show(&body))]);
        let bench = bench.world(|host| host.program("bad", |call| call.fail(1, "these words")));
        let output = bench.act(Apply, "show", "it", &[], "go");
        assert_eq!(said(&output), "", "{output}");
        assert!(output.contains("these words"), "{output}");
    };
    check("broken('b', { action = 'go' })");
    check("parallel(function() broken('b', { action = 'go' }) end)");
}

#[test]
fn a_resource_can_be_declared_in_an_outer_body_once_per_pass() {
    let inner = "function actions.create() root.declare('file', '/r', {}) root.declare('file', '/r', {}) end";
    let output = play_with(&[("inner", inner)], Apply, "inner('i', {})");
    assert!(output.contains("kinds/inner.luau:1: file \"/r\" is declared twice"), "{output}");
    let body = "inner('i', {})\ninner('j', {})";
    let once = "function actions.create() root.declare('file', '/r', {}) end";
    let output = play_with(&[("inner", once)], Apply, body);
    assert!(output.contains("file \"/r\" is declared twice"), "two are two: {output}");
}

#[test]
fn a_nested_subscriber_is_not_notified_after_its_body_has_ended() {
    let inner = r#"
        function actions.create()
            log("hears", { message = "logged", action = "nothing", subscribes = "file[\"/late\"].say" })
        end"#;
    let body = r#"
        declare("file", "/late", { content = "x" })
        inner("i", {})
        trigger("file", "/late", "converge")"#;
    let output = play_with(&[("inner", inner)], Apply, body);
    assert!(output.starts_with("show.it changed"), "{output}");
}

#[test]
fn a_plan_shows_an_immediate_target_once() {
    let inner = r#"
        function actions.create()
            file("/a", { content = "x", notifies = { { "inline.block.run", "immediately" } } })
        end"#;
    let body = r#"
        inline("block", { action = "nothing" }, function() end)
        inner("i", {})"#;
    let output = play_with(&[("inner", inner)], Plan, body);
    assert_eq!(output.matches("inline.block").count(), 1, "{output}");
}

/// Two resources of the configuration notify each other; a nested resource notifies the first.
#[test]
fn a_notification_cycle_in_the_configuration_ends() {
    let inner =
        "function actions.create() file('/a', { notifies = { { 'log.one.say', 'immediately' } } }) end";
    let log = |name: &str, target: &str, timing: &str| {
        format!(
            "log \"{name}\" {{\n message = \"{name}\"\n action = \"nothing\"\n \
             notifies = {{ {timing} = [log.{target}.say] }}\n}}\n"
        )
    };
    for timing in ["immediately", "delayed"] {
        let text = format!("inner \"i\" {{}}\n{}{}", log("one", "two", timing), log("two", "one", timing));
        let output = site(&Bench::new(&[("inner", inner)]), Apply, &text);
        let logged: Vec<&str> = output.lines().filter(|line| ["one", "two"].contains(line)).collect();
        assert_eq!(logged.join(" "), "one two", "{timing}: {output}");
    }
}

/// A caught error does not fail the body.
#[test]
fn a_caught_error_is_forgotten() {
    let body = r#"
        local ok, why = pcall(function() file("relative", {}) end)
        inline("say", function() log.info(`{ok} {string.find(why, "relative") ~= nil}`) end)"#;
    assert_eq!(said(&play(Apply, body)), "false true");
}

/// A notification cycle with an action that runs whenever it is triggered.
#[test]
fn a_notification_cycle_through_a_body_ends() {
    let ring = r#"
        function actions.idle() end
        function actions.go()
            inline("tells", { notifies = "log.one.say" }, function() end)
        end"#;
    let text = "ring \"r\" { action = \"go\" }\nlog \"one\" {\n message = \"one\"\n action = \"nothing\"\n notifies = [ring.r.go]\n}";
    let output = site(&Bench::new(&[("ring", ring)]), Apply, text);
    assert_eq!(output.lines().filter(|line| *line == "one").count(), 1, "{output}");
}
