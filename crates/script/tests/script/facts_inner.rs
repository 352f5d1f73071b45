//! Facts LWR, DSL and WHY: nested resources.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::{Bench, problems};
use crate::stage::{play, play_with, said, same, site};

/// A composite: a directory with a file.
const PAGE: &str = r#"
properties.path = { type = "path", name = true }
properties.content = { type = "text", default = "" }

function actions.create()
    directory(path, {})
    file(`{path}/index`, { content = content })
end
"#;

#[test]
fn lwr_02_a_child_can_have_a_property_of_the_same_name() {
    let bench = Bench::new(&[("page", PAGE)]);
    let output = bench.run(Apply, "page", "/p", &[("content", Value::text("hello"))]);
    assert!(output.starts_with("page[\"/p\"] changed"), "{output}");
    assert_eq!(bench.content("/p/index"), "hello");
}

#[test]
fn lwr_03_an_action_sees_the_changes_of_an_action_that_it_calls() {
    let text = r#"
        function actions.idle() end
        function actions.a()
            inline("of a", function() fs.write("/a", "done") log.info("of a") end)
        end
        function actions.b()
            actions.a()
            local seen = fs.exists("/a")
            inline("of b", function() log.info(`of b: {seen}`) end)
        end"#;
    let output = Bench::new(&[("two", text)]).act(Apply, "two", "t", &[], "b");
    assert_eq!(said(&output), "of a, of b: true");
}

/// Scripts use a kind by its name, so that must be an identifier.
#[test]
fn lwr_05_differs_a_hyphen_is_refused() {
    let output =
        problems(&[("web-site", "function actions.create() end")], &mut uphold_resource::Registry::default());
    assert!(output.contains("`web-site` cannot be the name of a kind"), "{output}");
}

#[test]
fn lwr_08_a_nested_function_calls_helpers_of_the_kind() {
    let text = r#"
        function shout(text) return string.upper(text) end
        function actions.idle() end
        function actions.go()
            inline("block", function() log.info(shout("block")) end)
            file("/lazy", { content = lazy(function() return shout("lazy") end) })
            file("/not", { content = "x", only_if = function() return shout("x") == "x" end })
        end"#;
    let bench = Bench::new(&[("loud", text)]);
    let output = bench.act(Apply, "loud", "l", &[], "go");
    assert_eq!(said(&output), "BLOCK");
    assert_eq!(bench.content("/lazy"), "LAZY");
    assert!(bench.content("/not").contains("not found"), "{output}");
}

/// Two composites can have children of the same name, and the outer body does not see them.
#[test]
fn lwr_09_children_are_not_in_the_outer_set() {
    let inner = r#"
        properties.word = { default = "" }
        function actions.create() log("same", { message = word }) end"#;
    let body = r#"
        inner("one", { word = "1" })
        inner("two", { word = "2" })
        inline("end", function() log.info(`found {find("log", "same")}`) end)"#;
    let output = play_with(&[("inner", inner)], Apply, body);
    assert_eq!(said(&output), "found nil", "{output}");
}

/// LWR-11, LWR-12.
#[test]
fn lwr_11_and_12_a_composite_has_changed_if_a_child_has() {
    let bench = Bench::new(&[("page", PAGE)]);
    let set = [("content", Value::text("x"))];
    let first = bench.run(Apply, "page", "/p", &set);
    same(
        &first,
        r#"page["/p"] changed
        directory["/p"].mode: - -> "0755"
        file["/p/index"].content: - -> "x"
        file["/p/index"].mode: - -> "0644""#,
    );
    same(&bench.run(Apply, "page", "/p", &set), "page[\"/p\"] unchanged");
    let other = bench.run(Plan, "page", "/p", &[("content", Value::text("y"))]);
    same(&other, "page[\"/p\"] would change\nfile[\"/p/index\"].content: \"x\" -> \"y\"");
}

#[test]
fn lwr_13_a_kind_with_an_empty_action_is_unchanged() {
    let bench = Bench::new(&[("idle", "function actions.create() end")]);
    same(&bench.run(Apply, "idle", "i", &[]), "idle.i unchanged");
}

/// `read` takes properties as a declaration does, and declares nothing.
#[test]
fn dsl_02_read_declares_nothing() {
    let body = r#"
        file("/a", { content = "x" })
        local seen = read("file", "/a", {})
        local none = read("file", "/none", {})
        inline("say", function() log.info(`{seen.content} {none} {find("file", "/none")}`) end)"#;
    assert_eq!(said(&play(Apply, body)), "x nil nil");
}

#[test]
fn dsl_04_edit_changes_a_declared_resource_and_find_returns_it() {
    let body = r#"
        declare("file", "/a", { content = "x" })
        edit("file", "/a", { content = "y" })
        trigger("file", "/a", "converge")
        inline("say", function() log.info(`{find("file", "/a").content} {find("file", "/b")}`) end)"#;
    assert_eq!(said(&play(Apply, body)), "y nil");
}

/// A body can trigger a resource that the configuration declares.
#[test]
fn dsl_04_trigger_runs_a_resource_of_the_configuration() {
    let run = |target: &str| {
        let text = format!(
            "function actions.create()\nfile(\"/a\", {{ content = \"x\" }})\ntrigger(\"log\", \"{target}\", \"say\")\nend"
        );
        let late = "log \"late\" {\n message = \"late\"\n action = \"nothing\"\n}\nlooks \"l\" {}";
        site(&Bench::new(&[("looks", &text)]), Apply, late)
    };
    let output = run("late");
    assert!(output.starts_with("late\nlog.late changed"), "{output}");
    let output = run("none");
    assert!(output.contains("kinds/looks.luau:3: log \"none\" is not declared"), "{output}");
}

#[test]
fn dsl_03_differs_a_second_declaration_is_refused() {
    let output = play(Apply, "file('/a', {})\nfile('/a', {})");
    assert!(output.contains("kinds/show.luau:4: file \"/a\" is declared twice"), "{output}");
}

/// DSL-10, DSL-12: inside three bodies, a resource can be declared in the outermost one or in the next one.
#[test]
fn dsl_10_and_12_a_resource_can_be_declared_in_an_outer_body() {
    let inner = r#"
        function actions.create()
            local made = root.declare("file", "/root", { content = "x" })
            outer.declare("file", "/outer", { content = tostring(made.kind) })
        end"#;
    let middle = r#"
        function actions.create()
            inner("i", {})
            file("/told", { content = `{find("file", "/root") ~= nil} {find("file", "/outer") ~= nil}` })
        end"#;
    let kinds = [("inner", inner), ("middle", middle)];
    let body = r#"
        middle("m", {})
        inline("say", function()
            log.info(`{find("file", "/root") ~= nil} {find("file", "/outer") ~= nil} {fs.read("/told")}`)
        end)"#;
    let output = play_with(&kinds, Apply, body);
    assert_eq!(said(&output), "true false true true", "{output}");
}

#[test]
fn dsl_10_the_outermost_body_has_no_outer_body() {
    let output = play(Apply, "outer.declare('file', '/a', {})");
    assert!(output.contains("there is no outer body"), "{output}");
}

#[test]
fn dsl_13_an_unknown_kind_is_named() {
    let output = play(Apply, "resource('fiel', '/a', {})");
    assert!(output.contains("fiel"), "{output}");
    let output = play(Apply, "fiel('/a', {})");
    assert!(output.contains("fiel"), "{output}");
}

#[test]
fn dsl_14_an_error_keeps_its_message_and_its_line() {
    let check = |body: &str, line: usize| {
        let output = play(Apply, body);
        assert!(output.contains(&format!("failed: kinds/show.luau:{line}: these words")), "{output}");
    };
    check("error('these words')", 3);
    check("inline('a', function()\nerror('these words')\nend)", 4);
    check("file('/a', { content = lazy(function() error('these words') end) })", 3);
    check("sequence(function() error('these words') end)", 3);
}

#[test]
fn why_11_a_failed_nested_body_does_not_affect_the_outer_one() {
    let bad = "function actions.create() file('/x', {}) error('no') end";
    let body = r#"
        file("/a", {})
        local ok = pcall(function() bad("b", {}) end)
        file("/b", {})
        inline("say", function()
            log.info(`{ok} {find("file", "/a") ~= nil} {find("file", "/x")} {find("file", "/b") ~= nil}`)
        end)"#;
    let output = play_with(&[("bad", bad)], Apply, body);
    assert_eq!(said(&output), "false true nil true", "{output}");
}

/// A body can find resources of the configuration.
#[test]
fn lwr_09_a_body_finds_resources_of_the_configuration() {
    let text = r#"
        function actions.idle() end
        function actions.go()
            local found = find("file", "/outside")
            inline("say", function() log.info(`{found}`) end)
        end"#;
    let bench = Bench::new(&[("looks", text)]);
    let output =
        site(&bench, Apply, "file \"/outside\" { content = \"x\" }\nlooks \"l\" { action = \"go\" }");
    assert!(output.contains("\nfile[\"/outside\"]\nlooks.l changed"), "{output}");
}
