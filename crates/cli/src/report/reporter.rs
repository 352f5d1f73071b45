//! The interface of reporters.

use std::collections::HashMap;

use uphold::journal::LeftResource;
use uphold::model::{Diagnostics, LineIndexes, Place, ResourceId, Sources};
use uphold::resource::Registry;
use uphold::saved_plan::{PlannedAction, SavedPlan};
use uphold::{Event, LeftOut, Lines, Program, identity};

use crate::{CliError, HintCommand, Ui};

/// Reports a command to the user. The methods are called in order.
pub(crate) trait Report: Send {
    /// The command begins.
    fn begin(&mut self, _: &mut Ui) {}

    /// The configuration was checked; if there are errors, there is no run.
    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui);

    /// Resources that were applied, are no longer declared, and stay: at the end of a run. `forget` is the command that ends
    /// their listing, without an address.
    fn no_longer_declared(&mut self, _: &[LeftResource], _forget: &HintCommand, _: &mut Ui) {}

    /// The run leaves out these actions of a program, because they depend on excluded ones.
    fn left_out(&mut self, _: &[LeftOut], _: &Program, _: &mut Ui) {}

    /// An event of the run as it happens; [`event`](Self::event) follows, in a plan later.
    fn happened(&mut self, _: &Event, _: &mut Ui) {}

    /// An event of the run; in a plan in the order of the configuration.
    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui);

    /// Whether an event of a visit has lines, so that their order matters.
    fn shows(&self, _: &Event) -> bool {
        true
    }

    /// `uphold validate` found no error.
    fn valid(&mut self, _: &Program, _: &mut Ui) {}

    /// There is no run, because of this error.
    fn error(&mut self, error: &CliError, ui: &mut Ui);
}

/// The program of a run, and the positions of its resources.
pub(crate) struct Scene<'a> {
    subject: Subject<'a>,
    lines: Lines<'a>,
}

/// The source of positions.
enum Subject<'a> {
    Program(&'a Program),
    Plan(HashMap<&'a ResourceId, &'a PlannedAction>, &'a Registry),
}

impl<'a> Scene<'a> {
    pub(crate) fn new(program: &'a Program, sources: &'a Sources) -> Self {
        Self { subject: Subject::Program(program), lines: Lines::new(sources) }
    }

    /// A program whose source texts are not kept.
    pub(crate) fn outlined(program: &'a Program, outlines: &'a LineIndexes) -> Self {
        Self { subject: Subject::Program(program), lines: Lines::outlined(outlines) }
    }

    /// A saved plan, whose source texts are not available.
    pub(crate) fn saved(plan: &'a SavedPlan, kinds: &'a Registry, sources: &'a Sources) -> Self {
        let actions = plan.actions().map(|one| (&one.resource, one)).collect();
        Self { subject: Subject::Plan(actions, kinds), lines: Lines::new(sources) }
    }

    /// The position of a resource's declaration.
    pub(crate) fn place(&self, resource: &ResourceId) -> Option<Place> {
        let Subject::Program(program) = self.subject else { return None };
        let set = program.set();
        set.entry(set.find(resource)?).declaration.place
    }

    /// The name on the machine, such as a path, if the address does not show it.
    pub(crate) fn identity(&self, resource: &ResourceId) -> Option<String> {
        match &self.subject {
            Subject::Program(program) => program.identity(resource),
            Subject::Plan(actions, kinds) => {
                let attributes = actions.get(resource)?.attributes.iter();
                let attributes = attributes.map(|one| (one.name.as_str().into(), (&one.value.0).into()));
                identity(resource, kinds.get(&resource.kind)?.schema(), attributes)
            }
        }
    }

    /// Whether a resource is only in the program to be removed or reverted.
    pub(crate) fn is_no_longer_declared(&self, resource: &ResourceId) -> bool {
        matches!(self.subject, Subject::Program(program) if program.is_no_longer_declared(resource))
    }

    /// The declared resource that takes the place of one that is no longer declared, by a `moved` block.
    pub(crate) fn moved_to(&self, resource: &ResourceId) -> Option<ResourceId> {
        let Subject::Program(program) = self.subject else { return None };
        program.moved_to(&resource.to_string()).filter(|_| program.is_no_longer_declared(resource))
    }

    /// The number of written actions, if the program is known.
    pub(crate) fn actions(&self) -> Option<usize> {
        let Subject::Program(program) = self.subject else { return None };
        Some(program.list().len())
    }

    /// The position as `name:line:column`, and the positions of edits.
    pub(crate) fn written_at(&mut self, resource: &ResourceId) -> Option<String> {
        let program = match &self.subject {
            Subject::Program(program) => *program,
            Subject::Plan(actions, _) => return actions.get(resource)?.declared_at.clone(),
        };
        if program.is_no_longer_declared(resource) {
            return Some(no_longer_declared(self.moved_to(resource).as_ref()));
        }
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

    /// This position, or that of the resource if there is none.
    pub(crate) fn located(&mut self, place: Option<Place>, resource: &ResourceId) -> Option<String> {
        place.map(|place| self.lines.describe(place)).or_else(|| self.written_at(resource))
    }

    pub(crate) fn lines(&mut self) -> &mut Lines<'a> {
        &mut self.lines
    }
}

/// Why a resource without a declaration is in a program.
pub(super) fn no_longer_declared(moved_to: Option<&ResourceId>) -> String {
    moved_to.map_or_else(|| "no longer declared".to_owned(), |to| format!("moved to {to}"))
}
