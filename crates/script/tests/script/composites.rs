//! Kinds without a loader: the bodies of their actions tell what differs, and what is left to remove.

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
fn a_composite_is_removed_once() {
    let bench = Bench::new(&[("pair", PAIR)]);
    let act = |mode, action| bench.act(mode, "pair", "p", &[], action);
    same(&act(Plan, "remove"), "pair.p unchanged");
    same(&act(Apply, "remove"), "pair.p unchanged");
    act(Apply, "converge");
    assert!(act(Plan, "remove").starts_with("pair.p would change"));
    assert_eq!(bench.content("/p.one"), "1");
    let told = act(Apply, "remove");
    assert!(told.starts_with("pair.p changed\n  file[\"/p.two\"]"), "{told}");
    assert!(bench.content("/p.one").contains("cannot read"));
    same(&act(Apply, "remove"), "pair.p unchanged");
}

#[test]
fn what_is_left_of_a_composite_is_removed() {
    let bench = Bench::new(&[("pair", PAIR)]).world(|host| host.file("/p.two", "x", 0o644));
    let told = bench.act(Apply, "pair", "p", &[], "remove");
    assert!(told.starts_with("pair.p changed") && !told.contains("/p.one"), "{told}");
    same(&bench.act(Plan, "pair", "p", &[], "remove"), "pair.p unchanged");
}

#[test]
fn a_comparison_without_a_loader_is_an_error() {
    let text = "properties.path = { type = \"path\", name = true }\nproperties.text = { type = \"text\" }\n\
                function actions.create()\nconverge_if_changed(function() fs.write(path, text) end)\nend";
    let bench = Bench::new(&[("note", text)]);
    for mode in [Plan, Apply] {
        let told = bench.run(mode, "note", "/x", &[("text", Value::text("a"))]);
        let expected = "failed: kinds/note.luau:4 | converge_if_changed needs a loader, and `note` has none";
        assert!(told.contains(expected), "{told}");
        let told = bench.recipe(mode, "converge_if_changed(function() fs.write('/x', 'x') end)");
        assert!(told.contains("converge_if_changed needs a loader, and a recipe has none"), "{told}");
    }
}

#[test]
fn a_comparison_of_what_never_differs_is_an_error() {
    let check = |name: &str, expected: &str| {
        let text = format!(
            "properties.how = {{ type = \"text\", setting = true }}\nproperties.text = {{ type = \"text\" }}\n\
             function load_current_value(current) current.text = \"there\" end\n\
             function actions.create()\nconverge_if_changed(\"{name}\", function() end)\nend"
        );
        let told = Bench::new(&[("note", &text)]).run(Plan, "note", "x", &[]);
        assert!(told.contains(expected), "{told}");
    };
    check("text", "note.x unchanged");
    check("how", "converge_if_changed names `how`, which is not state: it never differs");
    check("texts", "`note` has no property `texts`");
}

/// Work without a state runs each time, and that is no failure.
#[test]
fn what_runs_at_every_visit_succeeds() {
    let check = |body: &str| {
        let bench = Bench::new(&[]).world(|host| host.directory("/srv", 0o755));
        assert!(bench.recipe(Plan, body).starts_with("recipe[\"site.luau\"] would change"), "{body}");
        for _ in 0..2 {
            let told = bench.recipe(Apply, body);
            assert!(told.starts_with("recipe[\"site.luau\"] changed"), "{body}: {told}");
            assert_eq!(bench.content("/srv/ran"), "");
        }
    };
    check("inline('touch it', function() run('touch /srv/ran') end)");
    check("run('touch /srv/ran')");
    check("task('touch', { apply = 'touch /srv/ran', action = 'run' })");
    check("file('/srv/x', { content = 'x' })\nrun('touch /srv/ran')");
}

#[test]
fn a_guard_ends_what_would_run_at_every_visit() {
    let body = "inline('once', { not_if = function() return fs.exists('/once') end }, function()\n\
                fs.write('/once', 'x')\nend)";
    let bench = Bench::new(&[]);
    assert!(bench.recipe(Apply, body).starts_with("recipe[\"site.luau\"] changed"));
    same(&bench.recipe(Apply, body), "recipe[\"site.luau\"] unchanged");
}

/// What does not hold is still an error, whatever else runs.
#[test]
fn what_differs_again_is_an_error_beside_what_runs() {
    let body = "inline('first', function() end)\nfile('/x', { content = if fs.exists('/x') then fs.read('/x') .. '!' else '' })";
    let told = Bench::new(&[]).recipe(Apply, body);
    assert!(told.contains("it still differs after it was applied"), "{told}");
}
