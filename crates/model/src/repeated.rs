//! Diagnostics that one block causes for several instances of its `for_each`.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::place::Place;

/// The number of keys that are named; the others are counted.
const NAMED: usize = 3;

/// The same mistake: a code, a place, and the detail without the key in its address, or without the key at all.
type Mistake = (Code, Option<Place>, String);

/// Merges diagnostics that differ only in the key of an instance: the first one stays, and names the keys.
pub(crate) fn merge(list: &mut Vec<Diagnostic>) {
    let mut first_of: HashMap<Mistake, usize> = HashMap::new();
    let mut keys: Vec<Vec<Option<String>>> = Vec::new();
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(list.len());
    for diagnostic in list.drain(..) {
        let (key, details) = match key(&diagnostic.detail) {
            // A value may contain the key of its instance, or a string that is the key of another one.
            Some(at) => {
                let key = diagnostic.detail[at.clone()].to_owned();
                let mut address_only = diagnostic.detail.clone();
                address_only.replace_range(at, "\0");
                let without_key = without(&key, &diagnostic.detail);
                (Some(key), [address_only, without_key])
            }
            // Two equal ones at one place are of two instances, whose keys are unknown.
            None if diagnostic.place.is_some() => {
                (None, [diagnostic.detail.clone(), diagnostic.detail.clone()])
            }
            None => {
                keys.push(Vec::new());
                kept.push(diagnostic);
                continue;
            }
        };
        let mistakes = details.map(|detail| (diagnostic.code, diagnostic.place, detail));
        if let Some(&first) = mistakes.iter().find_map(|mistake| first_of.get(mistake)) {
            keys[first].push(key);
        } else {
            first_of.extend(mistakes.map(|mistake| (mistake, kept.len())));
            keys.push(vec![key]);
            kept.push(diagnostic);
        }
    }
    for (diagnostic, keys) in kept.iter_mut().zip(&keys).filter(|(_, keys)| keys.len() > 1) {
        diagnostic.detail += &instances(keys);
    }
    *list = kept;
}

/// ` (5 instances: "a", "b", "c" and 2 more)`, or ` (5 instances)` if the keys are unknown.
fn instances(keys: &[Option<String>]) -> String {
    let named: Vec<String> = keys.iter().flatten().take(NAMED).map(|key| format!("\"{key}\"")).collect();
    let names = if named.is_empty() { String::new() } else { format!(": {}", named.join(", ")) };
    let mut text = format!(" ({} instances{names}", keys.len());
    if !named.is_empty() && keys.len() > NAMED {
        // Writing to a string cannot fail.
        _ = write!(text, " and {} more", keys.len() - NAMED);
    }
    text + ")"
}

/// The place of the key in the address at the start of a detail: `a` of `file.x["a"]: …`, of `file["/x"]["a"]: …` and of
/// `module.m["a"].file.x: …`.
fn key(detail: &str) -> Option<Range<usize>> {
    let address = detail.find(|c: char| c.is_whitespace() || c == '`').unwrap_or(detail.len());
    let first = quoted_index(detail, detail[..address].find("[\"")?)?;
    // A label that is no name follows the kind without a dot.
    if detail[..first.start].contains('.') {
        return Some(first);
    }
    quoted_index(detail, first.end + "\"]".len())
}

/// The text of `["…"]` at `open`.
fn quoted_index(detail: &str, open: usize) -> Option<Range<usize>> {
    let start = open + detail[open..].strip_prefix("[\"").map(|_| 2)?;
    let end = start + quoted(&detail[start..])?;
    detail[end..].starts_with("\"]").then_some(start..end)
}

/// The length of a quoted text, up to its closing quote.
fn quoted(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.find(|c: char| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })
}

/// A detail with a placeholder for the key wherever it is a word of a quoted text: a path often contains it.
fn without(key: &str, detail: &str) -> String {
    let mut result = String::with_capacity(detail.len());
    let mut rest = detail;
    while let Some(open) = rest.find('"') {
        let (before, inside) = rest.split_at(open + 1);
        result.push_str(before);
        let close = quoted(inside).unwrap_or(inside.len());
        push_without(key, &inside[..close], &mut result);
        let end = (close + 1).min(inside.len());
        result.push_str(&inside[close..end]);
        rest = &inside[end..];
    }
    result.push_str(rest);
    result
}

fn push_without(key: &str, text: &str, result: &mut String) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut end = 0;
    for (at, found) in text.match_indices(key) {
        let after = &text[at + found.len()..];
        if !text[..at].ends_with(is_word) && !after.starts_with(is_word) {
            result.push_str(&text[end..at]);
            // No key contains it: a control character is escaped in a quoted text.
            result.push('\0');
            end = at + found.len();
        }
    }
    result.push_str(&text[end..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::SourceId;

    #[track_caller]
    fn check(details: &[&str], expected: &[&str]) {
        let mut list = details.iter().map(|detail| Diagnostic::new(Code::InvalidProperty, *detail)).collect();
        merge(&mut list);
        let found: Vec<&str> = list.iter().map(|diagnostic| &*diagnostic.detail).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn names_the_first_keys() {
        let of = |key: &str| format!("file.x[\"{key}\"]: `mode` = \"99\" is not a mode");
        let all: Vec<String> = ["a", "b b", "\\\"c", "9", "e"].into_iter().map(of).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        check(&all[..1], &all[..1]);
        check(&all[..2], &["file.x[\"a\"]: `mode` = \"99\" is not a mode (2 instances: \"a\", \"b b\")"]);
        check(
            &all,
            &[
                "file.x[\"a\"]: `mode` = \"99\" is not a mode (5 instances: \"a\", \"b b\", \"\\\"c\" and 2 more)",
            ],
        );
    }

    #[test]
    fn a_value_may_contain_the_key() {
        check(
            &[
                "file.x[\"p\"]: `path` = \"rel/p.conf\" must be a path",
                "file.x[\"q\"]: `path` = \"rel/q.conf\" must be a path",
            ],
            &["file.x[\"p\"]: `path` = \"rel/p.conf\" must be a path (2 instances: \"p\", \"q\")"],
        );
        check(
            &["module.m[\"p\"].file[\"/x\"]: no", "module.m[\"q\"].file[\"/x\"]: no"],
            &["module.m[\"p\"].file[\"/x\"]: no (2 instances: \"p\", \"q\")"],
        );
        check(
            &["file[\"/x\"][\"p\"]: no", "file[\"/x\"][\"q\"]: no"],
            &["file[\"/x\"][\"p\"]: no (2 instances: \"p\", \"q\")"],
        );
    }

    #[test]
    fn a_value_may_be_the_key_of_one_instance() {
        check(
            &["file.x[\"f\"]: `mode` = \"f\" no", "file.x[\"b\"]: `mode` = \"f\" no"],
            &["file.x[\"f\"]: `mode` = \"f\" no (2 instances: \"f\", \"b\")"],
        );
    }

    #[test]
    fn counts_equal_ones_at_one_place() {
        let place = Place { source: SourceId::FIRST, start: 1, end: 2 };
        let one = |detail: &str| Diagnostic::new(Code::UnknownAction, detail).at(place);
        let mut list = vec![one("`file` has no action `x`"), one("other"), one("`file` has no action `x`")];
        merge(&mut list);
        let found: Vec<&str> = list.iter().map(|diagnostic| &*diagnostic.detail).collect();
        assert_eq!(found, ["`file` has no action `x` (2 instances)", "other"]);
    }

    #[test]
    fn different_mistakes_stay() {
        for details in [
            &["file.x[\"a\"]: `mode` = \"98\" is not a mode", "file.x[\"b\"]: `mode` = \"99\" is not a mode"],
            &["file[\"/a\"]: no", "file[\"/b\"]: no"],
            &["no key", "no key"],
            &["file.x[\"a", "file.x[\"b"],
        ] {
            check(details, details);
        }
    }
}
