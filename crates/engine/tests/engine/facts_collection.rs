//! Facts COL and DSL of Chef's collection specs: set and list as two types.

use uphold_engine::ResourceSet;
use uphold_model::{Attribute, Declaration, Edit, Meta, ResourceId, Term, Value};

fn declaration(name: &str, text: &str) -> Declaration {
    Declaration {
        id: ResourceId::new("note", name),
        place: None,
        attributes: [Attribute::known("text", text)].into(),
        meta: Meta::default(),
    }
}

fn set(names: &[&str]) -> ResourceSet {
    let mut set = ResourceSet::default();
    for name in names {
        set.declare(declaration(name, "x")).expect("each name once");
    }
    set
}

fn text(set: &ResourceSet, name: &str) -> Option<Value> {
    let index = set.find(&ResourceId::new("note", name))?;
    match &set.entry(index).declaration.attributes.first()?.value {
        Term::Known(value) => Some(value.clone()),
        Term::Deferred(_) => None,
    }
}

#[test]
fn col_04_iteration_keeps_the_order_and_numbers_are_stable() {
    let set = set(&["c", "a", "b"]);
    let names: Vec<_> = set.iter().map(|(index, declared)| (index, &*declared.declaration.id.name)).collect();
    assert_eq!(names, [(0, "c"), (1, "a"), (2, "b")]);
    assert_eq!(&*set.id(1).name, "a");
}

#[test]
fn col_09_one_id_finds_one_resource() {
    let set = set(&["a", "a, b"]);
    assert_eq!(set.find(&ResourceId::new("note", "a, b")), Some(1));
    assert_eq!(set.find(&ResourceId::new("note", "b")), None);
    assert_eq!(set.find(&ResourceId::new("other", "a")), None);
}

#[test]
fn col_12_differs_the_set_keeps_the_first_and_refuses_the_second() {
    let mut set = set(&["a"]);
    let refused = set.declare(declaration("a", "second")).expect_err("each name once");
    assert_eq!(refused.summary(), "duplicate resource");
    assert_eq!((set.len(), text(&set, "a")), (1, Some(Value::text("x"))));
}

#[test]
fn dsl_01_a_declaration_is_in_the_set() {
    let set = set(&["a"]);
    assert_eq!((set.len(), text(&set, "a")), (1, Some(Value::text("x"))));
}

#[test]
fn dsl_04_edits_change_one_resource_and_are_kept() {
    let mut set = set(&["a", "b"]);
    let edit = |name: &str| Edit {
        id: ResourceId::new("note", name),
        place: None,
        attributes: vec![Attribute::known("text", "new"), Attribute::known("more", true)],
    };
    set.edit(edit("a")).expect("it is there");
    assert_eq!((text(&set, "a"), text(&set, "b")), (Some(Value::text("new")), Some(Value::text("x"))));
    let edited: Vec<_> = set.edits(0).iter().map(|edit| edit.property.to_string()).collect();
    assert_eq!(edited, ["text", "more"]);
    assert_eq!(set.edit(edit("q")).expect_err("it is not there").summary(), "unknown resource");
}
