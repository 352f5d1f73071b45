//! The laws of kinds as tests of a kind in Luau.

use std::path::Path;

use uphold_memory::{Answer, Fixture, MemoryHost};
use uphold_model::{Code, Diagnostic, Diagnostics, Name, Sources, Value};
use uphold_resource::{Registry, intern_str};
use uphold_script::{LawSetup, law_setup};
use uphold_testkit::laws::{Broken, NAMED, untested};
use uphold_testkit::{Subject, Wish};

use super::machine::{GivenFacts, machine};
use super::test_file::{Mismatch, Outcome, Test};
use crate::configuration::Configuration;
use crate::engine::Engine;
use crate::kind_files::KindReading;

/// The kind of a script, and what its laws are tested with.
pub(super) struct KindLaws {
    kind: String,
    kinds: Registry,
    setup: LawSetup,
}

impl KindLaws {
    /// Reads the kind that a file defines, with the kinds beside it. The sources are those of the diagnostics.
    pub(super) fn read(file: &str, engine: &Engine) -> (Option<Self>, Diagnostics, Sources) {
        let path = Path::new(file);
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = directory.unwrap_or(Path::new("."));
        let reading = Configuration::reader(&engine.with_kinds_in(directory)).read_kinds([] as [&str; 0]);
        let KindReading { kinds, sources, mut diagnostics } = reading;
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if diagnostics.has_errors() {
            return (None, diagnostics, sources);
        }
        let name = directory.join(path.file_name().unwrap_or_default()).display().to_string();
        match law_setup(&name).and_then(|setup| check(&setup).map(|()| setup)) {
            Ok(setup) => (Some(Self { kind: stem.to_owned(), kinds, setup }), diagnostics, sources),
            Err(error) => {
                let diagnostic = Diagnostic::new(Code::MalformedTest, error);
                diagnostics.push(diagnostic.fix("see docs/scripting.md, section Testing"));
                (None, diagnostics, sources)
            }
        }
    }

    /// A test for each law.
    pub(super) fn tests() -> Vec<Test> {
        let test =
            |(number, (name, _)): (usize, &(&str, _))| Test { name: (*name).to_owned(), place: None, number };
        NAMED.iter().enumerate().map(test).collect()
    }

    /// Tests a law.
    pub(super) fn run(&self, file: &str, test: &Test, sources: Sources) -> Outcome {
        let (name, law) = NAMED[test.number];
        let subject = self.subject();
        let broken = law(&subject).err();
        let untested = if broken.is_none() { untested(name, &subject) } else { None };
        let mismatches = broken.map(|broken| mismatch(file, &broken)).into_iter().collect();
        Outcome { sources, mismatches, untested, program: None, events: Vec::new() }
    }

    fn subject(&self) -> Subject {
        let LawSetup { directories, files, users, groups, commands, .. } = &self.setup;
        let (directories, files, users) = (directories.clone(), files.clone(), users.clone());
        let (groups, commands) = (groups.clone(), commands.clone());
        let kinds = self.kinds.clone();
        let subject = Subject::among(&self.kinds, &self.kind).world(move |_| {
            let host = machine(&GivenFacts::new()).kinds(&kinds);
            let host = (1000..).zip(&users).fold(host, |host, (uid, name)| host.user(name, uid));
            let host = (2000..).zip(&groups).fold(host, |host, (gid, name)| host.group(name, gid));
            // `check` has tried all of them.
            let fixtures = fixtures(&directories, &files);
            fixtures.for_each(|(path, what, mode)| _ = host.furnish(path, what, mode, 0, 0));
            for (line, output) in &commands {
                let stdout = output.clone().into_bytes();
                host.answer(line, Answer { does: None, status: Some(0), stdout, stderr: Vec::new() });
            }
            host
        });
        let wish = |subject: Subject, (label, values): &(String, Vec<(Name, Value)>)| {
            let set = |wish: Wish, (name, value): &(Name, Value)| wish.set(name, value.clone());
            subject.wish(values.iter().fold(Wish::named(label.as_str()), set))
        };
        let subject = self.setup.examples.iter().fold(subject, wish);
        let subject = self.setup.side_effects.iter().fold(subject, Subject::side_effect);
        self.setup.unreadable.iter().fold(subject, |subject, name| subject.unreadable(intern_str(name)))
    }
}

fn fixtures<'a>(
    directories: &'a [String],
    files: &'a [(String, String)],
) -> impl Iterator<Item = (&'a Path, Fixture, u32)> {
    let directories = directories.iter().map(|path| (Path::new(path), Fixture::Directory, 0o755));
    let file = |(path, text): &'a (String, String)| {
        (Path::new(path.as_str()), Fixture::File(text.clone().into_bytes()), 0o644)
    };
    directories.chain(files.iter().map(file))
}

/// Sets up the files of the machine once.
fn check(setup: &LawSetup) -> Result<(), String> {
    let host: MemoryHost = machine(&GivenFacts::new());
    for (path, what, mode) in fixtures(&setup.directories, &setup.files) {
        host.furnish(path, what, mode, 0, 0).map_err(|error| format!("laws.given: {}", error.chain()))?;
    }
    Ok(())
}

/// A broken law, with the block that breaks it and the command that tests it again.
fn mismatch(file: &str, broken: &Broken) -> Mismatch {
    let Broken { law, wish, why } = broken;
    let detail = format!("the law `{law}` is broken by {wish}\n{why}");
    let again = format!("to test it again: uphold test --laws {file} --filter {law}");
    Mismatch::from(Diagnostic::new(Code::WrongOutcome, detail).fix(again))
}
