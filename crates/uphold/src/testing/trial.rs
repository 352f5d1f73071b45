//! Runs a test.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use uphold_config::{Console, Given, GivenValue, Origin, WrittenBlock};
use uphold_engine::{Event, EventKind, Mode, Program, Verdict};
use uphold_host::ConfigurationFiles;
use uphold_memory::{CommandLine, MemoryHost};
use uphold_model::{Code, Diagnostic, Diagnostics, Place, Severity, Sources};

use super::change_check::check_entry;
use super::comparison::{Account, Comparison, missing_failures, with_declaration};
use super::expectation::Expectation;
use super::machine::{GivenFacts, facts, given_paths, machine, set_up};
use super::section::{Problems, Section};
use super::test_file::{Mismatch, Outcome, Test, TestFile};
use crate::configuration::{Checked, Configuration, Rejected};
use crate::engine::Engine;
use crate::surroundings::LocalSurroundings;

/// A running test, its file, and its errors so far.
pub(super) struct Trial<'a> {
    file: &'a TestFile,
    block: &'a WrittenBlock,
    engine: &'a Engine,
    problems: Problems,
}

/// The settings of a test.
struct Setting {
    configuration: PathBuf,
    params: Vec<Given>,
    facts: GivenFacts,
    apply: bool,
    idempotent: bool,
}

impl<'a> Trial<'a> {
    pub(super) fn new(file: &'a TestFile, test: &Test, engine: &'a Engine) -> Self {
        Self { file, block: &file.block.blocks[test.number], engine, problems: Problems::default() }
    }

    /// Runs it. Errors are in the outcome.
    pub(super) fn run(self) -> Outcome {
        let outside = match self.outside() {
            Ok(outside) => outside,
            Err(error) => return self.stopped(self.file.sources(), refused(&error)),
        };
        let setting = self.setting(&outside);
        if let Some(outcome) = self.cannot_go_on() {
            return outcome;
        }
        let host = machine(&setting.facts);
        let mut reader = Configuration::reader(&self.engine.elsewhere(host.machine())).sealed();
        reader.given.clone_from(&setting.params);
        match reader.read_into(self.file.sources(), [&setting.configuration]) {
            Ok(configuration) => self.converge(configuration, &host, &setting),
            Err(error) => self.stopped(self.file.sources(), refused(&error)),
        }
    }

    /// Evaluates expressions outside the configuration.
    fn outside(&self) -> crate::Result<Console> {
        let files = Arc::new(ConfigurationFiles::new());
        let surroundings = LocalSurroundings::new(MemoryHost::new().into(), files)?;
        Ok(Console::outside(Arc::new(surroundings), &self.file.directory()))
    }

    fn section<'s>(&'s self, block: &'s WrittenBlock, console: &'s Console) -> Section<'s> {
        Section { block, console, problems: &self.problems }
    }

    /// The settings of the test, else those of its file.
    fn setting(&self, outside: &Console) -> Setting {
        let own = self.section(self.block, outside);
        let both = [self.section(&self.file.block, outside), own];
        let mut setting = Setting {
            configuration: PathBuf::from("."),
            params: Vec::new(),
            facts: GivenFacts::new(),
            apply: own.flag("apply").unwrap_or(true),
            idempotent: own.flag("idempotent").unwrap_or(true),
        };
        for section in both {
            setting.configuration =
                section.text("configuration").map_or(setting.configuration, PathBuf::from);
            if let Some((map, place)) = section.map("facts") {
                setting.facts.extend(facts(&map, place, &mut self.problems.borrow_mut()));
            }
            let (map, place) =
                section.map("params").map_or((None, None), |(map, place)| (Some(map), Some(place)));
            for (name, value) in map.into_iter().flatten() {
                let (name, value) = (name.to_string(), GivenValue::Value(value, place));
                // The first value of a param wins.
                setting.params.insert(0, Given { name, value, origin: Origin::Flag });
            }
        }
        let below = self.file.directory().join(&setting.configuration);
        // `a/.` becomes `a`.
        setting.configuration = below.components().collect();
        if setting.configuration.as_os_str().is_empty() {
            setting.configuration = PathBuf::from(".");
        }
        setting
    }

    /// Stops at errors in the test itself.
    fn cannot_go_on(&self) -> Option<Outcome> {
        let problems = self.problems.take();
        (!problems.is_empty()).then(|| self.stopped(self.file.sources(), problems))
    }

    fn stopped(&self, sources: Sources, problems: Vec<Diagnostic>) -> Outcome {
        let placed =
            |problem: Diagnostic| Diagnostic { place: problem.place.or(self.block.place), ..problem };
        let mismatches = problems.into_iter().map(placed).map(Mismatch::from).collect();
        Outcome { sources, mismatches, untested: None, program: None, events: Vec::new() }
    }

    /// Checks the configuration and runs it.
    fn converge(&self, configuration: Configuration, host: &MemoryHost, setting: &Setting) -> Outcome {
        let console = configuration.console.clone();
        self.set_up(&console, host);
        let checked = match configuration.check() {
            Ok(checked) => checked,
            Err(Rejected { diagnostics, sources }) => {
                let problems = self.refused(diagnostics, &console);
                return self.stopped(sources, problems);
            }
        };
        let mut expectation = Expectation::default();
        self.expects(&console).for_each(|block| expectation.add(block));
        let problems = self.problems.take();
        if !problems.is_empty() {
            return self.stopped(checked.sources, problems);
        }
        let (mismatches, events) = self.observe(&checked, &expectation, setting, host);
        let Checked { program, sources, .. } = checked;
        Outcome { sources, mismatches, untested: None, program: Some(program), events }
    }

    /// Sets up the machine by the file's `given`, then the test's, which overrides the same paths.
    fn set_up(&self, console: &Console, host: &MemoryHost) {
        let (common, own) = (self.section(&self.file.block, console), self.section(self.block, console));
        let own_paths: HashSet<&str> = own.blocks("given").flat_map(given_paths).collect();
        common.blocks("given").for_each(|block| set_up(block, &own_paths, host));
        own.blocks("given").for_each(|block| set_up(block, &HashSet::new(), host));
        let mut given = common.blocks("given").chain(own.blocks("given"));
        if given.any(|block| ["user", "group"].iter().any(|word| block.blocks(word).next().is_some())) {
            // A path of `given` that is in the way was reported.
            _ = host.furnish_account_files();
        }
    }

    fn expects<'s>(&'s self, console: &'s Console) -> impl Iterator<Item = Section<'s>> {
        self.section(self.block, console).blocks("expect")
    }

    /// The errors of an invalid configuration: unexpected ones, and expectations that need a run.
    fn refused(&self, diagnostics: Diagnostics, console: &Console) -> Vec<Diagnostic> {
        let mut expectation = Expectation::default();
        self.expects(console).for_each(|block| expectation.add_failures(block));
        let mut problems = not_valid(diagnostics, &expectation);
        if problems.is_empty() {
            let others = self.expects(console).filter_map(|block| block.other_than("failure"));
            let error = |place| {
                Diagnostic::new(Code::NothingRun, "the configuration is rejected, as expected").at(place)
            };
            problems.extend(others.map(|place| error(place).fix("expect only that `failure`")));
        }
        problems
    }

    /// Runs it twice; the unmet expectations and the events.
    fn observe(
        &self,
        checked: &Checked,
        expectation: &Expectation,
        setting: &Setting,
        host: &MemoryHost,
    ) -> (Vec<Mismatch>, Vec<Event>) {
        let program = checked.program();
        let mut events = play(checked, if setting.apply { Mode::Apply } else { Mode::Plan });
        let mut mismatches = self.compare(expectation, program, &events, host);
        if setting.apply && setting.idempotent && !expectation.fails() && mismatches.is_empty() {
            let second = play(checked, Mode::Apply);
            mismatches = self.again(program, &second);
            if !mismatches.is_empty() {
                events = second;
            }
        }
        // An unknown command is mostly the cause of the other errors.
        let unknown = host.unanswered();
        let unknown = unknown.iter().map(|line| self.unknown_command(line));
        (unknown.chain(mismatches).collect(), events)
    }

    fn compare(
        &self,
        expectation: &Expectation,
        program: &Program,
        events: &[Event],
        host: &MemoryHost,
    ) -> Vec<Mismatch> {
        let account = Account::new(events);
        let (place, mismatches) = (self.block.place, Vec::new());
        let mut comparison = Comparison { expectation, program, account: &account, place, mismatches };
        comparison.failures();
        comparison.changes();
        comparison.fates();
        comparison.outputs();
        let mut mismatches = comparison.mismatches;
        let secrets = account.secrets();
        for entry in &expectation.entries {
            let secret = entry.path.to_str().is_none_or(|path| secrets.may_be_at(path));
            mismatches.extend(check_entry(entry, secret, host));
        }
        mismatches.extend(not_run(expectation, &host.answered()));
        mismatches
    }

    /// Checks that a second run changes nothing.
    fn again(&self, program: &Program, events: &[Event]) -> Vec<Mismatch> {
        let account = Account::new(events);
        let mut mismatches = Vec::new();
        for one in account.all() {
            if !matches!(one.verdict, Verdict::Changed(_) | Verdict::Failed(_)) {
                continue;
            }
            let detail = format!("{} {} on the second run", one.resource, one.words());
            let fix = "fix the resource, or set `idempotent = false` in the test";
            let error = Diagnostic::new(Code::NotIdempotent, detail).at(self.block.place).fix(fix);
            mismatches.push(with_declaration(program, one.resource, error).into());
        }
        mismatches
    }

    fn unknown_command(&self, line: &CommandLine) -> Mismatch {
        let (what, block) = if line.is_secret {
            ("a command with a secret".to_owned(), "a `command` for it".to_owned())
        } else {
            (format!("the command {:?}", line.text), format!("`command {:?} {{}}`", line.text))
        };
        let detail = format!("the machine of this test does not know {what}");
        let fix = format!("add {block} to `given`, with its output and exit status");
        Diagnostic::new(Code::UnknownCommand, detail).at(self.block.place).fix(fix).into()
    }
}

fn play(checked: &Checked, mode: Mode) -> Vec<Event> {
    let mut events = Vec::new();
    checked.run(mode, &mut |event| {
        if matches!(
            event.kind,
            EventKind::Finished { .. } | EventKind::Output { .. } | EventKind::Message { .. }
        ) {
            events.push(event.clone());
        }
    });
    events
}

fn refused(error: &crate::Error) -> Vec<Diagnostic> {
    let fix = "a test is for the configuration in its own directory; name another one in the test: `configuration = \
               \"../site\"`";
    vec![Diagnostic::new(Code::ConfigurationNotRead, error.chain()).fix(fix)]
}

/// The unexpected errors of a configuration, and the missing expected ones.
fn not_valid(diagnostics: Diagnostics, expectation: &Expectation) -> Vec<Diagnostic> {
    let is_error = |problem: &Diagnostic| problem.severity() == Severity::Error;
    let errors: Vec<Diagnostic> = diagnostics.into_iter().filter(is_error).collect();
    let text = |problem: &Diagnostic| format!("{}: {}", problem.summary(), problem.detail);
    let texts: Vec<String> = errors.iter().map(text).collect();
    let is_expected = |problem: &Diagnostic| {
        let text = text(problem);
        expectation.failures.iter().any(|(part, _)| text.contains(part))
    };
    let missing = missing_failures(expectation, &texts);
    errors.into_iter().filter(|problem| !is_expected(problem)).chain(missing).collect()
}

/// The expected commands that did not run.
fn not_run(expectation: &Expectation, ran: &[CommandLine]) -> Vec<Mismatch> {
    let known: HashSet<&str> = ran.iter().map(|line| &*line.text).collect();
    let normal = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let fix = match ran {
        [] => "no command of `given` was run".to_owned(),
        some => {
            let lines: Vec<String> = some.iter().map(ToString::to_string).collect();
            format!("the commands of `given` that ran are: {}", lines.join("; "))
        }
    };
    let missing = expectation.ran.iter().filter(|(line, _)| !known.contains(&*normal(&line.text)));
    let error = |(line, place): &(CommandLine, Place)| {
        let line = line.to_string();
        let error = Diagnostic::new(Code::CommandNotRun, format!("{line:?} was not run"));
        Mismatch::from(error.at(*place).fix(&*fix))
    };
    missing.map(error).collect()
}
