//! The output of `uphold schema`, and its parts; `docs/schema.md` specifies it.

use serde::{Deserialize, Serialize};
use uphold_model as model;

use super::version::Format;
pub use crate::explained::{Explained, KindProperty, Listing};
use crate::object::{Word, severity};
use crate::value::Value;
use crate::version::Version;

/// All that a program knows about the language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/schema.md has a row for each list")]
pub struct SchemaDocument {
    pub blocks: Vec<Block>,
    pub facts: Vec<Fact>,
    /// `uphold-schema`.
    pub format: Word,
    pub format_version: Version,
    pub functions: Vec<Function>,
    pub kinds: Vec<Kind>,
    pub meta_arguments: Vec<MetaArgument>,
    pub roots: Vec<Root>,
    pub topics: Vec<Documented>,
}

impl Format for SchemaDocument {
    const NAME: &'static str = "schema";
    const VERSION: Version = VERSION;
}

/// The version of all documents here.
pub(crate) const VERSION: Version = Version::new(2, 0);

/// A name and its documentation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Documented {
    pub doc: Word,
    pub name: Word,
}

/// A kind of resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/schema.md says what each means")]
pub struct Kind {
    pub defined_in: Option<String>,
    pub doc: Word,
    pub example: String,
    pub groups: Vec<Group>,
    pub kind: Word,
    pub properties: Vec<Property>,
    pub removable: bool,
    pub verbs: Vec<Documented>,
}

impl Kind {
    /// From its schema; the rest is known elsewhere.
    pub fn new(schema: &model::Schema, defined_in: Option<&str>, example: String) -> Self {
        let verb = |verb: &model::VerbSchema| Documented { doc: verb.doc.into(), name: verb.name.into() };
        Self {
            defined_in: defined_in.map(str::to_owned),
            doc: schema.doc.into(),
            example,
            groups: schema.groups.iter().map(Group::from).collect(),
            kind: schema.kind.into(),
            properties: schema.all().into_iter().map(Property::from).collect(),
            removable: schema.removable,
            verbs: schema.verbs.iter().map(verb).collect(),
        }
    }
}

/// A rule over several properties.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Their names.
    pub properties: Vec<Word>,
    /// `at_most_one`, `at_least_one`, `all_or_none` or `first_requires_another`.
    pub rule: Word,
}

impl From<&model::Group> for Group {
    fn from(group: &model::Group) -> Self {
        let rule = match group.rule {
            model::GroupRule::Exclusive => "at_most_one",
            model::GroupRule::AnyOf => "at_least_one",
            model::GroupRule::Together => "all_or_none",
            model::GroupRule::Requires => "first_requires_another",
        };
        Self { properties: words(group.properties), rule: rule.into() }
    }
}

/// A property of a kind. Fields that do not apply are null or empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/schema.md says what each means")]
pub struct Property {
    pub aliases: Vec<Word>,
    /// As HCL.
    pub default: Option<String>,
    pub doc: Word,
    pub name: Word,
    pub replaced_by: Option<Replacement>,
    pub required: Required,
    pub role: Word,
    pub rules: Vec<Rule>,
    pub r#type: Type,
}

impl From<&model::PropertySchema> for Property {
    fn from(property: &model::PropertySchema) -> Self {
        let default = property.default.and_then(|default| default.make().ok());
        let replacement =
            |(name, why): (&'static str, &'static str)| Replacement { name: name.into(), why: why.into() };
        Self {
            aliases: words(property.aliases),
            default: default.map(|value| value.to_string()),
            doc: property.doc.into(),
            name: property.name.into(),
            replaced_by: property.replaced_by.map(replacement),
            required: match property.need {
                model::Need::Optional => Required::Always(false),
                model::Need::Required => Required::Always(true),
                model::Need::RequiredFor(actions) => Required::For(words(actions)),
            },
            role: property.role.word().into(),
            rules: property.rules.iter().map(Rule::from).collect(),
            r#type: property.ty.into(),
        }
    }
}

/// Whether a property must be set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Required {
    /// For all actions, or for none.
    Always(bool),
    /// For these actions.
    For(Vec<Word>),
}

/// The property that replaces an old one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Replacement {
    pub name: Word,
    pub why: Word,
}

/// A rule that values must meet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Rule {
    Check(Word),
    OneOf(Vec<Word>),
    Pattern(Word),
    Range([f64; 2]),
}

impl From<&model::Rule> for Rule {
    fn from(rule: &model::Rule) -> Self {
        match *rule {
            model::Rule::OneOf(allowed) => Rule::OneOf(words(allowed)),
            model::Rule::Range(min, max) => Rule::Range([min, max]),
            model::Rule::Pattern(pattern) => Rule::Pattern(pattern.into()),
            model::Rule::Check(_, message) => Rule::Check(message.into()),
        }
    }
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "docs/schema.md has a row for each")]
pub enum Type {
    Any,
    Text,
    Bool,
    Int { max: i64, min: i64 },
    Float,
    Bytes,
    Named { doc: Word, example: Word, name: Word },
    Enum { words: Vec<Word> },
    List { of: Box<Type> },
    Map { of: Box<Type> },
    Struct { properties: Vec<Property> },
    Reference { kind: Word },
    Sensitive { of: Box<Type> },
    Nullable { of: Box<Type> },
}

impl From<&model::Type> for Type {
    fn from(ty: &model::Type) -> Self {
        let inner = |inner: &model::Type| Box::new(inner.into());
        match *ty {
            model::Type::Any => Type::Any,
            model::Type::Text => Type::Text,
            model::Type::Bool => Type::Bool,
            model::Type::Int(min, max) => Type::Int { max, min },
            model::Type::Float => Type::Float,
            model::Type::Bytes => Type::Bytes,
            model::Type::Named { name, doc, example } => {
                Type::Named { doc: doc.into(), example: example.into(), name: name.into() }
            }
            model::Type::Enum(allowed) => Type::Enum { words: words(allowed) },
            model::Type::List(of) => Type::List { of: inner(of) },
            model::Type::Map(of) => Type::Map { of: inner(of) },
            model::Type::Struct(members) => {
                Type::Struct { properties: members.iter().map(Property::from).collect() }
            }
            model::Type::Reference(kind) => Type::Reference { kind: kind.into() },
            model::Type::Sensitive(of) => Type::Sensitive { of: inner(of) },
            model::Type::Nullable(of) => Type::Nullable { of: inner(of) },
        }
    }
}

fn words(words: &[&'static str]) -> Vec<Word> {
    words.iter().map(|word| Word::Borrowed(*word)).collect()
}

/// A function of the language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/schema.md says what each means")]
pub struct Function {
    pub doc: Word,
    pub examples: Vec<Example>,
    pub name: Word,
    pub parameters: Vec<Parameter>,
    pub return_type: Option<Word>,
    pub signature: String,
    pub topic: Word,
    pub variadic_parameter: Option<Parameter>,
}

/// A call of a function, and its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Example {
    pub call: Word,
    pub result: Word,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Parameter {
    pub accepts: Word,
    pub name: Word,
    pub optional: bool,
}

/// A fact about the machine: `host.…`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Markdown.
    pub doc: Word,
    /// Why it has no value here, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// HCL.
    pub example: Word,
    /// With `host.`.
    pub name: String,
    /// Its type.
    pub r#type: Type,
    /// Its value here, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

impl From<&model::FactSchema> for Fact {
    fn from(fact: &model::FactSchema) -> Self {
        let (doc, example, name) = (fact.doc.into(), fact.example.into(), format!("host.{}", fact.name));
        Self { doc, error: None, example, name, r#type: fact.ty.into(), value: None }
    }
}

/// A meta-argument of resource blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/schema.md says what each means")]
pub struct MetaArgument {
    pub accepts: Word,
    pub doc: Word,
    pub example: Word,
    pub name: Word,
}

impl From<&model::MetaSchema> for MetaArgument {
    fn from(meta: &model::MetaSchema) -> Self {
        let model::MetaSchema { name, takes, doc, example } = *meta;
        Self { accepts: takes.into(), doc: doc.into(), example: example.into(), name: name.into() }
    }
}

/// The code of an error or a warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/diagnostics.md says what each means")]
pub struct DiagnosticCode {
    pub code: Word,
    pub page: Word,
    pub severity: Word,
    pub summary: Word,
}

impl From<&model::Code> for DiagnosticCode {
    fn from(code: &model::Code) -> Self {
        let severity = severity(code.severity());
        Self { code: code.id().into(), page: code.page().into(), severity, summary: code.summary().into() }
    }
}

/// A block of the language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "docs/schema.md says what each means")]
pub struct Block {
    pub attributes: Vec<Attribute>,
    pub doc: Word,
    pub example: Word,
    pub header: Word,
    pub name: Word,
}

impl From<&model::BlockSchema> for Block {
    fn from(block: &model::BlockSchema) -> Self {
        let model::BlockSchema { name, head, doc, attributes, example } = *block;
        let attributes = attributes.iter().map(Attribute::from).collect();
        Self { attributes, doc: doc.into(), example: example.into(), header: head.into(), name: name.into() }
    }
}

/// An attribute of a block of the language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Attribute {
    pub accepts: Word,
    pub doc: Word,
    pub name: Word,
    pub required: bool,
}

impl From<&model::BlockAttribute> for Attribute {
    fn from(attribute: &model::BlockAttribute) -> Self {
        let model::BlockAttribute { name, takes, required, doc } = *attribute;
        Self { accepts: takes.into(), doc: doc.into(), name: name.into(), required }
    }
}

/// The first word of a reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Root {
    pub doc: Word,
    pub form: Word,
    pub name: Word,
}

impl From<&model::RootSchema> for Root {
    fn from(root: &model::RootSchema) -> Self {
        let model::RootSchema { name, form, doc } = *root;
        Self { doc: doc.into(), form: form.into(), name: name.into() }
    }
}
