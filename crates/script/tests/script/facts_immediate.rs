//! Facts UNI and ACC: resources run where they are declared; delayed actions see later changes.

use uphold_engine::Mode::{Apply, Plan};

use crate::bench::Bench;
use crate::stage::{play, play_with, same};

/// Declares `first` while `v` is foo, `second` while it is bar, and ends with baz.
fn fixture(first: &str, second: &str) -> String {
    format!(
        r#"
        local v = "foo"
        local function block(name, given)
            inline(name, given, function() log.info(`{{name}}: {{v}}`) end)
        end
        block("first", {first})
        v = "bar"
        block("second", {second})
        v = "baz""#
    )
}

#[test]
fn uni_01_to_15_notifications_are_delivered_at_their_time() {
    let check = |id: &str, first: &str, second: &str, expected: &str| {
        let output = play(Apply, &fixture(first, second));
        let said: Vec<&str> = output.lines().take_while(|line| !line.starts_with("show.it ")).collect();
        assert_eq!(said.join(", "), expected, "{id}: {output}");
        assert!(output.contains("show.it changed"), "{id}: {output}");
        let planned = play(Plan, &fixture(first, second));
        assert!(planned.starts_with("show.it would change"), "{id}: {planned}");
    };
    let nothing = r#"{ action = "nothing" }"#;
    check("UNI-01", nothing, r#"{ notifies = "inline.first.run" }"#, "second: bar, first: baz");
    check("UNI-02", r#"{ notifies = "inline.second.run" }"#, nothing, "first: foo, second: baz");
    let at_once = r#"{ notifies = { { "inline.first.run", "immediately" } } }"#;
    check("UNI-07", nothing, at_once, "second: bar, first: bar");
    let subscribed = |other: &str, when: &str| {
        format!(r#"{{ action = "nothing", subscribes = {{ {{ "inline.{other}.run", "{when}" }} }} }}"#)
    };
    check("UNI-08", "nil", &subscribed("first", "immediately"), "first: foo, second: bar");
    check("UNI-09", &subscribed("second", "immediately"), "nil", "second: bar, first: bar");
    check("UNI-11", &subscribed("second", "delayed"), "nil", "second: bar, first: baz");
    let before = r#"{ notifies = { { "inline.first.run", "before" } } }"#;
    check("UNI-13", nothing, before, "first: bar, second: bar");
    check("UNI-13", &subscribed("second", "before"), "nil", "first: bar, second: bar");
}

/// A resource that is notified immediately, but declared later, acts where it is declared.
#[test]
fn a_later_resource_that_is_notified_immediately_acts_where_it_is_declared() {
    let first = r#"{ notifies = { { "inline.second.run", "immediately" } } }"#;
    let output = play(Apply, &fixture(first, r#"{ action = "nothing" }"#));
    assert!(output.starts_with("first: foo\nsecond: bar\nshow.it changed"), "{output}");
    let planned = play(Plan, &fixture(first, r#"{ action = "nothing" }"#));
    assert!(planned.contains("inline.second"), "{planned}");
    let nowhere = r#"{ notifies = { { "inline.third.run", "immediately" } } }"#;
    let output = play(Apply, &fixture(nowhere, "nil"));
    assert!(output.contains("inline \"third\" is notified, but not declared"), "{output}");
}

#[test]
fn a_later_resource_cannot_act_before_an_earlier_one() {
    let first = r#"{ notifies = { { "inline.second.run", "before" } } }"#;
    for mode in [Plan, Apply] {
        let output = play(mode, &fixture(first, r#"{ action = "nothing" }"#));
        let expected = "inline \"second\" is notified \"before\", but is not declared yet; declare it first";
        assert!(output.contains("failed: kinds/show.luau:") && output.contains(expected), "{output}");
    }
}

#[test]
fn uni_15_subscribing_before_a_resource_that_has_run_is_an_error() {
    let subscribed = r#"{ action = "nothing", subscribes = { { "inline.first.run", "before" } } }"#;
    let output = play(Apply, &fixture("nil", subscribed));
    assert!(output.contains("failed: kinds/show.luau:"), "{output}");
    assert!(output.contains("subscribes \"before\" to inline \"first\", which has already run"), "{output}");
}

/// A recipe is a body like any other; `collect()` gives it two phases.
#[test]
fn uni_16_differs_the_author_chooses_two_phases() {
    let text = |choice: &str| {
        format!(
            r#"{choice}
            local v = "foo"
            file("/first", {{ content = lazy(function() return v end) }})
            v = "bar""#
        )
    };
    let bench = Bench::new(&[]);
    bench.recipe(Apply, &text(""));
    assert_eq!(bench.content("/first"), "foo");
    bench.recipe(Apply, &text("collect()"));
    assert_eq!(bench.content("/first"), "bar");
}

#[test]
fn uni_17_and_18_a_new_resource_runs_immediately() {
    let check = |id: &str, word: &str| {
        let bench = Bench::new(&[]);
        let text = format!(
            r#"{word}("file", "/a", {{ content = "{id}" }})
            if fs.exists("/a") then file("/b", {{ content = fs.read("/a") }}) end"#
        );
        let output = bench.recipe(Apply, &text);
        assert_eq!((bench.content("/a").as_str(), bench.content("/b").as_str()), (id, id), "{output}");
    };
    check("UNI-17", "edit");
    check("UNI-18", "find");
    let changed = r#"edit("file", "/a", function(made) made.content = "x" end, { mode = "0600" })"#;
    let bench = Bench::new(&[]);
    bench.recipe(Apply, changed);
    assert_eq!(bench.content("/a"), "x");
}

/// Writes one line for each entry.
const ALIASES: &str = r#"
properties.path = { type = "path", name = true }
properties.entries = { type = "map" }

function load_current_value(current)
    if not fs.exists(path) then current_value_does_not_exist() end
    current.entries = {}
    for line in string.gmatch(fs.read(path), "[^\n]+") do
        local name, value = string.match(line, "(.*)=(.*)")
        current.entries[name] = value
    end
end

function actions.create()
    converge_if_changed(function()
        local lines = {}
        for name, value in entries do table.insert(lines, `{name}={value}\n`) end
        table.sort(lines)
        log.info(`writes {#lines}`)
        fs.write(path, table.concat(lines))
    end)
end
"#;

const ALIAS: &str = r#"
properties.name = { name = true }
properties.deep = { type = "int", default = 0 }

function actions.create()
    if deep > 0 then
        alias(name, { deep = deep - 1 })
        return
    end
    root.edit("aliases", "/aliases", function(all)
        all.entries = all.entries or {}
        all.entries[name] = "root"
    end, { action = "nothing", delayed_action = "create" })
end
"#;

#[test]
fn acc_01_many_composites_contribute_to_one_file_that_is_written_once() {
    let bench = Bench::new(&[("alias", ALIAS), ("aliases", ALIASES)]);
    let text = r#"
        alias("a", {})
        alias("b", { deep = 1 })
        alias("c", {})
        alias("d", { deep = 2 })
        alias("e", {})
    "#;
    let planned = bench.recipe(Plan, text);
    assert!(planned.contains("aliases[\"/aliases\"].entries: - -> "), "{planned}");
    let output = bench.recipe(Apply, text);
    assert_eq!(bench.content("/aliases"), "a=root\nb=root\nc=root\nd=root\ne=root\n", "{output}");
    assert_eq!(output.matches("writes ").count(), 1, "{output}");
    same(&bench.recipe(Apply, text), "recipe[\"site.luau\"] unchanged");
}

/// Delayed notifications of a nested body are delivered at its own end.
#[test]
fn uni_01_a_nested_body_delivers_its_delayed_notifications() {
    let inner = r#"
        function actions.idle() end
        function actions.go()
            inline("late", { action = "nothing" }, function() log.info("late") end)
            inline("now", { notifies = "inline.late.run" }, function() log.info("now") end)
        end"#;
    let body = r#"
        resource("inner", "one", { action = "go" })
        inline("after", function() log.info("after") end)"#;
    let output = play_with(&[("inner", inner)], Apply, body);
    assert!(output.starts_with("now\nlate\nafter\n"), "{output}");
}
