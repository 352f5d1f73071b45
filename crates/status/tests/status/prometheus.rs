//! A strict reader of the text format 0.0.4.

use std::collections::{BTreeMap, BTreeSet};

/// A sample: its name, its labels and its value.
pub(crate) type Samples = BTreeMap<(String, BTreeMap<String, String>), f64>;

/// All samples.
///
/// # Panics
/// If the text breaks a rule: each metric has one HELP and one TYPE before its samples, which stand together; names and
/// labels are well-formed; counters end in `_total`; no sample comes twice; the last line has its end.
pub(crate) fn parse(text: &str) -> Samples {
    assert!(text.ends_with('\n'));
    let mut samples = Samples::new();
    let mut known = BTreeSet::new();
    let mut current = (String::new(), String::new());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, _) = help.split_once(' ').expect("words of help");
            let sort =
                lines.next().and_then(|line| line.strip_prefix(&format!("# TYPE {name} "))).expect("a type");
            assert!(known.insert(name.to_owned()), "{name} comes twice");
            assert!(sort != "counter" || name.ends_with("_total"), "{name}");
            current = (name.to_owned(), sort.to_owned());
            continue;
        }
        let (name, labels, value) = sample(line);
        assert!(belongs(&name, &current), "{line} stands below {}", current.0);
        assert!(samples.insert((name, labels), value).is_none(), "{line} comes twice");
    }
    samples
}

fn belongs(name: &str, (metric, sort): &(String, String)) -> bool {
    let parts = ["_bucket", "_sum", "_count"];
    match sort.as_str() {
        "histogram" => parts.iter().any(|part| name.strip_suffix(part) == Some(metric)),
        "counter" | "gauge" => name == metric,
        other => panic!("{other} is no type"),
    }
}

fn sample(line: &str) -> (String, BTreeMap<String, String>, f64) {
    let (head, value) = line.rsplit_once(' ').expect("a value");
    let value = value.parse().expect("a number");
    let Some((name, rest)) = head.split_once('{') else { return (identifier(head), BTreeMap::new(), value) };
    let mut rest = rest.strip_suffix('}').expect("an end of the labels");
    let mut labels = BTreeMap::new();
    while !rest.is_empty() {
        let (label, tail) = rest.split_once("=\"").expect("a label");
        let (text, tail) = quoted(tail);
        assert!(labels.insert(identifier(label), text).is_none());
        rest = tail.strip_prefix(',').unwrap_or(tail);
    }
    (identifier(name), labels, value)
}

fn quoted(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, &text[at + 1..]),
            '\\' => value.push(match characters.next().expect("an escape").1 {
                'n' => '\n',
                escaped @ ('"' | '\\') => escaped,
                other => panic!("\\{other} is no escape"),
            }),
            other => value.push(other),
        }
    }
    panic!("{text} has no end")
}

fn identifier(text: &str) -> String {
    let fits = |(at, character): (usize, char)| match character {
        'a'..='z' | 'A'..='Z' | '_' => true,
        '0'..='9' => at > 0,
        _ => false,
    };
    assert!(!text.is_empty() && text.char_indices().all(fits), "{text} is no name");
    text.to_owned()
}
