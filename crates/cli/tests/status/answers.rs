//! Output and exit codes of `uphold status`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value as Json;

use super::stage::Stage;

const MOTD: &str = "file \"/motd\" { content = \"hi\\n\" }\n";
const BROKEN: &str = "file \"/none/x\" {}\nlog \"never\" { depends_on = [file[\"/none/x\"]] }\n";

#[test]
fn a_converged_machine_has_exit_code_0() {
    let stage = Stage::new(MOTD, &[]);
    let (code, out, err) = stage.ask(&[]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.starts_with("watching since "), "{out}");
    assert!(out.contains(&format!("; pid {}\n1 as declared; nothing has drifted\n", stage.pid())), "{out}");
    assert_eq!(stage.ask(&["--quiet"]), (0, String::new(), String::new()));
}

#[test]
fn drift_is_counted_and_explained() {
    let stage = Stage::new(MOTD, &[]);
    fs::write(stage.path("root/motd"), "tampered").expect("a change");
    stage.wait_for("the repair", &[], |out| out.contains("1 drifted, 1 repaired"));
    let (code, out, _) = stage.ask(&["file[/motd]"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("= file[\"/motd\"]\n  state        as declared; since "), "{out}");
    assert!(out.contains(" (content), because /motd changed\n"), "{out}");
    assert!(out.contains("; drifted once, repaired once\n"), "{out}");
    let (_, json, _) = stage.ask(&["file[/motd]", "--json"]);
    let json: Json = serde_json::from_str(&json).expect("one object");
    assert_eq!(
        (&json["drifted"], &json["last_change"]["cause"]["reason"]),
        (&1.into(), &"change_detected".into())
    );
    assert_eq!(json["last_change"]["properties"], serde_json::json!(["content"]));
}

#[test]
fn failures_are_listed_first_with_their_dependents_and_exit_code_1() {
    let stage = Stage::new(&format!("{MOTD}{BROKEN}"), &[]);
    let (code, out, _) = stage.ask(&[]);
    assert_eq!(code, 1, "{out}");
    let troubles = format!(
        "\nProblems\n  x file[\"/none/x\"]: failed: /none/x cannot be created: {} does not exist\n",
        stage.path("root/none").display()
    );
    assert!(out.contains("1 as declared, 1 failed, 1 blocked") && out.contains(&troubles), "{out}");
    assert!(out.contains("  . log.never: blocked, because file[\"/none/x\"] failed\n"), "{out}");
    let (code, out, _) = stage.ask(&["log.never"]);
    assert_eq!(code, 1);
    assert!(out.contains("  root cause   file[\"/none/x\"]: failed: "), "{out}");
    assert_eq!(stage.ask(&["file[/motd]"]).0, 0, "of one resource, only that one counts");
    let (_, out, _) = stage.ask(&["--all"]);
    let rows: Vec<&str> = out.lines().rev().take(3).map(|line| &line[..1]).collect();
    assert_eq!(rows, ["=", ".", "x"], "{out}");
    fs::create_dir(stage.path("root/none")).expect("what was missing");
    let out = stage.wait_for("the recovery", &[], |out| out.contains("\n3 as declared; "));
    assert!(out.contains("  recovered file[\"/none/x\"]"), "{out}");
}

#[test]
fn differences_and_refused_changes_have_exit_code_2() {
    let stage = Stage::new(MOTD, &["--audit"]);
    let (code, out, _) = stage.ask(&[]);
    assert_eq!(code, 2, "{out}");
    assert!(out.contains("  ~ file[\"/motd\"]: differs: content, mode\n"), "{out}");
    let stage = Stage::new(MOTD, &[]);
    fs::write(stage.path("main.hcl"), "nonsense \"x\" {}\n").expect("a mistake");
    let out =
        stage.wait_for("the refusal", &[], |out| out.contains("the configuration on disk is not in force"));
    assert!(out.contains("  refused the configuration: "), "{out}");
    assert_eq!(stage.ask(&[]).0, 2);
    fs::write(stage.path("main.hcl"), MOTD).expect("it is mended");
    stage.wait_for("the mending", &[], |out| !out.contains("the configuration on disk is not in force"));
    assert_eq!(stage.ask(&[]).0, 0);
}

#[test]
fn json_has_all_details() {
    let stage = Stage::new(&format!("{MOTD}{BROKEN}"), &[]);
    let (code, out, _) = stage.ask(&["--json"]);
    let json: Json = serde_json::from_str(&out).expect("one object");
    assert_eq!((code, &json["type"], &json["format_version"]), (1, &"status".into(), &"2.1".into()));
    assert_eq!((json["pid"].as_u64(), &json["totals"]["blocked"]), (Some(stage.pid().into()), &1.into()));
    let words: Vec<&str> = json["resources"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["state"]["name"].as_str())
        .collect();
    assert_eq!(words, ["ok", "failed", "blocked"], "in written order");
}

#[test]
fn following_shows_each_repair() {
    let stage = Stage::new(MOTD, &[]);
    let mut following =
        stage.command(&["--follow", "--json"]).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut lines =
        BufReader::new(following.stdout.take().expect("its output")).lines().map_while(Result::ok);
    let first: Json = serde_json::from_str(&lines.next().expect("a snapshot")).expect("one object");
    assert_eq!(first["type"], "status");
    fs::remove_file(stage.path("root/motd")).expect("a change");
    let finished = lines.by_ref().find(|line| line.contains("resource_finished")).expect("the repair");
    let finished: Json = serde_json::from_str(&finished).expect("one object");
    assert_eq!(
        (&finished["verdict"], &finished["cause"]["reason"]),
        (&"changed".into(), &"change_detected".into())
    );
    let mut stage = stage;
    stage.end();
    assert!(lines.any(|line| line.contains("\"watch_finished\"")), "it hears of the end, too");
    assert!(following.wait().expect("it ends with the watch").success());
}

#[test]
fn commands_to_the_watch_are_executed() {
    let stage = Stage::new(MOTD, &["--recheck", "never"]);
    assert_eq!(stage.ask(&["--recheck"]), (0, String::new(), "the watch checks every resource\n".to_owned()));
    stage.wait_for("the look", &["file[/motd]"], |out| out.contains("everything is rechecked"));
    assert_eq!(stage.ask(&["--reload", "--quiet"]), (0, String::new(), String::new()));
}

#[test]
fn an_unknown_resource_is_an_error_with_a_suggestion() {
    let stage = Stage::new(MOTD, &[]);
    let (code, out, err) = stage.ask(&["file[/mtod]"]);
    assert_eq!((code, out.as_str()), (1, ""));
    assert_eq!(
        err,
        "error: file[/mtod]: the watch manages no such resource\n  hint: did you mean file[\"/motd\"]?\n"
    );
}
