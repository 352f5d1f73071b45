//! Removals that depend on what earlier runs recorded: killed ones, saved plans, other roots.

use std::fs;

use super::removal::{KEPT, read, sandbox};
use super::sandbox::Sandbox;

/// The record of the run ends where it was killed, and the applied values were not written.
#[test]
fn a_killed_run_counts_for_a_later_removal() {
    let files = "file \"/etc/old\" { content = \"new\" }\nfile \"/etc/made\" { content = \"made\" }\n";
    let revert = format!("settings {{ on_removal = \"revert\" }}\n{KEPT}");
    let sandbox = sandbox(&format!("{revert}{files}"));
    fs::write(sandbox.at("root/etc/old"), "before").unwrap();
    sandbox.apply();
    let record = sandbox.state("runs/000001.jsonl");
    let lines: Vec<&str> = record.lines().collect();
    fs::write(sandbox.at("state/runs/000001.jsonl"), lines[..lines.len() - 1].join("\n") + "\n").unwrap();
    for name in ["applied", "applied.log"] {
        _ = fs::remove_file(sandbox.at("state").join(name));
    }
    sandbox.apply();
    sandbox.configure(&revert);
    sandbox.apply();
    assert_eq!(
        (read(&sandbox, "root/etc/old").as_deref(), read(&sandbox, "root/etc/made")),
        (Some("before"), None)
    );
}

#[test]
fn the_policy_of_the_last_declaration_counts() {
    let file = |policy: &str, rest: &str| {
        format!("{KEPT}file \"/etc/a\" {{\n  content    = \"1\"\n  on_removal = \"{policy}\"\n{rest}}}\n")
    };
    for rest in
        ["  only_if = \"false\"\n", "  audit = true\n", "  verify = \"false {}\"\n  mode = \"0600\"\n"]
    {
        for (first, last, expected) in [("remove", "keep", Some("1")), ("keep", "remove", None)] {
            let sandbox = sandbox(&file(first, ""));
            sandbox.apply();
            sandbox.configure(&file(last, rest));
            sandbox.run(&["apply"]);
            sandbox.configure(KEPT);
            sandbox.apply();
            assert_eq!(read(&sandbox, "root/etc/a").as_deref(), expected, "{first} {last} {rest}");
        }
    }
}
