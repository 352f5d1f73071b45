//! Facts NOT: nested resources notify outer ones.

use uphold_engine::Mode::{Apply, Plan};

use crate::bench::Bench;
use crate::stage::{play, play_with, said, same, show, site};

/// Has a nested file that notifies a target.
const BELL: &str = r#"
properties.path = { type = "path", name = true }
properties.target = { type = "text", required = true }
properties.timing = { type = "text", default = "delayed" }

function actions.create()
    file(path, { content = "x", notifies = { { target, timing } } })
end
"#;

/// Has a nested bell.
const TOWER: &str = r#"
properties.path = { type = "path", name = true }
properties.target = { type = "text", required = true }
properties.timing = { type = "text", default = "delayed" }

function actions.create()
    bell(path, { target = target, timing = timing })
end
"#;

fn bench() -> Bench {
    Bench::new(&[("bell", BELL), ("tower", TOWER)])
}

/// Messages and resources in their order, without details.
fn order(output: &str) -> String {
    let lines = output.lines().filter(|line| !line.starts_with(' '));
    lines.map(|line| line.split(' ').next().unwrap_or_default()).collect::<Vec<_>>().join(" ")
}

/// Appends names to a file: messages of a nested resource are only shown when it has finished.
const MARK: &str = r#"
function mark(name)
    fs.write("/trail", (fs.exists("/trail") and fs.read("/trail") or "") .. name .. " ")
end
"#;

/// The order in which the blocks of a body and of a nested kind ran.
fn trail(inner: &str, body: &str) -> String {
    let (inner, show) = (format!("{MARK}{inner}"), format!("{MARK}{}", show(body)));
    let bench = Bench::new(&[("inner", &inner), ("show", &show)]);
    bench.act(Apply, "show", "it", &[], "go");
    bench.content("/trail")
}

const LATE: &str = "log \"late\" {\n message = \"late\"\n action = \"nothing\"\n}\n";

#[test]
fn not_20_a_nested_resource_notifies_an_outer_one_at_the_end_of_the_run() {
    let bench = bench();
    let text =
        format!("bell \"/a\" {{ target = \"log.late.say\" }}\n{LATE}file \"/z\" {{ content = \"z\" }}");
    let planned = site(&bench, Plan, &text);
    assert_eq!(order(&planned), "bell[\"/a\"] file[\"/z\"] log.late", "{planned}");
    assert!(planned.contains("log.late would change"), "{planned}");
    let output = site(&bench, Apply, &text);
    assert_eq!(order(&output), "bell[\"/a\"] file[\"/z\"] late log.late", "{output}");
    let again = site(&bench, Apply, &text);
    assert_eq!(order(&again), "bell[\"/a\"] file[\"/z\"]", "nothing changed, nothing is notified: {again}");
}

#[test]
fn not_21_and_23_many_notifications_run_a_target_once() {
    let check = |id: &str, text: &str| {
        for mode in [Plan, Apply] {
            let output = site(&bench(), mode, &format!("{text}\n{LATE}"));
            let times = output.lines().filter(|line| line.starts_with("log.late ")).count();
            assert_eq!(times, 1, "{id}: {output}");
        }
    };
    let inside = "bell \"/a\" { target = \"log.late.say\" }";
    check("NOT-21", &format!("{inside}\nfile \"/b\" {{\n content = \"\"\n notifies = [log.late.say]\n}}"));
    check("NOT-23", &format!("{inside}\nbell \"/b\" {{ target = \"log.late.say\" }}"));
    check("NOT-23", &format!("{inside}\ntower \"/b\" {{ target = \"log.late.say\" }}"));
}

#[test]
fn not_22_delayed_targets_run_in_the_order_of_their_first_notification() {
    let file = |path: &str, target: &str| {
        format!("file \"{path}\" {{\n content = \"\"\n notifies = [log.{target}.say]\n}}\n")
    };
    let text = format!(
        "{}{}bell \"/c\" {{ target = \"log.late.say\" }}\n{LATE}log \"baz\" {{ message = \"baz\" }}",
        file("/a", "late"),
        file("/b", "baz")
    );
    let output = site(&bench(), Apply, &text);
    let end = output.lines().filter(|line| ["late", "baz"].contains(line)).collect::<Vec<_>>().join(" ");
    assert_eq!(end, "baz late baz", "in its own place, and then at the end: {output}");
}

#[test]
fn not_18_and_24_a_nested_resource_notifies_an_outer_one_immediately() {
    for kind in ["bell", "tower"] {
        let bench = bench();
        let text = format!(
            "{kind} \"/a\" {{\n target = \"log.late.say\"\n timing = \"immediately\"\n}}\n{LATE}file \"/z\" {{ content = \"z\" }}"
        );
        let output = site(&bench, Apply, &text);
        assert_eq!(
            order(&output),
            format!("late log.late {kind}[\"/a\"] file[\"/z\"]"),
            "once, and before the next resource: {output}"
        );
        let planned = site(&Bench::new(&[("bell", BELL), ("tower", TOWER)]), Plan, &text);
        assert!(planned.contains("log.late would change"), "{planned}");
    }
}

/// A plan shows a target as often as it runs.
#[test]
fn not_24_a_plan_shows_each_immediate_notification() {
    let inner = r#"
        function actions.create()
            for _, path in { "/a", "/b" } do
                file(path, { content = "x", notifies = { { "log.late.say", "immediately" } } })
            end
        end"#;
    for (mode, came) in [(Plan, "log.late would change"), (Apply, "log.late changed")] {
        let output = site(&Bench::new(&[("inner", inner)]), mode, &format!("inner \"i\" {{}}\n{LATE}"));
        assert_eq!(output.lines().filter(|line| line.starts_with(came)).count(), 2, "{output}");
    }
}

/// If the target of an immediate notification fails, so does its sender.
#[test]
fn not_24_a_target_that_fails_immediately_fails_its_sender() {
    let text = r#"
        bell "/a" {
          target = "file[\"/none/b\"].converge"
          timing = "immediately"
        }
        file "/none/b" {
          content = "b"
          action  = "nothing"
        }"#;
    let output = site(&bench(), Apply, text);
    assert!(output.contains("file[\"/none/b\"] failed: "), "{output}");
    assert!(output.contains("bell[\"/a\"] failed: "), "{output}");
}

/// The target of an immediate notification notifies another one immediately.
#[test]
fn not_02_a_chain_that_begins_in_a_nested_resource() {
    let text = r#"
        bell "/a" {
          target = "file[\"/b\"].converge"
          timing = "immediately"
        }
        file "/b" {
          content  = "b"
          action   = "nothing"
          notifies = { immediately = [log.late.say] }
        }
        file "/z" { content = "z" }
    "#;
    let output = site(&bench(), Apply, &format!("{text}\n{LATE}"));
    assert_eq!(order(&output), "file[\"/b\"] late log.late bell[\"/a\"] file[\"/z\"]", "{output}");
}

#[test]
fn not_25_a_target_can_be_a_handle() {
    let body = r#"
        declare("log", "late", { message = "late" })
        file("/a", { content = "x", notifies = { { find("log", "late"), "say" } } })"#;
    assert_eq!(said(&play(Apply, body)), "late");
}

/// The default action of the target may be invalid for it, and the message would be about the target.
#[test]
fn a_notification_without_an_action_is_an_error() {
    let body = r#"
        log("late", { message = "late", action = "nothing" })
        file("/a", { content = "x", notifies = { "log.late" } })"#;
    let output = play(Apply, body);
    assert!(output.contains("notifies names log \"late\" without an action"), "{output}");
}

#[test]
fn not_26_an_undeclared_target_is_an_error() {
    for timing in ["delayed", "immediately"] {
        let text = format!("bell \"/a\" {{\n target = \"log.nobody.say\"\n timing = \"{timing}\"\n}}");
        for mode in [Plan, Apply] {
            let output = site(&bench(), mode, &text);
            assert!(output.contains("log \"nobody\" is notified, but not declared"), "{output}");
        }
    }
}

#[test]
fn not_27_a_nested_target_hides_an_outer_one_of_the_same_name() {
    let inner = r#"
        function actions.create()
            log("late", { message = "inside", action = "nothing" })
            file("/a", { content = "x", notifies = "log.late.say" })
        end"#;
    let output = site(&Bench::new(&[("inner", inner)]), Apply, &format!("inner \"i\" {{}}\n{LATE}"));
    same(
        &output,
        r#"inside
        inner.i changed
        file["/a"].content: - -> "x"
        file["/a"].mode: - -> "0644"
        log.late: - -> "run""#,
    );
}

#[test]
fn not_29_and_46_a_nested_body_has_its_own_queue() {
    let body = r#"
        local function block(name, given) inline(name, given, function() log.info(name) end) end
        sequence(function()
            block("gamma", { action = "nothing" })
            block("alpha", { notifies = "inline.gamma.run" })
            block("beta", { notifies = "inline.gamma.run" })
        end)
        block("delta")"#;
    let output = play(Apply, &body.replace("block(\"delta\")", "block(\"delta\", {})"));
    assert_eq!(said(&output), "alpha, beta, gamma, delta", "{output}");
}

#[test]
fn not_30_a_group_in_a_composite_notifies_an_outer_resource() {
    let inner = r#"
        function actions.idle() end
        function actions.go()
            sequence(function()
                inline("foo", { notifies = "inline.baz.run" }, function() log.info("foo") end)
            end)
            inline("quux", function() log.info("quux") end)
        end"#;
    let body = r#"
        inline("baz", { action = "nothing" }, function() log.info("baz") end)
        resource("inner", "i", { action = "go" })
        inline("bar", function() log.info("bar") end)"#;
    assert_eq!(said(&play_with(&[("inner", inner)], Apply, body)), "foo, quux, bar, baz");
    let at_once = inner.replace("\"inline.baz.run\"", "{ { \"inline.baz.run\", \"immediately\" } }");
    let body = body.replace("log.info(", "mark(");
    assert_eq!(trail(&at_once.replace("log.info(", "mark("), &body), "foo baz quux bar ");
}

/// A delayed notification waits for the end of the body that has declared the target.
#[test]
fn not_41_a_notification_is_delayed_in_the_body_of_its_target() {
    let inner = r#"
        function actions.idle() end
        function actions.go()
            inline("own", { action = "nothing" }, function() log.info("own") end)
            inline("sender", { notifies = { "inline.own.run", "inline.far.run" } }, function() log.info("sender") end)
            inline("more", function() log.info("more") end)
        end"#;
    let body = r#"
        inline("far", { action = "nothing" }, function() log.info("far") end)
        resource("inner", "i", { action = "go" })
        inline("next", function() log.info("next") end)"#;
    assert_eq!(said(&play_with(&[("inner", inner)], Apply, body)), "sender, more, own, next, far");
}

#[test]
fn not_11_a_sender_can_be_declared_in_a_block() {
    let body = r#"
        log("late", { message = "late", action = "nothing" })
        inline("block", function()
            file("/a", { content = "x", notifies = "log.late.say" })
            log.info("block")
        end)"#;
    assert_eq!(said(&play(Apply, body)), "block, late");
}

#[test]
fn not_31_34_and_35_timings_in_a_script() {
    let body = |notification: &str| {
        format!(
            "log('t', {{ message = 't', action = 'nothing' }})\n\
             file('/a', {{ content = 'x', notifies = {{ {notification} }} }})\n\
             inline('end', function() log.info('end') end)"
        )
    };
    let check = |id: &str, notification: &str, expected: &str| {
        assert_eq!(said(&play(Apply, &body(notification))), expected, "{id}");
    };
    check("NOT-34", "'log.t.say'", "end, t");
    check("NOT-35", "{ 'log.t.say', 'immediate' }", "t, end");
    check("NOT-35", "{ 'log.t.say', 'immediately' }", "t, end");
    let output = play(Apply, &body("{ 'log.t.say', 'whenever' }"));
    assert!(output.contains("notifies has an unknown timing \"whenever\""), "NOT-31: {output}");
}

/// Notifications that are queued while the queue is delivered are delivered, too.
#[test]
fn not_39_and_40_a_delayed_target_notifies_another_one() {
    let body = r#"
        inline("two", { action = "nothing" }, function() log.info("two") end)
        inline("one", { action = "nothing", notifies = "inline.two.run" }, function() log.info("one") end)
        inline("sender", { notifies = "inline.one.run" }, function() log.info("sender") end)"#;
    assert_eq!(said(&play(Apply, body)), "sender, one, two");
}

/// Two resources that notify each other do so once.
#[test]
fn not_39_a_circle_ends() {
    let body = r#"
        inline("one", { action = "nothing", notifies = { "inline.two.run" } }, function() log.info("one") end)
        inline("two", { notifies = { "inline.one.run" } }, function() log.info("two") end)"#;
    assert_eq!(said(&play(Apply, body)), "two, one, two");
    let at_once = body.replace(".run\"", ".run\", \"immediately\"").replace("{ \"inl", "{ { \"inl");
    let at_once = at_once.replace("ly\" } }", "ly\" } } }");
    assert_eq!(said(&play(Apply, &at_once)), "two, one, two");
}

#[test]
fn not_04_notified_resources_act_even_after_a_failure() {
    let body = r#"
        inline("late", { action = "nothing" }, function() log.info("late") end)
        inline("sender", { notifies = "inline.late.run" }, function() log.info("sender") end)
        sequence(function()
            inline("own", { action = "nothing" }, function() log.info("own") end)
            inline("more", { notifies = "inline.own.run" }, function() log.info("more") end)
            inline("bad", function() error("these words") end)
        end)"#;
    let output = play(Apply, body);
    assert_eq!(said(&output), "sender, more, own, late", "{output}");
    assert!(output.contains("failed: kinds/show.luau:9: these words"), "{output}");
}

#[test]
fn not_05_a_delayed_target_that_fails_does_not_stop_others() {
    let body = r#"
        inline("bad", { action = "nothing" }, function() error("these words") end)
        inline("good", { action = "nothing" }, function() log.info("good") end)
        inline("sender", { notifies = { "inline.bad.run", "inline.good.run" } }, function() end)"#;
    let output = play(Apply, body);
    assert_eq!(said(&output), "good", "{output}");
    assert!(output.contains("these words"), "{output}");
}

/// An outer target acts, too, although the sender has failed.
#[test]
fn not_04_a_failed_resource_has_notified_an_outer_one() {
    let broken = r#"
        function actions.create()
            file("/a", { content = "x", notifies = "log.late.say" })
            inline("bad", { not_if = function() return fs.exists("/none") end }, function() error("no") end)
        end"#;
    let bench = Bench::new(&[("broken", broken)]);
    let output = site(&bench, Apply, &format!("broken \"b\" {{}}\n{LATE}"));
    assert_eq!(order(&output), "broken.b late log.late", "{output}");
}

/// An `on_success` notification is not delivered after a failure, neither in a body nor in the run.
#[test]
fn not_04_on_success_is_not_delivered_after_a_failure() {
    let body = |end: &str| {
        format!(
            r#"
            inline("late", {{ action = "nothing" }}, function() log.info("late") end)
            inline("sender", {{ notifies = {{ {{ "inline.late.run", "on_success" }} }} }}, function() end)
            {end}"#
        )
    };
    assert_eq!(said(&play(Apply, &body(""))), "late");
    assert_eq!(said(&play(Apply, &body("inline('bad', function() error('no') end)"))), "");
    let text = format!("bell \"/a\" {{\n target = \"log.late.say\"\n timing = \"on_success\"\n}}\n{LATE}");
    assert_eq!(order(&site(&bench(), Apply, &text)), "bell[\"/a\"] late log.late");
    let output = site(&bench(), Apply, &format!("{text}\nfile \"/none/x\" {{ content = \"x\" }}"));
    assert!(output.contains("log.late NotWanted(RunFailed)"), "{output}");
}

/// Members of a parallel group run in other threads, and still notify outer resources.
#[test]
fn not_20_a_parallel_group_notifies_an_outer_resource() {
    let body = r#"
        log("late", { message = "late", action = "nothing" })
        log("now", { message = "now", action = "nothing" })
        parallel({ jobs = 2 }, function()
            bell("/a", { target = "log.late.say" })
            bell("/b", { target = "log.late.say" })
            bell("/c", { target = "log.now.say", timing = "immediately" })
        end)
        inline("next", function() log.info("next") end)"#;
    let kinds = [("bell", BELL)];
    let output = play_with(&kinds, Apply, body);
    assert_eq!(said(&output), "now, next, late", "{output}");
    let output = play_with(&kinds, Plan, body);
    assert!(output.contains("log.late") && output.contains("log.now"), "{output}");
}

#[test]
fn not_04_a_failed_member_of_a_parallel_group_does_not_stop_notifications_of_others() {
    let body = show(
        r#"
        log("late", { message = "late", action = "nothing" })
        parallel(function()
            bell("/a", { target = "log.late.say" })
            file("/b", { content = "x", notifies = "log.late.say" })
            bad("bad", { action = "go" })
        end)"#,
    );
    let bad = "function actions.idle() end\nfunction actions.go() run({ 'bad' }) end";
    let bench = Bench::new(&[("bell", BELL), ("bad", bad), ("show", &body)]);
    let bench = bench.world(|host| host.program("bad", |call| call.fail(1, "these words")));
    let output = bench.act(Apply, "show", "it", &[], "go");
    assert_eq!(said(&output), "late", "{output}");
    assert!(output.contains("these words"), "{output}");
}
