//! Why resources differ.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::sandbox::Sandbox;

const SITE: &str = "file \"/etc/motd\" {\n  content = \"one\\n\"\n  mode = \"0644\"\n}\n";

#[test]
fn plans_name_properties_that_drifted() {
    let sandbox = Sandbox::with(SITE);
    assert!(!sandbox.run(&["plan"]).out.contains("new"), "the first run knows nothing");
    sandbox.apply();
    sandbox.chmod("root/etc/motd", 0o600);
    let drifted = sandbox.run(&["plan"]).out;
    assert!(drifted.contains("(update; drift; "), "{drifted}");
    sandbox.configure(&SITE.replace("one", "two"));
    let mixed = sandbox.run(&["plan"]).out;
    assert!(mixed.contains("(update; drift: mode; "), "{mixed}");
    let verbose = sandbox.run(&["plan", "-v"]).out;
    assert!(verbose.contains("; drift: mode; new: content; "), "{verbose}");
    sandbox.configure(&SITE.replace("0644", "0640"));
    assert!(sandbox.run(&["plan"]).out.contains("(update; drift; "), "both");
    sandbox.chmod("root/etc/motd", 0o644);
    let new = sandbox.run(&["plan"]).out;
    assert!(new.contains("(update; /"), "{new}");
    let applied = sandbox.run(&["apply", "-v"]).out;
    assert!(applied.contains("; new; "), "{applied}");
    assert_eq!(sandbox.run(&["plan"]).code, 0);
}

#[test]
fn programs_read_the_cause_of_each_difference() {
    let sandbox = Sandbox::with(SITE);
    sandbox.apply();
    sandbox.chmod("root/etc/motd", 0o600);
    sandbox.configure(&SITE.replace("one", "two"));
    let report = sandbox.at("report.json");
    let plan = sandbox.lines(&["plan", "--report", report.to_str().unwrap()], "resource_finished");
    let report: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    for change in [&plan[0]["change"], &report["records"][0]["change"]] {
        assert_eq!(change["cause"], "both");
        let causes: Vec<[&Value; 2]> = change["differences"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| [&one["property"], &one["cause"]])
            .collect();
        assert_eq!(json!(causes), json!([["content", "new"], ["mode", "drift"]]));
    }
    sandbox.apply();
    let recorded = sandbox.state("runs/000002.jsonl");
    assert!(recorded.contains(r#""cause":"drift""#) && recorded.contains(r#""cause":"new""#), "{recorded}");
}

/// The configuration changed, not the machine: so an apply makes the change outside the maintenance window, too.
#[test]
fn a_purge_of_files_that_are_no_longer_declared_is_new() {
    const DIRECTORY: &str = "directory \"/etc/d\" { purge = true }\nfile \"/etc/d/a\" {}\n";
    let others = "file \"/etc/d/b\" { content = \"1\" }\ndirectory \"/etc/d/s\" {}\nfile \"/etc/d/s/c\" {}\n";
    let line = "line \"l\" {\n  file = \"/etc/d/l\"\n  line = \"x\"\n}\n";
    let sandbox = Sandbox::with(&format!("{DIRECTORY}{others}{line}"));
    let cause = || sandbox.lines(&["plan"], "resource_finished")[0]["change"]["cause"].clone();
    fs::create_dir_all(sandbox.at("root/etc/d")).unwrap();
    fs::write(sandbox.at("root/etc/d/l"), "").unwrap();
    sandbox.apply();
    fs::write(sandbox.at("root/etc/d/stray"), "").unwrap();
    assert_eq!(cause(), "drift");
    sandbox.configure(DIRECTORY);
    assert_eq!(cause(), "both");
    fs::remove_file(sandbox.at("root/etc/d/stray")).unwrap();
    assert_eq!(cause(), "new");
    assert_eq!(
        sandbox.lines(&["plan", "--target", "directory[\"/etc/d\"]"], "resource_finished")[0]["change"]["cause"],
        "new"
    );
    let drift = sandbox.run(&["drift"]);
    assert!(drift.code == 0 && drift.out.contains("1 other difference is new"), "{}{}", drift.out, drift.err);
    let applied = sandbox.run(&["apply", "-v"]).out;
    assert!(applied.contains("; new; ") && applied.contains("purge: removes 3"), "{applied}");
    fs::write(sandbox.at("root/etc/d/b"), "").unwrap();
    assert_eq!(cause(), "drift", "the record ended with the file");
}

#[test]
fn a_removed_resource_is_drift_and_one_that_is_to_be_removed_is_new() {
    let sandbox = Sandbox::with(SITE);
    sandbox.apply();
    fs::remove_file(sandbox.at("root/etc/motd")).unwrap();
    let removed = sandbox.run(&["plan"]).out;
    assert!(removed.contains("+ file[\"/etc/motd\"]   (create; drift; "), "{removed}");
    sandbox.apply();
    let removal = "file \"/etc/motd\" { action = \"remove\" }\n";
    sandbox.configure(removal);
    let change = &sandbox.lines(&["plan"], "resource_finished")[0]["change"];
    assert_eq!((&change["kind"], &change["cause"]), (&json!("remove"), &json!("new")));
    sandbox.apply();
    fs::write(sandbox.at("root/etc/motd"), "again").unwrap();
    let change = &sandbox.lines(&["plan"], "resource_finished")[0]["change"];
    assert_eq!((&change["kind"], &change["cause"]), (&json!("remove"), &json!("drift")));
}

/// The undo did it, and nothing outside Uphold.
#[test]
fn an_undo_is_no_drift() {
    let undone = |before: &str, text: &str, drift: &dyn Fn(&Sandbox)| {
        let sandbox = Sandbox::with(before);
        fs::write(sandbox.at("root/etc/hosts"), "one\n").unwrap();
        if !before.is_empty() {
            sandbox.apply();
        }
        drift(&sandbox);
        sandbox.configure(text);
        sandbox.apply();
        let undo = sandbox.plain(&["undo", "--yes"]);
        assert_eq!(undo.code, 0, "{}", undo.err);
        let plan = sandbox.run(&["plan"]);
        assert!(plan.code == 2 && !plan.out.contains("drift"), "{text}: {}", plan.out);
        assert_eq!(sandbox.run(&["drift"]).code, 0, "{text}");
    };
    let file = |content: &str| format!("file \"/etc/a\" {{ content = \"{content}\" }}\n");
    undone("", &file("a"), &|_| {});
    undone(&file("a"), &file("b"), &|_| {});
    undone(&file("a"), "file \"/etc/a\" { action = \"remove\" }\n", &|_| {});
    undone("", "line \"two\" {\n  file = \"/etc/hosts\"\n  line = \"two\"\n}\n", &|_| {});
    let edited = |sandbox: &Sandbox| fs::write(sandbox.at("root/etc/a"), "edited").unwrap();
    undone(&file("a"), &file("a"), &edited);
}

#[test]
fn drift_shows_only_changes_outside_uphold() {
    let other = "file \"/etc/other\" { content = \"x\\n\" }\n";
    let sandbox = Sandbox::with(&format!("{SITE}{other}"));
    let apply = format!("{} {}", sandbox.hint("apply"), sandbox.at("site.hcl").display());
    let unknown = sandbox.run(&["drift"]);
    assert_eq!(
        (unknown.code, unknown.out.as_str()),
        (0, &*format!("No apply of this configuration is recorded yet. To get a record: {apply}\n"))
    );
    sandbox.apply();
    let none = sandbox.run(&["drift"]);
    assert!(
        none.code == 0 && none.out.starts_with("Nothing was changed outside Uphold since the last "),
        "{}",
        none.out
    );
    sandbox.chmod("root/etc/motd", 0o600);
    let more = "file \"/etc/more\" { content = \"y\\n\" }\n";
    sandbox.configure(&format!("{SITE}{}{more}", other.replace('x', "z")));
    let drift = sandbox.run(&["drift"]);
    assert_eq!(drift.code, 2, "{}{}", drift.out, drift.err);
    assert!(drift.out.starts_with("  ~ file[\"/etc/motd\"]   (update; drift; "), "{}", drift.out);
    assert!(
        drift
            .out
            .contains("      mode: \"0600\" -> \"0644\"\n\n1 resource was changed outside Uphold since "),
        "{}",
        drift.out
    );
    let others = " 1 other difference is new in the configuration. 1 other difference has no known cause.\n";
    assert!(
        drift.out.contains(others) && drift.out.ends_with(&format!("To repair it: {apply}\n")),
        "{}",
        drift.out
    );
    let finished = sandbox.lines(&["drift"], "resource_finished");
    assert_eq!((finished.len(), &finished[0]["verdict"]), (1, &json!("differs")));
    let line = &sandbox.lines(&["drift"], "drift")[0];
    assert_eq!((&line["resources"], &line["other"]), (&json!(1), &json!({ "new": 1, "unknown": 1 })));
    assert!(line["since"].is_string(), "{line}");
    sandbox.apply();
    assert_eq!(sandbox.run(&["drift"]).code, 0);
}

#[test]
fn failures_are_shown_by_drift() {
    let sandbox = Sandbox::with("file \"/etc/motd\" { content = \"x\" }\n");
    sandbox.apply();
    sandbox.configure("file \"/none/x\" { source = \"/etc/none\" }\n");
    let drift = sandbox.run(&["drift"]);
    assert_eq!(drift.code, 1, "{}{}", drift.out, drift.err);
    assert!(drift.err.starts_with("error: file[\"/none/x\"]"), "{}", drift.err);
    sandbox.configure("file {");
    assert_eq!(sandbox.run(&["drift"]).code, 1);
}

#[test]
fn a_watch_reports_and_records_drift() {
    let sandbox = Sandbox::with(SITE);
    let mut watch = Command::new(env!("CARGO_BIN_EXE_uphold"));
    let watch = watch.arg("watch").arg(sandbox.at("site.hcl")).args(sandbox.places()).arg("--json");
    let mut watch = watch.stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let mut next = |kind: &str| -> Value {
        let all = lines.by_ref().map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
        all.into_iter().find(|line| line["type"] == kind).expect("the watch goes on")
    };
    next("watching");
    sandbox.chmod("root/etc/motd", 0o600);
    let finished = next("resource_finished");
    watch.kill().unwrap();
    watch.wait().unwrap();
    assert_eq!(finished["change"]["cause"], "drift", "{finished}");
    assert!(sandbox.state("runs/000001.jsonl").contains(r#""cause":"drift""#));
    assert!(sandbox.state("applied.log").contains("/etc/motd"));
}

#[test]
fn the_hint_names_several_resources_as_such() {
    let other = "file \"/etc/other\" { content = \"x\\n\" }\n";
    let sandbox = Sandbox::with(&format!("{SITE}{other}"));
    sandbox.apply();
    sandbox.chmod("root/etc/motd", 0o600);
    fs::write(sandbox.at("root/etc/other"), "y\n").unwrap();
    let drift = sandbox.run(&["drift"]).out;
    assert!(drift.contains("\n2 resources were changed outside Uphold"), "{drift}");
    assert!(drift.contains("\nTo repair them: uphold apply --root "), "{drift}");
}

/// It is another part of the machine, which nothing has changed.
#[test]
fn another_file_or_key_of_an_edit_is_no_drift() {
    let line = |file: &str| {
        format!("line \"q\" {{\n  file   = \"{file}\"\n  line   = \"one\"\n  create = true\n}}\n")
    };
    let ini = |key: &str| {
        format!("ini \"k\" {{\n  file  = \"/etc/k.ini\"\n  key   = \"{key}\"\n  value = \"1\"\n}}\n")
    };
    for (before, after) in [(line("/etc/a"), line("/etc/b")), (ini("a"), ini("b"))] {
        let sandbox = Sandbox::with(&before);
        fs::write(sandbox.at("root/etc/k.ini"), "b = 2\n").unwrap();
        sandbox.apply();
        sandbox.configure(&after);
        let plan = sandbox.run(&["plan", "-v"]);
        assert!(plan.code == 2 && plan.out.contains("new"), "{}", plan.out);
        assert!(!plan.out.contains("drift"), "{}", plan.out);
        assert_eq!(sandbox.run(&["drift"]).code, 0);
    }
}
