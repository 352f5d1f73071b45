//! Many resources are decoded on several threads. The result is the same.

use uphold_engine::Keep;

use super::check::{SharedHost, engine, print_diagnostics};
use super::script::{Script, id, note, trigger};

const MANY: usize = 4_500;

/// Notes of which these are invalid. Some have two actions.
fn notes(invalid: &[usize]) -> Script {
    Script::all((0..MANY).map(|number| {
        let name = format!("/d/n{number}");
        let note = note(&name, "1");
        let note = if invalid.contains(&number) { note.set("copies", "many").set("txet", 1) } else { note };
        if number % 10 == 0 { note.and(trigger(&id("note", &name), "converge")) } else { note }
    }))
}

#[track_caller]
fn check(invalid: &[usize]) -> String {
    let found = [(1, Keep::All), (4, Keep::UntilExit)].map(|(jobs, keep)| {
        let engine = engine(&SharedHost::new(), jobs);
        let (program, diagnostics) = engine.check(notes(invalid).statements(), keep);
        let transcript = print_diagnostics(&diagnostics, |place| format!("@{}", place.start));
        let order = program.map(|program| {
            let all = program.in_order().map(|(id, action, _)| format!("{id} {action}"));
            (all.collect::<Vec<_>>(), format!("{:?}", program.digest()))
        });
        (order, transcript)
    });
    let [one, several] = found;
    assert!(one == several, "{}\n\n{}", one.1, several.1);
    one.1
}

#[test]
fn programs_and_problems_do_not_depend_on_threads() {
    assert_eq!(check(&[]), "");
    let problems = check(&[0, 1, 1_000, 2_000, 3_001, MANY - 1]);
    assert_eq!(problems.lines().count(), 12, "{problems}");
}
