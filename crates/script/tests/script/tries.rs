//! What is only tried tells nobody, and what is tried more than once is told once.

use uphold_engine::Mode::{Apply, Plan};

use crate::bench::Bench;
use crate::stage::{play, play_with, said, show, site};

/// Would change something and tell of it, and fails when it does.
const BROKEN: &str = r#"
function actions.idle() end
function actions.go()
    inline("tells", { notifies = "log.late.say" }, function() run({ "bad" }) end)
end
"#;

#[test]
fn what_would_have_changed_tells_nobody_if_it_fails() {
    let check = |body: &str| {
        let body = format!("log('late', {{ message = 'late', action = 'nothing' }})\n{body}");
        let bench = Bench::new(&[("broken", BROKEN), ("show", &show(&body))]);
        let bench = bench.world(|host| host.program("bad", |call| call.fail(1, "these words")));
        let told = bench.act(Apply, "show", "it", &[], "go");
        assert_eq!(said(&told), "", "{told}");
        assert!(told.contains("these words"), "{told}");
    };
    check("broken('b', { action = 'go' })");
    check("parallel(function() broken('b', { action = 'go' }) end)");
}

#[test]
fn what_is_declared_further_out_is_declared_once_in_each_go() {
    let inner = "function actions.create() root.declare('file', '/r', {}) root.declare('file', '/r', {}) end";
    let told = play_with(&[("inner", inner)], Apply, "inner('i', {})");
    assert!(told.contains("kinds/inner.luau:1: file \"/r\" is declared twice"), "{told}");
    let body = "inner('i', {})\ninner('j', {})";
    let once = "function actions.create() root.declare('file', '/r', {}) end";
    let told = play_with(&[("inner", once)], Apply, body);
    assert!(told.contains("file \"/r\" is declared twice"), "two are two: {told}");
}

#[test]
fn who_is_inside_hears_nothing_when_it_is_over() {
    let inner = r#"
        function actions.create()
            log("hears", { message = "heard", action = "nothing", subscribes = "file[\"/late\"].say" })
        end"#;
    let body = r#"
        declare("file", "/late", { content = "x" })
        inner("i", {})
        trigger("file", "/late", "converge")"#;
    let told = play_with(&[("inner", inner)], Apply, body);
    assert!(told.starts_with("show.it changed"), "{told}");
}

#[test]
fn a_plan_shows_once_what_is_told_at_once() {
    let inner = r#"
        function actions.create()
            file("/a", { content = "x", notifies = { { "inline.block.run", "immediately" } } })
        end"#;
    let body = r#"
        inline("block", { action = "nothing" }, function() end)
        inner("i", {})"#;
    let told = play_with(&[("inner", inner)], Plan, body);
    assert_eq!(told.matches("inline.block").count(), 1, "{told}");
}

/// Two in the configuration that tell each other, begun from inside.
#[test]
fn a_circle_outside_ends() {
    let inner =
        "function actions.create() file('/a', { notifies = { { 'log.one.say', 'immediately' } } }) end";
    let log = |name: &str, tells: &str, moment: &str| {
        format!(
            "log \"{name}\" {{\n message = \"{name}\"\n action = \"nothing\"\n \
             notifies = {{ {moment} = [log.{tells}.say] }}\n}}\n"
        )
    };
    for moment in ["immediately", "delayed"] {
        let text = format!("inner \"i\" {{}}\n{}{}", log("one", "two", moment), log("two", "one", moment));
        let told = site(&Bench::new(&[("inner", inner)]), Apply, &text);
        let heard: Vec<&str> = told.lines().filter(|line| ["one", "two"].contains(line)).collect();
        assert_eq!(heard.join(" "), "one two", "{moment}: {told}");
    }
}

/// What was caught counts no more, and what comes after it is done.
#[test]
fn what_is_caught_is_over() {
    let body = r#"
        local ok, why = pcall(function() file("relative", {}) end)
        inline("say", function() log.info(`{ok} {string.find(why, "relative") ~= nil}`) end)"#;
    assert_eq!(said(&play(Apply, body)), "false true");
}

/// The same with one whose action is done whenever it is asked for.
#[test]
fn a_circle_through_a_body_ends() {
    let ring = r#"
        function actions.idle() end
        function actions.go()
            inline("tells", { notifies = "log.one.say" }, function() end)
        end"#;
    let text = "ring \"r\" { action = \"go\" }\nlog \"one\" {\n message = \"one\"\n action = \"nothing\"\n notifies = [ring.r.go]\n}";
    let told = site(&Bench::new(&[("ring", ring)]), Apply, text);
    assert_eq!(told.lines().filter(|line| *line == "one").count(), 1, "{told}");
}
