//! From statements to the resource set, the action list and the outputs.

use rustc_hash::FxHashMap;
use uphold_model::{Code, Diagnostic, Diagnostics, Name, Output, Statement, Trigger, shed};

use crate::program::decode::also_at;
use crate::program::list::{ActionEntry, ActionList, GroupIndex};
use crate::program::other_statements::OtherStatements;
use crate::program::set::ResourceSet;

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
            Statement::Inactive(id) => {
                self.others.inactive.push(id);
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
