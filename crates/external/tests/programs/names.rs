//! Kind names of several manifests.

use std::path::Path;

use serde_json::json;
use uphold_external::{Fault, define, read_manifests};

use super::stage::{known, manifest};

/// The kinds of these types with their selected versions, and the faults.
fn defined(types: &[(&str, &str)], taken: &[&str]) -> (Vec<String>, Vec<Fault>) {
    let resource =
        |(type_name, version): &(&str, &str)| manifest(json!({ "type": type_name, "version": version }));
    let list = json!({ "resources": types.iter().map(resource).collect::<Vec<_>>() }).to_string();
    let (manifests, faults) = read_manifests("all.dsc.manifests.json", &list, Path::new("/kinds"));
    assert!(faults.is_empty(), "{faults:?}");
    let (kinds, faults) = define(&manifests, &|name| taken.contains(&name));
    let shown = kinds.iter().map(|kind| {
        let schema = known(kind).schema();
        let version = schema.doc.rsplit("version ").next().unwrap_or_default();
        format!("{} {}", schema.kind, version.trim_end_matches('.'))
    });
    (shown.collect(), faults)
}

#[track_caller]
fn check(types: &[(&str, &str)], taken: &[&str], expected: &[&str]) {
    let (kinds, _) = defined(types, taken);
    assert_eq!(kinds, expected, "{types:?}");
}

#[test]
fn a_name_that_is_taken_grows_by_its_namespace() {
    let service = ("Microsoft.Windows/Service", "1.0.0");
    check(&[service], &[], &["service 1.0.0"]);
    check(&[service], &["service"], &["windows_service 1.0.0"]);
    check(&[service], &["service", "windows_service"], &["microsoft_windows_service 1.0.0"]);
    check(&[("Example/Module", "1.0.0")], &[], &["example_module 1.0.0"]);
}

#[test]
fn types_that_want_one_name_all_have_longer_ones() {
    let types = [("One.Area/Thing", "1.0.0"), ("Two.Area/Thing", "1.0.0"), ("Other/Thing", "1.0.0")];
    check(&types, &[], &["one_area_thing 1.0.0", "two_area_thing 1.0.0", "other_thing 1.0.0"]);
    let (_, faults) = defined(&types, &[]);
    assert_eq!((&*faults[0].kinds, faults[0].is_mistake), (&["thing".to_owned()][..], false));
    let expected = "`thing` could be several types: `one_area_thing` is One.Area/Thing, `two_area_thing` is \
                    Two.Area/Thing, `other_thing` is Other/Thing";
    assert_eq!(faults[0].what, expected);
}

#[test]
fn of_several_versions_the_newest_counts() {
    let versions =
        |all: &[&'static str]| -> Vec<_> { all.iter().map(|one| ("Test/Version", *one)).collect() };
    for all in [&["1.1.0", "1.10.0", "1.9.0", "1.10.0-beta"][..], &["1.10.0", "1.1.0"]] {
        let (kinds, faults) = defined(&versions(all), &[]);
        assert_eq!((kinds, faults.len()), (vec!["version 1.10.0".to_owned()], 0), "{all:?}");
    }
    // Identical duplicates are accepted.
    check(&versions(&["1.0.0", "1.0.0"]), &[], &["version 1.0.0"]);
}

#[test]
fn one_version_that_is_described_twice_is_reported() {
    let other = manifest(json!({ "description": "Another one." }));
    let list = json!({ "resources": [manifest(json!({})), other] }).to_string();
    let (manifests, _) = read_manifests("all.dsc.manifests.json", &list, Path::new("/kinds"));
    let (kinds, faults) = define(&manifests, &|_| false);
    assert_eq!(kinds.len(), 1);
    let expected = "Example.Area/Note 1.2.3 is described by all.dsc.manifests.json, too, and that is used";
    assert_eq!(faults[0].what, expected);
}

#[test]
fn a_name_without_alternatives_is_a_fault() {
    let named = manifest(json!({ "metadata": { "uphold": { "kind": "file" } } })).to_string();
    let (manifests, _) = read_manifests("note.dsc.resource.json", &named, Path::new("/kinds"));
    let (kinds, faults) = define(&manifests, &|name| name == "file");
    assert!(kinds.is_empty());
    assert_eq!(
        faults[0].what,
        "Example.Area/Note cannot be a kind: `file` is already used, or not a valid name"
    );
}

#[test]
fn a_manifest_that_cannot_be_a_kind_leaves_the_others_alone() {
    let adapter =
        json!({ "kind": "adapter", "adapter": { "list": { "executable": "x" }, "inputKind": "full" } });
    let list = json!({ "resources": [
        manifest(json!({ "type": "Microsoft.DSC/Group", "kind": "group" })),
        manifest(json!({ "type": "Microsoft.DSC/Include", "kind": "importer" })),
        manifest(json!({ "type": "Test/Export", "get": null })),
        manifest(json!({ "type": "Test/Adapter" , "kind": "adapter", "adapter": adapter["adapter"] })),
        manifest(json!({ "type": "Test/Typo", "gett": {} })),
        manifest(json!({})),
    ] });
    let (manifests, faults) =
        read_manifests("all.dsc.manifests.json", &list.to_string(), Path::new("/kinds"));
    let reasons: Vec<_> = faults.iter().map(|fault| (&*fault.kinds[0], fault.is_mistake)).collect();
    assert_eq!(reasons, [("group", false), ("include", false), ("export", false), ("typo", true)]);
    let (kinds, faults) = define(&manifests, &|_| false);
    assert_eq!((kinds.len(), faults.len()), (1, 0), "an adapter is not a kind, and no fault");
    assert_eq!(known(&kinds[0]).schema().kind, "note");
}
