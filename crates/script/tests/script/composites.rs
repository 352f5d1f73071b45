//! Kinds without a loader: a dry run of their actions finds differences, and what remains to be removed.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::Bench;
use crate::stage::same;

/// Declares two files, and removes them.
const PAIR: &str = r#"
function actions.create()
    file(`/{name}.one`, { content = "1" })
    file(`/{name}.two`, { content = "2" })
end
function actions.remove()
    file(`/{name}.two`, { action = "remove" })
    file(`/{name}.one`, { action = "remove" })
end
"#;

#[test]
fn removes_a_composite_once() {
    let bench = Bench::new(&[("pair", PAIR)]);
    let act = |mode, action| bench.act(mode, "pair", "p", &[], action);
    same(&act(Plan, "remove"), "pair.p unchanged");
    same(&act(Apply, "remove"), "pair.p unchanged");
    act(Apply, "converge");
    assert!(act(Plan, "remove").starts_with("pair.p would change"));
    assert_eq!(bench.content("/p.one"), "1");
    let output = act(Apply, "remove");
    assert!(output.starts_with("pair.p changed\n  file[\"/p.two\"]"), "{output}");
    assert!(bench.content("/p.one").contains("cannot read"));
    same(&act(Apply, "remove"), "pair.p unchanged");
}

#[test]
fn removes_the_rest_of_a_composite() {
    let bench = Bench::new(&[("pair", PAIR)]).world(|host| host.file("/p.two", "x", 0o644));
    let output = bench.act(Apply, "pair", "p", &[], "remove");
    assert!(output.starts_with("pair.p changed") && !output.contains("/p.one"), "{output}");
    same(&bench.act(Plan, "pair", "p", &[], "remove"), "pair.p unchanged");
}

/// A kind whose loader reads the file that a property names.
const STORED: &str = r#"
properties.store = { type = "path", setting = true, required = true }
properties.text = { type = "text" }
function load_current_value(current, desired)
    if not fs.exists(desired.store) then current_value_does_not_exist() end
    current.text = fs.read(desired.store)
end
function actions.create() fs.write(store, text) end
"#;

#[test]
fn a_loader_reads_a_property_that_is_known_only_when_the_body_runs() {
    let bench = Bench::new(&[("stored", STORED)]);
    let body = "file('/pointer', { content = '/store' })\n\
                stored('s', { store = fs.read('/pointer'), text = 'x' })";
    let planned = bench.recipe(Plan, body);
    assert!(planned.starts_with("recipe[\"site.luau\"] would change"), "{planned}");
    assert!(planned.contains("stored.s.text: - -> \"x\""), "{planned}");
    assert!(bench.content("/store").contains("cannot read"), "a plan changes nothing");
    let applied = bench.recipe(Apply, body);
    assert!(applied.contains("stored.s.text: - -> \"x\""), "{applied}");
    assert_eq!(bench.content("/store"), "x");
    same(&bench.recipe(Apply, body), "recipe[\"site.luau\"] unchanged");
}

/// A check does not run the body; it would report a diagnostic, and no failure of the resource.
#[test]
fn a_resource_of_a_body_is_checked_when_the_body_runs() {
    let bench = Bench::new(&[("stored", STORED)]);
    for mode in [Plan, Apply] {
        let output = bench.recipe(mode, "stored('s', { store = 'relative', text = 'x' })");
        assert!(output.starts_with("recipe[\"site.luau\"] failed: "), "{output}");
        assert!(output.contains("`store` = \"relative\""), "{output}");
    }
}

#[test]
fn converge_if_changed_needs_a_loader() {
    let text = "properties.path = { type = \"path\", name = true }\nproperties.text = { type = \"text\" }\n\
                function actions.create()\nconverge_if_changed(function() fs.write(path, text) end)\nend";
    let bench = Bench::new(&[("note", text)]);
    for mode in [Plan, Apply] {
        let output = bench.run(mode, "note", "/x", &[("text", Value::text("a"))]);
        let expected = "failed: kinds/note.luau:4 | converge_if_changed needs a loader, but `note` has none";
        assert!(output.contains(expected), "{output}");
        let output = bench.recipe(mode, "converge_if_changed(function() fs.write('/x', 'x') end)");
        assert!(output.contains("converge_if_changed needs a loader, but a recipe has none"), "{output}");
    }
}

#[test]
fn converge_if_changed_refuses_properties_that_are_not_state() {
    let check = |name: &str, expected: &str| {
        let text = format!(
            "properties.how = {{ type = \"text\", setting = true }}\nproperties.text = {{ type = \"text\" }}\n\
             function load_current_value(current) current.text = \"there\" end\n\
             function actions.create()\nconverge_if_changed(\"{name}\", function() end)\nend"
        );
        let output = Bench::new(&[("note", &text)]).run(Plan, "note", "x", &[]);
        assert!(output.contains(expected), "{output}");
    };
    check("text", "note.x unchanged");
    check("how", "converge_if_changed names `how`, which is not state: it never differs");
    check("texts", "`note` has no property `texts`");
}

/// Work without state runs at every visit, and that is not a failure.
#[test]
fn work_without_state_succeeds_at_every_visit() {
    let check = |body: &str| {
        let bench = Bench::new(&[]).world(|host| host.directory("/srv", 0o755));
        assert!(bench.recipe(Plan, body).starts_with("recipe[\"site.luau\"] would change"), "{body}");
        for _ in 0..2 {
            let output = bench.recipe(Apply, body);
            assert!(output.starts_with("recipe[\"site.luau\"] changed"), "{body}: {output}");
            assert_eq!(bench.content("/srv/ran"), "");
        }
    };
    check("inline('touch it', function() run('touch /srv/ran') end)");
    check("run('touch /srv/ran')");
    check("task('touch', { apply = 'touch /srv/ran', action = 'run' })");
    check("file('/srv/x', { content = 'x' })\nrun('touch /srv/ran')");
}

#[test]
fn a_guard_stops_work_without_state() {
    let body = "inline('once', { not_if = function() return fs.exists('/once') end }, function()\n\
                fs.write('/once', 'x')\nend)";
    let bench = Bench::new(&[]);
    assert!(bench.recipe(Apply, body).starts_with("recipe[\"site.luau\"] changed"));
    same(&bench.recipe(Apply, body), "recipe[\"site.luau\"] unchanged");
}

/// A resource that still differs after an apply is an error, even beside work without state.
#[test]
fn a_resource_that_still_differs_fails_beside_work_without_state() {
    let body = "inline('first', function() end)\nfile('/x', { content = if fs.exists('/x') then fs.read('/x') .. '!' else '' })";
    let output = Bench::new(&[]).recipe(Apply, body);
    assert!(output.contains("it still differs after it was applied"), "{output}");
}
