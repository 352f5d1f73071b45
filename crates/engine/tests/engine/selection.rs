//! Runs a part of a program.

use uphold_engine::Mode::Apply;
use uphold_engine::{Program, Request, Selection};
use uphold_model::Moment::{Delayed, Immediately};

use super::around::{idle, notifies, telling};
use super::check::{SharedHost, engine, print_run};
use super::script::{Script, block, handled_group, id, note, parallel, sequence};

/// The names of the notes of `script` that run.
#[track_caller]
fn check(script: &Script, targets: &[&str], excluded: &[&str], expected: &str) {
    let host = SharedHost::new();
    let engine = engine(&host, 1);
    let (program, transcript) = script.clone().check(&engine);
    let program = program.unwrap_or_else(|| panic!("{transcript}"));
    let is_one_of = |names: &[&str], node: u32| names.contains(&name(&program, node));
    let selection = Selection::new(
        &program,
        |node| targets.is_empty() || is_one_of(targets, node),
        |node| is_one_of(excluded, node),
    );
    let transcript = print_run(&engine, &program, Request { selection: Some(&selection), ..Apply.into() });
    let lines = transcript.lines().filter(|line| !line.contains("says"));
    let done = lines.filter_map(|line| Some((line.split('"').nth(1)?, line.contains(".shout ("))));
    let done: Vec<_> =
        done.map(|(path, shouts)| format!("{}{}", &path[3..], if shouts { "!" } else { "" })).collect();
    assert_eq!(done.join(" "), expected, "{transcript}");
}

fn name(program: &Program, node: u32) -> &str {
    let entry = program.list().get(node as usize);
    program.set().id(entry.resource).name.strip_prefix("/d/").expect("all are there")
}

/// a < b < c, and d alone.
fn chain() -> Script {
    let b = note("/d/b", "1").after(&id("note", "/d/a"));
    let c = note("/d/c", "1").after(&id("note", "/d/b"));
    Script::all([c, note("/d/a", "1"), b, note("/d/d", "1")])
}

#[test]
fn targets_run_with_their_dependencies() {
    check(&chain(), &[], &[], "a b c d");
    check(&chain(), &["b"], &[], "a b");
    check(&chain(), &["d"], &[], "d");
    check(&chain(), &["c", "d"], &[], "a b c d");
}

#[test]
fn excluding_a_resource_excludes_its_dependents() {
    check(&chain(), &[], &["b"], "a d");
    check(&chain(), &[], &["d"], "a b c");
    check(&chain(), &["c"], &["a"], "");
    check(&chain(), &["b"], &["c"], "a b");
}

#[test]
fn a_sequence_makes_dependencies() {
    let notes = |names: [&str; 2]| names.map(|name| note(&format!("/d/{name}"), "1"));
    let script = sequence([parallel(notes(["a", "b"])), parallel(notes(["c", "d"]))]);
    check(&script, &["c"], &[], "a b c");
    check(&script, &[], &["a"], "b");
}

#[test]
fn a_resource_that_a_target_notifies_acts() {
    let script = Script::all([
        telling("/d/a", "1", &[("/d/y", Immediately), ("/d/z", Delayed)]),
        note("/d/b", "1"),
        idle("/d/y"),
        idle("/d/z"),
    ]);
    check(&script, &["a"], &[], "a y! z!");
    check(&script, &["b"], &[], "b");
    check(&script, &["a"], &["y"], "a z!");
}

/// The dependencies of a notified resource run only if one of its senders runs.
#[test]
fn a_resource_without_a_sender_brings_no_dependencies() {
    let z = idle("/d/z").after(&id("note", "/d/p"));
    let script =
        Script::all([note("/d/p", "1"), note("/d/a", "1"), telling("/d/b", "1", &[("/d/z", Delayed)]), z]);
    check(&script, &["a"], &[], "a");
    check(&script, &["b"], &[], "p b z!");
    check(&script, &["b"], &["p"], "b");
}

#[test]
fn a_resource_that_the_group_of_a_target_notifies_acts() {
    let group = handled_group(notifies(&[("/d/z", Delayed)]), [note("/d/a", "1"), note("/d/b", "1")]);
    let script = Script::all([group, note("/d/c", "1"), idle("/d/z").after(&id("note", "/d/c"))]);
    check(&script, &["a"], &[], "a c z!");
    check(&script, &["c"], &[], "c");
}

#[test]
fn a_failure_in_a_selection_skips_its_dependents() {
    let script = Script::all([
        block(id("bad", "/d/x")),
        note("/d/a", "1").after(&id("bad", "/d/x")),
        note("/d/b", "1"),
    ]);
    check(&script, &["a"], &[], "x a");
}
