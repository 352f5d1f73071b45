//! Pages of functions.

use std::collections::BTreeMap;

use uphold::functions::{Function, Parameter, Topic, all};

use super::block::{Block, Page, doc_blocks, sections, summary};

/// A longer example has its result on the next line.
const WIDEST: usize = 90;

/// The signature of a function, its documentation, its parameters, and examples.
pub(crate) fn function_page(function: &'static Function) -> Page {
    let mut page = vec![Block::Title(function.name.to_owned())];
    page.extend(body(function));
    page
}

/// All functions of a topic.
pub(crate) fn topic_page(topic: Topic) -> Page {
    let functions = by_topic().remove(&topic).unwrap_or_default();
    sections(title(topic), about(topic), functions.into_iter().map(|one| (one.name, body(one))))
}

/// All functions with their summaries, by topic.
pub(crate) fn functions_page() -> Page {
    let mut page = vec![Block::Title("Functions".to_owned())];
    for (topic, functions) in by_topic() {
        page.push(Block::Heading(title(topic)));
        page.push(Block::Terms(functions.into_iter().map(term).collect()));
    }
    page.push(Block::Text("`uphold explain FUNCTION` shows more about each.".to_owned()));
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
    (signature(function), summary(function.doc))
}

fn body(function: &'static Function) -> Page {
    let mut body = vec![Block::Code(signature(function))];
    body.extend(doc_blocks(function.doc));
    body.push(Block::Terms(terms(function)));
    body.extend((!function.examples.is_empty()).then(|| Block::Code(examples(function))));
    body
}

fn terms(function: &Function) -> Vec<(String, String)> {
    let one = |parameter: &Parameter| {
        let left_out = if parameter.optional { "; optional" } else { "" };
        (parameter.name.to_owned(), format!("{}{left_out}", parameter.accepts.words()))
    };
    let rest =
        |rest: &Parameter| (format!("{}...", rest.name), format!("{}; any number", rest.accepts.words()));
    let mut terms: Vec<_> = function.parameters.iter().map(one).collect();
    terms.extend(function.rest.as_ref().map(rest));
    terms.extend(function.gives.map(|shape| ("returns".to_owned(), shape.words().to_owned())));
    terms
}

fn examples(function: &Function) -> String {
    let line = |call: &str, result: &str| {
        let space = if call.chars().count() + result.chars().count() < WIDEST { " " } else { "\n" };
        format!("{call}{space}# {result}")
    };
    let lines = function.examples.iter().map(|example| line(example.call, example.result));
    lines.collect::<Vec<_>>().join("\n")
}

/// `lookup(map, key[, default])`; optional parameters are in brackets, and `...` means any number.
pub(crate) fn signature(function: &Function) -> String {
    let mut text = format!("{}(", function.name);
    for (number, parameter) in function.parameters.iter().enumerate() {
        let comma = if number == 0 { "" } else { ", " };
        let (open, close) = if parameter.optional { ("[", "]") } else { ("", "") };
        text.push_str(&format!("{open}{comma}{}{close}", parameter.name));
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

/// The purpose of the functions of a topic.
pub(super) fn about(topic: Topic) -> &'static str {
    match topic {
        Topic::Strings => "Functions for strings.",
        Topic::Lists => "Functions for lists and sets.",
        Topic::Maps => "Functions for maps.",
        Topic::Numbers => "Functions for numbers.",
        Topic::Encoding => "Functions that encode and decode JSON, YAML, base64 and the like.",
        Topic::Hashing => "Functions that compute digests.",
        Topic::Paths => "Functions for paths; they do not read the machine.",
        Topic::Files => "Functions that read files of the configuration and the environment.",
        Topic::Time => "Functions for dates and durations.",
        Topic::Patterns => "Functions for regular expressions.",
        Topic::Networks => "Functions for network addresses.",
        Topic::Types => "Functions for types, secrets and fallbacks.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_optional_parameters() {
        let check = |name: &str, expected: &str| {
            let function = uphold::functions::find(name).expect("it exists");
            assert_eq!(signature(function), expected);
        };
        check("upper", "upper(text)");
        check("timestamp", "timestamp()");
        check("concat", "concat(list, lists...)");
        check("lookup", "lookup(map, key[, default])");
    }
}
