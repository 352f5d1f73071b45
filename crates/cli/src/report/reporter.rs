//! What a reporter is told.

use uphold::model::{Diagnostics, Place, ResourceId, Sources};
use uphold::{Event, Program};

use crate::error::CliError;
use crate::lines::Lines;
use crate::ui::Ui;

/// Tells the user what happens. Called in the order in which it happens.
pub(crate) trait Report: Send {
    /// The command begins.
    fn begin(&mut self, ui: &mut Ui);

    /// The configuration was read and checked; without errors among these the run goes on.
    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui);

    /// Something happened in the run.
    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui);

    /// The configuration is sound, and nothing else was asked.
    fn valid(&mut self, program: &Program, ui: &mut Ui);

    /// There is no run, because of errors that `diagnostics` told.
    fn refused(&mut self, ui: &mut Ui);

    /// There is no run, because of this.
    fn error(&mut self, error: &CliError, ui: &mut Ui);
}

/// What a run is about.
pub(crate) struct Scene<'a> {
    program: &'a Program,
    lines: Lines<'a>,
}

impl<'a> Scene<'a> {
    /// This program, written in these texts.
    pub(crate) fn new(program: &'a Program, sources: &'a Sources) -> Self {
        Self { program, lines: Lines::new(sources) }
    }

    /// Where a resource was declared, if it was written anywhere.
    pub(crate) fn place(&self, resource: &ResourceId) -> Option<Place> {
        let set = self.program.set();
        set.entry(set.find(resource)?).declaration.place
    }

    /// The same as `name:line:column`.
    pub(crate) fn written_at(&mut self, resource: &ResourceId) -> Option<String> {
        let place = self.place(resource)?;
        Some(self.lines.describe(place))
    }

    /// The lines of the texts.
    pub(crate) fn lines(&mut self) -> &mut Lines<'a> {
        &mut self.lines
    }
}
