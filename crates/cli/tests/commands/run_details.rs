//! Reports of notifiers, attempts, waits and ignored failures.

use serde_json::{Value, json};

use super::sandbox::{Ran, Sandbox};

/// A configuration for the real machine, in a folder that `FOLDER` stands for.
fn sandbox(text: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("").display().to_string();
    sandbox.write("site.hcl", text.replace("FOLDER", folder.trim_end_matches('/')));
    sandbox
}

fn lines(ran: &Ran, kind: &str) -> Vec<Value> {
    let lines = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.filter(|line| line["type"] == kind).collect()
}

fn report(sandbox: &Sandbox) -> Value {
    serde_json::from_str(&sandbox.read("report.json")).expect("JSON")
}

const NOTIFIED: &str = r#"
task "reload" {
  apply  = "touch reloaded"
  action = "nothing"
}

task "save" {
  apply  = "touch saved"
  action = "nothing"
}

file "FOLDER/conf" {
  content  = "x"
  notifies = { delayed = [task.reload.run], before = [task.save.run] }
}

log "between" { depends_on = [file["FOLDER/conf"]] }
"#;

#[test]
fn a_notified_action_shows_its_notifiers() {
    let sandbox = sandbox(NOTIFIED);
    let planned = "  ! task.save   (will run, because file[\"FOLDER/conf\"] will change; ./site.hcl:7:1)
  + file[\"FOLDER/conf\"]   (create; ./site.hcl:12:1)
      content: \"x\"
      mode:    \"0644\" (default)
  log.between: between
  ! task.reload   (will run, because file[\"FOLDER/conf\"] will change; ./site.hcl:2:1)

Plan: 1 to add, 0 to change, 0 to remove, 2 to run.
";
    sandbox.run(&["plan", "--jobs", "1"]).check(2, planned, "");
    let applied = "  ! task.save   (ran, because file[\"FOLDER/conf\"] was about to change; ./site.hcl:7:1)
  + file[\"FOLDER/conf\"]   (created; ./site.hcl:12:1)
      content: \"x\"
      mode:    \"0644\" (default)
  log.between: between
  ! task.reload   (ran, because file[\"FOLDER/conf\"] changed; ./site.hcl:2:1)

Applied: 1 added, 0 changed, 0 removed, 2 run; 1 ok, 0 failed, 0 skipped in TIME
";
    sandbox.run(&["apply", "--jobs", "1"]).check(0, applied, "");
    assert_eq!(sandbox.run(&["apply", "-q"]).code, Some(0), "nothing changed, so no notification is sent");
}

#[test]
fn json_has_the_notifiers_of_an_action() {
    let sandbox = sandbox(NOTIFIED);
    let ran = sandbox.run(&["apply", "--jobs", "1", "--json", "--report", "report.json"]);
    for kind in ["resource_started", "resource_finished"] {
        let reload =
            lines(&ran, kind).into_iter().find(|line| line["resource"]["name"] == "reload").expect(kind);
        let cause = &reload["cause"];
        assert_eq!((&cause["reason"], &cause["timing"]), (&json!("notified"), &json!("delayed")));
        assert!(cause["by"]["name"].as_str().is_some_and(|name| name.ends_with("/conf")), "{cause}");
    }
    let records = report(&sandbox)["records"].as_array().expect("records").clone();
    let causes: Vec<&Value> = records.iter().map(|record| &record["cause"]["timing"]).collect();
    assert_eq!(causes, [&json!("before"), &Value::Null, &Value::Null, &json!("delayed")]);
}

/// The failure of a notified action names the action and its notifiers, because the location alone is ambiguous.
#[test]
fn a_failure_shows_the_notifiers() {
    let sandbox = sandbox(&NOTIFIED.replace("touch reloaded", "exit 3"));
    let ran = sandbox.run(&["apply", "--jobs", "1"]);
    let expected =
        "error: task.reload: run, because file[\"FOLDER/conf\"] changed: `apply` exited with status 3, not 0";
    assert!(ran.code == Some(1) && ran.stderr.starts_with(expected), "{}", ran.stderr);
}

const FLAKY: &str = r#"
task "flaky" {
  check = "test -e done"
  apply = "if test -e once; then touch done; else touch once; exit 3; fi"
  retry = { times = 2, delay = "10ms" }
}
"#;

#[test]
fn each_attempt_is_reported() {
    let expected =
        "warning: task.flaky: attempt 1 failed, next attempt in 10ms: `apply` exited with status 3, not 0\n";
    let flaky = sandbox(FLAKY);
    let ran = flaky.run(&["apply", "-v", "--report", "report.json"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), expected));
    assert!(ran.stdout.contains("; 2 attempts; ./site.hcl:2:1)"), "{}", ran.stdout);
    let record = &report(&flaky)["records"][0];
    let retry = &record["retries"][0];
    assert_eq!((&record["attempts"], &retry["after_ms"]), (&json!(2), &json!(10)));
    assert_eq!(retry["failure"]["kind"], "rejected");
    let ran = sandbox(FLAKY).run(&["apply", "--json"]);
    let retrying = &lines(&ran, "resource_retrying")[0];
    assert_eq!((&retrying["attempts"], &retrying["after_ms"]), (&json!(1), &json!(10)));
    assert_eq!(retrying["failure"]["message"], "`apply` exited with status 3, not 0");
    assert_eq!(sandbox(FLAKY).run(&["apply", "-q"]).stderr, "");
}

const WAITING: &str = r#"
task "slow" {
  check = "test -e there"
  apply = "sleep 0.3; touch there"
}

wait_file "FOLDER/there" { every = "50ms" }
"#;

#[test]
fn waits_are_reported() {
    let waiting = sandbox(WAITING);
    let ran = waiting.run(&["apply", "-v", "--jobs", "2", "--report", "report.json"]);
    let expected = "  wait_file[\"FOLDER/there\"]: waiting: FOLDER/there does not exist yet\n";
    assert_eq!((ran.code, &*ran.stderr), (Some(0), expected), "once, however often it is looked at");
    let report = report(&waiting);
    let records = report["records"].as_array().expect("a list");
    // The file may be found before the task that creates it is finished.
    let record = records.iter().find(|record| record["resource"]["kind"] == "wait_file").expect("it exists");
    assert_eq!(record["verdict"], "unchanged");
    assert!(
        record["waits"][0]["checks"].as_u64() > Some(1) && record["waited_ms"].as_u64() >= Some(100),
        "{record}"
    );
    let ran = sandbox(WAITING).run(&["apply", "--json", "--jobs", "2"]);
    let wait = &lines(&ran, "resource_waiting")[0];
    assert!(
        wait["reason"].as_str().is_some_and(|reason| reason.ends_with("there does not exist yet")),
        "{wait}"
    );
    assert_eq!(wait["after_ms"], 50);
    assert_eq!(sandbox(WAITING).run(&["apply", "--jobs", "2"]).stderr, "", "a short wait is not reported");
}

#[test]
fn an_ignored_failure_does_not_fail_the_run() {
    let site = "task \"harmless\" {\n  check          = \"false\"\n  apply          = \"exit 4\"\n  ignore_failure = true\n}\n\
                log \"after\" {\n  depends_on = [task.harmless]\n}\n";
    let sandbox = sandbox(site);
    let expected = "warning: task.harmless failed, which is ignored: `apply` exited with status 4, not 0   (./site.hcl:1:1)\n";
    let ran = sandbox.run(&["apply", "--report", "report.xml"]);
    ran.check(0, "  log.after: after\nNo changes. 1 resource is as declared, 1 failure ignored.\n", expected);
    assert!(sandbox.read("report.xml").contains("failures=\"0\" errors=\"0\" skipped=\"1\""));
    let json = sandbox.run(&["apply", "--json"]);
    let verdicts: Vec<Value> =
        lines(&json, "resource_finished").iter().map(|line| line["verdict"].clone()).collect();
    assert_eq!((json.code, verdicts), (Some(0), vec![json!("ignored"), json!("unchanged")]));
    sandbox.run(&["apply", "-q"]).check(0, "", "");
}

/// An audited resource does not affect the exit code of an apply, which is 0; an audited run with differences exits
/// with 2.
#[test]
fn an_audited_difference_is_no_failure() {
    let sandbox = Sandbox::with("file \"/a\" {\n  audit = true\n}\nfile \"/b\" {}\n");
    let ran = sandbox.rooted(&["apply", "--report", "report.xml"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    assert!(
        ran.stdout.contains("  + file[\"/a\"]   (is missing; only audited; ./site.hcl:1:1)"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("0 skipped, 1 differs in TIME"), "{}", ran.stdout);
    assert!(sandbox.read("report.xml").contains("failures=\"0\" errors=\"0\" skipped=\"1\""));
    assert_eq!(sandbox.machine().len(), 1);
    let audit = sandbox.rooted(&["apply", "--audit", "--report", "report.xml"]);
    assert_eq!(audit.code, Some(2));
    let report = sandbox.read("report.xml");
    assert!(
        report.contains("<testsuite name=\"uphold audit\"") && report.contains("failures=\"1\""),
        "{report}"
    );
    assert!(
        report.contains("<failure type=\"differs\" message=\"file[&quot;/a&quot;]: is missing"),
        "{report}"
    );
}
