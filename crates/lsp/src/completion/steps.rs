//! Further steps of paths.

use std::collections::BTreeMap;
use std::rc::Rc;

use gen_lsp_types::CompletionItemKind as Sort;
use uphold::PathStep;
use uphold::model::{Name, PropertySchema, is_identifier};
use uphold::resource::FACTS;

use super::item::Item;
use crate::body::{actions, description, members, written};
use crate::scope::{Scope, inside, named};
use crate::sheet::Sheet;

/// What may come after a path.
pub(super) fn steps(scope: &mut Scope<'_>, attribute: &str, before: &[PathStep], quoted: bool) -> Vec<Item> {
    let Some((Some(root), rest)) = before.split_first().map(|(root, rest)| (root.name.clone(), rest)) else {
        return Vec::new();
    };
    match (&*root, rest) {
        ("param", []) => params(&scope.sheets),
        ("local", []) => scope
            .locals()
            .map(|(sheet, local)| {
                let value = sheet.text.get(local.value.clone()).unwrap_or_default();
                Item::new(&*local.name.text, Sort::Variable).about(first_line(value), "")
            })
            .collect(),
        ("each", []) => ["key", "value"].map(|word| Item::new(word, Sort::Variable)).into(),
        ("path", []) => ["module", "root", "cwd"].map(|word| Item::new(word, Sort::Variable)).into(),
        ("host", _) => facts(rest),
        ("module", []) => {
            scope.named("module").map(|(_, label)| Item::new(&*label.text, Sort::Module)).collect()
        }
        ("module", [name, more @ ..]) => {
            let name = name.name.clone().unwrap_or_default();
            let found = scope.named("module").find(|(_, label)| label.text == name).map(|(found, _)| found);
            let called = inside(found, more) == more.len();
            let files = if called { scope.module_of_call(&name) } else { None };
            outputs(&files.unwrap_or_default())
        }
        ("param" | "local" | "each" | "path", _) => Vec::new(),
        (kind, []) => resources(scope, kind, quoted),
        (kind, [name, more @ ..]) => fields(scope, attribute, kind, name, more),
    }
}

fn params(sheets: &[Rc<Sheet>]) -> Vec<Item> {
    let param = |(found, label): (crate::scope::Found<'_>, &uphold::Word)| {
        let ty = written(found.sheet, found.block, "type");
        Item::new(&*label.text, Sort::Variable).about(ty, description(found.block))
    };
    named(sheets, "param").map(param).collect()
}

fn outputs(files: &[Rc<Sheet>]) -> Vec<Item> {
    let output = |(found, label): (crate::scope::Found<'_>, &uphold::Word)| {
        let value = written(found.sheet, found.block, "value");
        Item::new(&*label.text, Sort::Field).about(first_line(&value), description(found.block))
    };
    named(files, "output").map(output).collect()
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// The next words of facts.
fn facts(rest: &[PathStep]) -> Vec<Item> {
    let prefix: String =
        rest.iter().filter_map(|step| step.name.as_deref()).flat_map(|name| [name, "."]).collect();
    let mut words = BTreeMap::new();
    for fact in FACTS {
        let Some(after) = fact.name.strip_prefix(&prefix) else { continue };
        match after.split_once('.') {
            Some((word, _)) => _ = words.entry(word).or_insert_with(|| Item::new(word, Sort::Module)),
            None => {
                let item = Item::new(after, Sort::Field).about(fact.ty.to_string(), fact.doc);
                words.insert(after, item);
            }
        }
    }
    words.into_values().collect()
}

/// Names of resources of a kind. After a dot, a name that is no word is written in brackets.
fn resources(scope: &Scope<'_>, kind: &str, quoted: bool) -> Vec<Item> {
    let names =
        scope.resources().filter(|(_, its_kind, _)| &*its_kind.text == kind).map(|(_, _, name)| &name.text);
    let item = |name: &Name| match quoted || is_identifier(name) {
        true => Item::new(&**name, Sort::Value),
        false => Item { replaces_dot: true, ..Item::new(&**name, Sort::Value).text(format!("[{name:?}]")) },
    };
    names.map(item).collect()
}

/// Properties of a resource, outputs of a module that is used as a kind, or verbs where one is told.
fn fields(
    scope: &mut Scope<'_>,
    attribute: &str,
    kind: &str,
    name: &PathStep,
    more: &[PathStep],
) -> Vec<Item> {
    let name = name.name.clone().unwrap_or_default();
    let steps = &more[inside(scope.resource(kind, &name), more)..];
    if let Some(files) = scope.module_of_kind(kind) {
        return if steps.is_empty() { outputs(&files) } else { Vec::new() };
    }
    let Some(schema) = scope.schema(kind) else { return Vec::new() };
    if attribute == "notifies" {
        let actions = actions(Some(schema)).into_iter().filter(|action| *action != "nothing");
        return actions.map(|action| Item::new(action, Sort::Event)).collect();
    }
    let mut properties = schema.all();
    for step in steps.iter().filter(|step| !step.index) {
        let inner = properties.iter().find(|property| Some(property.name) == step.name.as_deref());
        properties = inner.map_or(Vec::new(), |property| members(property.ty).iter().collect());
    }
    let item = |property: &&PropertySchema| {
        Item::new(property.name, Sort::Field).about(property.ty.to_string(), property.doc)
    };
    properties.iter().map(item).collect()
}
