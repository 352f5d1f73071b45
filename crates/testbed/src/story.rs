//! The life of a resource on a real host: planned, applied, drifted, repaired, removed.

mod steps;

use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use steps::{Drift, Shown};

use super::host::{Host, Ran};

pub use steps::Story;

// Runs a story step by step, with one message for a failed step.

struct Runner<'a> {
    story: &'a Story<'a>,
    file: String,
}

impl<'a> Runner<'a> {
    fn new(story: &'a Story<'a>) -> Self {
        Self { story, file: format!("{}/story.hcl", Host::SITE) }
    }

    #[track_caller]
    fn run(&self) {
        let story = self.story;
        for (text, words) in &story.wrong {
            self.refuse(text, words);
        }
        self.converge("apply", &story.configuration);
        self.ensure_checks("apply");
        for drift in &story.drifts {
            self.drift_and_apply(drift);
        }
        if let Some(span) = story.watch {
            self.drift_and_watch(span);
        }
        for (text, check) in &story.changes {
            self.converge("change", text);
            check.iter().for_each(|check| self.check("change", check));
        }
        if let Some((text, check)) = &story.removal {
            self.converge("removal", text);
            self.check("removal", check);
        }
    }

    /// A plan reports the problem in these words, and writes nothing.
    #[track_caller]
    fn refuse(&self, text: &str, words: &str) {
        let step = format!("wrong configuration {text}");
        self.declare(text);
        let report = self.plan_without_writes(&step);
        self.ensure(report.ran.status == 1, &step, "the plan must fail (exit code 1)", &report);
        let reported = report.problems().contains(words);
        self.ensure(reported, &step, &format!("the error must say {words:?}"), &report);
    }

    /// Plans, applies, and applies again without a change.
    #[track_caller]
    fn converge(&self, step: &str, text: &str) {
        self.declare(text);
        let plan = self.plan_without_writes(step);
        self.ensure(plan.ran.status == 2, step, "the first plan must show changes (exit code 2)", &plan);
        self.apply(step);
        let again = self.uphold("apply");
        self.ensure(again.ran.status == 0, step, "the second apply must succeed", &again);
        self.ensure(again.changed() == 0, step, "the second apply must change nothing", &again);
        self.ensure_converged(step);
    }

    /// A plan shows the drift, and apply repairs it.
    #[track_caller]
    fn drift_and_apply(&self, drift: &Drift) {
        let step = format!("drift `{}`", drift.shell);
        self.check(&step, &drift.shell);
        let plan = self.plan_without_writes(&step);
        self.ensure(plan.ran.status == 2, &step, "the plan must show it (exit code 2)", &plan);
        let (shown, why) = match &drift.shown_as {
            Shown::Property(property) => (plan.names(property), format!("name the property {property:?}")),
            Shown::Created => (plan.has("create"), "create it again".to_owned()),
            Shown::Run => (plan.has("run"), "run it again".to_owned()),
        };
        self.ensure(shown, &step, &format!("the plan must {why}"), &plan);
        self.apply(&step);
        self.ensure_converged(&step);
        self.ensure_checks(&step);
    }

    /// A watch repairs each drift.
    #[track_caller]
    fn drift_and_watch(&self, span: Duration) {
        let mut watch =
            self.story.host.spawn(&["watch", "--json", "--recheck", "never", "--socket", "none", &self.file]);
        watch.await_line(r#""type":"watching""#);
        for drift in &self.story.drifts {
            let step = format!("watch, drift `{}`", drift.shell);
            self.check(&step, &drift.shell);
            // A plan checks the machine itself, independently of the watch's reports.
            let until = Instant::now() + span;
            let mut plan = self.uphold("plan");
            while plan.ran.status != 0 {
                let late =
                    format!("the watch must repair it; its output is\n{}\nand a plan prints", watch.output());
                self.ensure(Instant::now() < until, &step, &late, &plan);
                thread::sleep(Duration::from_millis(20));
                plan = self.uphold("plan");
            }
            // The state is right, but a notified restart may still be running.
            while !self.checks_pass() && Instant::now() < until {
                thread::sleep(Duration::from_millis(20));
            }
            self.ensure_checks(&step);
        }
        let (status, output) = watch.end();
        assert!(
            status == 0,
            "story {:?}: the watch ended with exit code {status}\n{output}",
            self.story.name
        );
    }

    /// An apply that must change something.
    #[track_caller]
    fn apply(&self, step: &str) {
        let report = self.uphold("apply");
        self.ensure(report.ran.status == 0, step, "apply must succeed", &report);
        self.ensure(report.changed() > 0, step, "apply must report a change", &report);
    }

    #[track_caller]
    fn ensure_converged(&self, step: &str) {
        let plan = self.plan_without_writes(step);
        self.ensure(
            plan.ran.status == 0,
            step,
            "the plan afterwards must show no change (exit code 0)",
            &plan,
        );
    }

    /// Every check of the configuration succeeds.
    #[track_caller]
    fn ensure_checks(&self, step: &str) {
        self.story.holds.iter().for_each(|shell| self.check(step, shell));
    }

    fn checks_pass(&self) -> bool {
        self.story.holds.iter().all(|shell| self.story.host.run(shell).status == 0)
    }

    /// A plan that must write nothing.
    #[track_caller]
    fn plan_without_writes(&self, step: &str) -> Report {
        let before = self.story.host.digest();
        let plan = self.uphold("plan");
        let difference = before.difference(&self.story.host.digest());
        let why = format!("a plan must write nothing, but these paths differ afterwards:{difference}");
        self.ensure(difference.is_empty(), step, &why, &plan);
        plan
    }

    fn declare(&self, text: &str) {
        self.story.host.write(&self.file, text);
    }

    fn uphold(&self, verb: &str) -> Report {
        Report::new(self.story.host.uphold(&[verb, "--json", &self.file]))
    }

    /// Runs a shell script that must succeed.
    #[track_caller]
    fn check(&self, step: &str, shell: &str) {
        let ran = self.story.host.run(shell);
        assert!(ran.status == 0, "story {:?}, {step}: this must succeed\n{ran}", self.story.name);
    }

    #[track_caller]
    fn ensure(&self, holds: bool, step: &str, expected: &str, report: &Report) {
        assert!(holds, "story {:?}, {step}: {expected}\n{}", self.story.name, report.shown());
    }
}

/// The output of one run of `uphold --json`.
#[derive(Debug)]
pub(crate) struct Report {
    /// The command and its output, for messages.
    pub(crate) ran: Ran,
    lines: Vec<Value>,
}

impl Report {
    pub(crate) fn new(ran: Ran) -> Self {
        let lines = ran.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Self { ran, lines }
    }

    /// The changes that were made, or planned.
    fn changes(&self) -> impl Iterator<Item = &Value> {
        self.lines.iter().map(|line| &line["change"]).filter(|change| change.is_object())
    }

    /// The number of changed resources, or those planned.
    pub(crate) fn changed(&self) -> usize {
        self.changes().count()
    }

    /// Whether a difference of this property is reported, or of a part of it (`labels.a`).
    pub(crate) fn names(&self, property: &str) -> bool {
        let is_meant = |name: &str| {
            let rest = name.strip_prefix(property);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let mut differences = self.changes().filter_map(|change| change["differences"].as_array()).flatten();
        differences.any(|difference| difference["property"].as_str().is_some_and(is_meant))
    }

    /// Whether a change of this kind is reported: `create`, `update`, `remove` or `run`.
    pub(crate) fn has(&self, kind: &str) -> bool {
        self.changes().any(|change| change["kind"] == kind)
    }

    /// The text of all diagnostics and failures, with causes and hints.
    pub(crate) fn problems(&self) -> String {
        let mut words = Vec::new();
        for part in self.lines.iter().flat_map(|line| [&line["diagnostic"], &line["failure"]]) {
            collect(part, &mut words);
        }
        words.push(self.ran.stderr.clone());
        words.join("\n")
    }

    /// The output in readable form.
    pub(crate) fn shown(&self) -> String {
        let messages: Vec<String> = self.lines.iter().filter_map(shown).collect();
        format!(
            "$ {}\nexit code {}\n{}\n{}",
            self.ran.command,
            self.ran.status,
            messages.join("\n"),
            self.ran.stderr
        )
    }
}

/// Collects all strings. It recurses: the depth of our own output is bounded.
fn collect(value: &Value, words: &mut Vec<String>) {
    match value {
        Value::String(text) => words.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, words)),
        _ => {}
    }
}

fn shown(line: &Value) -> Option<String> {
    let level = line["@level"].as_str().filter(|level| *level != "debug")?;
    let mut text = format!("{level}: {}", line["@message"].as_str()?);
    for part in ["change", "failure", "diagnostic"] {
        if line[part].is_object() {
            text.push_str(&format!("\n    {}", line[part]));
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(line: &str) -> Report {
        let ran = Ran { command: String::new(), status: 2, stdout: line.to_owned(), stderr: String::new() };
        Report::new(ran)
    }

    #[test]
    fn a_property_is_named_whole_or_by_a_part() {
        let check = |reported: &str, property: &str, expected: bool| {
            let line =
                format!(r#"{{"change":{{"kind":"update","differences":[{{"property":"{reported}"}}]}}}}"#);
            assert_eq!(report(&line).names(property), expected, "{reported} {property}");
        };
        check("shell", "shell", true);
        check("environment.PATH", "environment", true);
        check("groups[0]", "groups", true);
        check("shells", "shell", false);
        check("uid", "shell", false);
    }

    #[test]
    fn problems_include_causes_and_hints() {
        let report = report(r#"{"failure":{"message":"no","causes":["deep"],"hint":"do it"}}"#);
        assert!(["no", "deep", "do it"].iter().all(|word| report.problems().contains(word)));
        assert_eq!((report.changed(), report.has("create")), (0, false));
    }
}
