//! Resources that an adapter runs.

use std::path::Path;

use serde_json::{Value as Json, json};
use uphold_external::{Manifest, define, read_manifests};

use crate::stage::{Block, KINDS, Stage, told};

fn adapter(kind: &str) -> Json {
    let method = |operation: &str| {
        let args = json!([
            operation,
            { "resourceTypeArg": "--type" },
            { "resourcePathArg": "--path" },
            { "adaptedContentArg": "--content" }
        ]);
        json!({ "executable": "tool", "args": args, "input": "stdin" })
    };
    json!({
        "type": "Example.Adapter/Words",
        "version": "1.0.0",
        "kind": "adapter",
        "adapter": { "list": { "executable": "tool", "args": ["list"] }, "inputKind": kind },
        "get": method("get"),
        "set": method("set"),
        "delete": method("delete"),
        "exitCodes": { "4": "no such word" }
    })
}

fn adapted(more: &[(&str, Json)]) -> Json {
    let mut adapted = json!({
        "type": "Example/Word",
        "kind": "resource",
        "version": "2.0.0",
        "capabilities": ["get", "set"],
        "requireAdapter": "Example.Adapter/Words",
        "path": "word.txt",
        "content": { "class": "Word" },
        "schema": { "embedded": { "properties": { "name": { "type": "string" }, "text": { "type": "string" } } } }
    });
    more.iter().for_each(|(key, value)| adapted[*key] = value.clone());
    adapted
}

fn read(file: &str, manifest: &Json, directory: &str) -> Vec<Manifest> {
    read_manifests(file, &manifest.to_string(), Path::new(directory)).expect("a sound manifest")
}

fn both(kind: &str, more: &[(&str, Json)]) -> Vec<Manifest> {
    let words = read("words.dsc.resource.json", &adapter(kind), KINDS);
    [words, read("word.dsc.adaptedResource.json", &adapted(more), "/elsewhere")].concat()
}

#[test]
fn rule_12_an_adapter_is_told_the_properties_and_what_they_are_of() {
    let stage = Stage::printing(r#"{"name": "a", "text": "old"}"#);
    let manifests = both("single", &[]);
    let (made, faults) = define(&manifests, &stage.host);
    assert!(faults.is_empty(), "{faults:?}");
    let kinds: Vec<_> =
        made.iter().map(|made| (made.manifest.type_name(), made.definition.schema().kind)).collect();
    assert_eq!(kinds, [("Example/Word", "word")], "an adapter is no kind");
    Block::of(&made[0].definition, "a").set("text", "new").apply(&stage.host).expect("it changes");
    let commands = stage.commands();
    let content = r#"{"class":"Word"}"#;
    let args = ["set", "--type", "Example/Word", "--path", "/elsewhere/word.txt", "--content", content];
    assert_eq!(commands[1].args, args);
    assert_eq!(commands[1].dir.as_deref(), Some(Path::new(KINDS)), "it runs where the adapter is");
    assert_eq!(told(&commands[1]), json!({ "name": "a", "text": "new" }));
}

#[test]
fn rule_12_a_resource_can_do_what_it_is_capable_of() {
    let exist = json!({ "embedded": { "properties": { "_exist": {} } } });
    let removable = |capabilities: Json| {
        let manifests = both("single", &[("capabilities", capabilities), ("schema", exist.clone())]);
        define(&manifests, &Stage::printing("{}").host).0[0].definition.schema().removable
    };
    assert!(!removable(json!(["get", "set"])));
    assert!(removable(json!(["get", "set", "delete"])));
    assert!(removable(json!(["get", "set", "setHandlesExist"])));
}

#[test]
fn rule_12_the_exit_codes_are_those_of_the_adapter() {
    let stage = Stage::new(|call| call.fail(4, ""));
    let manifests = both("single", &[]);
    let (made, _) = define(&manifests, &stage.host);
    let error = Block::of(&made[0].definition, "a").error(&stage.host);
    assert_eq!(error.chain(), "cannot `get` Example/Word: its program ended with status 4: no such word");
}

#[test]
fn what_no_adapter_can_run_is_refused() {
    let check = |manifests: Vec<Manifest>, expected: &str| {
        let (made, faults) = define(&manifests, &Stage::printing("{}").host);
        assert!(made.is_empty());
        assert_eq!(faults[0].what, expected);
    };
    let whole = "the adapter `Example.Adapter/Words` takes whole configurations, and only `dsc` has those";
    check(both("full", &[]), whole);
    let alone = read("word.dsc.adaptedResource.json", &adapted(&[]), KINDS);
    check(alone, "there is no manifest of the adapter `Example.Adapter/Words`");
    check(both("single", &[("capabilities", json!(["set"]))]), "`Example.Adapter/Words` cannot `get` this");
}
