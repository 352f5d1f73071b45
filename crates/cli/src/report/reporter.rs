//! What a reporter is told.

use std::collections::HashMap;

use uphold::model::{Diagnostics, Outlines, Place, ResourceId, Sources};
use uphold::saved_plan::SavedPlan;
use uphold::{Event, Lines, Program};

use crate::error::CliError;
use crate::ui::Ui;

/// Tells the user what happens. Called in the order in which it happens.
pub(crate) trait Report: Send {
    /// The command begins.
    fn begin(&mut self, ui: &mut Ui);

    /// The configuration was read and checked; with errors among these there is no run.
    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui);

    /// Something happened in the run.
    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui);

    /// The configuration is sound, and nothing else was asked.
    fn valid(&mut self, program: &Program, ui: &mut Ui);

    /// There is no run, because of this.
    fn error(&mut self, error: &CliError, ui: &mut Ui);
}

/// What a run is about.
pub(crate) struct Scene<'a> {
    subject: Subject<'a>,
    lines: Lines<'a>,
}

/// What knows where resources were written.
enum Subject<'a> {
    Program(&'a Program),
    Plan(HashMap<&'a ResourceId, &'a str>),
}

impl<'a> Scene<'a> {
    /// This program, written in these texts.
    pub(crate) fn new(program: &'a Program, sources: &'a Sources) -> Self {
        Self { subject: Subject::Program(program), lines: Lines::new(sources) }
    }

    /// The same, where the texts are not kept.
    pub(crate) fn outlined(program: &'a Program, outlines: &'a Outlines) -> Self {
        Self { subject: Subject::Program(program), lines: Lines::outlined(outlines) }
    }

    /// A saved plan, whose texts are not at hand.
    pub(crate) fn saved(plan: &'a SavedPlan, sources: &'a Sources) -> Self {
        let places = plan.actions().filter_map(|one| Some((&one.resource, one.written_at.as_deref()?)));
        Self { subject: Subject::Plan(places.collect()), lines: Lines::new(sources) }
    }

    /// Where a resource was declared, if it was written anywhere.
    pub(crate) fn place(&self, resource: &ResourceId) -> Option<Place> {
        let Subject::Program(program) = self.subject else { return None };
        let set = program.set();
        set.entry(set.find(resource)?).declaration.place
    }

    /// The same as `name:line:column`, and who edited what.
    pub(crate) fn written_at(&mut self, resource: &ResourceId) -> Option<String> {
        let program = match &self.subject {
            Subject::Program(program) => *program,
            Subject::Plan(places) => return places.get(resource).map(|&at| at.to_owned()),
        };
        let place = self.place(resource)?;
        let set = program.set();
        let mut text = self.lines.describe(place);
        for edits in set.edits(set.find(resource)?).chunk_by(|one, next| one.place == next.place) {
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
