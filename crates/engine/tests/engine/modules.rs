//! Resources in modules: their ids, their labels, and dependencies on whole modules.

use uphold_engine::Mode::Apply;
use uphold_model::{Attribute, Edit, ResourceId, Statement};

use super::check::{SharedHost, engine};
use super::script::{Script, block, id, inside, note, same};

/// `module.web` as a configuration refers to it.
fn call(module: Option<&str>, name: &str, key: Option<&str>) -> ResourceId {
    id("module", name).in_module(module.map(Into::into)).with_key(key.map(Into::into))
}

fn keyed(id: &ResourceId, key: &str) -> ResourceId {
    id.with_key(Some(key.into()))
}

fn bad(module: &str, name: &str) -> Script {
    block(inside(module, "bad", name))
}

#[test]
fn the_key_of_for_each_is_the_label() {
    let notes = id("note", "notes");
    let script = Script::all(["/d/a", "/d/b"].map(|key| block(keyed(&notes.clone(), key)).set("text", "x")));
    let edit =
        Edit { id: keyed(&notes, "/d/b"), place: None, attributes: vec![Attribute::known("text", "y")] };
    let host = SharedHost::new();
    same(
        &script.and(Script::of(vec![Statement::Edit(edit)])).run(&host, Apply),
        r#"
        + note.notes["/d/a"] text: nothing -> "x"
        + note.notes["/d/b"] text: nothing -> "y"
        0 ok, 2 changed, 0 failed, 0 skipped"#,
    );
    assert_eq!(host.text("/d/b").as_deref(), Some("y"));
}

#[test]
fn a_name_is_unique_in_its_module() {
    let script = bad("module.a", "x").and(bad("module.b", "x")).and(bad("module.b", "x"));
    same(
        &script.problems(),
        "@4 duplicate resource: module.b.bad.x is declared twice; each resource can be declared only once | give one of them another name, or put all of it into one block
        @2 first declared here",
    );
}

#[test]
fn a_dependent_of_a_module_waits_for_everything_in_it() {
    let modules = || {
        Script::all([
            bad("module.web", "1"),
            bad(r#"module.web.module.db["x"]"#, "2"),
            bad("module.web2", "3"),
            bad(r#"module.many["a"]"#, "4"),
            bad(r#"module.many["b"]"#, "5"),
            bad(r#"module.many["a.b"].module.c"#, "6"),
        ])
    };
    let check = |target: ResourceId, expected: &str| {
        let script = block(id("bad", "last")).after(&target).and(modules());
        let edges = script.edges();
        let before: String =
            edges.iter().filter_map(|edge| edge.strip_suffix(" < last (depends_on)")).collect();
        assert_eq!(before, expected, "{target}");
    };
    check(call(None, "web", None), "12");
    check(call(Some("module.web"), "db", None), "2");
    check(call(Some("module.web"), "db", Some("x")), "2");
    check(call(None, "many", None), "456");
    check(call(None, "many", Some("a")), "4");
    check(call(None, "many", Some("a.b")), "6");
}

#[test]
fn a_failure_in_a_module_skips_its_dependents() {
    let after = |name: &str| note(name, "x").after(&call(None, "web", None));
    let other = block(inside("module.web", "note", "/d/z")).set("text", "z");
    let script = Script::all([after("/d/x"), after("/d/y"), bad("module.web", "b"), other]);
    same(
        &script.run(&SharedHost::new(), Apply),
        r#"
        x module.web.bad.b cannot look ["it is dark"] switch on the light
        + module.web.note["/d/z"] text: nothing -> "z"
        s note["/d/x"] because of module.web.bad.b
        s note["/d/y"] because of module.web.bad.b
        0 ok, 1 changed, 1 failed, 2 skipped"#,
    );
}

#[test]
fn a_module_that_depends_on_itself_is_a_cycle() {
    let script = bad("module.web", "a").after(&call(None, "web", None)).and(bad("module.web", "b"));
    same(
        &script.problems(),
        "@700 dependency cycle: module.web.bad.a waits for module.web.bad.a (depends_on) | remove one of these dependencies",
    );
}

#[test]
fn suggestions_look_in_the_same_module_first() {
    let check = |target: ResourceId, expected: &str| {
        let known = [
            bad("module.b", "server"),
            bad("module.a", "serveur"),
            block(keyed(&id("bad", "people"), "ann")),
            block(keyed(&id("bad", "people"), "bob")),
            bad(r#"module.many["x"]"#, "1"),
        ];
        let script = block(id("bad", "last")).after(&target).and(Script::all(known));
        same(
            &script.problems(),
            &format!("@700 unknown resource: {target} is named in depends_on, but not declared | {expected}"),
        );
    };
    check(inside("module.a", "bad", "server"), "did you mean module.a.bad.serveur?");
    check(inside("module.b", "bad", "serve"), "did you mean module.b.bad.server?");
    check(inside("module.c", "bad", "server"), "did you mean module.b.bad.server?");
    check(keyed(&id("bad", "people"), "anm"), r#"did you mean bad.people["ann"]?"#);
    check(keyed(&id("bad", "peopel"), "bob"), r#"did you mean bad.people["bob"]?"#);
    check(call(None, "mnay", None), "did you mean module.many?");
    check(call(None, "elsewhere", None), "declare it: module \"elsewhere\" { … }");
}

/// Each of many resources waits for all of many others.
#[test]
fn waiting_for_a_large_module_costs_its_size() {
    const EACH: usize = 20_000;
    let members = (0..EACH).map(|i| block(inside("module.web", "owned", &format!("m{i}"))));
    let waiting = (0..EACH).map(|i| block(id("owned", &format!("w{i}"))).after(&call(None, "web", None)));
    let (program, transcript) = Script::all(members.chain(waiting)).check(&engine(&SharedHost::new(), 1));
    assert!(program.is_some(), "{transcript}");
}

/// The order of the file decides which edit of a file comes first, unless a dependency requires another order.
#[test]
fn dependencies_come_before_declared_order() {
    let owned = |name: &str| block(id("owned", name));
    let script = owned("x").after(&call(None, "web", None)).and(owned("y"));
    let script = script.and(block(inside("module.web", "owned", "z")));
    assert_eq!(script.edges(), ["y < z (written before, and changes book one, too)", "z < x (depends_on)"]);
    let script = owned("x").after(&id("owned", "y")).and(owned("y").after(&id("owned", "x")));
    assert!(script.problems().contains("dependency cycle"));
}

/// A module finds its own names first.
#[test]
fn a_reference_by_name_is_resolved_in_the_same_module_first() {
    let note = |module: &str, name: &str| block(inside(module, "note", name)).set("text", "x");
    let at = |path: &str, script: Script| script.set("path", path);
    let script = Script::all([
        at("/d/1", block(id("note", "n")).set("text", "x")),
        at("/d/2", note("module.a", "m").set("after", "n")),
        at("/d/3", note("module.a", "n")),
        at("/d/4", note("module.b", "o").set("after", "n")),
    ]);
    assert_eq!(script.edges(), ["n < o (note.n)", "n < m (module.a.note.n)"]);
}
