//! Runs a story step by step, with one message for a failed step.

use std::thread;
use std::time::{Duration, Instant};

use super::report::Report;
use super::steps::{Drift, Shown, Story};
use crate::host::Host;

pub(super) struct Runner<'a> {
    story: &'a Story<'a>,
    file: String,
}

impl<'a> Runner<'a> {
    pub(super) fn new(story: &'a Story<'a>) -> Self {
        Self { story, file: format!("{}/story.hcl", Host::SITE) }
    }

    #[track_caller]
    pub(super) fn run(&self) {
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
