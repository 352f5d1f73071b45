//! Runs scripts on a machine in memory, and prints what happened.

use std::fmt::Write;
use std::sync::Arc;

use uphold_engine::{Engine, Event, EventKind, Keep, Mode, Verdict};
use uphold_memory::MemoryHost;
use uphold_model::{Attribute, Declaration, Meta, ResourceId, Sources, Statement, ThinVec, Trigger, Value};
use uphold_resource::Registry;
use uphold_script::{ScriptFile, define, recipe};

/// A machine, and the kinds that scripts define.
pub(crate) struct Bench {
    pub(crate) host: Arc<MemoryHost>,
    pub(crate) kinds: Registry,
}

impl Bench {
    /// A bench with these scripted kinds, given as name and text.
    pub(crate) fn new(scripts: &[(&str, &str)]) -> Self {
        let mut kinds = Registry::default();
        uphold_builtin::register(&mut kinds).expect("valid built-in kinds");
        let problems = problems(scripts, &mut kinds);
        assert_eq!(problems, "");
        Self { host: Arc::new(MemoryHost::new()), kinds }
    }

    pub(crate) fn world(self, make: impl FnOnce(MemoryHost) -> MemoryHost) -> Self {
        Self { host: Arc::new(make(MemoryHost::new())), ..self }
    }

    /// Plans or applies a resource. The result has a line for each event.
    pub(crate) fn run(&self, mode: Mode, kind: &str, name: &str, set: &[(&str, Value)]) -> String {
        self.act(mode, kind, name, set, "converge")
    }

    /// Plans or applies an action of a resource.
    pub(crate) fn act(
        &self,
        mode: Mode,
        kind: &str,
        name: &str,
        set: &[(&str, Value)],
        action: &str,
    ) -> String {
        let id = ResourceId::new(kind, name);
        let attributes = set.iter().map(|(name, value)| Attribute::known(*name, value.clone())).collect();
        let declaration = Declaration { id: id.clone(), place: None, attributes, meta: Meta::default() };
        let action = uphold_model::Action::named(action).expect("an action");
        let trigger = Trigger { id, action, place: None, depends_on: ThinVec::default(), when: None };
        self.statements(mode, &self.kinds, vec![Statement::Declare(declaration), Statement::Trigger(trigger)])
    }

    /// Plans or applies a recipe.
    pub(crate) fn recipe(&self, mode: Mode, text: &str) -> String {
        let mut sources = Sources::default();
        let source = sources.add("site.luau", text);
        let file = ScriptFile { name: "site.luau", source, text };
        let mut kinds = self.kinds.clone();
        match recipe(&file, [("port".into(), Value::Int(80))].into(), &mut kinds) {
            Ok(statements) => self.statements(mode, &kinds, statements),
            Err(problems) => problems.iter().map(|problem| problem.detail.clone()).collect(),
        }
    }

    pub(crate) fn statements(&self, mode: Mode, kinds: &Registry, statements: Vec<Statement>) -> String {
        let engine = Engine::on(self.host.machine()).kinds(kinds.clone());
        let (program, diagnostics) = engine.check(statements, Keep::All);
        let mut output = String::new();
        for diagnostic in diagnostics.iter() {
            writeln!(output, "{}: {}", diagnostic.summary(), diagnostic.detail).expect("text");
        }
        let Some(program) = program else { return output };
        engine.run(&program, mode, &mut |event| print(&mut output, event));
        output
    }

    pub(crate) fn content(&self, path: &str) -> String {
        use uphold_resource::Files;
        let content = self.host.read(path.as_ref(), 0).unwrap_or_else(|error| error.chain().into_bytes());
        String::from_utf8(content).expect("text")
    }
}

/// The diagnostics of these scripts. A name with a slash is a file that they can require.
pub(crate) fn problems(scripts: &[(&str, &str)], kinds: &mut Registry) -> String {
    let mut sources = Sources::default();
    let names: Vec<String> = scripts.iter().map(|(name, _)| format!("kinds/{name}.luau")).collect();
    let ids: Vec<_> = scripts.iter().zip(&names).map(|((_, text), name)| sources.add(name, *text)).collect();
    let files: Vec<_> = scripts
        .iter()
        .zip(&names)
        .zip(&ids)
        .map(|(((_, text), name), source)| ScriptFile { name, source: *source, text })
        .collect();
    let mut output = String::new();
    let (libraries, files): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| file.name.matches('/').count() > 1);
    for problem in define(&files, &libraries, kinds).iter() {
        let at = problem.place.map(|place| sources.describe(place)).unwrap_or_default();
        writeln!(output, "{at}: {}: {}", problem.summary(), problem.detail).expect("text");
    }
    output
}

fn print(output: &mut String, event: &Event) {
    match &event.kind {
        EventKind::Message { text, .. } => writeln!(output, "{text}").expect("text"),
        EventKind::Finished { resource, verdict, .. } => {
            let (word, change) = match verdict {
                Verdict::Unchanged => ("unchanged".to_owned(), None),
                Verdict::Changed(change) => ("changed".to_owned(), Some(change)),
                Verdict::WouldChange(change) => ("would change".to_owned(), Some(change)),
                Verdict::Failed(failure) => {
                    (format!("failed: {} | {}", failure.message, failure.causes.join(": ")), None)
                }
                other => (format!("{other:?}"), None),
            };
            writeln!(output, "{resource} {word}").expect("text");
            for difference in change.into_iter().flat_map(|change| &change.differences) {
                let side =
                    |side: &uphold_model::Side| side.value().map_or("-".to_owned(), ToString::to_string);
                let (from, to) = (side(&difference.from), side(&difference.to));
                writeln!(output, "  {}: {from} -> {to}", difference.property).expect("text");
            }
        }
        _ => {}
    }
}
