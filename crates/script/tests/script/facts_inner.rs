//! Facts LWR, DSL and WHY: resources that are declared inside others.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::{Bench, problems};
use crate::stage::{play, play_with, said, same, site};

/// A composite: a file with a directory around it.
const PAGE: &str = r#"
properties.path = { type = "path", name = true }
properties.content = { type = "text", default = "" }

function actions.create()
    directory(path, {})
    file(`{path}/index`, { content = content })
end
"#;

#[test]
fn lwr_02_a_child_may_have_a_property_of_the_same_name() {
    let bench = Bench::new(&[("page", PAGE)]);
    let told = bench.run(Apply, "page", "/p", &[("content", Value::text("hello"))]);
    assert!(told.starts_with("page[\"/p\"] changed"), "{told}");
    assert_eq!(bench.content("/p/index"), "hello");
}

#[test]
fn lwr_03_an_action_that_calls_another_sees_what_that_did() {
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
    let told = Bench::new(&[("two", text)]).act(Apply, "two", "t", &[], "b");
    assert_eq!(said(&told), "of a, of b: true");
}

/// A kind is named as it is written: a name that could not be is refused.
#[test]
fn lwr_05_differs_a_hyphen_is_refused() {
    let told =
        problems(&[("web-site", "function actions.create() end")], &mut uphold_resource::Registry::default());
    assert!(told.contains("`web-site` cannot be the name of a kind"), "{told}");
}

#[test]
fn lwr_08_a_block_inside_calls_what_the_kind_defines() {
    let text = r#"
        function shout(text) return string.upper(text) end
        function actions.idle() end
        function actions.go()
            inline("block", function() log.info(shout("block")) end)
            file("/lazy", { content = lazy(function() return shout("lazy") end) })
            file("/not", { content = "x", only_if = function() return shout("x") == "x" end })
        end"#;
    let bench = Bench::new(&[("loud", text)]);
    let told = bench.act(Apply, "loud", "l", &[], "go");
    assert_eq!(said(&told), "BLOCK");
    assert_eq!(bench.content("/lazy"), "LAZY");
    assert!(bench.content("/not").contains("not found"), "{told}");
}

/// Two composites may have children of one name, and whoever is outside does not see them.
#[test]
fn lwr_09_children_are_not_in_the_set_around() {
    let inner = r#"
        properties.word = { default = "" }
        function actions.create() log("same", { message = word }) end"#;
    let body = r#"
        inner("one", { word = "1" })
        inner("two", { word = "2" })
        inline("end", function() log.info(`found {find("log", "same")}`) end)"#;
    let told = play_with(&[("inner", inner)], Apply, body);
    assert_eq!(said(&told), "found nil", "{told}");
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
fn lwr_13_a_kind_that_does_nothing_is_fine() {
    let bench = Bench::new(&[("idle", "function actions.create() end")]);
    same(&bench.run(Apply, "idle", "i", &[]), "idle.i unchanged");
}

/// `read` takes what was given as a resource would, and declares nothing.
#[test]
fn dsl_02_what_is_only_looked_at_is_not_declared() {
    let body = r#"
        file("/a", { content = "x" })
        local seen = read("file", "/a", {})
        local none = read("file", "/none", {})
        inline("say", function() log.info(`{seen.content} {none} {find("file", "/none")}`) end)"#;
    assert_eq!(said(&play(Apply, body)), "x nil nil");
}

#[test]
fn dsl_04_edit_changes_what_is_declared_and_find_gives_it() {
    let body = r#"
        declare("file", "/a", { content = "x" })
        edit("file", "/a", { content = "y" })
        trigger("file", "/a", "converge")
        inline("say", function() log.info(`{find("file", "/a").content} {find("file", "/b")}`) end)"#;
    assert_eq!(said(&play(Apply, body)), "y nil");
}

#[test]
fn dsl_03_differs_a_second_declaration_is_refused() {
    let told = play(Apply, "file('/a', {})\nfile('/a', {})");
    assert!(told.contains("kinds/show.luau:4: file \"/a\" is declared twice"), "{told}");
}

/// DSL-10, DSL-12: inside three bodies, a resource can be put into the outermost one, or into the one around.
#[test]
fn dsl_10_and_12_a_resource_can_be_declared_further_out() {
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
    let told = play_with(&kinds, Apply, body);
    assert_eq!(said(&told), "true false true true", "{told}");
}

#[test]
fn dsl_10_nothing_is_further_out_than_the_outermost_body() {
    let told = play(Apply, "outer.declare('file', '/a', {})");
    assert!(told.contains("there is no body around this one"), "{told}");
}

#[test]
fn dsl_13_an_unknown_kind_is_named() {
    let told = play(Apply, "resource('fiel', '/a', {})");
    assert!(told.contains("fiel"), "{told}");
    let told = play(Apply, "fiel('/a', {})");
    assert!(told.contains("fiel"), "{told}");
}

#[test]
fn dsl_14_an_error_keeps_its_words_and_its_place() {
    let check = |body: &str, line: usize| {
        let told = play(Apply, body);
        assert!(told.contains(&format!("failed: kinds/show.luau:{line}: these words")), "{told}");
    };
    check("error('these words')", 3);
    check("inline('a', function()\nerror('these words')\nend)", 4);
    check("file('/a', { content = lazy(function() error('these words') end) })", 3);
    check("sequence(function() error('these words') end)", 3);
}

#[test]
fn why_11_a_body_inside_leaves_the_one_around_as_it_was() {
    let bad = "function actions.create() file('/x', {}) error('no') end";
    let body = r#"
        file("/a", {})
        local ok = pcall(function() bad("b", {}) end)
        file("/b", {})
        inline("say", function()
            log.info(`{ok} {find("file", "/a") ~= nil} {find("file", "/x")} {find("file", "/b") ~= nil}`)
        end)"#;
    let told = play_with(&[("bad", bad)], Apply, body);
    assert_eq!(said(&told), "false true nil true", "{told}");
}

/// What stands in a configuration is seen from inside, and what is inside is not seen there.
#[test]
fn lwr_09_a_configuration_is_seen_from_inside() {
    let text = r#"
        function actions.idle() end
        function actions.go()
            local found = find("file", "/outside")
            inline("say", function() log.info(`{found}`) end)
        end"#;
    let bench = Bench::new(&[("looks", text)]);
    let told = site(&bench, Apply, "file \"/outside\" { content = \"x\" }\nlooks \"l\" { action = \"go\" }");
    assert!(told.contains("\nfile[\"/outside\"]\nlooks.l changed"), "{told}");
}
