//! Manifests in YAML: only data that JSON can represent. Anchors, aliases and tags are rejected.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use serde_json::{Map, Value as Json};

/// The same nesting limit as for JSON.
const DEEPEST: usize = 128;

/// The position and the description of a mistake.
type Failure = (usize, String);

/// The only document in `text`.
pub(super) fn read(text: &str) -> Result<Json, Failure> {
    let mut reader = Reader::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| (byte(text, error.marker().index()), error.to_string()))?;
        reader.take(event, span).map_err(|what| (byte(text, span.start.index()), what))?;
    }
    Ok(reader.root.unwrap_or_default())
}

/// The bytes of the value at `path`, or of its nearest parent.
pub(super) fn span(text: &str, path: &[String]) -> Range<usize> {
    let mut reader = Reader { wanted: path, ..Reader::default() };
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { break };
        if reader.take(event, span).is_err() {
            break;
        }
    }
    let (_, start, end) = reader.nearest;
    byte(text, start)..byte(text, end)
}

/// The YAML parser counts characters.
fn byte(text: &str, index: usize) -> usize {
    text.char_indices().nth(index).map_or(text.len(), |(at, _)| at)
}

#[derive(Default)]
struct Reader<'a> {
    open: Vec<Open>,
    documents: usize,
    root: Option<Json>,
    wanted: &'a [String],
    /// The number of path steps to the best place so far, and its characters.
    nearest: (usize, usize, usize),
}

enum Open {
    List(Vec<Json>),
    /// The entries, and a key that waits for its value.
    Map(Map<String, Json>, Option<String>),
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), String> {
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 { Err("there is more than one document".to_owned()) } else { Ok(()) }
            }
            Event::SequenceStart(0, None) => self.begin(Open::List(Vec::new()), span),
            Event::MappingStart(0, None) => self.begin(Open::Map(Map::new(), None), span),
            Event::SequenceEnd | Event::MappingEnd => {
                let ended = self.open.pop().map(|open| match open {
                    Open::List(items) => Json::Array(items),
                    Open::Map(members, _) => Json::Object(members),
                });
                ended.map_or(Ok(()), |ended| self.finish(ended))
            }
            Event::Scalar(text, style, 0, None) => self.scalar(&text, style, span),
            Event::Alias(_) | Event::SequenceStart(..) | Event::MappingStart(..) | Event::Scalar(..) => {
                Err("anchors, aliases and tags are not supported; write the value itself".to_owned())
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
        }
    }

    fn begin(&mut self, open: Open, span: Span) -> Result<(), String> {
        if self.open.len() >= DEEPEST {
            return Err(format!("it is nested more than {DEEPEST} levels deep"));
        }
        if self.expects_key() {
            return Err("a key must be a string".to_owned());
        }
        self.note(span);
        self.open.push(open);
        Ok(())
    }

    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Open::Map(_, None)))
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: Span) -> Result<(), String> {
        if let Some(Open::Map(members, key @ None)) = self.open.last_mut() {
            if members.contains_key(text) {
                return Err(format!("the key {text:?} occurs twice"));
            }
            *key = Some(text.to_owned());
            return Ok(());
        }
        self.note(span);
        self.finish(if style == ScalarStyle::Plain { plain(text) } else { Json::from(text) })
    }

    fn finish(&mut self, value: Json) -> Result<(), String> {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Open::List(items)) => items.push(value),
            Some(Open::Map(members, key)) => {
                let key = key.take().ok_or("a key must be a string")?;
                members.insert(key, value);
            }
        }
        Ok(())
    }

    /// Records the place of a value that starts here, if it is on the wanted path.
    fn note(&mut self, span: Span) {
        let steps = self.open.iter().map(|open| match open {
            Open::List(items) => items.len().to_string(),
            Open::Map(_, key) => key.clone().unwrap_or_default(),
        });
        let depth = self.open.len();
        let is_on_the_way = depth <= self.wanted.len() && steps.zip(self.wanted).all(|(a, b)| a == *b);
        if is_on_the_way && (depth > self.nearest.0 || depth == 0) {
            self.nearest = (depth, span.start.index(), span.end.index());
        }
    }
}

/// An unquoted scalar, by the core schema of YAML 1.2.
fn plain(text: &str) -> Json {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Json::Null,
        "true" | "True" | "TRUE" => Json::Bool(true),
        "false" | "False" | "FALSE" => Json::Bool(false),
        other => {
            let starts = other.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
            let whole = other.strip_prefix('+').unwrap_or(other).parse::<i64>().ok();
            let broken = || other.parse::<f64>().ok().filter(|x| x.is_finite());
            let number = || whole.map(Json::from).or_else(|| broken().map(Json::from));
            starts.then(number).flatten().unwrap_or_else(|| Json::from(other))
        }
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
