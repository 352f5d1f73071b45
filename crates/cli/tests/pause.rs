//! `uphold pause` and `uphold resume`, and what plan, apply and watch do with paused resources.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::SystemTime;

use crate::binary::{Run, uphold};
use serde_json::Value as Json;
use tempfile::TempDir;
use uphold_testbed::tied_command;

/// A directory with a configuration, the files that it manages, and a journal.
struct Machine(TempDir);

impl Machine {
    /// `DIR` in the configuration stands for the directory.
    fn new(text: &str) -> Self {
        let machine = Self(tempfile::tempdir().expect("a directory for the test"));
        let directory = machine.0.path().to_str().expect("a plain path").to_owned();
        std::fs::write(machine.at("site.hcl"), text.replace("DIR", &directory)).expect("a configuration");
        machine
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.at(name)).ok()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.at(name), text).expect("a file");
    }

    /// The address of a file of the directory.
    fn file(&self, name: &str) -> String {
        format!("file[\"{}\"]", self.at(name).display())
    }

    fn arguments(&self, arguments: &[&str]) -> Vec<String> {
        let state = self.at("state").to_str().expect("a plain path").to_owned();
        let arguments = arguments.iter().map(|argument| (*argument).to_owned());
        arguments.chain(["--state".to_owned(), state]).collect()
    }

    /// A command of a hint, with the flags of [`arguments`](Self::arguments).
    fn hint(&self, verb: &str) -> String {
        format!("uphold {verb} --state {}", self.at("state").display())
    }

    fn run(&self, arguments: &[&str]) -> Run {
        uphold(self.arguments(arguments))
    }

    /// Runs a command that must succeed, and returns its output.
    #[track_caller]
    fn ok(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        let has_only_pending = run.err.is_empty() || run.err.starts_with("1 notification is pending: ");
        assert!(run.code == 0 && has_only_pending, "{arguments:?}: {}{}", run.out, run.err);
        run.out
    }

    fn site(&self) -> String {
        self.at("site.hcl").to_str().expect("a plain path").to_owned()
    }

    #[track_caller]
    fn apply(&self) -> String {
        self.ok(&["apply", &self.site()])
    }

    /// The pauses, as JSON.
    #[track_caller]
    fn pauses(&self) -> Vec<Json> {
        let list: Json = serde_json::from_str(&self.ok(&["pause", "--list", "--json"])).expect("JSON");
        assert_eq!(list["format_version"], "1.0");
        list["pauses"].as_array().expect("a list").clone()
    }
}

const FILES: &str = r#"
file "DIR/a" {
  content = "1"
}

file "DIR/b" {
  content    = "2"
  depends_on = [file["DIR/a"]]
}
"#;

#[test]
fn a_paused_resource_is_reported_and_not_changed() {
    let machine = Machine::new(FILES);
    let a = machine.file("a");
    let paused = machine.ok(&["pause", &a, "--for", "30m", "--why", "a fix is tested"]);
    assert!(paused.starts_with(&format!("Paused {a} until ")), "{paused}");
    assert!(paused.ends_with(&format!(".\nTo resume: {} '{a}'\n", machine.hint("resume"))), "{paused}");
    for command in ["plan", "apply"] {
        let run = machine.run(&[command, &machine.site()]);
        assert!(run.out.contains(&format!("+ {a}   (is missing; paused until ")), "{}", run.out);
        assert!(run.out.contains(": a fix is tested; "), "{}", run.out);
        assert!(run.out.contains(", 1 paused"), "{}", run.out);
        assert_eq!(run.code, if command == "plan" { 2 } else { 0 }, "b has to be created: {}", run.err);
    }
    assert_eq!((machine.text("a"), machine.text("b").as_deref()), (None, Some("2")), "dependents go on");
    let plan = machine.ok(&["plan", &machine.site()]);
    assert!(plan.ends_with("\nNo changes. 1 resource is as declared, 1 paused.\n"), "{plan}");
    assert_eq!(machine.ok(&["resume", &a]), format!("Resumed {a}.\n"));
    machine.apply();
    assert_eq!(machine.text("a").as_deref(), Some("1"));
}

/// Days on which it is not closed, and the day on which a closed window opens: neither is today, nor tomorrow.
fn windows() -> (String, &'static str) {
    const DAYS: [&str; 7] = ["thu", "fri", "sat", "sun", "mon", "tue", "wed"];
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a time after 1970");
    let today = usize::try_from(since_1970.as_secs() / 86_400).expect("a small number");
    let opens = DAYS[(today + 3) % 7];
    let open: Vec<&str> = DAYS.into_iter().filter(|day| *day != opens).collect();
    (open.join(","), opens)
}

#[test]
fn drift_is_left_outside_the_maintenance_window() {
    let (open, closed) = windows();
    let with_window = |days: &str, content: &str, more: &str| {
        let settings = format!("settings {{\n  window = \"{days} UTC\"\n}}\n");
        format!("{settings}file \"DIR/a\" {{\n  content = \"{content}\"\n  {more}\n}}\n")
    };
    let machine = Machine::new(&with_window(closed, "1", ""));
    let configure = |text: String| {
        machine.write("site.hcl", &text.replace("DIR", machine.0.path().to_str().expect("a plain path")));
    };
    let drift = || machine.write("a", "drift");
    let content = || machine.text("a").expect("a file");
    machine.apply();
    assert_eq!(content(), "1", "without a record, it is a change of the configuration");
    drift();
    for command in ["plan", "apply"] {
        let out = machine.ok(&[command, &machine.site()]);
        let left = "(differs; outside the maintenance window: left until ";
        assert!(out.contains(left) && out.contains(", 1 paused."), "{out}");
    }
    assert_eq!(content(), "drift");
    let json = machine.ok(&["apply", "--json", &machine.site()]);
    assert!(json.contains(r#""reason":"outside the maintenance window""#), "{json}");
    machine.ok(&["apply", "--now", &machine.site()]);
    assert_eq!(content(), "1");
    configure(with_window(closed, "2", ""));
    machine.apply();
    assert_eq!(content(), "2", "a change of the configuration");
    for (days, more) in [(closed, "always = true"), (open.as_str(), "")] {
        drift();
        configure(with_window(days, "2", more));
        machine.apply();
        assert_eq!(content(), "2", "{days} {more}");
    }
}

#[test]
fn files_that_are_no_longer_declared_are_purged_outside_the_maintenance_window() {
    let (_, closed) = windows();
    let directory = "directory \"DIR/d\" { purge = true }\n";
    let machine = Machine::new("");
    let configure = |files: &str| {
        let text = format!("settings {{\n  window = \"{closed} UTC\"\n}}\n{directory}{files}");
        machine.write("site.hcl", &text.replace("DIR", machine.0.path().to_str().expect("a plain path")));
    };
    configure("file \"DIR/d/a\" { content = \"1\" }\n");
    machine.apply();
    machine.write("d/stray", "");
    machine.apply();
    assert!(machine.at("d/stray").exists(), "drift is left");
    std::fs::remove_file(machine.at("d/stray")).expect("a file");
    configure("");
    machine.apply();
    assert!(!machine.at("d/a").exists(), "a change of the configuration is made");
}

#[test]
fn a_watch_changes_nothing_outside_the_maintenance_window() {
    let (_, closed) = windows();
    let window = format!("settings {{\n  window = \"{closed} UTC\"\n}}\n");
    let always = "\nfile \"DIR/c\" {\n  content = \"3\"\n  always  = true\n}\n";
    let machine = Machine::new(&format!("{window}{FILES}{always}"));
    machine.ok(&["watch", "--plain", "--until-converged", "1s", &machine.site()]);
    let text = |name| machine.text(name);
    assert_eq!((text("a"), text("b"), text("c").as_deref()), (None, None, Some("3")));
}

#[test]
fn a_pause_without_addresses_pauses_everything() {
    let machine = Machine::new(FILES);
    let paused = machine.ok(&["pause"]);
    assert!(paused.starts_with("Paused everything until "), "{paused}");
    assert!(paused.ends_with(&format!("To resume: {}\n", machine.hint("resume"))), "{paused}");
    let applied = machine.apply();
    assert!(applied.ends_with("No changes. 0 resources are as declared, 2 paused.\n"), "{applied}");
    let error = machine.run(&["resume", &machine.file("a")]).err;
    assert!(
        error.contains(&format!("hint: to resume everything: {}\n", machine.hint("resume")))
            && error.contains("is paused, because everything is\n"),
        "{error}"
    );
    assert_eq!(machine.ok(&["resume"]), "Resumed everything.\n");
    assert_eq!(machine.ok(&["resume"]), "Nothing is paused.\n");
}

/// Patterns and prefixes cover several resources; quotes in brackets can be left out.
#[test]
fn patterns_pause_several_resources() {
    let machine = Machine::new(FILES);
    let check = |pattern: &str, paused: usize| {
        machine.ok(&["pause", pattern]);
        let plan = machine.run(&["plan", &machine.site()]).out;
        let found = plan.lines().filter(|line| line.contains("; paused until ")).count();
        assert_eq!(found, paused, "{pattern}: {plan}");
        machine.ok(&["resume"]);
    };
    check("file", 2);
    check("file.*", 2);
    check("*", 2);
    check(&format!("file[{}]", machine.at("?").display()), 2);
    check(&format!("file[{}]", machine.at("b").display()), 1);
    check("service.*", 0);
}

#[test]
fn a_pause_of_nothing_is_warned_of() {
    let machine = Machine::new(FILES);
    assert_eq!(machine.run(&["pause", "shop"]).err, "", "nothing was applied yet");
    machine.apply();
    for address in ["file.vhost.shp", "File[\"/etc/x\"]", "shop"] {
        let run = machine.run(&["pause", address, &machine.file("a")]);
        let warning = format!("warning: {address} covers no resource that was applied here\n");
        assert_eq!((run.code, run.err), (0, warning));
    }
    assert_eq!(machine.run(&["pause", "file"]).err, "");
}

#[test]
fn pauses_are_listed_and_expire() {
    let machine = Machine::new(FILES);
    assert_eq!(machine.ok(&["pause", "--list"]), "Nothing is paused.\n");
    machine.ok(&["pause", "service.nginx", "file[/etc/*]", "--why", " first\n\u{1b}[31m "]);
    machine.ok(&["pause", "package.*", "--for", "1s"]);
    let [first, second] = &machine.pauses()[..] else { panic!("{:?}", machine.pauses()) };
    assert_eq!(first["addresses"], serde_json::json!(["service.nginx", "file[\"/etc/*\"]"]));
    assert_eq!((&first["reason"], &second["reason"]), (&"first \u{1b}[31m".into(), &Json::Null));
    let listed = machine.ok(&["pause", "--list"]);
    assert!(listed.starts_with("service.nginx, file[\"/etc/*\"]: paused until "), "{listed}");
    assert!(listed.contains(": first \\u{1b}[31m\n"), "{listed}");
    while machine.pauses().len() > 1 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(machine.pauses()[0]["addresses"][0], "service.nginx");
}

/// A pause replaces earlier ones of the same resources; a resume leaves others paused.
#[test]
fn one_of_several_pauses_can_be_replaced_and_ended() {
    let machine = Machine::new(FILES);
    machine.ok(&["pause", "service.nginx", "user.ann", "--why", "old"]);
    machine.ok(&["pause", "service.nginx", "--why", "new"]);
    let reasons: Vec<Json> = machine.pauses().iter().map(|pause| pause["reason"].clone()).collect();
    assert_eq!(reasons, ["old", "new"]);
    let resumed = machine.ok(&["resume", "service.nginx"]);
    assert!(
        resumed.starts_with("Resumed service.nginx.\nStill paused:\nuser.ann: paused until "),
        "{resumed}"
    );
    machine.ok(&["pause", "user.*"]);
    let check = |address: &str, expected: &str| {
        let run = machine.run(&["resume", address]);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{address}");
        assert!(run.err.contains(expected), "{address}: {}", run.err);
    };
    check(
        "user.bob",
        &format!("as part of user.*\n  hint: to resume all of that: {} 'user.*'\n", machine.hint("resume")),
    );
    let hint = format!("is not paused\n  hint: `{} --list` lists the pauses\n", machine.hint("pause"));
    check("service.nginx", &hint);
    assert_eq!(machine.ok(&["resume", "user"]), "Resumed user.ann.\nResumed user.*.\n");
}

#[test]
fn mistakes_pause_nothing() {
    let machine = Machine::new(FILES);
    let check = |arguments: &[&str], expected: &str| {
        let run = machine.run(arguments);
        assert_eq!(run.out, "", "{arguments:?}");
        assert!(run.code != 0 && run.err.contains(expected), "{arguments:?}: {}", run.err);
    };
    check(&["pause", "--for", "0s"], "write a duration such as 30m, 2h or 1h30m");
    check(&["pause", "--for", "soon"], "write a duration such as 30m, 2h or 1h30m");
    check(&["pause", "--for", "100000h"], "a pause lasts at most a year");
    check(&["pause", "/etc/motd"], "write an address such as service.nginx");
    check(&["pause", "file["], "write an address such as service.nginx");
    check(&["pause", "--list", "service.nginx"], "cannot be used with");
    check(&["resume", "a..b"], "write an address such as service.nginx");
    assert_eq!(machine.pauses(), [] as [Json; 0]);
    assert!(!machine.at("state").exists(), "reading creates nothing");
    machine.write("state", "no directory");
    check(&["pause"], "hint: ");
}

/// Not even root can create a directory there.
#[test]
fn a_state_directory_that_cannot_be_written_is_an_error() {
    let run = uphold(["pause", "service.nginx", "--state", "/proc/uphold-test"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.starts_with("error: cannot write the pauses in /proc/uphold-test\n"), "{}", run.err);
    assert!(run.err.contains("\n  hint: "), "{}", run.err);
}

const HANDLER: &str = r#"
file "DIR/a" {
  content  = "1"
  notifies = { delayed = [task.reload.run] }
}

task "reload" {
  apply  = "echo x >> DIR/log"
  action = "nothing"
}
"#;

#[test]
fn a_notification_to_a_paused_resource_is_delivered_after_the_resume() {
    let machine = Machine::new(HANDLER);
    machine.ok(&["pause", "task.reload"]);
    let applied = machine.apply();
    let a = machine.file("a");
    assert!(applied.contains(&format!("(run is due, notified by {a}; paused until ")), "{applied}");
    let applied = machine.apply();
    assert!(applied.contains("(run is due, pending since "), "{applied}");
    assert_eq!(machine.text("log"), None);
    machine.ok(&["resume", "task.reload"]);
    machine.apply();
    machine.apply();
    assert_eq!(machine.text("log").as_deref(), Some("x\n"), "it is delivered once");
}

#[test]
fn programs_read_pauses() {
    let machine = Machine::new(FILES);
    machine.ok(&["pause", &machine.file("a"), "--why", "a fix"]);
    let stream = machine.ok(&["apply", "--json", &machine.site()]);
    let lines: Vec<Json> = stream.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let paused = lines.iter().find(|line| line["verdict"] == "paused").expect("a paused resource");
    assert_eq!((&paused["change"]["kind"], &paused["pause"]["reason"]), (&"create".into(), &"a fix".into()));
    assert_eq!(paused["pause"]["until"], machine.pauses()[0]["until"]);
    let summary = &lines.last().expect("a last line")["summary"];
    assert_eq!((&summary["paused"], &summary["failed"]), (&1.into(), &0.into()));
    let report = machine.at("report.xml");
    machine.ok(&["apply", &machine.site(), "--report", report.to_str().expect("a plain path")]);
    assert!(machine.text("report.xml").expect("a report").contains("skipped=\"1\""));
}

/// A plan that was saved while a resource was paused does not change it later.
#[test]
fn a_saved_plan_remembers_pauses() {
    let machine = Machine::new(FILES);
    let plan = machine.at("site.plan").to_str().expect("a plain path").to_owned();
    machine.ok(&["pause", &machine.file("a")]);
    assert_eq!(machine.run(&["plan", &machine.site(), "--out", &plan]).code, 2);
    let shown = machine.run(&["show", &plan]).out;
    assert!(shown.contains("; paused until "), "{shown}");
    machine.ok(&["resume"]);
    let run = machine.run(&["apply", &plan]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("skipped because it differs from the plan: it was paused"), "{}", run.err);
    assert_eq!(machine.text("a"), None);
}

/// A watch that prints a line for each event. It is killed when the test ends.
struct Watching {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Watching {
    fn start(machine: &Machine) -> Self {
        let site = machine.site();
        let arguments =
            machine.arguments(&["watch", &site, "--json", "--socket", "none", "--max-runtime", "60s"]);
        let mut command = tied_command(env!("CARGO_BIN_EXE_uphold"));
        let mut child = command.args(arguments).stdout(Stdio::piped()).spawn().expect("the watch starts");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        Self { child, lines }
    }

    /// Waits for the next event of which this is true.
    fn wait(&mut self, is_it: impl Fn(&Json) -> bool) -> Json {
        let mut events = self.lines.by_ref().map(|line| {
            let line = line.expect("the watch goes on");
            serde_json::from_str::<Json>(&line).expect("JSON")
        });
        events.find(|event| is_it(event)).expect("the watch goes on")
    }

    /// Waits for a visit of this kind with one of these verdicts.
    fn wait_for(&mut self, kind: &str, verdicts: &[&str]) -> Json {
        let is_one = |verdict: &Json| verdict.as_str().is_some_and(|verdict| verdicts.contains(&verdict));
        self.wait(|event| event["resource"]["kind"] == kind && is_one(&event["verdict"]))
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[test]
fn a_watch_follows_pauses() {
    let machine = Machine::new(HANDLER);
    let mut watch = Watching::start(&machine);
    watch.wait(|event| event["type"] == "watching");
    assert_eq!(machine.text("log").as_deref(), Some("x\n"));
    machine.ok(&["pause", "--why", "a fix"]);
    // The watch may read the pauses after it sees the change: then it repairs once more.
    let paused = loop {
        machine.write("a", "changed by hand");
        let event = watch.wait_for("file", &["paused", "changed"]);
        if event["verdict"] == "paused" {
            break event;
        }
    };
    assert_eq!(paused["pause"]["reason"], "a fix");
    assert_eq!(machine.text("a").as_deref(), Some("changed by hand"));
    machine.ok(&["resume"]);
    let repaired = watch.wait_for("file", &["changed"]);
    assert_eq!(repaired["cause"]["reason"], "resumed");
    assert_eq!(machine.text("a").as_deref(), Some("1"));
    // A pause that expires.
    machine.ok(&["pause", &machine.file("a"), "--for", "3s"]);
    machine.write("a", "changed by hand");
    watch.wait_for("file", &["changed"]);
    assert_eq!(machine.text("a").as_deref(), Some("1"));
}

#[test]
fn a_watch_delivers_a_notification_to_a_paused_resource_when_it_is_resumed() {
    let machine = Machine::new(HANDLER);
    machine.ok(&["pause", "task.reload"]);
    let mut watch = Watching::start(&machine);
    watch.wait_for("task", &["paused"]);
    machine.ok(&["resume"]);
    watch.wait_for("task", &["changed"]);
    assert_eq!(machine.text("log").as_deref(), Some("x\n"));
}
