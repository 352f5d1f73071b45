//! Which run and which resources are undone.

use super::machine::Machine;

#[test]
fn each_undo_goes_one_run_further_back() {
    let machine = Machine::new();
    for content in ["1", "2", "3"] {
        machine.apply(&format!("file \"/a\" {{ content = \"{content}\" }}\n"));
    }
    machine.apply("file \"/a\" { content = \"3\" }\n");
    for content in ["2", "1"] {
        assert_eq!(machine.undo(&[]).code, Some(0));
        assert_eq!(machine.read("/a"), content);
    }
    assert_eq!(machine.undo(&[]).code, Some(0));
    assert!(!machine.at("/a").exists());
    let ran = machine.undo(&[]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), "There is no run to undo.\n"));
}

#[test]
fn an_undo_that_was_undone_does_not_count() {
    let machine = Machine::new();
    machine.apply("file \"/a\" { content = \"1\" }\n");
    assert_eq!(machine.undo(&[]).code, Some(0));
    assert_eq!(machine.undo(&["2"]).code, Some(0));
    assert_eq!(machine.read("/a"), "1");
    assert_eq!(machine.undo(&[]).code, Some(0), "run 1 is not undone any more");
    assert!(!machine.at("/a").exists());
}

#[test]
fn a_run_is_undone_once() {
    let machine = Machine::new();
    machine.write("/b", "old");
    machine.apply("file \"/a\" {}\nfile \"/b\" { content = \"new\" }\n");
    assert_eq!(machine.undo(&["1"]).code, Some(0));
    let ran = machine.undo(&["1"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), "Everything is as before run 1.\n"));
    assert!(!machine.state("runs/000003.jsonl").exists());
}

#[test]
fn a_target_is_undone_alone() {
    let machine = Machine::new();
    machine.apply("file \"/a\" { content = \"1\" }\nfile \"/b\" { content = \"1\" }\n");
    assert_eq!(machine.undo(&["--target", "file[\"/a\"]"]).code, Some(0));
    assert!(!machine.at("/a").exists() && machine.at("/b").exists());
    let ran = machine.undo(&["1", "--target", "file[/c]"]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stderr.starts_with("error: --target file[/c]: run 1 did not change it\n"), "{ran:#?}");
}

/// Applies run 1, which changes `/first`, and run 2, which changes `/a` and `/b`.
fn after_two_runs() -> Machine {
    let machine = Machine::new();
    let declare = |path: &str| {
        machine.write(path, "old");
        format!("file \"{path}\" {{ content = \"new\" }}\n")
    };
    let first = declare("/first");
    machine.apply(&first);
    machine.apply(&[first, declare("/a"), declare("/b")].concat());
    machine
}

fn contents(machine: &Machine) -> [String; 3] {
    ["/first", "/a", "/b"].map(|path| machine.read(path))
}

#[test]
fn the_rest_of_a_run_is_undone_after_a_target() {
    let machine = after_two_runs();
    assert_eq!(machine.undo(&["--target", "file[\"/a\"]"]).code, Some(0));
    for expected in [["new", "old", "old"], ["old", "old", "old"]] {
        let ran = machine.undo(&[]);
        assert_eq!((ran.code, contents(&machine)), (Some(0), expected.map(str::to_owned)), "{ran:#?}");
    }
}

#[test]
fn an_interrupted_undo_is_continued() {
    let machine = after_two_runs();
    assert_eq!(machine.undo(&[]).code, Some(0));
    // Killed after the first change.
    let path = machine.state("runs/000003.jsonl");
    let record = std::fs::read_to_string(&path).expect("the record");
    let second = record.lines().find(|line| line.contains("\"n\":2,")).expect("a second change");
    machine.write(if second.contains("/a\"") { "/a" } else { "/b" }, "new");
    let lines: String = record.lines().take(3).map(|line| format!("{line}\n")).collect();
    std::fs::write(&path, lines).expect("the record");
    for expected in [["new", "old", "old"], ["old", "old", "old"]] {
        let ran = machine.undo(&[]);
        assert_eq!((ran.code, contents(&machine)), (Some(0), expected.map(str::to_owned)), "{ran:#?}");
    }
}

/// An older change back to the same value would otherwise look as if it were to be undone again.
#[test]
fn a_run_that_was_undone_is_not_undone_again() {
    let machine = Machine::new();
    for content in ["0", "1", "0"] {
        machine.apply(&format!("file \"/a\" {{ content = \"{content}\" }}\n"));
    }
    for content in ["1", "0"] {
        assert_eq!(machine.undo(&[]).code, Some(0));
        assert_eq!(machine.read("/a"), content);
    }
    assert_eq!(machine.undo(&[]).code, Some(0));
    assert!(!machine.at("/a").exists());
}

#[test]
fn a_run_with_nothing_left_to_undo_is_passed_over() {
    let machine = Machine::new();
    machine.apply("file \"/a\" { content = \"1\" }\n");
    machine.apply("file \"/a\" { content = \"2\" }\n");
    machine.write("/a", "1");
    let ran = machine.undo(&[]);
    assert!(ran.stderr.starts_with("Undo of run 1 "), "{ran:#?}");
    assert!(!machine.at("/a").exists());
}

#[test]
fn a_run_that_was_put_back_is_passed_over() {
    let machine = Machine::new();
    let group = |content: &str, verify: &str| {
        format!(
            "sequence \"g\" {{\n  verify = \"{verify}\"\n  file \"/a\" {{ content = \"{content}\" }}\n}}\n"
        )
    };
    machine.apply("file \"/a\" { content = \"1\" }\n");
    assert_eq!(machine.try_apply(&group("2", "false")).code, Some(1));
    assert_eq!(machine.read("/a"), "1");
    let ran = machine.undo(&[]);
    assert!(ran.stderr.starts_with("Undo of run 1 "), "{ran:#?}");
    assert!(!machine.at("/a").exists());
}

#[test]
fn an_unknown_run_is_an_error() {
    let machine = Machine::new();
    let ran = machine.undo(&["7"]);
    let none = "error: there is no run 7\n  hint: no run is recorded yet\n";
    assert_eq!((ran.code, &*ran.stderr), (Some(1), none));
    machine.apply("file \"/a\" {}\n");
    let ran = machine.undo(&["7"]);
    let newest = "error: there is no run 7\n  hint: the newest run is 1\n";
    assert_eq!((ran.code, &*ran.stderr), (Some(1), newest));
}

#[test]
fn a_run_of_commands_only_is_passed_over() {
    let machine = Machine::new();
    machine.apply("file \"/a\" { content = \"1\" }\n");
    machine.try_apply("task \"t\" {\n  apply  = \"true\"\n  action = \"run\"\n}\n");
    let ran = machine.undo(&[]);
    assert!(ran.stderr.starts_with("Undo of run 1 "), "{ran:#?}");
    assert!(!machine.at("/a").exists());
}

/// It declares what was before, which is no configuration.
#[test]
fn an_undo_leaves_nothing_that_is_no_longer_declared() {
    let machine = Machine::new();
    machine.apply("file \"/a\" {}\nfile \"/b\" {}\n");
    for target in ["file[\"/a\"]", "file[\"/b\"]"] {
        let ran = machine.undo(&["1", "--target", target]);
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert!(!ran.stdout.contains("no longer declared"), "{ran:#?}");
    }
}

#[test]
fn an_undo_is_recorded_as_one() {
    let machine = Machine::new();
    machine.apply("file \"/a\" {}\n");
    let ran = machine.undo(&["--json"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.lines().all(|line| line.starts_with('{')), "{ran:#?}");
    let record = std::fs::read_to_string(machine.state("runs/000002.jsonl")).expect("its record");
    assert!(record.contains(r#""mode":"undo""#) && record.contains(r#""undoes":1"#), "{record}");
}

#[test]
fn a_user_is_warned_of_the_declaration() {
    let machine = Machine::new();
    machine.apply("file \"/a\" {}\n");
    let warning = "warning: if FOLDER/site.hcl still declares this, the next apply makes the change again\n";
    let ran = machine.undo(&[]);
    assert!(ran.stderr.ends_with(warning), "{ran:#?}");
    let again = machine.undo(&["2"]);
    assert!(!again.stderr.contains("warning"), "an undo was not declared: {again:#?}");
}
