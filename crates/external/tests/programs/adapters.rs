//! Resources that an adapter runs.

use std::path::Path;

use serde_json::{Value as Json, json};
use uphold_external::{Manifest, define, read_manifests};

use super::stage::{Block, KINDS, Stage, input_of, known};

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
    let (manifests, faults) = read_manifests(file, &manifest.to_string(), Path::new(directory));
    assert!(faults.is_empty(), "{faults:?}");
    manifests
}

fn both(kind: &str, more: &[(&str, Json)]) -> Vec<Manifest> {
    let words = read("words.dsc.resource.json", &adapter(kind), KINDS);
    [words, read("word.dsc.adaptedResource.json", &adapted(more), "/elsewhere")].concat()
}

#[test]
fn rule_12_an_adapter_gets_the_properties_and_the_resource() {
    let stage = Stage::printing(r#"{"name": "a", "text": "old"}"#);
    let manifests = both("single", &[]);
    let (made, faults) = define(&manifests, &|_| false);
    assert!(faults.is_empty(), "{faults:?}");
    let kinds: Vec<_> =
        made.iter().map(|made| (made.manifest.type_name(), known(made).schema().kind)).collect();
    assert_eq!(kinds, [("Example/Word", "word")], "an adapter is not a kind");
    Block::of(&known(&made[0]), "a").set("text", "new").apply(&stage.host.act()).expect("it changes");
    let commands = stage.commands();
    let content = r#"{"class":"Word"}"#;
    let args = ["set", "--type", "Example/Word", "--path", "/elsewhere/word.txt", "--content", content];
    assert_eq!(commands[1].args, args);
    assert_eq!(commands[1].dir.as_deref(), Some(Path::new(KINDS)), "it runs where the adapter is");
    assert_eq!(input_of(&commands[1]), json!({ "name": "a", "text": "new" }));
}

#[test]
fn rule_12_a_resource_can_do_what_it_is_capable_of() {
    let exist = json!({ "embedded": { "properties": { "_exist": {} } } });
    let removable = |capabilities: Json| {
        let manifests = both("single", &[("capabilities", capabilities), ("schema", exist.clone())]);
        known(&define(&manifests, &|_| false).0[0]).schema().removable
    };
    assert!(!removable(json!(["get", "set"])));
    assert!(removable(json!(["get", "set", "delete"])));
    assert!(removable(json!(["get", "set", "setHandlesExist"])));
}

#[test]
fn rule_12_the_exit_codes_are_those_of_the_adapter() {
    let stage = Stage::new(|call| call.fail(4, ""));
    let manifests = both("single", &[]);
    let (made, _) = define(&manifests, &|_| false);
    let error = Block::of(&known(&made[0]), "a").error(&stage.host.act());
    assert_eq!(error.chain(), "cannot `get` Example/Word: its program exited with status 4: no such word");
}

#[test]
fn the_schema_of_an_adapted_resource_may_be_the_schema_itself() {
    let schema = json!({ "type": "object", "properties": { "one": { "type": "string" }, "name": {} } });
    for schema in [schema.clone(), json!({ "embedded": schema })] {
        let manifests = both("single", &[("schema", schema)]);
        let (kinds, faults) = define(&manifests, &|_| false);
        assert!(faults.is_empty(), "{faults:?}");
        let names: Vec<_> = known(&kinds[0]).schema().properties.iter().map(|one| one.name).collect();
        assert_eq!(names, ["name", "one"]);
    }
    let broken = json!({ "type": "object", "properties": { "one": { "type": "strin" } } });
    let manifests = both("single", &[("schema", broken)]);
    let fault = define(&manifests, &|_| false).1.remove(0);
    assert_eq!(fault.what, "Example/Word: the type \"strin\" is unknown");
}

#[test]
fn resources_without_a_usable_adapter_are_rejected() {
    let check = |manifests: Vec<Manifest>, expected: &str| {
        let (made, faults) = define(&manifests, &|_| false);
        assert!(made.is_empty());
        assert_eq!(faults[0].what, expected);
        assert!(!faults[0].is_mistake, "the manifest is right; only the kind cannot be there");
    };
    let whole = "the adapter `Example.Adapter/Words` takes whole configurations, which only `dsc` supports";
    check(both("full", &[]), whole);
    let alone = read("word.dsc.adaptedResource.json", &adapted(&[]), KINDS);
    check(alone, "there is no manifest for the adapter `Example.Adapter/Words`");
    check(both("single", &[("capabilities", json!(["set"]))]), "`Example.Adapter/Words` cannot `get` this");
}
