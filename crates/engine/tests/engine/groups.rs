//! Sequences and parallel groups.

use uphold_engine::EventKind;
use uphold_engine::Mode::{Apply, Plan};
use uphold_model::{ActionGroup, Order, Statement};

use super::check::{SharedHost, engine};
use super::expression::{read, template};
use super::script::{Script, block, declare, id, note, parallel, same, sequence, trigger};

#[track_caller]
fn edges(script: Script, expected: &[&str]) {
    assert_eq!(script.edges(), expected);
}

fn notes(names: &[&str]) -> Vec<Script> {
    names.iter().map(|name| note(&format!("/d/{name}"), "x")).collect()
}

#[test]
fn the_members_of_a_sequence_run_in_order() {
    edges(
        sequence(notes(&["c", "a", "b"])),
        &["/d/c < /d/a (comes before it in a sequence)", "/d/a < /d/b (comes before it in a sequence)"],
    );
    edges(parallel(notes(&["c", "a", "b"])), &[]);
    edges(sequence([]).and(sequence(notes(&["a"]))).and(sequence([parallel([])])), &[]);
}

#[test]
fn a_group_is_one_member_of_its_outer_group() {
    let sequenced = |pair: &str| format!("{pair} (comes before it in a sequence)");
    let nested = sequence([
        note("/d/a", "x"),
        parallel(notes(&["b", "c"])),
        parallel([]),
        parallel([note("/d/e", "x"), sequence(notes(&["f", "g"]))]),
        note("/d/h", "x"),
    ]);
    let expected = ["/d/a < /d/b", "/d/a < /d/c", "/d/b < /d/e", "/d/b < /d/f", "/d/c < /d/e", "/d/c < /d/f"];
    let more = ["/d/e < /d/h", "/d/f < /d/g", "/d/g < /d/h"];
    let expected: Vec<_> = expected.into_iter().chain(more).map(sequenced).collect();
    assert_eq!(nested.edges(), expected);
}

/// Two actions on one resource are two nodes; resources between them can refer to it.
#[test]
fn stop_move_start_of_one_service() {
    let service = id("note", "/d/service");
    let script = declare(service.clone()).set("text", "x").and(sequence([
        trigger(&service, "converge"),
        block(id("note", "/d/moved")).with("text", template(&service, "length")),
        trigger(&service, "shout"),
    ]));
    same(
        &script.run(&SharedHost::new(), Apply),
        r#"
        + note["/d/service"] text: nothing -> "x"
        + note["/d/moved"] text: nothing -> "it is 1"
        note["/d/service"] says /d/service!
        ! note["/d/service"]
        0 ok, 3 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn a_failure_stops_the_rest_of_the_sequence_and_nothing_else() {
    let script = sequence([
        note("/d/1", "x"),
        parallel([block(id("bad", "b")), note("/d/2", "x"), note("/d/3", "x")]),
        parallel(notes(&["4", "5"])),
        note("/d/6", "x"),
    ]);
    same(
        &script.and(note("/d/7", "x")).run(&SharedHost::new(), Apply),
        r#"
        + note["/d/1"] text: nothing -> "x"
        x bad.b cannot look ["it is dark"] switch on the light
        + note["/d/2"] text: nothing -> "x"
        + note["/d/3"] text: nothing -> "x"
        s note["/d/4"] because of bad.b
        s note["/d/5"] because of bad.b
        s note["/d/6"] because of bad.b
        + note["/d/7"] text: nothing -> "x"
        0 ok, 4 changed, 1 failed, 3 skipped"#,
    );
}

/// In a plan, a failure after an unpredictable change may not happen in the run, also after several such changes.
#[test]
fn changes_are_visible_through_whole_groups() {
    let unsure = notes(&["1", "2"]).into_iter().map(|note| note.set("by_command", true));
    let script = sequence([parallel(unsure), parallel([block(id("bad", "a")), block(id("bad", "b"))])]);
    same(
        &script.run(&SharedHost::new(), Plan),
        r#"
        + note["/d/1"] text: nothing -> "x"
        + note["/d/2"] text: nothing -> "x"
        ? bad.a waits for note["/d/1"]; now: cannot look
        ? bad.b waits for note["/d/1"]; now: cannot look
        0 ok, 4 changed, 0 failed, 0 skipped"#,
    );
}

#[test]
fn a_cycle_through_groups_names_only_actions() {
    let script = sequence([
        parallel([note("/d/1", "x"), block(id("bad", "a")).after(&id("bad", "d"))]),
        parallel([note("/d/2", "x"), block(id("bad", "d"))]),
    ]);
    same(
        &script.problems(),
        "
        @0 dependency cycle: bad.d waits for bad.a (comes before it in a sequence), bad.a waits for bad.d (depends_on) | remove one of these dependencies
        @700 bad.a waits for bad.d",
    );
    let script = sequence([
        block(id("note", "/d/1")).with("text", read(&id("note", "/d/2"), "text")),
        note("/d/2", "x"),
    ]);
    assert!(script.problems().contains("dependency cycle"));
}

#[test]
fn unbalanced_groups_are_a_defect_of_the_front_end() {
    let begin = Statement::Begin(ActionGroup::new(Order::Sequence));
    same(
        &Script::of(vec![begin]).problems(),
        "@0 unbalanced group: a group has no end: a defect of the program that made these statements | report it; groups are begun and ended in pairs",
    );
    same(
        &Script::of(vec![Statement::End]).problems(),
        " unbalanced group: a group ends that was never begun: a defect of the program that made these statements | report it; groups are begun and ended in pairs",
    );
}

/// A product of both would be a hundred million edges.
#[test]
fn consecutive_large_groups_cost_their_sum() {
    const EACH: usize = 10_000;
    let members = |part: &str| -> Vec<Script> {
        (0..EACH).map(|i| block(id("owned", &format!("{part}{i}")))).collect()
    };
    for jobs in [1, 8] {
        let host = SharedHost::new();
        let engine = engine(&host, jobs);
        let (program, transcript) = sequence([parallel(members("a")), parallel(members("b"))]).check(&engine);
        let program = program.unwrap_or_else(|| panic!("{transcript}"));
        let mut order = String::new();
        engine.run(&program, Apply, &mut |event| {
            if let EventKind::Finished { resource, .. } = &event.kind {
                order.push_str(&resource.name[..1]);
            }
        });
        assert_eq!(order, "a".repeat(EACH) + &"b".repeat(EACH));
    }
}

/// At any depth of groups, each node has a few edges.
#[test]
fn deeply_nested_groups_are_cheap() {
    const DEPTH: usize = 20_000;
    let begin = |order| Statement::Begin(ActionGroup::new(order));
    let mut script = Script::default();
    for i in 0..DEPTH {
        let order = if i % 2 == 0 { Order::Sequence } else { Order::Parallel };
        script = script.and(Script::of(vec![begin(order)])).and(block(id("owned", &format!("n{i}"))));
    }
    let ends = vec![Statement::End; DEPTH];
    let (program, transcript) = script.and(Script::of(ends)).check(&engine(&SharedHost::new(), 1));
    assert!(program.is_some(), "{transcript}");
}
