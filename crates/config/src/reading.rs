//! Reading: sources in, statements and diagnostics out.

use std::sync::Arc;

use uphold_model::{Diagnostic, Diagnostics, SourceId, Sources, Statement};

use crate::lower::Lowering;
use crate::names::Names;
use crate::parser::Parser;

/// What was read.
#[derive(Debug)]
pub struct Reading {
    /// What the configuration says, in written order. With errors, this is what could be understood: a value that
    /// could not be read is there as an unknown one, so that it makes no second error.
    pub statements: Vec<Statement>,
    /// All that is wrong with it, in written order. Nothing may be applied if there are errors.
    pub diagnostics: Diagnostics,
}

/// Reads these sources as one configuration.
///
/// Takes time and memory linear in the text, and never fails: whatever is wrong is in the diagnostics, with its
/// place. Strings are copied once.
pub fn read(sources: &Sources, ids: &[SourceId]) -> Reading {
    let mut names = Names::default();
    let mut reading = Reading { statements: Vec::new(), diagnostics: Diagnostics::default() };
    for &id in ids {
        read_one(sources, id, &mut names, &mut reading);
    }
    reading
}

fn read_one<'t>(sources: &'t Sources, source: SourceId, names: &mut Names<'t>, reading: &mut Reading) {
    let text: &'t str = &sources.get(source).text;
    if u32::try_from(text.len()).is_err() {
        let error = Diagnostic::error("source too large", "a source must be smaller than 4 GiB");
        return reading.diagnostics.push(error.fix("split it into several files"));
    }
    let (tree, mut problems) = Parser::new(text, source, names).parse();
    let statements = &mut reading.statements;
    Lowering { text, source, tree: Arc::new(tree), statements, problems: &mut problems }.run();
    reading.diagnostics.extend(in_order(problems));
}

/// By place, and not too many.
fn in_order(mut problems: Vec<Diagnostic>) -> Diagnostics {
    problems.sort_by_key(|problem| problem.place.map(|place| place.start));
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(problems);
    diagnostics.cap();
    diagnostics
}
