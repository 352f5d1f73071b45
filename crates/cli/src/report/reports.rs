//! What is shown, and what is written down.

use std::path::PathBuf;

use uphold::model::{Diagnostics, Sources};
use uphold::{Event, Program};

use super::record::Record;
use super::report_file;
use super::reporter::{Report, Scene};
use crate::error::CliError;
use crate::ui::Ui;

/// A reporter, and the record that `--report` asks for: both are told the same.
pub(crate) struct Reports {
    shown: Box<dyn Report>,
    record: Option<Record>,
}

impl Reports {
    /// A reporter alone.
    pub(crate) fn new(shown: Box<dyn Report>) -> Self {
        Self { shown, record: None }
    }

    /// Notes what happens from now on.
    pub(crate) fn record(&mut self, record: Record) {
        self.record = Some(record);
    }

    /// Writes down what was noted, if it was.
    ///
    /// # Errors
    /// If a file cannot be written. Those before it are.
    pub(crate) fn write(self, paths: &[PathBuf]) -> Result<(), CliError> {
        let Some(record) = self.record else { return Ok(()) };
        let document = record.document();
        paths.iter().try_for_each(|path| report_file::write(path, &document))
    }
}

impl Report for Reports {
    fn begin(&mut self, ui: &mut Ui) {
        self.shown.begin(ui);
    }

    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui) {
        self.shown.diagnostics(diagnostics, sources, ui);
        self.record.iter_mut().for_each(|record| record.diagnostics(diagnostics, sources));
    }

    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        self.shown.event(event, scene, ui);
        self.record.iter_mut().for_each(|record| record.event(event, scene));
    }

    fn valid(&mut self, program: &Program, ui: &mut Ui) {
        self.shown.valid(program, ui);
    }

    fn error(&mut self, error: &CliError, ui: &mut Ui) {
        self.shown.error(error, ui);
        self.record.iter_mut().for_each(|record| record.error(error));
    }
}
