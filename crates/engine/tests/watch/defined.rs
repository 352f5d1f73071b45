//! Kinds that are redefined during a watch.

use std::sync::Arc;

use uphold_model::{Map, Need, PropertySchema, Role, Schema, Type, Value};
use uphold_resource::{
    AbsolutePath, Access, Act, Definition, Files, Look, NewFile, Property, Registry, Result, ValueType,
    Wishes,
};

use super::stage::Stage;

/// A file that contains a text and an ending, which only the definition knows.
struct Label {
    schema: &'static Schema,
    path: ValueType,
    text: ValueType,
    ending: &'static str,
}

static PROPERTIES: [PropertySchema; 2] = [
    property("path", Role::Name, AbsolutePath::TYPE, Need::Optional),
    property("text", Role::State, &Type::Text, Need::Required),
];
static LABEL: Schema = schema("label");
static TAG: Schema = schema("tag");

const fn schema(kind: &'static str) -> Schema {
    Schema { kind, doc: "", properties: &PROPERTIES, groups: &[], verbs: &[], removable: true, also: &[] }
}

const fn property(name: &'static str, role: Role, ty: &'static Type, need: Need) -> PropertySchema {
    PropertySchema {
        name,
        doc: "",
        role,
        ty,
        need,
        default: None,
        rules: &[],
        aliases: &[],
        also: &[],
        replaced_by: None,
        flatten: None,
    }
}

fn word(wishes: &Wishes, property: &str) -> String {
    match wishes.get(property) {
        Some(Value::Text(text)) => text.to_string(),
        other => panic!("{property} is {other:?}"),
    }
}

impl Definition for Label {
    fn schema(&self) -> &'static Schema {
        self.schema
    }

    fn value_type(&self, property: &str) -> &ValueType {
        if property == "path" { &self.path } else { &self.text }
    }

    fn load(&self, wishes: &Wishes, look: &Look<'_>) -> Result<Option<Map>> {
        let path = word(wishes, "path");
        let Some(entry) = look.files().look(path.as_ref())? else { return Ok(None) };
        let content = look.files().read(path.as_ref(), entry.size)?;
        let content = String::from_utf8_lossy(&content).into_owned();
        let text = content.strip_suffix(self.ending).unwrap_or("");
        Ok(Some(Map::from_iter([("text".into(), Value::text(text))])))
    }

    fn converge(&self, wishes: &Wishes, _: Option<&Map>, host: &Act<'_>) -> Result<()> {
        let content = format!("{}{}", word(wishes, "text"), self.ending);
        let file = NewFile::new(content.as_bytes(), Access::default());
        host.edits().write(word(wishes, "path").as_ref(), &file)
    }
}

fn label(schema: &'static Schema, ending: &'static str) -> Arc<Label> {
    let named = |name: &str| ValueType::named(name).expect("it is a plain type");
    Arc::new(Label { schema, path: named("path"), text: named("text"), ending })
}

fn kinds(all: impl IntoIterator<Item = Arc<Label>>) -> Registry {
    let mut registry = Registry::default();
    all.into_iter().for_each(|kind| registry.define(kind).expect("it is sound"));
    registry
}

const LABELS: &str = r#"
    label "/d/a" { text = "1" }
    label "/d/b" { text = "2" }"#;

#[test]
fn a_program_brings_its_kinds_and_equal_ones_are_kept() {
    let (first, second) = (kinds([label(&LABEL, ".")]), kinds([label(&LABEL, "!")]));
    let again = first.clone();
    let transcript = Stage::new()
        .then(move |scene| _ = scene.swap_with(first, LABELS))
        .then(move |scene| _ = scene.swap_with(again, LABELS))
        .then(move |scene| _ = scene.swap_with(second, LABELS))
        .then(|scene| scene.host.tamper("/d/b", "x"))
        .watch(r#"note "/d/n" { text = "0" }"#)
        .check(
            "+ /d/n
            watching 1
            -
            swapped 1: 0 kept, 2 visited, 1 left
            + /d/a
            + /d/b
            watching 2
            -
            swapped 2: 2 kept, 0 visited, 0 left
            watching 2
            -
            swapped 3: 0 kept, 2 visited, 0 left
            ~ /d/a
            ~ /d/b
            watching 2
            -
            ~ /d/b because /d/b changed",
        );
    assert_eq!(transcript.text("/d/a").as_deref(), Some("1!"));
    assert_eq!(transcript.host().read("/d/b".as_ref(), 0).ok().as_deref(), Some(&b"2!"[..]));
}

#[test]
fn kinds_that_may_use_a_changed_kind_are_visited_too() {
    let tag = label(&TAG, ".");
    let first = kinds([label(&LABEL, "."), tag.clone()]);
    let second = kinds([label(&LABEL, "!"), tag]);
    let text = "tag \"/d/t\" { text = \"1\" }";
    let transcript = Stage::new()
        .then(move |scene| _ = scene.swap_with(first, text))
        .then(move |scene| _ = scene.swap_with(second, text))
        .watch(r#"note "/d/n" { text = "0" }"#);
    assert_eq!(
        transcript.lines_of("swapped"),
        ["swapped 1: 0 kept, 1 visited, 1 left", "swapped 2: 0 kept, 1 visited, 0 left"]
    );
}
