//! Files of tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use uphold_config::{WrittenBlock, read_blocks};
use uphold_model::{Code, Diagnostic, Diagnostics, Place, Sources};

use super::outcome::Outcome;
use super::shape::FILE;
use super::trial::Trial;
use crate::engine::Engine;

/// A file of tests.
pub struct TestFile {
    name: String,
    text: String,
    /// What holds for all of its tests, and the tests.
    pub(super) block: WrittenBlock,
    tests: Vec<Test>,
}

/// A test that was read.
pub struct Test {
    /// What it shows.
    pub name: String,
    /// Where it is written, in the first source of its outcome.
    pub place: Option<Place>,
    /// Which of the blocks of its file it is.
    pub(super) number: usize,
}

impl TestFile {
    /// Reads tests, and all that is wrong with how they are written. `name` is the path of the file, as it is reached.
    pub fn read(name: impl Into<String>, text: impl Into<String>) -> (Self, Diagnostics) {
        let mut file =
            Self { name: name.into(), text: text.into(), block: WrittenBlock::default(), tests: Vec::new() };
        let sources = file.sources();
        let (block, mut diagnostics) = read_blocks(&sources, uphold_model::SourceId::FIRST);
        let mut problems = Vec::new();
        FILE.check(&block, &mut problems);
        file.tests = tests(&block, &mut problems);
        file.block = block;
        diagnostics.extend(problems);
        (file, diagnostics)
    }

    /// Its path, as it was reached.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tests, in written order.
    pub fn tests(&self) -> &[Test] {
        &self.tests
    }

    /// The file as a source: the first, and so far the only one.
    pub fn sources(&self) -> Sources {
        let mut sources = Sources::default();
        sources.add(self.name.as_str(), self.text.as_str());
        sources
    }

    /// Runs a test on a machine of its own in memory, with the kinds of `engine`. Reads the configuration from the disk,
    /// and touches nothing else.
    pub fn run(&self, test: &Test, engine: &Engine) -> Outcome {
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
            let error = Diagnostic::new(Code::DuplicateDefinition, format!("there are two tests {name:?}"));
            let error = error.at(block.place);
            let error = first.into_iter().fold(error, |error, first| error.and_at(first, "the first one"));
            problems.push(error.fix("give one of them another name"));
        }
        tests.push(Test { name: name.clone(), place: block.place, number });
    }
    tests
}
