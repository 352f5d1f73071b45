//! When nothing is removed.

use std::fs;
use std::process::Stdio;

use super::sandbox::Sandbox;
use crate::binary::uphold;

fn files(numbers: std::ops::Range<usize>) -> String {
    let one = |number| format!("file \"/etc/f{number}\" {{ content = \"{number}\" }}\n");
    "settings { on_removal = \"remove\" }\n".to_owned() + &numbers.map(one).collect::<String>()
}

#[test]
fn many_removals_at_once_are_refused_as_a_whole() {
    let sandbox = Sandbox::with(&files(0..20));
    sandbox.apply();
    sandbox.configure(&(files(0..8) + "file \"/etc/new\" { content = \"new\" }\n"));
    for verb in ["plan", "apply"] {
        let run = sandbox.run(&[verb]);
        let expected =
            "error: nothing was changed: 12 of 20 resources are no longer declared and would be removed: ";
        assert!(run.code == 1 && run.err.starts_with(expected), "{}{}", run.out, run.err);
        assert!(run.err.contains("--allow-removals 12"), "{}", run.err);
    }
    assert!(!sandbox.at("root/etc/new").exists(), "nothing else is changed, either");
    assert_eq!(sandbox.run(&["apply", "--allow-removals", "11"]).code, 1);
    let run = sandbox.run(&["apply", "--allow-removals", "12"]);
    assert!(run.code == 0 && run.out.contains("1 added, 0 changed, 12 removed"), "{}{}", run.out, run.err);
}

#[test]
fn a_whole_module_is_not_removed_by_mistake() {
    let sandbox = Sandbox::with("");
    fs::create_dir(sandbox.at("web")).unwrap();
    fs::write(sandbox.at("web/main.hcl"), files(0..3).replace("settings { on_removal = \"remove\" }\n", ""))
        .unwrap();
    let call = "settings { on_removal = \"remove\" }\nmodule \"web\" { source = \"./web\" }\n";
    let other = "file \"/etc/other\" { content = \"x\" }\n";
    sandbox.configure(&format!("{call}{other}"));
    sandbox.apply();
    sandbox.configure(other);
    let run = sandbox.run(&["apply"]);
    assert!(
        run.code == 1 && run.err.contains("all resources of module.web are no longer declared"),
        "{}",
        run.err
    );
    sandbox.configure(&format!("{other}removed {{\n  from    = module.web\n  destroy = true\n}}\n"));
    assert!(sandbox.apply().contains("3 removed"), "a block says that it is meant");
}

#[test]
fn a_selection_and_a_lost_state_remove_nothing() {
    let sandbox = Sandbox::with(&files(0..2));
    sandbox.apply();
    sandbox.configure(&files(0..1));
    for flag in [["--target", "file[\"/etc/f0\"]"], ["--exclude", "file[\"/etc/f0\"]"]] {
        let run = sandbox.run(&[["apply"].as_slice(), &flag].concat());
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        assert!(sandbox.at("root/etc/f1").exists());
    }
    assert_eq!(sandbox.run(&["apply", "--no-journal"]).code, 0);
    assert!(sandbox.at("root/etc/f1").exists());
    fs::remove_dir_all(sandbox.at("state")).unwrap();
    sandbox.apply();
    sandbox.apply();
    assert!(sandbox.at("root/etc/f1").exists(), "nobody knows that Uphold created it");
}

#[test]
fn a_restored_state_removes_nothing_that_changed() {
    let sandbox = Sandbox::with(&files(0..2));
    sandbox.apply();
    let copy = |from: &str, to: &str| {
        fs::create_dir(sandbox.at(to)).unwrap();
        for name in ["applied", "applied.log"] {
            _ = fs::copy(sandbox.at(from).join(name), sandbox.at(to).join(name));
        }
    };
    copy("state", "backup");
    sandbox.configure(&files(0..1));
    sandbox.apply();
    fs::write(sandbox.at("root/etc/f1"), "made by another program").unwrap();
    for name in ["applied", "applied.log"] {
        _ = fs::remove_file(sandbox.at("state").join(name));
        _ = fs::copy(sandbox.at("backup").join(name), sandbox.at("state").join(name));
    }
    let out = sandbox.apply();
    assert!(out.contains("  file[\"/etc/f1\"]: changed since it was applied\n"), "{out}");
    assert!(sandbox.at("root/etc/f1").exists());
}

#[test]
fn a_removal_that_was_killed_is_completed() {
    let sandbox = Sandbox::with("");
    let path = |name: &str| sandbox.at(name).to_str().unwrap().to_owned();
    let (gate, begun) = (sandbox.at("gate"), sandbox.at("begun"));
    let wait =
        format!("while test -e {}; do touch {}; sleep 0.02; done; true {{}}", path("gate"), path("begun"));
    let kept = format!(
        "settings {{ on_removal = \"remove\" }}\nfile \"{}\" {{ content = \"kept\" }}\n",
        path("kept")
    );
    let line = format!(
        "line \"x\" {{\n  file   = \"{}\"\n  line   = \"x\"\n  create = true\n  verify = \"{wait}\"\n}}\n",
        path("x")
    );
    let arguments = ["apply".to_owned(), path("site.hcl"), "--state".to_owned(), path("state")];
    let apply = || {
        let run = uphold(&arguments);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        run.out
    };
    sandbox.configure(&format!("{kept}{line}"));
    apply();
    sandbox.configure(&kept);
    fs::write(&gate, "").unwrap();
    let mut command = uphold_testbed::tied_command(env!("CARGO_BIN_EXE_uphold"));
    let mut killed = command.args(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !begun.exists() {
        assert!(killed.try_wait().unwrap().is_none(), "the verification waits");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    fs::remove_file(&gate).unwrap();
    assert_eq!(fs::read_to_string(sandbox.at("x")).unwrap(), "x\n");
    assert!(apply().contains("  - line.x   (removed; no longer declared)\n"));
    assert_eq!(fs::read_to_string(sandbox.at("x")).unwrap(), "");
    let again = apply();
    assert!(again.starts_with("No changes.") && !again.contains("no longer declared"), "{again}");
}

#[test]
fn a_saved_plan_contains_the_removals() {
    let sandbox = Sandbox::with(&files(0..20));
    sandbox.apply();
    sandbox.configure(&files(0..8));
    let plan = sandbox.at("site.plan");
    let plan = plan.to_str().unwrap();
    let run = sandbox.run(&["plan", "--allow-removals", "12", "--out", plan]);
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    let show = sandbox.plain(&["show", plan]);
    assert!(
        show.out.contains("- file[\"/etc/f9\"]   (remove; no longer declared)\n"),
        "{}{}",
        show.out,
        show.err
    );
    fs::write(sandbox.at("root/etc/f9"), "edited").unwrap();
    let run = sandbox.plain(&["apply", plan]);
    assert!(run.out.contains("11 removed"), "{}{}", run.out, run.err);
    assert!(sandbox.at("root/etc/f9").exists() && !sandbox.at("root/etc/f10").exists());
}

#[test]
fn a_line_that_is_not_recorded_is_listed_and_stays() {
    let sandbox = Sandbox::with("");
    let long = "x".repeat(2000);
    let line = format!("line \"x\" {{\n  file   = \"/etc/x\"\n  line   = \"{long}\"\n  create = true\n}}\n");
    sandbox.configure(&(files(0..1) + &line));
    sandbox.apply();
    sandbox.configure(&files(0..1));
    for _ in 0..2 {
        let out = sandbox.apply();
        assert!(
            out.contains("  line.x: its record does not contain everything that its removal needs\n"),
            "{out}"
        );
    }
    assert!(fs::read_to_string(sandbox.at("root/etc/x")).unwrap().contains("xxx"));
}

#[test]
fn a_purged_file_is_not_listed_as_unchanged() {
    let purge = "directory \"/etc/d\" { purge = true }\n";
    let sandbox = Sandbox::with(&format!("{purge}file \"/etc/d/a\" {{ content = \"a\" }}\n"));
    sandbox.apply();
    sandbox.configure(purge);
    let plan = sandbox.run(&["plan"]).out;
    assert!(plan.contains("purge") && !plan.contains("no longer declared"), "{plan}");
    let out = sandbox.apply();
    assert!(!sandbox.at("root/etc/d/a").exists() && !out.contains("no longer declared"), "{out}");
    assert!(!sandbox.apply().contains("no longer declared"));
}

#[test]
fn a_renamed_module_with_references_is_the_same() {
    let sandbox = Sandbox::with("");
    fs::write(sandbox.at("root/etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n").unwrap();
    fs::write(sandbox.at("root/etc/group"), "root:x:0:\n").unwrap();
    fs::create_dir(sandbox.at("web")).unwrap();
    let inside =
        "file \"/etc/a\" { content = \"a\" }\ndirectory \"/etc/d\" { owner = file[\"/etc/a\"].owner }\n";
    fs::write(sandbox.at("web/main.hcl"), inside).unwrap();
    let call = |name: &str| {
        format!("settings {{ on_removal = \"remove\" }}\nmodule \"{name}\" {{ source = \"./web\" }}\n")
    };
    sandbox.configure(&call("one"));
    sandbox.apply();
    sandbox.configure(&call("two"));
    for verb in ["plan", "apply", "apply"] {
        let out = sandbox.run(&[verb]).out;
        assert!(out.starts_with("No changes.") && !out.contains("no longer declared"), "{verb}: {out}");
    }
}
