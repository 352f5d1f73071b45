//! Statements built in code: the n-th one has the place `@n`.

use uphold_engine::{Engine, Keep, Program, Request};
use uphold_model::{
    Action, ActionGroup, Attribute, Declaration, Handling, Meta, Order, Output, Place, ResourceId, Statement,
    Term, ThinVec, Trigger, Value,
};

use super::check::{SharedHost, engine, print_diagnostics, print_run};
use super::expression::{place_at, reference};

/// Statements of a test.
#[derive(Clone, Default)]
pub(crate) struct Script(Vec<Statement>);

/// An id without module and key.
pub(crate) fn id(kind: &str, name: &str) -> ResourceId {
    ResourceId::new(kind, name)
}

/// The id of a resource in a module.
pub(crate) fn inside(module: &str, kind: &str, name: &str) -> ResourceId {
    id(kind, name).in_module(Some(module.into()))
}

/// A resource that is declared and converged.
pub(crate) fn block(id: ResourceId) -> Script {
    let trigger = trigger(&id, "converge");
    declare(id).and(trigger)
}

/// A note that is converged.
pub(crate) fn note(name: &str, text: &str) -> Script {
    block(id("note", name)).set("text", text)
}

/// A resource that is only declared.
pub(crate) fn declare(id: ResourceId) -> Script {
    let declaration = Declaration { id, place: None, attributes: Box::default(), meta: Meta::default() };
    Script(vec![Statement::Declare(declaration)])
}

/// An action on a resource.
pub(crate) fn trigger(id: &ResourceId, action: &str) -> Script {
    let action = Action::named(action).expect("it is an action");
    let trigger = Trigger { id: id.clone(), action, place: None, depends_on: ThinVec::default(), when: None };
    Script(vec![Statement::Trigger(trigger)])
}

/// An output.
pub(crate) fn output(name: &str, value: Term) -> Script {
    Script(vec![Statement::Output(Output { name: name.into(), place: None, value })])
}

/// Members that run one after the other.
pub(crate) fn sequence(members: impl IntoIterator<Item = Script>) -> Script {
    group(Order::Sequence, members)
}

/// Members that run in any order.
pub(crate) fn parallel(members: impl IntoIterator<Item = Script>) -> Script {
    group(Order::Parallel, members)
}

fn group(order: Order, members: impl IntoIterator<Item = Script>) -> Script {
    grouped(ActionGroup::new(order), members)
}

/// Members that run in any order, with meta arguments of the group.
pub(crate) fn handled_group(handling: Handling, members: impl IntoIterator<Item = Script>) -> Script {
    grouped(ActionGroup { handling: Some(Box::new(handling)), ..ActionGroup::new(Order::Parallel) }, members)
}

/// Members of this group.
pub(crate) fn grouped(group: ActionGroup, members: impl IntoIterator<Item = Script>) -> Script {
    let begin = Statement::Begin(group);
    let inner = members.into_iter().flat_map(|member| member.0);
    Script([begin].into_iter().chain(inner).chain([Statement::End]).collect())
}

impl Script {
    /// Exactly these statements.
    pub(crate) fn of(statements: Vec<Statement>) -> Self {
        Self(statements)
    }

    /// All of these, in order.
    pub(crate) fn all(scripts: impl IntoIterator<Item = Script>) -> Self {
        Self(scripts.into_iter().flat_map(|script| script.0).collect())
    }

    pub(crate) fn and(mut self, other: Script) -> Self {
        self.0.extend(other.0);
        self
    }

    /// With this property.
    pub(crate) fn set(self, name: &str, value: impl Into<Value>) -> Self {
        self.with(name, Term::Known(value.into()))
    }

    /// With this property, which may be an expression.
    pub(crate) fn with(mut self, name: &str, value: Term) -> Self {
        let attribute = Attribute { value, value_place: Some(place_at(800)), ..Attribute::known(name, 0) };
        let attributes = &mut self.declaration().attributes;
        *attributes = std::mem::take(attributes).into_iter().chain([attribute]).collect();
        self
    }

    /// Under this condition.
    pub(crate) fn when(mut self, when: Term) -> Self {
        match self.0.first_mut() {
            Some(Statement::Declare(declaration)) => declaration.meta.when = Some(Box::new(when)),
            Some(Statement::Trigger(trigger)) => trigger.when = Some(when),
            other => panic!("{other:?} has no condition"),
        }
        self
    }

    /// After this resource, or everything in this module.
    pub(crate) fn after(mut self, target: &ResourceId) -> Self {
        self.declaration().meta.depends_on.push(reference(target, "", 700));
        self
    }

    /// With all values hidden.
    pub(crate) fn hidden(mut self) -> Self {
        self.declaration().meta.sensitive = true;
        self
    }

    /// With other meta arguments.
    pub(crate) fn handled(mut self, handling: Handling) -> Self {
        self.declaration().meta.handling = Some(Box::new(handling));
        self
    }

    fn declaration(&mut self) -> &mut Declaration {
        match self.0.first_mut() {
            Some(Statement::Declare(declaration)) => declaration,
            other => panic!("{other:?} declares nothing"),
        }
    }

    /// The statements, each with its place.
    pub(crate) fn statements(mut self) -> Vec<Statement> {
        for (start, statement) in (0..).zip(&mut self.0) {
            let place = match statement {
                Statement::Declare(declaration) => &mut declaration.place,
                Statement::Edit(edit) => &mut edit.place,
                Statement::Trigger(trigger) => &mut trigger.place,
                Statement::Begin(group) => &mut group.place,
                Statement::Output(output) => &mut output.place,
                Statement::Moved(moved) => &mut moved.place,
                Statement::Removed(removed) => &mut removed.place,
                Statement::End | Statement::Inactive(_) | Statement::Settings(_) => continue,
            };
            *place = Some(place_at(start));
        }
        self.0
    }

    /// Checks it, and returns errors and warnings as text.
    pub(crate) fn check(self, engine: &Engine) -> (Option<Program>, String) {
        let (program, diagnostics) = engine.check(self.statements(), Keep::All);
        (program, print_diagnostics(&diagnostics, |place: Place| format!("@{}", place.start)))
    }

    /// Checks and runs it, and returns the events as text.
    pub(crate) fn run<'a>(self, host: &SharedHost, request: impl Into<Request<'a>>) -> String {
        self.run_with(&engine(host, 1), request)
    }

    /// Checks and runs it with this engine.
    pub(crate) fn run_with<'a>(self, engine: &Engine, request: impl Into<Request<'a>>) -> String {
        match self.check(engine) {
            (Some(program), _) => print_run(engine, &program, request),
            (None, transcript) => transcript,
        }
    }

    /// The diagnostics.
    pub(crate) fn problems(self) -> String {
        self.check(&engine(&SharedHost::new(), 1)).1
    }

    /// Its edges.
    #[track_caller]
    pub(crate) fn edges(self) -> Vec<String> {
        let (program, transcript) = self.check(&engine(&SharedHost::new(), 1));
        let program = program.unwrap_or_else(|| panic!("{transcript}"));
        let name = |node: u32| {
            let entry = program.list().get(node as usize);
            let verb = if *entry.action() == Action::Converge { "" } else { entry.action().word() };
            format!("{}{verb}", program.set().id(entry.resource).name)
        };
        let edges = program.graph().edges();
        edges.iter().map(|e| format!("{} < {} ({})", name(e.before), name(e.after), e.reason)).collect()
    }
}

/// Compares texts line by line, without indentation.
#[track_caller]
pub(crate) fn same(transcript: &str, expected: &str) {
    let unindent = |text: &str| text.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n");
    assert_eq!(unindent(transcript), unindent(expected));
}
