//! Nested runs: a visit runs the resources that its resource declares itself.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use uphold_model::{Action, Declaration, Diagnostics, ResourceId, Severity, Statement, ThinVec, Trigger};
use uphold_resource::{Act, Around, Error, ErrorKind, Interest, Registry, Result, Stop};

use crate::event::{Event, EventKind, Mode, Verdict};
use crate::executor;
use crate::failure::with_hint;
use crate::program::managed;
use crate::program::{Keep, Program};
use crate::request::Request;
use crate::visit::Visits;

/// The context of a nested run.
#[derive(Clone, Copy)]
pub struct NestedRun<'a> {
    /// The kinds that are known.
    pub kinds: &'a Registry,
    /// The machine, or an overlay of it: a plan writes there.
    pub host: &'a Act<'a>,
    /// Whether it plans or applies.
    pub mode: Mode,
    /// When to end early.
    pub stop: &'a Stop,
    /// The parent run, which gets notifications of resources that are not declared in the nested run.
    pub around: Option<&'a dyn Around>,
}

/// An action of a nested resource.
#[derive(Debug)]
pub struct NestedAction {
    /// The resource.
    pub id: ResourceId,
    /// The action.
    pub action: Action,
    /// Its verdict.
    pub verdict: Verdict,
}

impl NestedRun<'_> {
    /// Runs statements as a program of their own, in this thread. Messages are reported to the host.
    ///
    /// # Errors
    /// If a statement is invalid. A failed action is no error here.
    pub fn run(&self, statements: Vec<Statement>) -> Result<Vec<NestedAction>> {
        self.run_on(statements, 1)
    }

    /// The same, with this many visits at a time; as many as there are processors if that is 0.
    ///
    /// # Errors
    /// If a statement is invalid. A failed action is no error here.
    pub fn run_on(&self, statements: Vec<Statement>, jobs: usize) -> Result<Vec<NestedAction>> {
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let jobs = NonZeroUsize::new(jobs).unwrap_or_else(all);
        let program = self.check(statements)?;
        let around = self.around;
        let visits =
            Visits { around, ..Visits::new(&program, *self.host, Request::from(self.mode), self.stop) };
        let mut done = Vec::new();
        let mut sink = |event: &Event| match &event.kind {
            EventKind::Finished { resource, action, verdict, .. } => {
                let (id, action, verdict) = (resource.clone(), action.clone(), verdict.clone());
                done.push(NestedAction { id, action, verdict });
            }
            EventKind::Message { level, text, .. } => self.host.report(*level, text),
            _ => {}
        };
        executor::run(&visits, None, &mut sink, jobs);
        Ok(done)
    }

    fn check(&self, statements: Vec<Statement>) -> Result<Program> {
        let (program, diagnostics) = Program::check(statements, self.kinds, self.host, Keep::All);
        program.ok_or_else(|| first_error(&diagnostics))
    }

    /// Runs one action of one resource.
    ///
    /// # Errors
    /// If the declaration is invalid.
    pub fn run_one(&self, declaration: Declaration, action: &Action) -> Result<Verdict> {
        let id = declaration.id.clone();
        let trigger =
            Trigger { id, action: action.clone(), place: None, depends_on: ThinVec::default(), when: None };
        let done = self.run(vec![Statement::Declare(declaration), Statement::Trigger(trigger)])?;
        let last = done.into_iter().last().map(|inner| inner.verdict);
        last.ok_or_else(|| Error::new(ErrorKind::Defect, "the action of a nested resource did not run"))
    }

    /// The paths that belong to these resources.
    ///
    /// # Errors
    /// If a statement is invalid, or the machine cannot name all paths.
    pub fn owned_paths(&self, statements: Vec<Statement>) -> Result<Vec<PathBuf>> {
        let program = self.check(statements)?;
        let mut found = Vec::new();
        for node in &program.nodes {
            let Some(instance) = &node.instance else { continue };
            let claims = instance.claims();
            found.extend(managed::paths(&claims).map(|(path, ..)| path.to_owned()));
            for owner in instance.owned_paths() {
                found.extend(owner(self.host)?);
            }
        }
        Ok(found)
    }

    /// The interests of these resources.
    ///
    /// # Errors
    /// If a statement is invalid.
    pub fn interests(&self, statements: Vec<Statement>) -> Result<Vec<Interest>> {
        let program = self.check(statements)?;
        let interests = program.nodes.iter().flat_map(|node| {
            node.instance.as_ref().map(|instance| instance.interests(self.host)).unwrap_or_default()
        });
        Ok(interests.collect())
    }
}

fn first_error(diagnostics: &Diagnostics) -> Error {
    let wrong = diagnostics.iter().find(|diagnostic| diagnostic.severity() == Severity::Error);
    let Some(wrong) = wrong else { return Error::new(ErrorKind::Invalid, "the declaration is invalid") };
    with_hint(Error::new(ErrorKind::Invalid, wrong.detail.clone()), wrong.fix.clone())
}
