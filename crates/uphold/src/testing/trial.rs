//! A test that is being run.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use uphold_config::{Console, Given, GivenValue, Origin, WrittenBlock};
use uphold_engine::{Event, EventKind, Mode, Program, Verdict};
use uphold_host::ConfigurationFiles;
use uphold_memory::{CommandLine, MemoryHost};
use uphold_model::{Code, Diagnostic, Diagnostics, Place, Severity, Sources};

use super::account::Account;
use super::after;
use super::expectation::Expectation;
use super::given;
use super::machine::{GivenFacts, facts, machine};
use super::mismatch::Mismatch;
use super::outcome::Outcome;
use super::section::{Problems, Section};
use super::state_check::{Comparison, missing_failures};
use super::test_file::{Test, TestFile};
use crate::checked::Checked;
use crate::configuration::Configuration;
use crate::engine::Engine;
use crate::rejected::Rejected;
use crate::surroundings::LocalSurroundings;

/// A test, its file, and what was found so far.
pub(super) struct Trial<'a> {
    file: &'a TestFile,
    block: &'a WrittenBlock,
    engine: &'a Engine,
    problems: Problems,
}

/// What is known before the configuration is read.
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

    /// Runs it. Whatever goes wrong is in the outcome.
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
        let reader = Configuration::reader(&self.engine.elsewhere(host.machine())).sealed();
        let reader = reader.values(setting.params.clone());
        match reader.read_into(self.file.sources(), [&setting.configuration]) {
            Ok(configuration) => self.converge(configuration, &host, &setting),
            Err(error) => self.stopped(self.file.sources(), refused(&error)),
        }
    }

    /// For what stands outside of the configuration.
    fn outside(&self) -> crate::Result<Console> {
        let files = Arc::new(ConfigurationFiles::new());
        let surroundings = LocalSurroundings::new(MemoryHost::new().into(), files)?;
        Ok(Console::outside(Arc::new(surroundings), &self.file.directory()))
    }

    fn section<'s>(&'s self, block: &'s WrittenBlock, console: &'s Console) -> Section<'s> {
        Section { block, console, problems: &self.problems }
    }

    /// What the test says, else what its file says.
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
                // Of two values for one param the first counts.
                setting.params.insert(0, Given { name, value, origin: Origin::Flag });
            }
        }
        let below = self.file.directory().join(&setting.configuration);
        // `a/.` is what people call `a`.
        setting.configuration = below.components().collect();
        if setting.configuration.as_os_str().is_empty() {
            setting.configuration = PathBuf::from(".");
        }
        setting
    }

    /// What is wrong with the test itself ends it.
    fn cannot_go_on(&self) -> Option<Outcome> {
        let problems = self.problems.take();
        (!problems.is_empty()).then(|| self.stopped(self.file.sources(), problems))
    }

    fn stopped(&self, sources: Sources, problems: Vec<Diagnostic>) -> Outcome {
        let placed =
            |problem: Diagnostic| Diagnostic { place: problem.place.or(self.block.place), ..problem };
        let mismatches = problems.into_iter().map(placed).map(Mismatch::from).collect();
        Outcome { sources, mismatches, program: None, events: Vec::new() }
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
        Outcome { sources, mismatches, program: Some(program), events }
    }

    /// What the file gives, unless the test gives something else for the same path; then what the test gives.
    fn set_up(&self, console: &Console, host: &MemoryHost) {
        let (common, own) = (self.section(&self.file.block, console), self.section(self.block, console));
        let own_paths: HashSet<&str> = own.blocks("given").flat_map(given::paths).collect();
        common.blocks("given").for_each(|block| given::set_up(block, &own_paths, host));
        own.blocks("given").for_each(|block| given::set_up(block, &HashSet::new(), host));
    }

    fn expects<'s>(&'s self, console: &'s Console) -> impl Iterator<Item = Section<'s>> {
        self.section(self.block, console).blocks("expect")
    }

    /// What is wrong if the configuration is: mistakes that were not expected, and all that cannot be so any more.
    fn refused(&self, diagnostics: Diagnostics, console: &Console) -> Vec<Diagnostic> {
        let mut expectation = Expectation::default();
        self.expects(console).for_each(|block| expectation.add_failures(block));
        let mut problems = not_valid(diagnostics, &expectation);
        if problems.is_empty() {
            let others = self.expects(console).filter_map(|block| block.other_than("failure"));
            let told = |place| {
                Diagnostic::new(Code::NothingRun, "the configuration is refused, as expected").at(place)
            };
            problems.extend(others.map(|place| told(place).fix("expect nothing but that `failure`")));
        }
        problems
    }

    /// Runs it, and once more; what is not as expected, and what happened.
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
        // What is not known to the machine is mostly why the rest is wrong, too.
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
            mismatches.extend(after::check(entry, secret, host));
        }
        mismatches.extend(not_run(expectation, &host.answered()));
        mismatches
    }

    /// A second run changes nothing.
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
            let set = program.set();
            let place = set.find(one.resource).and_then(|index| set.entry(index).declaration.place);
            mismatches.push(
                place.into_iter().fold(error, |error, place| error.and_at(place, "declared here")).into(),
            );
        }
        mismatches
    }

    fn unknown_command(&self, line: &CommandLine) -> Mismatch {
        let (what, block) = match line.is_secret {
            true => ("a command with a secret".to_owned(), "a `command` for it".to_owned()),
            false => (format!("the command {:?}", line.text), format!("`command {:?} {{}}`", line.text)),
        };
        let detail = format!("the machine of this test does not know {what}");
        let fix = format!("add {block} to `given`, with what it prints and how it ends");
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
    let diagnostic = Diagnostic::new(Code::ConfigurationNotRead, error.chain());
    vec![error.advice().into_iter().fold(diagnostic, Diagnostic::fix)]
}

/// The mistakes of a configuration that were not expected, and expected ones that are not there.
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

/// The commands that should have been run and were not.
fn not_run(expectation: &Expectation, ran: &[CommandLine]) -> Vec<Mismatch> {
    let known: HashSet<&str> = ran.iter().map(|line| &*line.text).collect();
    let normal = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let fix = match ran {
        [] => "no command of `given` was run".to_owned(),
        some => {
            let lines: Vec<String> = some.iter().map(ToString::to_string).collect();
            format!("those of `given` that were run are: {}", lines.join("; "))
        }
    };
    let missing = expectation.ran.iter().filter(|(line, _)| !known.contains(&*normal(&line.text)));
    let told = |(line, place): &(CommandLine, Place)| {
        let line = line.to_string();
        let error = Diagnostic::new(Code::CommandNotRun, format!("{line:?} was not run"));
        Mismatch::from(error.at(*place).fix(&*fix))
    };
    missing.map(told).collect()
}
