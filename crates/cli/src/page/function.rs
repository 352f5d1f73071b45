//! Pages of functions.

use std::collections::BTreeMap;

use uphold::functions::{Function, Parameter, Topic, all};

use super::block::{Block, Page};
use super::doc;

/// A result that makes its line longer than this stands on the next one.
const WIDEST: usize = 90;

/// What it does, how it is called, what it takes, and examples.
pub(crate) fn function_page(function: &'static Function) -> Page {
    let mut page = vec![Block::Title(function.name.to_owned())];
    page.extend(body(function));
    page
}

/// All functions of a topic.
pub(crate) fn topic_page(topic: Topic) -> Page {
    let mut page = vec![Block::Title(title(topic).to_owned()), Block::Text(about(topic).to_owned())];
    for function in by_topic().remove(&topic).unwrap_or_default() {
        page.push(Block::Heading(function.name));
        page.extend(body(function));
    }
    page
}

/// The functions with their first sentences, by topic.
pub(crate) fn functions_page() -> Page {
    let mut page = vec![Block::Title("Functions".to_owned())];
    for (topic, functions) in by_topic() {
        page.push(Block::Heading(title(topic)));
        page.push(Block::Terms(functions.into_iter().map(term).collect()));
    }
    page.push(Block::Text("`uphold explain FUNCTION` tells more about each.".to_owned()));
    page
}

/// Every topic with its functions, sorted.
pub(super) fn by_topic() -> BTreeMap<Topic, Vec<&'static Function>> {
    let mut topics: BTreeMap<Topic, Vec<&'static Function>> = BTreeMap::new();
    for function in all() {
        topics.entry(function.topic).or_default().push(function);
    }
    topics
}

fn term(function: &'static Function) -> (String, String) {
    (signature(function), doc::summary(function.doc))
}

fn body(function: &'static Function) -> Page {
    let mut body = vec![Block::Code(signature(function))];
    body.extend(doc::blocks(function.doc));
    body.push(Block::Terms(terms(function)));
    body.extend((!function.examples.is_empty()).then(|| Block::Code(examples(function))));
    body
}

fn terms(function: &Function) -> Vec<(String, String)> {
    let one = |parameter: &Parameter| {
        let left_out = if parameter.optional { "; may be left out" } else { "" };
        (parameter.name.to_owned(), format!("{}{left_out}", parameter.accepts.words()))
    };
    let rest = |rest: &Parameter| {
        (format!("{}...", rest.name), format!("{}, any number of them", rest.accepts.words()))
    };
    let mut terms: Vec<_> = function.parameters.iter().map(one).collect();
    terms.extend(function.rest.as_ref().map(rest));
    terms.extend(function.gives.map(|shape| ("gives".to_owned(), shape.words().to_owned())));
    terms
}

fn examples(function: &Function) -> String {
    let line = |call: &str, result: &str| match call.chars().count() + result.chars().count() < WIDEST {
        true => format!("{call} # {result}"),
        false => format!("{call}\n# {result}"),
    };
    let lines = function.examples.iter().map(|example| line(example.call, example.result));
    lines.collect::<Vec<_>>().join("\n")
}

/// `substr(text, offset, length)`; what may be left out stands in brackets, and `...` means any number.
pub(crate) fn signature(function: &Function) -> String {
    let mut text = format!("{}(", function.name);
    for (number, parameter) in function.parameters.iter().enumerate() {
        let comma = if number == 0 { "" } else { ", " };
        match parameter.optional {
            true => text.push_str(&format!("[{comma}{}]", parameter.name)),
            false => text.push_str(&format!("{comma}{}", parameter.name)),
        }
    }
    if let Some(rest) = &function.rest {
        let comma = if function.parameters.is_empty() { "" } else { ", " };
        text.push_str(&format!("{comma}{}...", rest.name));
    }
    text + ")"
}

/// A topic as a heading.
pub(super) fn title(topic: Topic) -> &'static str {
    match topic {
        Topic::Strings => "Strings",
        Topic::Lists => "Lists",
        Topic::Maps => "Maps",
        Topic::Numbers => "Numbers",
        Topic::Encoding => "Encoding",
        Topic::Hashing => "Hashing",
        Topic::Paths => "Paths",
        Topic::Files => "Files",
        Topic::Time => "Time",
        Topic::Patterns => "Patterns",
        Topic::Networks => "Networks",
        Topic::Types => "Types",
    }
}

/// What the functions of a topic are for.
pub(super) fn about(topic: Topic) -> &'static str {
    match topic {
        Topic::Strings => "Functions that work on text.",
        Topic::Lists => "Functions that work on lists and sets.",
        Topic::Maps => "Functions that work on maps.",
        Topic::Numbers => "Functions that work on numbers.",
        Topic::Encoding => "Functions that read and write JSON, YAML, base64 and the like.",
        Topic::Hashing => "Functions that make digests.",
        Topic::Paths => "Functions that work on paths, without looking at the machine.",
        Topic::Files => "Functions that read files beside the configuration, and the environment.",
        Topic::Time => "Functions that work on dates and durations.",
        Topic::Patterns => "Functions that work with regular expressions.",
        Topic::Networks => "Functions that work on network addresses.",
        Topic::Types => "Functions about types, about secrets, and about what cannot be evaluated.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_shows_what_may_be_left_out() {
        let check = |name: &str, expected: &str| {
            let function = uphold::functions::find(name).expect("it is there");
            assert_eq!(signature(function), expected);
        };
        check("upper", "upper(text)");
        check("timestamp", "timestamp()");
        check("concat", "concat(list, lists...)");
        check("lookup", "lookup(map, key[, default])");
    }
}
