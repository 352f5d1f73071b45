//! A run that was killed in the middle can be undone.

use super::machine::Machine;

const SITE: &str = "file \"/a\" { content = \"new\" }\n";

/// Removes the lines after the first action: the run was killed before it could write them.
fn interrupt(machine: &Machine) {
    let path = machine.state("runs/000001.jsonl");
    let record = std::fs::read_to_string(&path).expect("the record");
    let lines = record.lines().take(2).map(|line| format!("{line}\n"));
    std::fs::write(path, lines.collect::<String>()).expect("the record");
}

#[test]
fn an_unfinished_change_is_undone_if_it_was_made() {
    let machine = Machine::new();
    machine.write("/a", "old");
    machine.apply(SITE);
    interrupt(&machine);
    let shown = machine.run(&["undo"]);
    assert!(shown.stderr.contains(", interrupted):\n"), "{shown:#?}");
    let ran = machine.undo(&[]);
    assert_eq!((ran.code, &*machine.read("/a")), (Some(0), "old"), "{ran:#?}");
}

#[test]
fn an_unfinished_change_that_was_not_made_is_nothing_to_undo() {
    let machine = Machine::new();
    machine.apply(SITE);
    interrupt(&machine);
    std::fs::remove_file(machine.at("/a")).expect("a file");
    let ran = machine.undo(&["1"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), "Everything is as before run 1.\n"));
    let ran = machine.undo(&[]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), "There is no run to undo.\n"));
}

#[test]
fn an_unfinished_change_of_another_content_is_left() {
    let machine = Machine::new();
    machine.write("/a", "old");
    machine.apply(SITE);
    interrupt(&machine);
    machine.write("/a", "by hand");
    let ran = machine.undo(&[]);
    assert!(ran.stderr.contains("file[\"/a\"]: changed since outside Uphold\n"), "{ran:#?}");
    assert_eq!((ran.code, &*machine.read("/a")), (Some(1), "by hand"));
}

#[test]
fn an_unfinished_edit_is_left_if_its_file_differs() {
    let machine = Machine::new();
    machine.write("/a", "old\n");
    machine.apply("line \"x\" {\n  file = \"/a\"\n  line = \"x\"\n}\n");
    interrupt(&machine);
    let ran = machine.undo(&[]);
    assert!(ran.stderr.contains("line.x: it was not finished, and its file is not as before\n"), "{ran:#?}");
    assert_eq!(machine.read("/a"), "old\nx\n");
}

/// The resource is there because of the later run.
#[test]
fn an_unfinished_change_that_a_later_run_made_is_left() {
    let machine = Machine::new();
    machine.apply(SITE);
    interrupt(&machine);
    std::fs::remove_file(machine.at("/a")).expect("a file");
    machine.apply(SITE);
    let ran = machine.undo(&["1"]);
    assert!(ran.stderr.contains("file[\"/a\"]: changed since by run 2\n"), "{ran:#?}");
    assert_eq!((ran.code, &*machine.read("/a")), (Some(1), "new"));
}

#[test]
fn a_damaged_run_is_refused() {
    let machine = Machine::new();
    machine.apply(SITE);
    let path = machine.state("runs/000001.jsonl");
    let record = std::fs::read_to_string(&path).expect("the record");
    std::fs::write(path, record.replacen("\"create\"", "\"update\"", 1)).expect("the record");
    let ran = machine.undo(&["1"]);
    assert!(
        ran.stderr
            .starts_with("error: run 1 cannot be undone: `runs/000001.jsonl` of the journal is damaged"),
        "{ran:#?}"
    );
    assert_eq!((ran.code, &*machine.read("/a")), (Some(1), "new"));
}
