//! Test files, and the outcome of their tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_config::{WrittenBlock, read_blocks};
use uphold_engine::{Event, Program};
use uphold_model::{Code, Diagnostic, Diagnostics, Place, Sources};

#[cfg(feature = "luau")]
use super::laws::KindLaws;
use super::shape::FILE;
use super::trial::Trial;
use crate::engine::Engine;

/// A test file.
pub struct TestFile {
    name: String,
    text: String,
    /// Its common settings and its tests.
    pub(super) block: WrittenBlock,
    tests: Vec<Test>,
    /// The kind whose laws are the tests.
    #[cfg(feature = "luau")]
    laws: Option<KindLaws>,
    /// Other sources of its diagnostics, in order.
    more: Vec<(String, String)>,
}

/// A test.
pub struct Test {
    /// Its name.
    pub name: String,
    /// Its location, in the first source of its outcome.
    pub place: Option<Place>,
    /// The index of its block in the file.
    pub(super) number: usize,
}

impl TestFile {
    /// Reads tests, with all errors in the file. `name` is its path.
    pub fn read(name: impl Into<String>, text: impl Into<String>) -> (Self, Diagnostics) {
        let mut file = Self::new(name.into(), text.into());
        let sources = file.sources();
        let (block, mut diagnostics) = read_blocks(&sources, uphold_model::SourceId::FIRST);
        let mut problems = Vec::new();
        FILE.check(&block, &mut problems);
        file.tests = tests(&block, &mut problems);
        file.block = block;
        diagnostics.extend(problems);
        (file, diagnostics)
    }

    fn new(name: String, text: String) -> Self {
        Self {
            name,
            text,
            block: WrittenBlock::default(),
            tests: Vec::new(),
            #[cfg(feature = "luau")]
            laws: None,
            more: Vec::new(),
        }
    }

    /// The laws of kinds as tests of the kind that a script defines, with all errors in the scripts beside it.
    #[cfg(feature = "luau")]
    pub fn laws(name: impl Into<String>, engine: &Engine) -> (Self, Diagnostics) {
        let mut file = Self::new(name.into(), String::new());
        let (laws, diagnostics, sources) = KindLaws::read(&file.name, engine);
        file.more = sources.iter().map(|source| (source.name.clone(), source.text.to_string())).collect();
        if laws.is_some() {
            file.tests = KindLaws::tests();
        }
        file.laws = laws;
        (file, diagnostics)
    }

    /// Its path, as given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tests, in source order.
    pub fn tests(&self) -> &[Test] {
        &self.tests
    }

    /// The sources of its diagnostics: mostly the file alone.
    pub fn sources(&self) -> Sources {
        let mut sources = Sources::default();
        if self.more.is_empty() {
            sources.add(self.name.as_str(), self.text.as_str());
        }
        self.more.iter().for_each(|(name, text)| _ = sources.add(name.as_str(), text.as_str()));
        sources
    }

    /// Runs a test on a machine in memory, with the kinds of `engine`. Only the configuration is read from the disk.
    pub fn run(&self, test: &Test, engine: &Engine) -> Outcome {
        #[cfg(feature = "luau")]
        if let Some(laws) = &self.laws {
            return laws.run(&self.name, test, self.sources());
        }
        Trial::new(self, test, engine).run()
    }

    pub(super) fn directory(&self) -> PathBuf {
        Path::new(&self.name).parent().unwrap_or(Path::new("")).to_owned()
    }
}

fn tests(file: &WrittenBlock, problems: &mut Vec<Diagnostic>) -> Vec<Test> {
    let mut names: BTreeMap<&str, Option<Place>> = BTreeMap::new();
    let mut tests = Vec::new();
    for (number, block) in file.blocks.iter().enumerate().filter(|(_, block)| block.word == "test") {
        let Some(name) = block.labels.first() else { continue };
        if let Some(first) = names.insert(name, block.place) {
            let error =
                Diagnostic::new(Code::DuplicateDefinition, format!("two tests have the name {name:?}"));
            let error = error.at(block.place);
            let error =
                first.into_iter().fold(error, |error, first| error.and_at(first, "first defined here"));
            problems.push(error.fix("give one of them another name"));
        }
        tests.push(Test { name: name.clone(), place: block.place, number });
    }
    tests
}

/// An expectation that was not met, or an error in the test or its configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// The error, with the location of the expectation.
    pub diagnostic: Diagnostic,
    /// The expected and the actual text.
    pub texts: Option<(String, String)>,
}

impl From<Diagnostic> for Mismatch {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, texts: None }
    }
}

/// The outcome of a test.
pub struct Outcome {
    /// The test file, then the configuration.
    pub sources: Sources,
    /// The errors, in order; empty if the test passed.
    pub mismatches: Vec<Mismatch>,
    /// Why a law passed without a test.
    pub untested: Option<&'static str>,
    /// The program, if the configuration is valid.
    pub program: Option<Arc<Program>>,
    /// The events of the run that was compared.
    pub events: Vec<Event>,
}

impl Outcome {
    /// Whether the test passed.
    pub fn passed(&self) -> bool {
        self.mismatches.is_empty()
    }
}
