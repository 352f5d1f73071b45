//! Manifests in YAML: only data that JSON can represent. Anchors, aliases and tags are rejected.

use std::ops::Range;

use serde_json::{Map, Value as Json};
use uphold_yaml::{Body, Node, read_one};

use crate::json::json;

/// The position and the description of a mistake.
type Failure = (usize, String);

/// The only document in `text`.
pub(super) fn read(text: &str) -> Result<Json, Failure> {
    let root = read_one(text).map_err(|error| (error.at, error.what))?;
    root.map_or(Ok(Json::Null), data)
}

/// The data of a node. Recursion is as deep as the document, which its reader limits.
fn data(node: Node<'_>) -> Result<Json, Failure> {
    let at = node.span.start;
    reject_references(&node)?;
    match node.body {
        Body::Scalar(scalar) => {
            let value = scalar.value.and_then(|value| json(&value).map_err(|problem| problem.to_string()));
            // JSON has whole numbers beyond 64 bits, too.
            value.or_else(|why| serde_json::from_str(&scalar.text).map_err(|_| (at, why)))
        }
        Body::List(items, _) => items.into_iter().map(data).collect::<Result<_, _>>().map(Json::Array),
        Body::Map(entries, _) => {
            let mut members = Map::new();
            for (key, value) in entries {
                let at = key.span.start;
                reject_references(&key)?;
                let Body::Scalar(key) = key.body else {
                    return Err((at, "a key must be a string".to_owned()));
                };
                if members.contains_key(&*key.text) {
                    return Err((at, format!("the key {:?} occurs twice", key.text)));
                }
                members.insert(key.text.into_owned(), data(value)?);
            }
            Ok(Json::Object(members))
        }
        Body::Alias(_) => Ok(Json::Null),
    }
}

fn reject_references(node: &Node<'_>) -> Result<(), Failure> {
    if node.anchor.is_some() || node.tag.is_some() || matches!(node.body, Body::Alias(_)) {
        let what = "anchors, aliases and tags are not supported; write the value itself";
        return Err((node.span.start, what.to_owned()));
    }
    Ok(())
}

/// The bytes of the value at `path`, or of its nearest parent.
pub(super) fn span(text: &str, path: &[String]) -> Range<usize> {
    let Ok(Some(root)) = read_one(text) else { return 0..0 };
    let mut node = &root;
    for step in path {
        let Some(inner) = member(node, step) else { break };
        node = inner;
    }
    node.span.clone()
}

fn member<'n, 't>(node: &'n Node<'t>, step: &str) -> Option<&'n Node<'t>> {
    match &node.body {
        Body::List(items, _) => items.get(step.parse::<usize>().ok()?),
        Body::Map(entries, _) => {
            let is_wanted = |key: &Node<'_>| matches!(&key.body, Body::Scalar(key) if key.text == step);
            entries.iter().find(|(key, _)| is_wanted(key)).map(|(_, value)| value)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_values_that_json_can_represent() {
        let check = |text: &str, expected: Json| assert_eq!(read(text).as_ref(), Ok(&expected), "{text}");
        check("a: 1\nb:\n  - x\n  - true\n  - ~\n", json!({ "a": 1, "b": ["x", true, null] }));
        check(
            "v: '1'\nw: 1.5\nx: -3\ny: 1.2.3\nz: .5\n",
            json!({"v": "1", "w": 1.5, "x": -3, "y": "1.2.3", "z": 0.5}),
        );
        check("{\"a\": [\"b\"]}", json!({ "a": ["b"] }));
        check("", Json::Null);
        check("[0x1f, 18446744073709551615, inf]", json!([31, 18_446_744_073_709_551_615_u64, "inf"]));
    }

    #[test]
    fn rejects_values_that_json_cannot_represent() {
        let check = |text: &str, at: usize, why: &str| {
            let (place, what) = read(text).expect_err(text);
            assert!(what.contains(why), "{what}");
            assert_eq!(place, at, "{text}");
        };
        check("é: &x 1\n", 4, "anchors");
        check("a: *x\n", 3, "");
        check("a: 1\na: 2\n", 5, "twice");
        check("a: .inf\n", 3, "there is no number .inf");
        check("? [a]\n: 1\n", 2, "a key must be a string");
        check("a: 1\n---\nb: 2\n", 5, "more than one document");
        check(&"[".repeat(200), 128, "levels deep");
    }

    #[test]
    fn values_are_found_by_their_path() {
        let text = "é:\n  - b: here\n";
        let check = |path: &[&str], expected: &str| {
            let path: Vec<String> = path.iter().map(|&step| step.to_owned()).collect();
            assert!(text[span(text, &path).start..].starts_with(expected), "{path:?}");
        };
        check(&["é", "0", "b"], "here");
        check(&["é", "0", "c"], "b:");
        check(&["é", "1"], "- b");
    }
}
