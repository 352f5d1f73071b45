//! Completion of expressions: values, functions, and the steps of references.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use gen_lsp_types::CompletionItemKind as Sort;
use uphold::functions::{self, Function};
use uphold::model::{Name, PropertySchema, ROOTS, is_identifier};
use uphold::resource::FACTS;
use uphold::{PathStep, Word};

use crate::attributes::{actions, members, settings};
use crate::completion::{CompletionPlace, Item};
use crate::document::Document;
use crate::scope::{Found, Scope, named};

/// The words that an expression can begin with.
pub(crate) fn words(
    scope: &mut Scope<'_>,
    place: &CompletionPlace,
    attribute: &str,
    whole: bool,
) -> Vec<Item> {
    let words = if whole { plain_words(scope, place, attribute) } else { Vec::new() };
    let mut items: Vec<Item> = words.into_iter().map(|word| Item::new(word, Sort::Value).rank(0)).collect();
    items.extend(roots(scope, place));
    items.extend(functions::all().iter().map(|function| self::function(function, place)));
    items
}

/// The values of a property, inside quotes.
pub(crate) fn strings(scope: &mut Scope<'_>, place: &CompletionPlace, attribute: &str) -> Vec<Item> {
    let words = plain_words(scope, place, attribute);
    let inside = words.iter().filter_map(|word| word.strip_prefix('"')?.strip_suffix('"'));
    inside.map(|word| Item::new(word, Sort::Value).rank(0)).collect()
}

fn plain_words(scope: &mut Scope<'_>, place: &CompletionPlace, attribute: &str) -> Vec<String> {
    let settings = settings(scope, &place.spot.blocks);
    let setting = settings.into_iter().find(|setting| setting.name == attribute);
    setting.map(|setting| setting.words).unwrap_or_default()
}

fn roots(scope: &Scope<'_>, place: &CompletionPlace) -> Vec<Item> {
    let named = |root: &str| match root {
        "param" | "module" => scope.named(root).next().is_some(),
        "local" => scope.locals().next().is_some(),
        "each" => place.is_repeated(),
        _ => true,
    };
    let language = ROOTS.iter().filter(|root| named(root.name));
    let language =
        language.map(|root| Item::new(root.name, Sort::Keyword).about(root.form, root.doc).rank(3));
    let kinds: BTreeSet<&str> = scope.resources().map(|(_, kind, _)| &*kind.text).collect();
    let kinds = kinds.into_iter().map(|kind| Item::new(kind, Sort::Class).about("kind", "").rank(2));
    language.chain(kinds).collect()
}

fn function(function: &Function, place: &CompletionPlace) -> Item {
    let called = place.rest.starts_with('(');
    let text = if called { function.name.to_owned() } else { format!("{}(", function.name) };
    let snippet = (!called).then(|| format!("{}($0)", function.name));
    let item = Item::new(function.name, Sort::Function).about(signature(function), function.doc);
    item.text(text).snippet(snippet).rank(4)
}

/// The parameters of a function.
fn signature(function: &Function) -> String {
    let parameters = function.parameters.iter().map(|parameter| {
        if parameter.optional { format!("[{}]", parameter.name) } else { parameter.name.to_owned() }
    });
    let rest = function.rest.iter().map(|rest| format!("{}…", rest.name));
    format!("{}({})", function.name, parameters.chain(rest).collect::<Vec<_>>().join(", "))
}

/// The steps that can follow a path.
pub(crate) fn steps(scope: &mut Scope<'_>, attribute: &str, before: &[PathStep], quoted: bool) -> Vec<Item> {
    let Some((Some(root), rest)) = before.split_first().map(|(root, rest)| (root.name.clone(), rest)) else {
        return Vec::new();
    };
    match (&*root, rest) {
        ("param", []) => params(&scope.documents),
        ("local", []) => scope
            .locals()
            .map(|(document, local)| {
                let value = document.text.get(local.value.clone()).unwrap_or_default();
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
            let is_call = scope.keys("module", &name, more) == more.len();
            let files = if is_call { scope.module("module", &name) } else { None };
            outputs(&files.unwrap_or_default())
        }
        ("param" | "local" | "each" | "path", _) => Vec::new(),
        (kind, []) => resources(scope, kind, quoted),
        (kind, [name, more @ ..]) => fields(scope, attribute, kind, name, more),
    }
}

fn params(documents: &[Rc<Document>]) -> Vec<Item> {
    let item = |(found, label): (Found<'_>, &Word)| {
        Item::new(&*label.text, Sort::Variable).about(found.source_of("type"), found.description())
    };
    named(documents, "param").map(item).collect()
}

fn outputs(documents: &[Rc<Document>]) -> Vec<Item> {
    let item = |(found, label): (Found<'_>, &Word)| {
        Item::new(&*label.text, Sort::Field).about(first_line(&found.source_of("value")), found.description())
    };
    named(documents, "output").map(item).collect()
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// The next steps of fact names.
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

/// Names of the resources of a kind. A name that is no identifier replaces the dot with brackets.
fn resources(scope: &Scope<'_>, kind: &str, quoted: bool) -> Vec<Item> {
    let names =
        scope.resources().filter(|(_, its_kind, _)| &*its_kind.text == kind).map(|(_, _, name)| &name.text);
    let item = |name: &Name| {
        let item = Item::new(&**name, Sort::Value);
        let plain = quoted || is_identifier(name);
        if plain { item } else { item.replacing_dot(format!("[{name:?}]")) }
    };
    names.map(item).collect()
}

/// Properties of a resource, outputs of a module that is used as a kind, or actions in `notifies`.
fn fields(
    scope: &mut Scope<'_>,
    attribute: &str,
    kind: &str,
    name: &PathStep,
    more: &[PathStep],
) -> Vec<Item> {
    let name = name.name.clone().unwrap_or_default();
    let steps = &more[scope.keys(kind, &name, more)..];
    if let Some(files) = scope.module("kind", kind) {
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
