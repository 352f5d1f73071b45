//! Facts ACT: actions, and kinds that extend others.

use std::slice::from_ref;

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::Bench;
use crate::stage::{play_with, said, show};

const BASE: &str = r#"
properties.path = { type = "path", name = true }
properties.mode = { type = "mode", default = "0644" }
action_docs = { create = "Creates it.", shout = "Logs it." }

function first() return 1 end
function say(text) inline(text, function() log.info(text) end) end

function actions.create()
    file(path, { mode = mode })
end

function actions.shout()
    say(`{path} {mode}`)
end

function actions.count()
    say(tostring(first() + 3))
end
"#;

fn child(text: &str) -> Bench {
    let text = format!("extends \"base\"\n{text}");
    Bench::new(&[("base", BASE), ("child", &text)])
}

#[test]
fn act_09_the_resources_of_an_action_run_before_the_next_resource() {
    let inner = r#"
        function actions.idle() end
        function actions.go()
            inline("a", function() log.info("a") end)
            inline("b", function() log.info("b") end)
        end"#;
    let body = r#"
        resource("inner", "one", { action = "go" })
        inline("c", function() log.info("c") end)"#;
    let output = play_with(&[("inner", inner)], Apply, body);
    assert!(output.starts_with("a\nb\nc\n"), "{output}");
}

#[test]
fn act_10_a_child_inherits_all_actions_and_the_default_action() {
    let bench = child("");
    assert_eq!(said(&bench.act(Apply, "child", "/a", &[], "shout")), "/a 0644");
    bench.run(Apply, "child", "/a", &[]);
    assert_eq!(bench.content("/a"), "");
}

#[test]
fn act_10_a_new_action_does_not_become_the_default() {
    let bench = child("function actions.other() say('other') end");
    bench.run(Apply, "child", "/a", &[]);
    assert_eq!(bench.content("/a"), "");
    let chosen = child("default_action = 'other'\nfunction actions.other() file('/chosen', {}) end");
    chosen.run(Apply, "child", "/a", &[]);
    assert_eq!(chosen.content("/chosen"), "");
    assert!(chosen.content("/a").contains("not found"));
}

#[test]
fn act_12_a_new_action_sees_overridden_new_and_inherited_properties() {
    let text = r#"
        properties.mode = { type = "mode", default = "0600" }
        properties.extra = { default = "more" }
        function actions.tell() say(`{path} {mode} {extra}`) end"#;
    let output = child(text).act(Apply, "child", "/a", &[], "tell");
    assert_eq!(said(&output), "/a 0600 more");
}

#[test]
fn act_13_super_runs_the_body_of_the_parent_where_it_is_called() {
    let text = r#"
        function actions.shout()
            say("before")
            super.actions.shout()
            say("after")
        end"#;
    let output = child(text).act(Apply, "child", "/a", &[], "shout");
    assert_eq!(said(&output), "before, /a 0644, after");
}

#[test]
fn act_14_and_15_action_docs_are_inherited_one_by_one() {
    let sibling = "extends 'base'\naction_docs = { shout = 'Shouts.' }\nfunction actions.create() end";
    let bench = Bench::new(&[("base", BASE), ("child", "extends 'base'"), ("sibling", sibling)]);
    let check = |id: &str, kind: &str, action: &str, expected: &str| {
        let schema = bench.kinds.get(kind).expect("a kind").schema();
        let verb = schema.verbs.iter().find(|verb| verb.name == action).expect("an action");
        assert_eq!(verb.doc, expected, "{id}: {kind} {action}");
    };
    check("ACT-14", "sibling", "shout", "Shouts.");
    check("ACT-14", "base", "shout", "Logs it.");
    check("ACT-15", "sibling", "create", "Creates it.");
    check("ACT-15", "child", "shout", "Logs it.");
    check("ACT-15", "child", "count", "");
}

#[test]
fn act_15_docs_of_an_unknown_action_are_refused() {
    let mut kinds = uphold_resource::Registry::default();
    let text = "action_docs = { creat = 'x' }\nfunction actions.create() end";
    let output = crate::bench::problems(&[("odd", text)], &mut kinds);
    assert!(output.contains("there is no action `creat`; did you mean `create`?"), "{output}");
}

/// ACT-04: actions can call functions that the kind defines.
#[test]
fn act_18_actions_can_call_helpers_but_a_resource_has_none() {
    let output = child("").act(Apply, "child", "/a", &[], "count");
    assert_eq!(said(&output), "4");
    let outside = play_with(&[("base", BASE)], Apply, "local it = base('/a', {})\nit.first()");
    assert!(outside.contains("`base` has no property `first`"), "{outside}");
}

#[test]
fn act_19_actions_of_the_parent_call_an_overridden_helper() {
    let bench = Bench::new(&[
        ("base", BASE),
        ("child", "extends 'base'\nfunction first() return 5 end"),
        ("sibling", "extends 'base'"),
    ]);
    let check = |kind: &str, expected: &str| {
        let output = bench.act(Apply, kind, "/a", &[], "count");
        assert_eq!(said(&output), expected, "{output}");
    };
    check("child", "8");
    check("sibling", "4");
    check("base", "4");
}

/// `super` is the parent of the kind that the function is written in, not of the kind that runs.
#[test]
fn act_13_three_generations_call_super() {
    let bench = Bench::new(&[
        ("base", BASE),
        ("child", "extends 'base'\nfunction actions.shout() say('child') super.actions.shout() end"),
        ("baby", "extends 'child'\nfunction actions.shout() say('baby') super.actions.shout() end"),
    ]);
    assert_eq!(said(&bench.act(Apply, "baby", "/a", &[], "shout")), "baby, child, /a 0644");
}

#[test]
fn act_20_a_property_can_have_the_name_of_a_kind() {
    let text = r#"
        properties.path = { type = "path", name = true }
        properties.file = { type = "text", default = "words" }
        function actions.create() resource("file", path, { content = file }) end"#;
    let bench = Bench::new(&[("odd", text)]);
    bench.run(Apply, "odd", "/a", &[]);
    assert_eq!(bench.content("/a"), "words");
}

/// As in the proposal: a bare name is the declared value, else the current one, else the default.
#[test]
fn act_25_differs_a_bare_property_is_its_future_value() {
    let text = r#"
        properties.path = { type = "path", name = true }
        properties.mode = { type = "mode", default = "0666" }
        properties.content = { type = "text" }
        function load_current_value(current)
            if not fs.exists(path) then current_value_does_not_exist() end
            current.mode = fs.stat(path).mode
            current.content = fs.read(path)
        end
        function actions.create()
            converge_if_changed(function()
                log.info(`{mode} {desired.mode} {current and current.mode} {is_set("mode")}`)
                fs.write(path, content or "", { mode = mode })
            end)
        end"#;
    let check = |world: Option<u32>, set: &[(&str, Value)], expected: &str| {
        let bench = Bench::new(&[("my_file", text)]);
        let bench = match world {
            Some(mode) => bench.world(|host| host.file("/x", "old", mode)),
            None => bench,
        };
        let output = bench.run(Apply, "my_file", "/x", set);
        assert!(output.starts_with(expected), "{output}");
    };
    let new = ("content", Value::text("new"));
    check(None, from_ref(&new), "0666 0666 nil false\n");
    check(Some(0o600), from_ref(&new), "0600 0666 0600 false\n");
    check(Some(0o600), &[new, ("mode", Value::text("0640"))], "0640 0640 0600 true\n");
}

/// Reading a property after its action has ended is an error.
#[test]
fn act_25_reading_a_property_too_late_is_an_error() {
    let inner = r#"
        properties.word = { default = "inner" }
        function actions.create()
            root.edit("file", "/late", {}, {
                action = "nothing",
                delayed_action = "converge",
                content = lazy(function() return word end),
            })
        end"#;
    let output = play_with(&[("inner", inner)], Apply, "inner('one', {})");
    assert!(
        output.contains(
            "word is a property of a resource that does not run now; save it before: local word = word"
        ),
        "{output}"
    );
}

/// A plan runs the body, too.
#[test]
fn act_02_resources_of_an_action_are_planned() {
    let body = show("file('/a', { content = 'x' })");
    let bench = Bench::new(&[("show", &body)]);
    let output = bench.act(Plan, "show", "it", &[], "go");
    assert!(output.starts_with("show.it would change\n  file[\"/a\"].content: - -> \"x\""), "{output}");
    assert!(bench.content("/a").contains("not found"));
}
