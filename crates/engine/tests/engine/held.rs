//! Programs that were checked for a watch: they keep less data, and run in the same way.

use uphold_engine::Keep;
use uphold_engine::Mode::Apply;
use uphold_model::Moment;

use super::around::{idle, telling};
use super::check::{SharedHost, engine, print_diagnostics, print_run};
use super::expression::read;
use super::script::{Script, block, id, note, same, trigger};

/// One resource that is decoded twice, one that only acts on request, and one that is decoded at its visit.
fn script() -> Script {
    Script::all([
        telling("/d/a", "1", &[("/d/z", Moment::Immediately)]),
        note("/d/b", "2"),
        trigger(&id("note", "/d/b"), "remove"),
        trigger(&id("note", "/d/b"), "converge"),
        block(id("note", "/d/d")).with("text", read(&id("note", "/d/a"), "text")),
        idle("/d/z"),
    ])
}

#[test]
fn a_program_for_a_watch_runs_like_an_ordinary_one() {
    let ordinary = script().run(&SharedHost::new(), Apply);
    let engine = engine(&SharedHost::new(), 1);
    let (program, diagnostics) = engine.check(script().statements(), Keep::ForWatch);
    assert_eq!(print_diagnostics(&diagnostics, |_| String::new()), "");
    let program = program.expect("nothing is wrong with it");
    same(&print_run(&engine, &program, Apply), &ordinary);
    assert!(ordinary.contains("0 failed"), "{ordinary}");
    let known = program.set().iter().filter(|(_, declared)| !declared.declaration.attributes.is_empty());
    assert_eq!(known.count(), 1, "only what reads others is evaluated again");
}
