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

    /// The same as `name:line:column`, and who edited what.
    pub(crate) fn written_at(&mut self, resource: &ResourceId) -> Option<String> {
        let place = self.place(resource)?;
        let set = self.program.set();
        let mut text = self.lines.describe(place);
        for edits in set.entry(set.find(resource)?).edits.chunk_by(|one, next| one.place == next.place) {
            let properties: Vec<&str> = edits.iter().map(|edit| &*edit.property).collect();
            if let Some(place) = edits[0].place {
                text += &format!("; {} edited at {}", properties.join(", "), self.lines.describe(place));
            }
        }
        Some(text)
    }

    /// The lines of the texts.
    pub(crate) fn lines(&mut self) -> &mut Lines<'a> {
        &mut self.lines
    }
}
