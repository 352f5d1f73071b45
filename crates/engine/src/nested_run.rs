//! Runs inside a visit: of the resources that a resource declares itself.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use uphold_model::{Action, Declaration, Diagnostics, Few, ResourceId, Severity, Statement, Trigger};
use uphold_resource::{Act, Around, Error, ErrorKind, Interest, Registry, Result, Stop};

use crate::dispatcher::{Dispatcher, EventLog};
use crate::event::{Event, EventKind, Mode, Verdict};
use crate::executor;
use crate::lifecycle::OneShot;
use crate::program::managed;
use crate::program::{Keep, Program};
use crate::request::Request;
use crate::visit::Visits;

/// What runs inside a visit needs of what is around it.
#[derive(Clone, Copy)]
pub struct NestedRun<'a> {
    /// The kinds that are known.
    pub kinds: &'a Registry,
    /// The machine, or an overlay of it: a plan writes there.
    pub host: &'a Act<'a>,
    /// Whether it looks or acts.
    pub mode: Mode,
    /// When to end early.
    pub stop: &'a Stop,
    /// What is asked of others goes there, if they are not inside.
    pub around: Option<&'a dyn Around>,
}

/// An action of a resource that was declared inside another one.
#[derive(Debug)]
pub struct NestedAction {
    /// The resource.
    pub id: ResourceId,
    /// What was done.
    pub action: Action,
    /// How that went.
    pub verdict: Verdict,
}

impl NestedRun<'_> {
    /// Runs statements as a program of their own, in this thread. What is said goes to the host.
    ///
    /// # Errors
    /// If a statement is wrong. What fails is no error here.
    pub fn run(&self, statements: Vec<Statement>) -> Result<Vec<NestedAction>> {
        self.run_on(statements, 1)
    }

    /// The same, with so many visits at a time; as many as there are processors if that is 0.
    ///
    /// # Errors
    /// If a statement is wrong. What fails is no error here.
    pub fn run_on(&self, statements: Vec<Statement>, jobs: usize) -> Result<Vec<NestedAction>> {
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let jobs = NonZeroUsize::new(jobs).unwrap_or_else(all);
        let (program, diagnostics) = Program::check(statements, self.kinds, self.host, Keep::All);
        let program = program.ok_or_else(|| refusal(&diagnostics))?;
        let visits =
            Visits::new(&program, *self.host, Request::from(self.mode), self.stop).inside(self.around);
        let mut done = Vec::new();
        let mut sink = |event: &Event| match &event.kind {
            EventKind::Finished { resource, action, verdict, .. } => {
                done.push(NestedAction {
                    id: resource.clone(),
                    action: action.clone(),
                    verdict: verdict.clone(),
                });
            }
            EventKind::Message { level, text, .. } => self.host.report(*level, text),
            _ => {}
        };
        let clock = self.host.clock();
        let log = EventLog::new(&mut sink, clock, clock.elapsed());
        let dispatcher = Dispatcher::new(&visits, None, OneShot, log);
        executor::run(&visits, dispatcher, jobs);
        Ok(done)
    }

    /// Does one action of one resource.
    ///
    /// # Errors
    /// If the declaration is wrong.
    pub fn run_one(&self, declaration: Declaration, action: &Action) -> Result<Verdict> {
        let id = declaration.id.clone();
        let trigger =
            Trigger { id, action: action.clone(), place: None, depends_on: Few::default(), when: None };
        let done = self.run(vec![Statement::Declare(declaration), Statement::Trigger(trigger)])?;
        let last = done.into_iter().last().map(|inner| inner.verdict);
        last.ok_or_else(|| Error::new(ErrorKind::Defect, "an action inside was not done"))
    }

    /// The paths that belong to these resources.
    ///
    /// # Errors
    /// If a statement is wrong, or the machine cannot name all paths.
    pub fn owned_paths(&self, statements: Vec<Statement>) -> Result<Vec<PathBuf>> {
        let (program, diagnostics) = Program::check(statements, self.kinds, self.host, Keep::All);
        let program = program.ok_or_else(|| refusal(&diagnostics))?;
        let mut found = Vec::new();
        for node in &program.nodes {
            let instance = node.instance.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let Some(instance) = &*instance else { continue };
            let claims = instance.claims();
            found.extend(managed::paths(&claims).map(|(path, ..)| path.to_owned()));
            for owner in instance.owned_paths() {
                found.extend(owner(self.host)?);
            }
        }
        Ok(found)
    }

    /// What should wake these resources.
    ///
    /// # Errors
    /// If a statement is wrong.
    pub fn interests(&self, statements: Vec<Statement>) -> Result<Vec<Interest>> {
        let (program, diagnostics) = Program::check(statements, self.kinds, self.host, Keep::All);
        let program = program.ok_or_else(|| refusal(&diagnostics))?;
        let instance = |node: &crate::program::Node| {
            let instance = node.instance.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            instance.as_ref().map(|instance| instance.interests(self.host)).unwrap_or_default()
        };
        Ok(program.nodes.iter().flat_map(instance).collect())
    }
}

/// The first thing that is wrong.
fn refusal(diagnostics: &Diagnostics) -> Error {
    let wrong = diagnostics.iter().find(|diagnostic| diagnostic.severity() == Severity::Error);
    let Some(wrong) = wrong else { return Error::new(ErrorKind::Invalid, "it cannot be declared so") };
    let error = Error::new(ErrorKind::Invalid, wrong.detail.clone());
    match &wrong.fix {
        Some(fix) => error.hint(fix.clone()),
        None => error,
    }
}
