//! Finding the subject of a page by its name.

use serde::Serialize;
use uphold::functions::{self, Function};
use uphold::model::{
    BLOCKS, BlockAttribute, BlockSchema, Code, FactSchema, META, MetaSchema, PropertySchema, ROOTS,
    RootSchema, Schema, closest, foreign_word,
};
use uphold::resource::{FACTS, Facts, Kind, Registry};
use uphold_wire::schema as wire;

use super::block::{Block, Page};
use super::fact::{explained_fact, fact_page, facts_below, facts_page};
use super::function::{function_page, signature};
use super::kind::members;
use super::kind::{kind_page, namesakes_page, property_page};
use super::language::{block_page, code_page, meta_page, root_page};
use super::schema;
use super::script_name::ScriptName;
use crate::CliError;

/// Anything that has a page.
pub(crate) enum Subject<'a> {
    Kind(&'a Kind),
    Property(&'static Schema, &'a str, &'static PropertySchema),
    Function(&'static Function),
    /// The facts below this prefix.
    Facts(&'a str),
    Fact(&'static FactSchema),
    Meta(&'static MetaSchema),
    Block(&'static BlockSchema),
    Root(&'static RootSchema),
    Code(Code),
    Script(ScriptName),
    Namesakes(Namesakes<'a>),
}

/// Everything whose name ends with a word: properties of kinds, attributes of blocks, and facts.
pub(crate) struct Namesakes<'a> {
    pub(crate) word: &'a str,
    pub(crate) properties: Vec<(&'static Schema, &'static PropertySchema)>,
    pub(crate) attributes: Vec<(&'static BlockSchema, &'static BlockAttribute)>,
    pub(crate) facts: Vec<&'static FactSchema>,
}

impl<'a> Subject<'a> {
    /// The subject called `name`, or an error with a suggestion. A kind takes precedence over a function of the same
    /// name, which is `name()`.
    pub(crate) fn find(kinds: &'a Registry, name: &'a str) -> Result<Self, CliError> {
        if let Some(function) = name.strip_suffix("()") {
            return functions::find(function).map(Subject::Function).ok_or_else(|| unknown(kinds, function));
        }
        match name.split_once('.') {
            Some(("host", fact)) => find_fact(fact),
            Some((kind, _)) if kinds.get(kind).is_none() && facts_below(name).next().is_some() => {
                find_fact(name)
            }
            Some((block, attribute)) if kinds.get(block).is_none() && find_block(block).is_some() => {
                find_attribute(block, attribute)
            }
            Some((table, _)) if kinds.get(table).is_none() && ScriptName::find(table).is_some() => {
                ScriptName::member(name).map(Subject::Script)
            }
            Some((kind, path)) => {
                let schema = find_kind(kinds, kind)?.schema();
                let property = find_property(schema, path).map(|one| Subject::Property(schema, path, one));
                property.or_else(|error| ScriptName::find(name).map(Subject::Script).ok_or(error))
            }
            None => Self::word(kinds, name).ok_or_else(|| unknown(kinds, name)),
        }
    }

    fn word(kinds: &'a Registry, name: &'a str) -> Option<Self> {
        if name == "host" {
            return Some(Subject::Facts(""));
        }
        let kind = || kinds.get(name).map(Subject::Kind);
        let meta = || META.iter().find(|meta| meta.name == name).map(Subject::Meta);
        let block = || find_block(name).map(Subject::Block);
        let root = || ROOTS.iter().find(|root| root.name == name).map(Subject::Root);
        let function = || functions::find(name).map(Subject::Function);
        let code = || Code::find(name).map(Subject::Code);
        let found = kind().or_else(meta).or_else(block).or_else(root).or_else(function).or_else(code);
        found.or_else(|| Self::indirect(kinds, name)).or_else(|| ScriptName::find(name).map(Subject::Script))
    }

    /// The subject of a word that is only a part of a name: an action, a property of some kinds, an attribute of some
    /// blocks, or a fact without `host.`.
    fn indirect(kinds: &'a Registry, name: &'a str) -> Option<Self> {
        if ["converge", "nothing", "remove"].contains(&name) {
            return META.iter().find(|meta| meta.name == "action").map(Subject::Meta);
        }
        let of_kind = |kind: &Kind| Some((kind.schema(), kind.schema().property(name)?));
        let properties: Vec<_> = kinds.iter().filter_map(of_kind).collect();
        let ends = |fact: &&FactSchema| fact.name.rsplit('.').next() == Some(name);
        let facts: Vec<_> = FACTS.iter().filter(ends).collect();
        let of_block = |block: &'static BlockSchema| Some((block, block.attribute(name)?));
        let attributes: Vec<_> = BLOCKS.iter().filter_map(of_block).collect();
        match (&properties[..], &attributes[..], &facts[..]) {
            ([], [], []) => find_fact(name).ok(),
            ([(schema, property)], [], []) => Some(Subject::Property(schema, name, property)),
            ([], [(block, _)], []) => Some(Subject::Block(block)),
            ([], [], [fact]) => Some(Subject::Fact(fact)),
            _ => Some(Subject::Namesakes(Namesakes { word: name, properties, attributes, facts })),
        }
    }

    /// Its page; facts have their values `here`.
    pub(crate) fn page(&self, here: Option<&dyn Facts>) -> Page {
        let mut page = match self {
            Subject::Kind(kind) => kind_page(kind),
            Subject::Property(schema, path, property) => property_page(schema, path, property),
            Subject::Function(function) => function_page(function),
            Subject::Facts(below) => facts_page(below, here),
            Subject::Fact(fact) => fact_page(fact, here),
            Subject::Meta(meta) => meta_page(meta),
            Subject::Block(block) => block_page(block),
            Subject::Root(root) => root_page(root),
            Subject::Code(code) => code_page(*code),
            Subject::Script(name) => name.page(),
            Subject::Namesakes(namesakes) => namesakes_page(namesakes),
        };
        page.extend(self.namesake().map(|function| {
            let (name, how) = (function.name, signature(function));
            Block::Text(format!("The function `{how}` has the same name: `uphold explain '{name}()'`."))
        }));
        page
    }

    /// Its documentation as one line of JSON.
    pub(crate) fn json(&self, here: Option<&dyn Facts>) -> String {
        match self {
            Subject::Kind(kind) => explained(schema::kind(kind)),
            Subject::Property(_, _, property) => explained(wire::Property::from(*property)),
            Subject::Function(function) => explained(schema::function(function)),
            Subject::Facts(below) => {
                let facts = facts_below(below).map(|fact| explained_fact(fact, here));
                explained(wire::Listing::Facts(facts.collect()))
            }
            Subject::Fact(fact) => explained(explained_fact(fact, here)),
            Subject::Meta(meta) => explained(wire::MetaArgument::from(*meta)),
            Subject::Block(block) => explained(wire::Block::from(*block)),
            Subject::Root(root) => explained(wire::Root::from(*root)),
            Subject::Code(code) => explained(wire::DiagnosticCode::from(code)),
            Subject::Script(name) => explained(name.documented()),
            Subject::Namesakes(Namesakes { properties, attributes, facts, .. }) if properties.is_empty() => {
                if facts.is_empty() {
                    let blocks = attributes.iter().map(|(block, _)| wire::Block::from(*block));
                    return explained(wire::Listing::Blocks(blocks.collect()));
                }
                let facts = facts.iter().map(|fact| explained_fact(fact, here));
                explained(wire::Listing::Facts(facts.collect()))
            }
            Subject::Namesakes(Namesakes { properties, .. }) => {
                let of_kind = |(schema, property): &(&Schema, &PropertySchema)| wire::KindProperty {
                    kind: schema.kind.into(),
                    property: (*property).into(),
                };
                explained(wire::Listing::Properties(properties.iter().map(of_kind).collect()))
            }
        }
    }

    /// A function of the same name.
    fn namesake(&self) -> Option<&'static Function> {
        match self {
            Subject::Kind(kind) => functions::find(kind.schema().kind),
            Subject::Meta(meta) => functions::find(meta.name),
            _ => None,
        }
    }
}

/// The hint for a word that is only a part of a name here, and a word of its own in another tool.
pub(crate) fn foreign_note(kinds: &Registry, name: &str) -> Option<Block> {
    let is_word = kinds.get(name).is_some()
        || META.iter().any(|meta| meta.name == name)
        || find_block(name).is_some()
        || functions::find(name).is_some();
    if is_word {
        return None;
    }
    let schemas = || kinds.iter().map(Kind::schema);
    let has_it = |schema: &Schema| schema.property(name).is_some_and(|one| one.role.is_settable());
    let kind = || schemas().find(|schema| schema.also.contains(&name) && !has_it(schema));
    let hint = foreign_word(name).filter(|_| !schemas().any(has_it)).map(str::to_owned);
    let hint = hint.or_else(|| kind().map(|schema| format!("the kind is `{}`", schema.kind)))?;
    Some(Block::Text(format!("`{name}` in other tools: {hint}.")))
}

/// Documentation as one line of JSON.
pub(crate) fn explained(subject: impl Serialize) -> String {
    uphold_wire::line(&wire::Explained::new(subject))
}

fn find_block(name: &str) -> Option<&'static BlockSchema> {
    BLOCKS.iter().find(|block| block.name == name)
}

/// The page of the block that has this attribute, or an error with a suggestion.
fn find_attribute<'a>(block: &str, attribute: &str) -> Result<Subject<'a>, CliError> {
    let found = find_block(block).filter(|block| block.attribute(attribute).is_some());
    found.map(Subject::Block).ok_or_else(|| {
        let names = find_block(block).into_iter().flat_map(|block| block.attributes).map(|one| one.name);
        let hint = did_you_mean(closest(attribute, names), &format!("`uphold explain {block}` lists them"));
        CliError::new(format!("a block `{block}` has no attribute `{attribute}`")).hint(hint)
    })
}

fn find_fact(name: &str) -> Result<Subject<'_>, CliError> {
    if let Some(fact) = FACTS.iter().find(|fact| fact.name == name) {
        return Ok(Subject::Fact(fact));
    }
    if !name.is_empty() && facts_below(name).next().is_some() {
        return Ok(Subject::Facts(name));
    }
    let similar = closest(name, FACTS.iter().map(|fact| fact.name)).map(|similar| format!("host.{similar}"));
    let hint = did_you_mean(similar.as_deref(), "`uphold facts` lists all facts");
    Err(CliError::new(format!("unknown fact `host.{name}`")).hint(hint))
}

fn unknown(kinds: &Registry, name: &str) -> CliError {
    if is_like_code(name) {
        return unknown_code(name);
    }
    let words = kinds.iter().map(Kind::schema).map(|schema| schema.kind);
    let words = words.chain(META.iter().map(|meta| meta.name)).chain(BLOCKS.iter().map(|block| block.name));
    let words = words.chain(ROOTS.iter().map(|root| root.name));
    let words = words.chain(functions::all().iter().map(|function| function.name));
    let error =
        CliError::new(format!("no kind, function, fact, meta argument, block or code is called `{name}`"));
    if let Some(hint) = foreign_word(name) {
        return error.hint(hint);
    }
    let similar = kinds.suggest(name).or_else(|| closest(name, words));
    let otherwise = "`uphold explain` lists all kinds, with those in ./kinds and --kinds DIR; --functions, --facts, --meta, --blocks and --codes list the rest; for a \
                     kind of a `kind` block, read the params of its module";
    error.hint(did_you_mean(similar, otherwise))
}

/// Whether it is `E` or `W` and digits, as only diagnostic codes are.
fn is_like_code(name: &str) -> bool {
    let digits = name.strip_prefix(['E', 'e', 'W', 'w']);
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn unknown_code(name: &str) -> CliError {
    let name = name.to_ascii_uppercase();
    let similar = closest(&name, Code::ALL.iter().map(|code| code.id()));
    CliError::new(format!("unknown diagnostic code `{name}`"))
        .hint(did_you_mean(similar, "`uphold explain --codes` lists all codes"))
}

/// The kind with this name, or an error with a suggestion.
pub(crate) fn find_kind<'a>(kinds: &'a Registry, name: &str) -> Result<&'a Kind, CliError> {
    kinds.get(name).ok_or_else(|| {
        let hint = did_you_mean(kinds.suggest(name), "`uphold explain` lists all kinds");
        CliError::new(format!("unknown kind `{name}`")).hint(hint)
    })
}

/// The property at `path`, also in nested structs (`status.stdout`), or an error with a suggestion.
pub(crate) fn find_property(schema: &Schema, path: &str) -> Result<&'static PropertySchema, CliError> {
    let mut steps = path.split('.');
    let first = steps.next().unwrap_or_default();
    let names = || schema.all().iter().map(|property| property.name).collect();
    let mut found = schema.property(first).ok_or_else(|| unknown_property(schema, path, first, names()))?;
    for step in steps {
        let members = members(found.ty);
        let names = || members.iter().map(|member| member.name).collect();
        let next = members.iter().find(|member| member.name == step);
        found = next.ok_or_else(|| unknown_property(schema, path, step, names()))?;
    }
    Ok(found)
}

fn unknown_property(schema: &Schema, path: &str, step: &str, known: Vec<&str>) -> CliError {
    let otherwise = format!("`uphold explain {}` lists its properties", schema.kind);
    let hint = did_you_mean(closest(step, known), &otherwise);
    CliError::new(format!("`{}` has no property `{path}`", schema.kind)).hint(hint)
}

fn did_you_mean(similar: Option<&str>, otherwise: &str) -> String {
    similar.map_or_else(|| otherwise.to_owned(), |similar| format!("did you mean `{similar}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_page() {
        let kinds = uphold::kinds();
        let check = |name: &str, title: &str| {
            let subject =
                Subject::find(&kinds, name).unwrap_or_else(|error| panic!("{name}: {}", error.message));
            assert_eq!(subject.page(None).first(), Some(&Block::Title(title.to_owned())), "{name}");
            assert!(subject.json(None).starts_with("{\"format_version\":\"2.0\","), "{name}");
        };
        for function in functions::all() {
            check(&format!("{}()", function.name), function.name);
        }
        for fact in FACTS {
            check(&format!("host.{}", fact.name), &format!("host.{}", fact.name));
        }
        META.iter().for_each(|meta| check(meta.name, meta.name));
        BLOCKS.iter().for_each(|block| check(block.name, block.name));
        for code in Code::ALL {
            let title = format!("{code}: {}", code.summary());
            check(code.id(), &title);
            check(&code.id().to_lowercase(), &title);
        }
        check("each", "each");
        check("host", "Facts");
        check("host.os", "host.os");
        check("file.mode", "file.mode");
        check("mode", "mode");
        check("concurrency", "parallel");
        check("sequence.verify", "sequence");
        check("create_if_missing", "file.create_if_missing");
        check("nothing", "action");
        check("pretty_name", "host.os.pretty_name");
        check("family", "family");
        check("os", "host.os");
        check("os.family", "host.os.family");
    }

    #[test]
    fn suggests_similar_names_of_all_sorts() {
        let kinds = uphold::kinds();
        let check = |name: &str, hint: &str| {
            let error = Subject::find(&kinds, name).err().unwrap_or_else(|| panic!("{name} exists"));
            assert_eq!(error.hint.as_deref(), Some(hint), "{name}");
        };
        check("fiel", "did you mean `file`?");
        check("exec", "did you mean `task`?");
        check("lowr", "did you mean `lower`?");
        check("lowr()", "did you mean `lower`?");
        check("for_eech", "did you mean `for_each`?");
        check("parm", "did you mean `param`?");
        check("host.os.famly", "did you mean `host.os.family`?");
        check(
            "banana",
            "`uphold explain` lists all kinds, with those in ./kinds and --kinds DIR; --functions, --facts, --meta, --blocks and --codes list the rest; for a \
             kind of a `kind` block, read the params of its module",
        );
        let notifies =
            "write `notifies = […]`, with the resource and the action: `notifies = [service.nginx.reload]`";
        check("notify", notifies);
        check("handlers", notifies);
        check("with_items", "write `for_each = …`, and `each.key` or `each.value` in the block");
        check("vars", "write `param \"name\" { … }` for each of them");
        check("variable", "write `param \"name\" { … }` for each of them");
        check("lifecycle", "remove it: only properties that are set are managed");
        check("backup", "remove it: `uphold restore FILE` brings the previous content back");
        check("E042", "did you mean `E0402`?");
        check("e99999999", "`uphold explain --codes` lists all codes");
        check("host.banana", "`uphold facts` lists all facts");
    }

    #[test]
    fn words_of_other_tools_are_noted_on_pages_of_other_things() {
        let kinds = uphold::kinds();
        let check = |name: &str, expected: Option<&str>| {
            let expected = expected.map(|text| Block::Text(text.to_owned()));
            assert_eq!(foreign_note(&kinds, name), expected, "{name}");
        };
        let count = "`count` in other tools: write `for_each = range(n)`, and `each.key` in the block.";
        check("count", Some(count));
        check("copy", Some("`copy` in other tools: the kind is `file`."));
        ["file", "backups", "template", "mode", "for_each"].into_iter().for_each(|name| check(name, None));
    }

    #[test]
    fn suggests_similar_kinds_and_properties() {
        let kinds = uphold::kinds();
        let check = |kind: &str, path: &str, message: &str, hint: &str| {
            let found = find_kind(&kinds, kind).and_then(|kind| find_property(kind.schema(), path));
            let error = found.err().unwrap_or_else(|| panic!("{kind}.{path} exists"));
            assert_eq!((error.message.as_str(), error.hint.as_deref()), (message, Some(hint)));
        };
        check("tsk", "name", "unknown kind `tsk`", "did you mean `task`?");
        check("banana", "name", "unknown kind `banana`", "`uphold explain` lists all kinds");
        check("task", "chekc", "`task` has no property `chekc`", "did you mean `check`?");
        check("task", "status.stdot", "`task` has no property `status.stdot`", "did you mean `stdout`?");
        check(
            "task",
            "name.x",
            "`task` has no property `name.x`",
            "`uphold explain task` lists its properties",
        );
        assert!(find_property(kinds.get("task").expect("it ships").schema(), "status.stdout").is_ok());
    }
}
