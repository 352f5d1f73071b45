//! How tests went, for people and, as lines of JSON, for programs.

use std::time::SystemTime;

use uphold::model::Diagnostics;
use uphold::resource::Clock;
use uphold::testing::{Mismatch, TestFile};
use uphold::{EventKind, Lines, LocalHost};
use uphold_wire::Format;
use uphold_wire::stream::{Level, Line};
use uphold_wire::test_report::{Test, TestEvent, TestReport};

use super::document;
use super::result::{Tally, TestResult};
use crate::diagnostics;
use crate::error::CliError;
use crate::paint::{Paint, clean};
use crate::report::{Course, Finish, Scene, TextChange, To, span, wire};
use crate::session::Session;
use crate::ui::Ui;

/// Tells about tests, in the order in which they are written.
pub(crate) struct Telling {
    json: bool,
    quiet: bool,
    verbose: bool,
    /// The file whose tests are told.
    file: String,
    /// Whether the last line is empty.
    gap: bool,
}

impl Telling {
    /// As the flags ask.
    pub(crate) fn new(session: &mut Session) -> Self {
        let flags = &session.flags;
        let telling = Self {
            json: flags.json,
            quiet: flags.quiet,
            verbose: flags.verbose,
            file: String::new(),
            gap: false,
        };
        if telling.json {
            let version = env!("CARGO_PKG_VERSION");
            let told = TestEvent::Version { format_version: TestReport::VERSION, uphold: version.into() };
            session.ui.json_line(&line(Level::Info, &format!("Uphold {version}"), told));
        }
        telling
    }

    /// A file has mistakes.
    pub(crate) fn mistakes(&mut self, file: &TestFile, found: &Diagnostics, session: &mut Session) {
        let sources = file.sources();
        if !self.json {
            return diagnostics::show_each(found, &sources, !self.quiet, &mut session.ui);
        }
        for diagnostic in document::mistakes(found, &sources) {
            let message = format!("{}: {}", diagnostic.summary, diagnostic.detail);
            session.ui.json_line(&line(Level::Error, &message, TestEvent::Diagnostic { diagnostic }));
        }
    }

    /// A test was run.
    pub(crate) fn result(&mut self, result: &TestResult<'_>, test: &Test, session: &mut Session) {
        if self.json {
            let level = if test.passed { Level::Info } else { Level::Error };
            let message = format!("{}: {}", test.test, if test.passed { "passed" } else { "failed" });
            let told = TestEvent::TestFinished(test.clone());
            return session.ui.json_line(&line(level, &message, told));
        }
        let text = self.text(result, &session.ui);
        session.ui.data(text);
        session.ui.flush();
    }

    fn text(&mut self, result: &TestResult<'_>, ui: &Ui) -> String {
        let (paint, passed) = (Paint::new(ui.is_data_coloured()), result.outcome.passed());
        if passed && self.quiet {
            return String::new();
        }
        let mut text = String::new();
        if self.file != result.file.name() {
            self.file = result.file.name().to_owned();
            text += &format!("{}\n", paint.strong(clean(&self.file)));
        }
        let name = clean(&result.test.name);
        text += &match passed {
            true => format!("  {}    {name}{}\n", paint.added("ok"), self.took(result, paint)),
            false => format!("  {}  {name}{}\n", paint.error("FAIL"), self.took(result, paint)),
        };
        if !passed {
            let mut lines = Lines::new(&result.outcome.sources);
            for mismatch in &result.outcome.mismatches {
                text += &format!("\n{}", self.mismatch(mismatch, &mut lines, paint));
            }
        }
        self.gap = !passed || self.verbose;
        if self.gap {
            text += &self.course(result, ui);
        }
        text
    }

    fn took(&self, result: &TestResult<'_>, paint: Paint) -> String {
        match self.verbose {
            true => format!("   {}", paint.faint(format_args!("({})", span::words(result.took)))),
            false => String::new(),
        }
    }

    fn mismatch(&self, mismatch: &Mismatch, lines: &mut Lines<'_>, paint: Paint) -> String {
        let mut text = uphold::render(&mismatch.diagnostic, lines, paint.is_on()) + "\n";
        if let Some((expected, found)) = &mismatch.texts {
            let about = match expected.is_empty() {
                true => "found:".to_owned(),
                false => format!("{}, {}:", paint.removed("- expected"), paint.added("+ found")),
            };
            let change = TextChange { paint, verbose: self.verbose };
            text += &format!("      {about}\n{}", change.lines(expected, found));
        }
        text
    }

    /// What the run did.
    fn course(&self, result: &TestResult<'_>, ui: &Ui) -> String {
        let Some(program) = &result.outcome.program else { return "\n".to_owned() };
        let mut scene = Scene::new(program, &result.outcome.sources);
        let mut text = String::new();
        for event in &result.outcome.events {
            let EventKind::Finished { resource, action, cause, verdict, .. } = &event.kind else { continue };
            let course = Course::default();
            let finish = Finish { resource, action, cause, verdict, took: None, course: &course };
            match finish.shown(false, self.verbose, &mut scene, ui) {
                To::Data(shown) | To::Talk(shown) => text += &shown,
                To::Nowhere => {}
            }
        }
        let indented: String = text.lines().map(|line| format!("    {line}\n")).collect();
        match indented.is_empty() {
            true => "\n      The run changed nothing.\n\n".to_owned(),
            false => format!("\n      The run:\n{indented}\n"),
        }
    }

    /// All were run.
    pub(crate) fn end(&self, tally: &Tally, session: &mut Session) {
        if self.json {
            let error = !tally.is_success();
            let level = if error { Level::Error } else { Level::Info };
            let told = TestEvent::TestsFinished { summary: document::summary(tally), error };
            session.ui.json_line(&line(level, &tally.sentence(), told));
        } else if !self.quiet {
            let gap = if self.gap { "" } else { "\n" };
            session.ui.data(format_args!("{gap}{}\n", tally.sentence()));
        }
    }
}

/// No test was run, or no report was written, because of this: for programs.
pub(crate) fn refuse(error: &CliError, session: &mut Session) {
    let told = TestEvent::Diagnostic { diagnostic: wire::error(error) };
    session.ui.json_line(&line(Level::Error, &error.message, told));
    let told = TestEvent::TestsFinished { summary: document::summary(&Tally::default()), error: true };
    session.ui.json_line(&line(Level::Error, &error.message, told));
}

fn line(level: Level, message: &str, event: TestEvent) -> Line<TestEvent> {
    let now: SystemTime = LocalHost::new().now();
    Line { level, message: message.to_owned(), timestamp: wire::timestamp(now), event }
}
