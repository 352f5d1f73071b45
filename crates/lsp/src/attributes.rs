//! The attributes that a block accepts.

use std::rc::Rc;

use uphold::SpotBlock;
use uphold::model::{BLOCKS, META, MetaSchema, Need, OnRemoval, PropertySchema, Rule, Schema, Type};

use crate::document::Document;
use crate::scope::{GROUPS, Scope, is_language, named};

/// An attribute that a block accepts.
#[derive(Default)]
pub(crate) struct Setting {
    pub(crate) name: String,
    /// Its type, in a few words.
    pub(crate) takes: String,
    pub(crate) doc: String,
    pub(crate) required: bool,
    /// Its page in `uphold explain`.
    pub(crate) topic: Option<String>,
    /// Its possible values, in source form.
    pub(crate) words: Vec<String>,
    /// Whether it is written as a block.
    pub(crate) nested: bool,
}

const BOOL: [&str; 2] = ["true", "false"];

/// Boolean attributes.
const SWITCHES: [&str; 7] =
    ["always", "audit", "auto_edges", "destroy", "ignore_failure", "required", "sensitive"];

/// Meta-arguments of module calls.
const CALL: [&str; 5] = ["always", "depends_on", "for_each", "on_removal", "when"];

/// The attributes that the innermost of these blocks accepts; outermost first.
pub(crate) fn settings(scope: &mut Scope<'_>, blocks: &[SpotBlock]) -> Vec<Setting> {
    let groups = blocks.iter().take_while(|block| GROUPS.contains(&&*block.kind)).count();
    let Some((block, nested)) = blocks[groups..].split_first() else {
        return blocks.last().map_or(Vec::new(), |group| language(&group.kind));
    };
    let nested: Vec<&str> = nested.iter().map(|block| &*block.kind).collect();
    let labelled = || block.labels.first().map(|kind| &**kind).unwrap_or_default().to_owned();
    match &*block.kind {
        "declare" | "edit" => kind(scope, &labelled(), &nested),
        "trigger" => with_actions(language("trigger"), scope.schema(&labelled())),
        "module" if nested.is_empty() => {
            let files = scope.module("module", &labelled()).unwrap_or_default();
            params(&files).into_iter().chain(language("module")).collect()
        }
        "param" if nested == ["validation"] => validation(),
        word if is_language(word) => {
            if nested.is_empty() {
                language(word)
            } else {
                Vec::new()
            }
        }
        word => kind(scope, word, &nested),
    }
}

/// The attributes of a resource, or of the call of a module that is used as a kind.
fn kind(scope: &mut Scope<'_>, kind: &str, nested: &[&str]) -> Vec<Setting> {
    if let Some(files) = scope.module("kind", kind) {
        let call = META.iter().filter(|meta| CALL.contains(&meta.name)).map(meta);
        return if nested.is_empty() { params(&files).into_iter().chain(call).collect() } else { Vec::new() };
    }
    let Some(schema) = scope.schema(kind) else { return META.iter().map(meta).collect() };
    let mut path = schema.kind.to_owned();
    let mut properties = schema.all();
    for step in nested {
        path = format!("{path}.{step}");
        let inner = properties.iter().find(|property| property.name == *step);
        properties = inner.map_or(Vec::new(), |property| members(property.ty).iter().collect());
    }
    let settable = properties.into_iter().filter(|property| property.role.is_settable());
    let mut settings: Vec<Setting> = settable.map(|property| self::property(&path, property)).collect();
    if nested.is_empty() {
        settings.extend(META.iter().map(meta));
    }
    with_actions(settings, Some(schema))
}

fn property(path: &str, property: &PropertySchema) -> Setting {
    Setting {
        name: property.name.to_owned(),
        takes: property.ty.to_string(),
        doc: property.doc.to_owned(),
        required: property.need == Need::Required,
        topic: Some(format!("{path}.{}", property.name)),
        words: property_words(property),
        nested: matches!(property.ty, Type::Struct(_)),
    }
}

fn meta(meta: &MetaSchema) -> Setting {
    let (topic, words) = (Some(meta.name.to_owned()), fixed_words(meta.name));
    Setting { topic, words, ..plain(meta.name, meta.takes, meta.doc) }
}

fn fixed_words(name: &str) -> Vec<String> {
    match name {
        "on_removal" => OnRemoval::ALL.map(|value| format!("{:?}", value.word())).to_vec(),
        _ if SWITCHES.contains(&name) => BOOL.map(str::to_owned).to_vec(),
        _ => Vec::new(),
    }
}

fn plain(name: &str, takes: &str, doc: &str) -> Setting {
    Setting { name: name.to_owned(), takes: takes.to_owned(), doc: doc.to_owned(), ..Setting::default() }
}

/// The attributes of a block of the language.
fn language(word: &str) -> Vec<Setting> {
    let schema = BLOCKS.iter().find(|block| block.name == word);
    let attributes = schema.map_or(&[][..], |block| block.attributes);
    let setting = |attribute: &uphold::model::BlockAttribute| Setting {
        required: attribute.required,
        words: fixed_words(attribute.name),
        nested: attribute.name == "validation",
        ..plain(attribute.name, attribute.takes, attribute.doc)
    };
    attributes.iter().map(setting).collect()
}

fn validation() -> Vec<Setting> {
    vec![
        Setting {
            required: true,
            ..plain("condition", "a condition", "The condition that the value must meet.")
        },
        Setting { required: true, ..plain("message", "text", "The error message if it does not.") },
    ]
}

/// The params of a module.
fn params(files: &[Rc<Document>]) -> Vec<Setting> {
    named(files, "param")
        .map(|(found, label)| Setting {
            required: found.block.attribute("default").is_none()
                && found.block.attribute("required").is_none(),
            ..plain(&label.text, &found.source_of("type"), &found.description())
        })
        .collect()
}

/// Adds the actions of the kind as the values of `action`.
fn with_actions(mut settings: Vec<Setting>, schema: Option<&Schema>) -> Vec<Setting> {
    for setting in settings.iter_mut().filter(|setting| setting.name == "action") {
        setting.words = actions(schema).into_iter().map(|action| format!("{action:?}")).collect();
    }
    settings
}

/// The actions of a kind.
pub(crate) fn actions(schema: Option<&Schema>) -> Vec<&'static str> {
    let verbs = schema.map_or(&[][..], |schema| schema.verbs).iter().map(|verb| verb.name);
    let remove = schema.is_none_or(|schema| schema.removable).then_some("remove");
    ["converge"].into_iter().chain(remove).chain(["nothing"]).chain(verbs).collect()
}

fn property_words(property: &PropertySchema) -> Vec<String> {
    let rule = |rule: &Rule| match rule {
        Rule::OneOf(words) => words.iter().map(|word| format!("{word:?}")).collect(),
        _ => Vec::new(),
    };
    let mut words = type_words(property.ty);
    words.extend(property.rules.iter().flat_map(rule));
    words
}

fn type_words(ty: &Type) -> Vec<String> {
    match ty {
        Type::Bool => BOOL.map(str::to_owned).to_vec(),
        Type::Enum(words) => words.iter().map(|word| format!("{word:?}")).collect(),
        Type::Sensitive(inner) => type_words(inner),
        Type::Nullable(inner) => type_words(inner).into_iter().chain(["null".to_owned()]).collect(),
        _ => Vec::new(),
    }
}

/// The members of a nested struct, also of one in a list or a map, or of a nullable one.
pub(crate) fn members(ty: &Type) -> &'static [PropertySchema] {
    match ty {
        Type::Struct(members) => members,
        Type::List(inner) | Type::Map(inner) | Type::Sensitive(inner) | Type::Nullable(inner) => {
            members(inner)
        }
        _ => &[],
    }
}
