//! A machine with one program and its manifest.

use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value as Json, json};
use uphold_external::{DefinedKind, KindDefinition, define, read_manifests};
use uphold_model::{Action, Name, Problem, Value};
use uphold_resource::{
    Act, Command, Context, Definition, Desired, Error, Fields, Instance, Observation, Output, Reading,
    Registry, Result,
};
use uphold_testkit::{Call, MemoryHost};

/// The directory of the manifest.
pub(crate) const KINDS: &str = "/kinds";

/// A manifest of `Example.Area/Note`, which has a path, a text and tags, with these methods besides `get`.
pub(crate) fn manifest(more: Json) -> Json {
    let mut manifest = json!({
        "$schema": "https://aka.ms/dsc/schemas/v3/bundled/resource/manifest.json",
        "type": "Example.Area/Note",
        "version": "1.2.3",
        "get": { "executable": "tool", "args": ["get"], "input": "stdin" },
        "set": { "executable": "tool", "args": ["set"], "input": "stdin" },
        "schema": { "embedded": {
            "type": "object",
            "required": ["path"],
            "properties": {
                "path": { "type": "string" },
                "text": { "type": "string" },
                "tags": { "type": "array", "items": { "type": "string" } },
                "size": { "type": "integer", "readOnly": true },
                "_exist": { "type": "boolean" }
            }
        } }
    });
    merge(&mut manifest, more);
    manifest
}

/// Merges members into an object, at every depth.
fn merge(into: &mut Json, more: Json) {
    match (into, more) {
        (Json::Object(into), Json::Object(more)) => {
            more.into_iter().for_each(|(key, value)| merge(into.entry(key).or_insert(Json::Null), value));
        }
        (into, more) => *into = more,
    }
}

/// The kind that a manifest defines; a printed schema is requested from the program.
pub(crate) fn kind(manifest: &Json, directory: &Path, host: &Reading<'_>) -> Arc<dyn Definition> {
    let file = "note.dsc.resource.json";
    let (manifests, faults) = read_manifests(file, &manifest.to_string(), directory);
    assert!(faults.is_empty(), "{faults:?}");
    let (mut kinds, faults) = define(&manifests, &|_| false);
    assert!(faults.is_empty(), "{faults:?}");
    match kinds.remove(0).definition {
        KindDefinition::Known(definition) => definition,
        KindDefinition::Printed(printed) => {
            printed.define(host, None).unwrap_or_else(|fault| panic!("{fault}"))
        }
    }
}

/// The kind of a manifest with an embedded schema.
pub(crate) fn known(kind: &DefinedKind<'_>) -> Arc<dyn Definition> {
    match &kind.definition {
        KindDefinition::Known(definition) => definition.clone(),
        KindDefinition::Printed(_) => panic!("a program prints its schema"),
    }
}

/// A block of a kind.
pub(crate) struct Block {
    kind: Arc<dyn Definition>,
    label: String,
    values: Vec<(Name, Value)>,
    action: Action,
}

impl Block {
    pub(crate) fn of(kind: &Arc<dyn Definition>, label: &str) -> Self {
        Self { kind: kind.clone(), label: label.to_owned(), values: Vec::new(), action: Action::Converge }
    }

    pub(crate) fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.values.push((name.into(), value.into()));
        self
    }

    pub(crate) fn removed(mut self) -> Self {
        self.action = Action::Remove;
        self
    }

    pub(crate) fn decode(&self) -> Result<Box<dyn Instance>, Vec<Problem>> {
        let mut registry = Registry::default();
        registry.define(self.kind.clone()).unwrap_or_else(|error| panic!("{error}"));
        let kind = registry.get(self.kind.schema().kind).expect("it was defined");
        let fields = Fields::new(&self.label, self.values.clone(), &self.action, Context::NOTHING);
        let (instance, findings) = kind.decode(fields);
        instance.ok_or(findings.problems)
    }

    fn desired(&self) -> Desired {
        if self.action == Action::Remove { Desired::Absent } else { Desired::Present }
    }

    pub(crate) fn observe(&self, host: &Reading<'_>) -> Result<Observation> {
        self.decode().expect("a sound block").observe(self.desired(), host)
    }

    /// The names of differing properties.
    pub(crate) fn differing(&self, host: &Reading<'_>) -> Vec<String> {
        let seen = self.observe(host).unwrap_or_else(|error| panic!("{}", error.chain()));
        seen.differences.iter().map(|difference| difference.property.to_string()).collect()
    }

    /// Checks, and changes what differs.
    pub(crate) fn apply(&self, host: &Act<'_>) -> Result<()> {
        let instance = self.decode().expect("a sound block");
        let seen = instance.observe(self.desired(), host)?;
        if seen.converged { Ok(()) } else { instance.apply(&seen, host) }
    }

    pub(crate) fn error(&self, host: &Reading<'_>) -> Error {
        self.observe(host).err().expect("it fails")
    }
}

/// A machine in memory on which `tool` runs this function; commands are recorded.
pub(crate) struct Stage {
    pub(crate) host: MemoryHost,
    commands: Arc<Mutex<Vec<Command>>>,
}

impl Stage {
    pub(crate) fn new(tool: impl Fn(&Call<'_>) -> Output + Send + Sync + 'static) -> Self {
        let commands = Arc::new(Mutex::new(Vec::new()));
        let kept = commands.clone();
        let host = MemoryHost::new().directory(KINDS, 0o755).program("tool", move |call| {
            kept.lock().expect("sound").push(call.command.clone());
            tool(call)
        });
        Self { host, commands }
    }

    /// A machine on which `tool` always prints this.
    pub(crate) fn printing(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(move |call| call.succeed(&text))
    }

    /// A machine on which `tool` prints the answer to its first argument.
    pub(crate) fn answering(answers: &'static [(&str, &str)]) -> Self {
        Self::new(move |call| {
            let operation = call.command.args.first().map(String::as_str).unwrap_or_default();
            match answers.iter().find(|(name, _)| *name == operation) {
                Some((_, answer)) => call.succeed(answer),
                None => call.fail(9, format!("unexpected operation {operation}")),
            }
        })
    }

    pub(crate) fn kind(&self, manifest: &Json) -> Arc<dyn Definition> {
        kind(manifest, Path::new(KINDS), &self.host.act())
    }

    /// All commands since the last call.
    pub(crate) fn commands(&self) -> Vec<Command> {
        std::mem::take(&mut self.commands.lock().expect("sound"))
    }

    /// The first arguments of all commands since the last call.
    pub(crate) fn operations(&self) -> Vec<String> {
        self.commands().into_iter().map(|command| command.args[0].clone()).collect()
    }
}

/// The JSON on a command's stdin.
pub(crate) fn input_of(command: &Command) -> Json {
    let stdin = command.stdin.as_deref().expect("there is input");
    serde_json::from_slice(stdin).expect("JSON")
}
