//! A folder like that of DSC's package for Linux, with some manifests that cannot be used as kinds.

use std::process::Command;

use serde_json::{Value as Json, json};
use uphold_testbed::own_state;

use crate::binary::{Run, write_program};

fn resource(type_name: &str, more: Json) -> Json {
    let mut resource = json!({
        "$schema": "https://aka.ms/dsc/schemas/v3/bundled/resource/manifest.json",
        "type": type_name,
        "version": "0.1.0",
        "get": { "executable": "tool", "args": ["get"], "input": "stdin" },
        "set": { "executable": "tool", "args": ["set"], "input": "stdin" },
        "schema": { "embedded": { "type": "object", "properties": { "name": { "type": "string" } } } }
    });
    let Json::Object(more) = more else { panic!("{type_name}: members, please") };
    more.into_iter().for_each(|(key, value)| resource[key] = value);
    resource
}

/// The manifests of the folder, in their published forms.
fn manifests() -> Vec<(&'static str, Json)> {
    let through_dsc = |kind: &str| {
        let dsc = json!({ "executable": "dsc", "args": ["config", "get"], "input": "stdin" });
        json!({ "kind": kind, "get": dsc, "set": dsc, "test": dsc })
    };
    let printed = json!({ "command": { "executable": "not-installed", "args": ["schema"] } });
    let versions = ["1.1.0", "1.1.2", "1.2.0", "2.0.0", "1.1.1", "1.10.0"];
    let versions = versions.map(|version| resource("Test/Version", json!({ "version": version })));
    let adapted = json!({
        "type": "Adapted/Two", "version": "1.0.0", "capabilities": ["get"], "requireAdapter": "Test/Adapter",
        "schema": { "type": "object", "properties": { "two": { "type": "string" } } }
    });
    let adapter =
        json!({ "kind": "adapter", "adapter": { "list": { "executable": "tool" }, "config": "single" } });
    let listed = [&versions[..], &[resource("Test/Adapter", adapter)]].concat();
    vec![
        ("group.dsc.resource.json", resource("Microsoft.DSC/Group", through_dsc("group"))),
        ("assertion.dsc.resource.json", resource("Microsoft.DSC/Assertion", through_dsc("group"))),
        ("include.dsc.resource.json", resource("Microsoft.DSC/Include", through_dsc("importer"))),
        ("osinfo.dsc.resource.json", resource("Microsoft/OSInfo", json!({ "set": null }))),
        (
            "sshd-windows.dsc.resource.json",
            resource(
                "Microsoft.OpenSSH.SSHD/Windows",
                json!({ "condition": "[equals(context().os.family, 'Windows')]", "schema": printed }),
            ),
        ),
        ("service.dsc.resource.json", resource("Microsoft.Windows/Service", json!({}))),
        (
            "any.dsc.resource.json",
            resource("Test/Any", json!({ "schema": { "embedded": { "additionalProperties": true } } })),
        ),
        (
            "test.dsc.manifests.json",
            json!({
                "resources": listed,
                "adaptedResources": [adapted],
                "extensions": [{ "type": "Test/Extension" }]
            }),
        ),
        (
            "alone.dsc.adaptedResource.json",
            json!({
                "type": "Adapted/Alone", "version": "1.0.0", "capabilities": ["get"], "requireAdapter": "No/Adapter",
                "schema": { "embedded": { "properties": {} } }
            }),
        ),
    ]
}

fn run(arguments: &[&str], configuration: &str) -> Run {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name);
    std::fs::create_dir(path("package")).expect("made");
    for (name, manifest) in manifests() {
        std::fs::write(path("package").join(name), manifest.to_string()).expect("written");
    }
    write_program(&path("package/tool"), "#!/bin/sh\ncat > /dev/null\necho '{\"name\": \"x\"}'\n");
    std::fs::write(path("main.hcl"), configuration).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
    command.args(arguments).arg("--kinds").arg(path("package"));
    command.args((arguments[0] == "plan").then(|| path("main.hcl")));
    Run::of(own_state(&mut command, directory.path()))
}

#[test]
fn it_loads_and_only_the_unusable_kinds_are_missing() {
    let list = run(&["explain", "--list"], "");
    assert_eq!((list.code, &*list.err), (0, ""));
    let names: Vec<&str> = list.out.lines().filter_map(|line| line.split("  ").next()).collect();
    for kind in ["os_info", "windows", "windows_service", "version", "two", "service", "package"] {
        assert!(names.contains(&kind), "no {kind} in {names:?}");
    }
    for kind in ["group_", "assertion", "include", "any", "alone", "adapter", "extension"] {
        assert!(!names.contains(&kind), "{kind} in {names:?}");
    }
}

#[test]
fn other_blocks_run_and_usable_kinds_work() {
    let ran = run(
        &["plan"],
        "log \"x\" {}\nos_info \"x\" {}\nwindows_service \"x\" {}\nversion \"x\" {}\ntwo \"x\" {}\n",
    );
    assert_eq!((ran.code, &*ran.err), (0, ""), "{}", ran.out);
}

#[test]
fn a_block_of_an_unusable_kind_gets_the_reason() {
    let check = |block: &str, reason: &str| {
        let ran = run(&["plan"], block);
        assert_eq!(ran.code, 1, "{block}");
        assert!(ran.err.contains(reason), "no {reason:?} in\n{}", ran.err);
    };
    check("include \"x\" {}\n", "an importer runs other resources through `dsc` itself");
    check("assertion \"x\" {}\n", "a group runs other resources through `dsc` itself");
    check("any \"x\" {}\n", "the schema has no properties");
    check("alone \"x\" {}\n", "there is no manifest for the adapter `No/Adapter`");
    check("windows \"x\" {}\n", "cannot run not-installed: no such program in PATH");
}
