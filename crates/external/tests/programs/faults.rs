//! Every mistake in a manifest has its message and its place.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use uphold_external::{Manifest, define, is_manifest, read_manifests};
use uphold_model::{SourceId, Sources};

use super::stage::{Stage, kind, manifest};

/// The message for a manifest with this value at this path.
fn fault(pointer: &str, value: serde_json::Value) -> String {
    let mut broken = manifest(json!({ "metadata": { "uphold": {} } }));
    let (outer, key) = pointer.rsplit_once('/').expect("a pointer");
    let outer = broken.pointer_mut(outer).unwrap_or_else(|| panic!("{pointer}"));
    outer[key] = value;
    let text = serde_json::to_string_pretty(&broken).expect("JSON");
    let (manifests, faults) = read_manifests("note.dsc.resource.json", &text, Path::new("/kinds"));
    let fault = faults.into_iter().chain(define(&manifests, &|_| false).1).next().expect("a fault");
    assert_eq!(fault.line, text[..fault.span.start].matches('\n').count() + 1);
    format!("{} <- {}; {}", &text[fault.span.clone()].replace(char::is_whitespace, ""), fault.what, fault.fix)
}

#[test]
fn mistakes_have_places() {
    let check = |pointer: &str, value: serde_json::Value, expected: &str| {
        assert_eq!(fault(pointer, value), expected, "{pointer}");
    };
    check(
        "/type",
        json!("Note"),
        r#""Note" <- `type` = "Note" is not a valid type name; write it as in `Owner.Area/Name`"#,
    );
    check("/type", json!(3), "3 <- `type` must be a string; write a string");
    check("/sett", json!({}), "{} <- `sett` is unknown; did you mean `set`?");
    check(
        "/kind",
        json!("group"),
        r#""group" <- a group runs other resources through `dsc` itself; declare the resources themselves, each of a kind of its own"#,
    );
    check(
        "/kind",
        json!("importer"),
        r#""importer" <- an importer runs other resources through `dsc` itself; declare the resources themselves, each of a kind of its own"#,
    );
    check(
        "/kind",
        json!("thing"),
        r#""thing" <- `kind` = "thing" is unknown; write `resource` or `adapter` or `group` or `importer` or `exporter`"#,
    );
    check(
        "/get/input",
        json!("stdn"),
        r#""stdn" <- `get.input` = "stdn" is unknown; write `stdin` or `env`"#,
    );
    check(
        "/set/return",
        json!("all"),
        r#""all" <- `set.return` = "all" is unknown; write `state` or `stateAndDiff`"#,
    );
    check("/get/args", json!("get"), r#""get" <- `get.args` must be a list; write a list"#);
    check(
        "/get/args",
        json!([3]),
        "[3] <- the manifest must be an object; write an object"
            .replace("[3] <- the manifest", "3 <- `get.args.0`")
            .as_str(),
    );
    check("/exitCodes", json!({ "x": "y" }), r#""y" <- the exit code "x" is not a number; write a number"#);
    check("/metadata/uphold", json!({ "wach": [] }), "[] <- `wach` is unknown; did you mean `watch`?");
    check(
        "/metadata/uphold",
        json!({ "timeout": "soon" }),
        r#""soon" <- this is not a duration; write it as in `30s` or `5m`"#,
    );
    check(
        "/metadata/uphold",
        json!({ "kind": "a b" }),
        r#""ab" <- "a b" cannot be a kind; write a word such as `text_file`"#,
    );
}

#[test]
fn mistakes_of_the_schema_have_places() {
    let check = |pointer: &str, value: serde_json::Value, expected: &str| {
        let message = fault(&format!("/schema/embedded/{pointer}"), value);
        assert_eq!(message.split_once(" <- ").expect("a place").1, expected, "{pointer}");
    };
    let ours = |text: &str| format!("Example.Area/Note: {text}");
    check(
        "properties/text/type",
        json!("str"),
        &ours(r#"the type "str" is unknown; write string, integer, number, boolean, array, object or null"#),
    );
    check(
        "properties/text/$ref",
        json!("#/$defs/x"),
        &ours(r##"`$ref` = "#/$defs/x" has no target; fix it, or add its target, such as `#/$defs/name`"##),
    );
    check(
        "properties/text/default",
        json!(5),
        &ours(
            r#"the default does not fit: it must be a string, not a number; put it in quotes; for a computed value, write `tostring(…)`"#,
        ),
    );
    check(
        "properties/$text",
        json!({}),
        &ours("`text` and `$text` would both be called `text` in a block; rename one of them"),
    );
    check("properties/✓", json!({}), &ours("`✓` cannot be written in a block; start it with a letter"));
    check(
        "type",
        json!("array"),
        &ours("the schema of a resource must be an object; write \"type\": \"object\""),
    );
    check(
        "properties",
        json!(null),
        &ours("the schema has no properties; add \"properties\": { \"name\": { \"type\": \"string\" } }"),
    );
}

#[test]
fn metadata_must_name_existing_properties() {
    let check = |own: serde_json::Value, expected: &str| {
        let message = fault("/metadata/uphold", own);
        assert!(
            message.ends_with(&format!(
                "{expected}, but there is no such property; name a property of the schema"
            )),
            "{message}"
        );
    };
    check(json!({ "name": "nme" }), "`metadata.uphold.name` is \"nme\"");
    check(json!({ "identity": ["nme"] }), "`metadata.uphold` names \"nme\"");
    check(json!({ "watch": ["path:{nme}"] }), "`metadata.uphold` names \"nme\"");
}

#[test]
fn invalid_json_has_a_place() {
    let check = |file: &str, text: &str, expected: &str| {
        let (manifests, faults) = read_manifests(file, text, Path::new("/kinds"));
        assert_eq!((manifests.len(), faults[0].to_string()), (0, expected.to_owned()));
        assert_eq!(*faults[0].kinds, ["a"], "without a type, the file says which kind is missing");
    };
    check(
        "a.dsc.resource.json",
        "{\n  \"type\": }",
        "a.dsc.resource.json:2:11: this is not JSON: expected value; fix it",
    );
    check(
        "a.dsc.resource.json",
        "",
        "a.dsc.resource.json:1:1: this is not JSON: EOF while parsing a value; fix it",
    );
    check(
        "a.dsc.resource.json",
        "[]",
        "a.dsc.resource.json:1:1: the manifest must be an object; write an object",
    );
    let anchor = "a.dsc.resource.yaml:1:7: this is not a valid manifest in YAML: anchors, aliases and tags \
                  are not supported; write the value itself; fix it";
    check("a.dsc.resource.yaml", "type: &x y", anchor);
}

#[test]
fn a_fault_is_a_diagnostic() {
    let text = "{ \"type\": 3 }";
    let (_, faults) = read_manifests("a.dsc.resource.json", text, Path::new("/kinds"));
    let mut sources = Sources::default();
    let source: SourceId = sources.add("a.dsc.resource.json", text);
    let diagnostic = faults[0].diagnostic(source);
    assert_eq!(sources.text(diagnostic.place.expect("a place")), "3");
}

#[test]
fn manifests_are_known_by_their_names() {
    let check = |name: &str, expected: bool| assert_eq!(is_manifest(name), expected, "{name}");
    check("note.dsc.resource.json", true);
    check("note.dsc.resource.yaml", true);
    check("note.dsc.resource.yml", true);
    check("all.dsc.manifests.json", true);
    check(".dsc.resource.json", false);
    check("note.json", false);
    check("note.dsc.adaptedResource.json", true);
    check("note.dsc.extension.json", false);
}

#[test]
fn a_file_can_hold_several() {
    let other = manifest(json!({ "type": "Example.Area/Other" }));
    let list = json!({ "resources": [manifest(json!({})), other], "extensions": [{}] });
    let read = |list: &str| read_manifests("all.dsc.manifests.json", list, Path::new("/kinds"));
    let (manifests, faults) = read(&list.to_string());
    let types: Vec<_> = manifests.iter().map(Manifest::type_name).collect();
    assert_eq!((types, faults.len()), (vec!["Example.Area/Note", "Example.Area/Other"], 0));
    let broken = json!({ "resources": [{}, { "type": 3 }, manifest(json!({}))] }).to_string();
    let (manifests, faults) = read(&broken);
    assert_eq!(manifests.len(), 1, "the others are there all the same");
    assert_eq!(faults.len(), 2);
    assert_eq!(&broken[faults[1].span.clone()], "3");
}

#[test]
fn the_same_manifest_is_the_same_kind() {
    let stage = Stage::printing("{}");
    let first = stage.kind(&manifest(json!({})));
    let again = stage.kind(&manifest(json!({})));
    assert!(Arc::ptr_eq(&first, &again), "nothing is made twice");
    let elsewhere = kind(&manifest(json!({})), Path::new("/other"), &stage.host.act());
    assert!(!Arc::ptr_eq(&first, &elsewhere));
}
