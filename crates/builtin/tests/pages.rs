//! Every kind, property and verb is documented.

use uphold_resource::Registry;

#[test]
fn every_kind_and_property_is_documented() {
    let mut registry = Registry::default();
    uphold_builtin::register(&mut registry).expect("the kinds are sound");
    assert!(registry.iter().count() > 40);
    for kind in registry.iter() {
        let schema = kind.schema();
        assert!(!schema.doc.is_empty(), "{} has no doc comment", schema.kind);
        for property in schema.all() {
            assert!(!property.doc.is_empty(), "{}.{} has no doc comment", schema.kind, property.name);
        }
        for verb in schema.verbs {
            assert!(!verb.doc.is_empty(), "{} {} has no doc", schema.kind, verb.name);
        }
    }
}
