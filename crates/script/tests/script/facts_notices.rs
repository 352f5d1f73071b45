//! Facts NOT: what is inside tells what is around it.

use uphold_engine::Mode::{Apply, Plan};

use crate::bench::Bench;
use crate::stage::{play, play_with, said, same, show, site};

/// Has a file inside that tells somebody.
const BELL: &str = r#"
properties.path = { type = "path", name = true }
properties.tells = { type = "text", required = true }
properties.moment = { type = "text", default = "delayed" }

function actions.create()
    file(path, { content = "x", notifies = { { tells, moment } } })
end
"#;

/// A bell inside.
const TOWER: &str = r#"
properties.path = { type = "path", name = true }
properties.tells = { type = "text", required = true }
properties.moment = { type = "text", default = "delayed" }

function actions.create()
    bell(path, { tells = tells, moment = moment })
end
"#;

fn bench() -> Bench {
    Bench::new(&[("bell", BELL), ("tower", TOWER)])
}

/// What was said and what was changed, in this order, without the details.
fn order(told: &str) -> String {
    let lines = told.lines().filter(|line| !line.starts_with(' '));
    lines.map(|line| line.split(' ').next().unwrap_or_default()).collect::<Vec<_>>().join(" ")
}

/// Leaves a trail in a file: what is said inside is told when who said it is done, which is later.
const MARK: &str = r#"
function mark(name)
    fs.write("/trail", (fs.exists("/trail") and fs.read("/trail") or "") .. name .. " ")
end
"#;

/// In which order the blocks of a body and of a kind inside it were done.
fn trail(inner: &str, body: &str) -> String {
    let (inner, show) = (format!("{MARK}{inner}"), format!("{MARK}{}", show(body)));
    let bench = Bench::new(&[("inner", &inner), ("show", &show)]);
    bench.act(Apply, "show", "it", &[], "go");
    bench.content("/trail")
}

const LATE: &str = "log \"late\" {\n message = \"late\"\n action = \"nothing\"\n}\n";

#[test]
fn not_20_inside_tells_outside_at_the_end_of_the_run() {
    let bench = bench();
    let text = format!("bell \"/a\" {{ tells = \"log.late.say\" }}\n{LATE}file \"/z\" {{ content = \"z\" }}");
    let planned = site(&bench, Plan, &text);
    assert_eq!(order(&planned), "bell[\"/a\"] file[\"/z\"] log.late", "{planned}");
    assert!(planned.contains("log.late would change"), "{planned}");
    let told = site(&bench, Apply, &text);
    assert_eq!(order(&told), "bell[\"/a\"] file[\"/z\"] late log.late", "{told}");
    let again = site(&bench, Apply, &text);
    assert_eq!(order(&again), "bell[\"/a\"] file[\"/z\"]", "nothing changed, nobody is told: {again}");
}

#[test]
fn not_21_and_23_many_tell_and_it_is_done_once() {
    let check = |id: &str, text: &str| {
        for mode in [Plan, Apply] {
            let told = site(&bench(), mode, &format!("{text}\n{LATE}"));
            let times = told.lines().filter(|line| line.starts_with("log.late ")).count();
            assert_eq!(times, 1, "{id}: {told}");
        }
    };
    let inside = "bell \"/a\" { tells = \"log.late.say\" }";
    check("NOT-21", &format!("{inside}\nfile \"/b\" {{\n content = \"\"\n notifies = [log.late.say]\n}}"));
    check("NOT-23", &format!("{inside}\nbell \"/b\" {{ tells = \"log.late.say\" }}"));
    check("NOT-23", &format!("{inside}\ntower \"/b\" {{ tells = \"log.late.say\" }}"));
}

#[test]
fn not_22_the_end_keeps_the_order_of_who_asked_first() {
    let file = |path: &str, tells: &str| {
        format!("file \"{path}\" {{\n content = \"\"\n notifies = [log.{tells}.say]\n}}\n")
    };
    let text = format!(
        "{}{}bell \"/c\" {{ tells = \"log.late.say\" }}\n{LATE}log \"baz\" {{ message = \"baz\" }}",
        file("/a", "late"),
        file("/b", "baz")
    );
    let told = site(&bench(), Apply, &text);
    let end = told.lines().filter(|line| ["late", "baz"].contains(line)).collect::<Vec<_>>().join(" ");
    assert_eq!(end, "baz late baz", "in its own place, and then at the end: {told}");
}

#[test]
fn not_18_and_24_inside_tells_outside_at_once() {
    for kind in ["bell", "tower"] {
        let bench = bench();
        let text = format!(
            "{kind} \"/a\" {{\n tells = \"log.late.say\"\n moment = \"immediately\"\n}}\n{LATE}file \"/z\" {{ content = \"z\" }}"
        );
        let told = site(&bench, Apply, &text);
        assert_eq!(
            order(&told),
            format!("late log.late {kind}[\"/a\"] file[\"/z\"]"),
            "done once, and before the next one: {told}"
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
        let told = site(&Bench::new(&[("inner", inner)]), mode, &format!("inner \"i\" {{}}\n{LATE}"));
        assert_eq!(told.lines().filter(|line| line.starts_with(came)).count(), 2, "{told}");
    }
}

/// What is told at once and fails makes who told fail.
#[test]
fn not_24_what_fails_at_once_is_a_failure_of_both() {
    let text = r#"
        bell "/a" {
          tells  = "file[\"/none/b\"].converge"
          moment = "immediately"
        }
        file "/none/b" {
          content = "b"
          action  = "nothing"
        }"#;
    let told = site(&bench(), Apply, text);
    assert!(told.contains("file[\"/none/b\"] failed: "), "{told}");
    assert!(told.contains("bell[\"/a\"] failed: "), "{told}");
}

/// A chain: what is told at once tells others at once.
#[test]
fn not_02_a_chain_that_begins_inside() {
    let text = r#"
        bell "/a" {
          tells  = "file[\"/b\"].converge"
          moment = "immediately"
        }
        file "/b" {
          content  = "b"
          action   = "nothing"
          notifies = { immediately = [log.late.say] }
        }
        file "/z" { content = "z" }
    "#;
    let told = site(&bench(), Apply, &format!("{text}\n{LATE}"));
    assert_eq!(order(&told), "file[\"/b\"] late log.late bell[\"/a\"] file[\"/z\"]", "{told}");
}

#[test]
fn not_25_a_target_may_be_a_resource_that_was_looked_up() {
    let body = r#"
        declare("log", "late", { message = "late" })
        file("/a", { content = "x", notifies = { { find("log", "late"), "say" } } })"#;
    assert_eq!(said(&play(Apply, body)), "late");
}

#[test]
fn not_26_a_target_that_is_nowhere_is_an_error() {
    for moment in ["delayed", "immediately"] {
        let text = format!("bell \"/a\" {{\n tells = \"log.nobody.say\"\n moment = \"{moment}\"\n}}");
        for mode in [Plan, Apply] {
            let told = site(&bench(), mode, &text);
            assert!(told.contains("log \"nobody\" is notified, and declared nowhere"), "{told}");
        }
    }
}

#[test]
fn not_27_the_same_name_inside_and_outside() {
    let inner = r#"
        function actions.create()
            log("late", { message = "inside", action = "nothing" })
            file("/a", { content = "x", notifies = "log.late.say" })
        end"#;
    let told = site(&Bench::new(&[("inner", inner)]), Apply, &format!("inner \"i\" {{}}\n{LATE}"));
    same(
        &told,
        r#"inside
        inner.i changed
        file["/a"].content: - -> "x"
        file["/a"].mode: - -> "0644"
        log.late: - -> "run""#,
    );
}

#[test]
fn not_29_and_46_a_body_inside_has_a_queue_of_its_own() {
    let body = r#"
        local function block(name, given) inline(name, given, function() log.info(name) end) end
        sequence(function()
            block("gamma", { action = "nothing" })
            block("alpha", { notifies = "inline.gamma.run" })
            block("beta", { notifies = "inline.gamma.run" })
        end)
        block("delta")"#;
    let told = play(Apply, &body.replace("block(\"delta\")", "block(\"delta\", {})"));
    assert_eq!(said(&told), "alpha, beta, gamma, delta", "{told}");
}

#[test]
fn not_30_a_group_inside_a_composite_tells_what_is_around() {
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

/// It waits for the end of the body that has declared who is told.
#[test]
fn not_41_it_is_put_off_in_the_body_of_who_is_told() {
    let inner = r#"
        function actions.idle() end
        function actions.go()
            inline("own", { action = "nothing" }, function() log.info("own") end)
            inline("tells", { notifies = { "inline.own.run", "inline.far.run" } }, function() log.info("tells") end)
            inline("more", function() log.info("more") end)
        end"#;
    let body = r#"
        inline("far", { action = "nothing" }, function() log.info("far") end)
        resource("inner", "i", { action = "go" })
        inline("next", function() log.info("next") end)"#;
    assert_eq!(said(&play_with(&[("inner", inner)], Apply, body)), "tells, more, own, next, far");
}

#[test]
fn not_11_who_tells_may_be_declared_by_a_block() {
    let body = r#"
        log("late", { message = "late", action = "nothing" })
        inline("block", function()
            file("/a", { content = "x", notifies = "log.late.say" })
            log.info("block")
        end)"#;
    assert_eq!(said(&play(Apply, body)), "block, late");
}

#[test]
fn not_31_34_and_35_moments_in_a_script() {
    let body = |notice: &str| {
        format!(
            "log('t', {{ message = 't', action = 'nothing' }})\n\
             file('/a', {{ content = 'x', notifies = {{ {notice} }} }})\n\
             inline('end', function() log.info('end') end)"
        )
    };
    let check = |id: &str, notice: &str, expected: &str| {
        assert_eq!(said(&play(Apply, &body(notice))), expected, "{id}");
    };
    check("NOT-34", "'log.t.say'", "end, t");
    check("NOT-35", "{ 'log.t.say', 'immediate' }", "t, end");
    check("NOT-35", "{ 'log.t.say', 'immediately' }", "t, end");
    let told = play(Apply, &body("{ 'log.t.say', 'whenever' }"));
    assert!(told.contains("whenever is no moment"), "NOT-31: {told}");
}

/// What is queued while the queue is worked off is done in the same go, and what changed since is told again.
#[test]
fn not_39_and_40_the_end_of_a_body() {
    let body = r#"
        inline("two", { action = "nothing" }, function() log.info("two") end)
        inline("one", { action = "nothing", notifies = "inline.two.run" }, function() log.info("one") end)
        inline("tells", { notifies = "inline.one.run" }, function() log.info("tells") end)"#;
    assert_eq!(said(&play(Apply, body)), "tells, one, two");
}

/// Two that tell each other do so once: nothing is its own consequence.
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
fn not_04_who_was_told_acts_even_if_something_fails() {
    let body = r#"
        inline("late", { action = "nothing" }, function() log.info("late") end)
        inline("tells", { notifies = "inline.late.run" }, function() log.info("tells") end)
        sequence(function()
            inline("own", { action = "nothing" }, function() log.info("own") end)
            inline("more", { notifies = "inline.own.run" }, function() log.info("more") end)
            inline("bad", function() error("these words") end)
        end)"#;
    let told = play(Apply, body);
    assert_eq!(said(&told), "tells, more, own, late", "{told}");
    assert!(told.contains("failed: kinds/show.luau:9: these words"), "{told}");
}

#[test]
fn not_05_one_that_fails_at_the_end_does_not_keep_others_from_it() {
    let body = r#"
        inline("bad", { action = "nothing" }, function() error("these words") end)
        inline("good", { action = "nothing" }, function() log.info("good") end)
        inline("tells", { notifies = { "inline.bad.run", "inline.good.run" } }, function() end)"#;
    let told = play(Apply, body);
    assert_eq!(said(&told), "good", "{told}");
    assert!(told.contains("these words"), "{told}");
}

/// What was told outside is done there, too, although who told has failed.
#[test]
fn not_04_who_is_around_is_told_by_what_failed() {
    let broken = r#"
        function actions.create()
            file("/a", { content = "x", notifies = "log.late.say" })
            inline("bad", { not_if = function() return fs.exists("/none") end }, function() error("no") end)
        end"#;
    let bench = Bench::new(&[("broken", broken)]);
    let told = site(&bench, Apply, &format!("broken \"b\" {{}}\n{LATE}"));
    assert_eq!(order(&told), "broken.b late log.late", "{told}");
}

/// What is done only if all went well is not done after a failure, inside and outside.
#[test]
fn not_04_on_success_is_not_after_a_failure() {
    let body = |end: &str| {
        format!(
            r#"
            inline("late", {{ action = "nothing" }}, function() log.info("late") end)
            inline("tells", {{ notifies = {{ {{ "inline.late.run", "on_success" }} }} }}, function() end)
            {end}"#
        )
    };
    assert_eq!(said(&play(Apply, &body(""))), "late");
    assert_eq!(said(&play(Apply, &body("inline('bad', function() error('no') end)"))), "");
    let text = format!("bell \"/a\" {{\n tells = \"log.late.say\"\n moment = \"on_success\"\n}}\n{LATE}");
    assert_eq!(order(&site(&bench(), Apply, &text)), "bell[\"/a\"] late log.late");
    let told = site(&bench(), Apply, &format!("{text}\nfile \"/none/x\" {{ content = \"x\" }}"));
    assert!(told.contains("log.late NotWanted(RunFailed)"), "{told}");
}

/// What is inside a parallel group runs in another thread, and tells what is around it all the same.
#[test]
fn not_20_a_parallel_group_tells_what_is_around() {
    let body = r#"
        log("late", { message = "late", action = "nothing" })
        log("now", { message = "now", action = "nothing" })
        parallel({ jobs = 2 }, function()
            bell("/a", { tells = "log.late.say" })
            bell("/b", { tells = "log.late.say" })
            bell("/c", { tells = "log.now.say", moment = "immediately" })
        end)
        inline("next", function() log.info("next") end)"#;
    let kinds = [("bell", BELL)];
    let told = play_with(&kinds, Apply, body);
    assert_eq!(said(&told), "now, next, late", "{told}");
    let told = play_with(&kinds, Plan, body);
    assert!(told.contains("log.late") && told.contains("log.now"), "{told}");
}

#[test]
fn not_04_one_of_a_parallel_group_fails_and_the_others_tell() {
    let body = show(
        r#"
        log("late", { message = "late", action = "nothing" })
        parallel(function()
            bell("/a", { tells = "log.late.say" })
            file("/b", { content = "x", notifies = "log.late.say" })
            bad("bad", { action = "go" })
        end)"#,
    );
    let bad = "function actions.idle() end\nfunction actions.go() run({ 'bad' }) end";
    let bench = Bench::new(&[("bell", BELL), ("bad", bad), ("show", &body)]);
    let bench = bench.world(|host| host.program("bad", |call| call.fail(1, "these words")));
    let told = bench.act(Apply, "show", "it", &[], "go");
    assert_eq!(said(&told), "late", "{told}");
    assert!(told.contains("these words"), "{told}");
}
