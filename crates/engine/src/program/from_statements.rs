//! From statements to the resource set, the action list and the outputs.

use std::num::NonZeroUsize;

use rustc_hash::FxHashMap;
use uphold_model::{
    Code, Diagnostic, Diagnostics, Moved, Name, Output, Removed, ResourceId, Statement, Trigger, shed,
};
use uphold_resource::Reading;

use crate::program::decode::also_at;
use crate::program::list::{ActionEntry, ActionList, GroupIndex};
use crate::program::other_statements::OtherStatements;
use crate::program::set::ResourceSet;

use super::{Building, Keep, Program};

/// The parts of a configuration.
#[derive(Default)]
pub(crate) struct FromStatements {
    pub(crate) set: ResourceSet,
    pub(crate) list: ActionList,
    pub(crate) outputs: Vec<Output>,
    pub(crate) others: OtherStatements,
}

impl FromStatements {
    /// Reads all statements.
    pub(crate) fn of(statements: Vec<Statement>, diagnostics: &mut Diagnostics) -> Self {
        let mut read = Self::default();
        read.add(statements, diagnostics);
        read
    }

    /// Adds statements. The set has no order, so that a resource may be declared after its edits and triggers.
    pub(crate) fn add(&mut self, statements: Vec<Statement>, diagnostics: &mut Diagnostics) {
        let is_declaration = |statement: &&Statement| matches!(statement, Statement::Declare(_));
        self.set.reserve(statements.iter().filter(is_declaration).count());
        let mut around = Around::default();
        let mut declare = |statement| match statement {
            Statement::Declare(declaration) => {
                diagnostics.extend(self.set.declare_in(around.innermost(), declaration).err());
                None
            }
            other => {
                around.pass(&other);
                Some(other)
            }
        };
        // Collected in place: the rest needs no memory of its own.
        let mut rest: Vec<Statement> = statements.into_iter().filter_map(&mut declare).collect();
        let mut names = FxHashMap::default();
        for statement in rest.drain(..) {
            diagnostics.extend(self.take(statement, &mut names));
        }
        shed(rest);
        if let Some(open) = self.list.groups.open() {
            let place = self.list.groups.get(open).place;
            diagnostics.push(unbalanced("a group has no end").at(place));
        }
    }

    fn take(&mut self, statement: Statement, names: &mut FxHashMap<Name, usize>) -> Option<Diagnostic> {
        match statement {
            Statement::Declare(declaration) => self.set.declare(declaration).err(),
            Statement::Edit(edit) => self.set.edit(edit).err(),
            Statement::Trigger(trigger) => self.trigger(trigger),
            Statement::Begin(group) => {
                self.list.groups.begin(group);
                None
            }
            Statement::End => {
                (!self.list.groups.end()).then(|| unbalanced("a group ends that was never begun"))
            }
            Statement::Output(output) => self.output(output, names),
            Statement::Inactive(block) => {
                self.others.inactive.push(block);
                None
            }
            Statement::Moved(moved) => {
                self.others.moved.push(moved);
                None
            }
            Statement::Removed(removed) => {
                self.others.removed.push(removed);
                None
            }
            Statement::Settings(settings) => {
                self.others.settings = *settings;
                None
            }
        }
    }

    fn trigger(&mut self, trigger: Trigger) -> Option<Diagnostic> {
        let Some(resource) = self.set.find(&trigger.id) else {
            return Some(self.set.missing(&trigger.id, trigger.place, "triggered"));
        };
        let Trigger { action, place, depends_on, when, .. } = trigger;
        let entry = ActionEntry::new(resource, action).under(depends_on, when);
        self.list.trigger(ActionEntry { place, ..entry });
        None
    }

    fn output(&mut self, output: Output, names: &mut FxHashMap<Name, usize>) -> Option<Diagnostic> {
        let first = names.get(&output.name).map(|index| &self.outputs[*index]);
        if let Some(first) = first {
            return Some(duplicate(&output, first));
        }
        names.insert(output.name.clone(), self.outputs.len());
        self.outputs.push(output);
        None
    }
}

/// The open groups, while declarations are read.
#[derive(Default)]
struct Around {
    begun: usize,
    open: Vec<GroupIndex>,
}

impl Around {
    fn pass(&mut self, statement: &Statement) {
        match statement {
            Statement::Begin(_) => {
                self.open.push(GroupIndex::after(self.begun));
                self.begun += 1;
            }
            Statement::End => drop(self.open.pop()),
            _ => {}
        }
    }

    fn innermost(&self) -> Option<GroupIndex> {
        self.open.last().copied()
    }
}

fn duplicate(second: &Output, first: &Output) -> Diagnostic {
    let detail = format!("output `{}` is declared twice; each name can be declared only once", second.name);
    let diagnostic = Diagnostic::new(Code::DuplicateDefinition, detail)
        .at(second.place)
        .fix("give one of them another name, or remove it");
    also_at(diagnostic, first.place, "first written here")
}

fn unbalanced(detail: &str) -> Diagnostic {
    Diagnostic::new(
        Code::UnbalancedGroup,
        format!("{detail}: a defect of the program that made these statements"),
    )
    .fix("report it; groups are begun and ended in pairs")
}

// Resources in a program that are no longer declared: they are removed or reverted, once.

impl Program {
    /// The `moved` blocks.
    pub fn moved(&self) -> &[Moved] {
        &self.others.moved
    }

    /// The declared resource that has taken the place of an address, through one or more `moved` blocks.
    pub fn moved_to(&self, from: &str) -> Option<ResourceId> {
        let blocks = self.moved();
        let mut address = blocks.iter().find_map(|moved| moved.rename(from))?;
        // Each block is used at most once, so that a cycle ends.
        for _ in blocks {
            match blocks.iter().find_map(|moved| moved.rename(&address)) {
                Some(next) => address = next,
                None => break,
            }
        }
        address.parse().ok().filter(|id| self.set.find(id).is_some())
    }

    /// The `removed` blocks.
    pub fn removed(&self) -> &[Removed] {
        &self.others.removed
    }

    /// The same program, which also removes or reverts resources that are no longer declared: their declarations, and the
    /// actions. Only right for a program that keeps its declarations. The digest is still that of the declared resources.
    ///
    /// # Errors
    /// The program as it was, and the conflicts of the statements with it.
    pub fn with_removals(
        self,
        statements: Vec<Statement>,
        observe: &Reading<'_>,
        keep: Keep,
    ) -> Result<Program, Box<(Program, Diagnostics)>> {
        let digest = self.digest().clone();
        let Program { set, mut list, outputs, others, registry, declared, .. } = self;
        let actions = list.len();
        list.forget_requests(actions);
        let mut read = FromStatements { set, list, outputs, others };
        let mut diagnostics = Diagnostics::default();
        read.add(statements, &mut diagnostics);
        let how = Building { observe, keep: Keep::All, threads: NonZeroUsize::MIN };
        let built = Self::build(read, declared, &registry, &how, &mut diagnostics);
        let with_digest = |program: Program| {
            let program = Program { digest: digest.clone().into(), ..program };
            if keep == Keep::ForWatch { program.lean() } else { program }
        };
        built.map(with_digest).map_err(|mut read| {
            read.set.truncate(declared);
            read.list.forget_requests(actions);
            let built = Self::build(*read, declared, &registry, &how, &mut Diagnostics::default());
            let program = built.map_err(|_| ()).expect("it was valid without the removals");
            Box::new((with_digest(program), diagnostics))
        })
    }

    /// Whether a resource is only in the program to be removed or reverted.
    pub fn is_no_longer_declared(&self, resource: &ResourceId) -> bool {
        let has_removals = self.declared < self.set.len();
        has_removals && self.set.find(resource).is_some_and(|index| index as usize >= self.declared)
    }

    /// The declared resources, without those that are no longer declared.
    pub fn declared_ids(&self) -> impl Iterator<Item = &ResourceId> {
        self.set.ids().take(self.declared)
    }
}
