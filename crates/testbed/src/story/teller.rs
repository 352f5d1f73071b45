//! How a story is told: step by step, with one message if a step is not as it has to be.

use std::thread;
use std::time::{Duration, Instant};

use super::course::{Drift, Shown, Story};
use super::report::Report;
use crate::host::Host;

pub(super) struct Teller<'a> {
    story: &'a Story<'a>,
    file: String,
}

impl<'a> Teller<'a> {
    pub(super) fn new(story: &'a Story<'a>) -> Self {
        Self { story, file: format!("{}/story.hcl", Host::SITE) }
    }

    #[track_caller]
    pub(super) fn tell(&self) {
        let story = self.story;
        for (text, words) in &story.wrong {
            self.refuse(text, words);
        }
        self.converge("apply", &story.configuration);
        self.ensure_held("apply");
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

    /// What is wrong is told by a plan, in these words, and nothing is touched.
    #[track_caller]
    fn refuse(&self, text: &str, words: &str) {
        let step = format!("wrong configuration {text}");
        self.declare(text);
        let report = self.untouched(&step);
        self.ensure(report.ran.status == 1, &step, "the plan must fail (exit code 1)", &report);
        let told = report.complaints().contains(words);
        self.ensure(told, &step, &format!("the error must say {words:?}"), &report);
    }

    /// A configuration that changes something once: planned, applied, applied again.
    #[track_caller]
    fn converge(&self, step: &str, text: &str) {
        self.declare(text);
        let plan = self.untouched(step);
        self.ensure(plan.ran.status == 2, step, "the first plan must tell changes (exit code 2)", &plan);
        self.apply(step);
        let again = self.uphold("apply");
        self.ensure(again.ran.status == 0, step, "the second apply must succeed", &again);
        self.ensure(again.changed() == 0, step, "the second apply must change nothing", &again);
        self.ensure_settled(step);
    }

    /// What somebody did by hand is told by a plan, and repaired by apply.
    #[track_caller]
    fn drift_and_apply(&self, drift: &Drift) {
        let step = format!("drift `{}`", drift.shell);
        self.check(&step, &drift.shell);
        let plan = self.untouched(&step);
        self.ensure(plan.ran.status == 2, &step, "the plan must tell it (exit code 2)", &plan);
        let (told, why) = match &drift.shown_as {
            Shown::Property(property) => (plan.names(property), format!("name the property {property:?}")),
            Shown::Created => (plan.has("create"), "make it again".to_owned()),
            Shown::Run => (plan.has("run"), "run it again".to_owned()),
        };
        self.ensure(told, &step, &format!("the plan must {why}"), &plan);
        self.apply(&step);
        self.ensure_settled(&step);
        self.ensure_held(&step);
    }

    /// What somebody does by hand is repaired by a watch.
    #[track_caller]
    fn drift_and_watch(&self, span: Duration) {
        let mut watch =
            self.story.host.spawn(&["watch", "--json", "--recheck", "never", "--socket", "none", &self.file]);
        watch.await_line(r#""type":"watching""#);
        for drift in &self.story.drifts {
            let step = format!("watch, drift `{}`", drift.shell);
            self.check(&step, &drift.shell);
            // A plan looks from outside: it is the same whether the watch tells of its repair or not.
            let until = Instant::now() + span;
            let mut plan = self.uphold("plan");
            while plan.ran.status != 0 {
                let late = format!("the watch must repair it; it said\n{}\nand a plan says", watch.said());
                self.ensure(Instant::now() < until, &step, &late, &plan);
                thread::sleep(Duration::from_millis(20));
                plan = self.uphold("plan");
            }
            // The state is right, but a notified restart may still run: what holds is awaited, too.
            while !self.is_held() && Instant::now() < until {
                thread::sleep(Duration::from_millis(20));
            }
            self.ensure_held(&step);
        }
        let (status, said) = watch.end();
        assert!(status == 0, "story {:?}: the watch ended with exit code {status}\n{said}", self.story.name);
    }

    /// An apply that must change something.
    #[track_caller]
    fn apply(&self, step: &str) {
        let report = self.uphold("apply");
        self.ensure(report.ran.status == 0, step, "apply must succeed", &report);
        self.ensure(report.changed() > 0, step, "apply must tell a change", &report);
    }

    #[track_caller]
    fn ensure_settled(&self, step: &str) {
        let plan = self.untouched(step);
        self.ensure(plan.ran.status == 0, step, "the plan afterwards must tell nothing (exit code 0)", &plan);
    }

    /// What is to be so whenever the host is as declared.
    #[track_caller]
    fn ensure_held(&self, step: &str) {
        self.story.holds.iter().for_each(|shell| self.check(step, shell));
    }

    fn is_held(&self) -> bool {
        self.story.holds.iter().all(|shell| self.story.host.run(shell).status == 0)
    }

    /// A plan that must touch nothing.
    #[track_caller]
    fn untouched(&self, step: &str) -> Report {
        let before = self.story.host.digest();
        let plan = self.uphold("plan");
        let difference = before.difference(&self.story.host.digest());
        let why = format!("a plan must touch nothing, but these differ afterwards:{difference}");
        self.ensure(difference.is_empty(), step, &why, &plan);
        plan
    }

    fn declare(&self, text: &str) {
        self.story.host.write(&self.file, text);
    }

    fn uphold(&self, verb: &str) -> Report {
        Report::new(self.story.host.uphold(&[verb, "--json", &self.file]))
    }

    /// A text of the shell that must succeed.
    #[track_caller]
    fn check(&self, step: &str, shell: &str) {
        let ran = self.story.host.run(shell);
        assert!(ran.status == 0, "story {:?}, {step}: this must succeed\n{ran}", self.story.name);
    }

    #[track_caller]
    fn ensure(&self, well: bool, step: &str, expected: &str, report: &Report) {
        assert!(well, "story {:?}, {step}: {expected}\n{}", self.story.name, report.shown());
    }
}
