//! Editing YAML in place.

mod block;
mod reader;

use uphold_resource::{Error, ErrorKind, Result, Value};

use crate::documents::flow::{Flow, Syntax};
use crate::documents::key_path::KeyStep;
use crate::documents::key_path::{Body, Node, Style, wrapped};
use crate::documents::patch::Patch;
use crate::documents::value_tree::Change;
use crate::documents::{Format, not_editable};
use block::Block;
use reader::{write, write_key};

/// One document of a YAML file.
#[derive(Clone, Copy, Debug)]
pub struct Yaml {
    /// The index of the document, from 0; none if the file must have only one.
    pub document: Option<usize>,
}

/// The indentation of a level if the document has no example.
const UNIT: usize = 2;

impl Format for Yaml {
    fn documents(text: &str) -> Result<Vec<Value>> {
        Ok(reader::read(text)?.iter().map(Node::value).collect())
    }

    fn pick<'d>(&self, documents: &'d [Value]) -> Result<Option<&'d Value>> {
        Ok(self.number(documents.len())?.map(|at| &documents[at]))
    }

    fn change(&self, text: &str, change: &Change) -> Result<String> {
        let block = Block { text, unit: unit(text) };
        let mut documents = reader::read(text)?;
        let Some(number) = self.number(documents.len())? else {
            let value = wrapped(&change.at, change.to.as_ref().unwrap_or(&Value::Null));
            let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            return Ok(format!("{text}{end}{}\n", block.lines(&value, 0).trim_start()));
        };
        let root = documents.swap_remove(number);
        let edit = Edit { block, root: &root };
        let patch = match &change.to {
            Some(value) => edit.put(&change.at, value),
            None => edit.remove(&change.at),
        };
        Ok(patch?.apply(text))
    }
}

impl Yaml {
    /// The index of the document to edit; none if the file has none.
    fn number(&self, count: usize) -> Result<Option<usize>> {
        let at = match (self.document, count) {
            (_, 0) => return Ok(None),
            (Some(at), _) => at,
            (None, 1) => 0,
            (None, _) => {
                let what = format!("the file has {count} documents");
                let hint = "set `document`, as in `document = 0` for the first";
                return Err(Error::new(ErrorKind::Invalid, what).hint(hint));
            }
        };
        if at >= count {
            let what = format!("the file has no document {at}, only {count}");
            return Err(Error::new(ErrorKind::Invalid, what).hint("the first document is 0"));
        }
        Ok(Some(at))
    }
}

/// The indentation of a level: that of the least indented line.
fn unit(text: &str) -> usize {
    let depth = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let depths = text.lines().filter(|line| !line.trim().is_empty()).map(depth);
    depths.filter(|depth| *depth > 0).min().unwrap_or(UNIT)
}

/// A change of one document.
struct Edit<'a> {
    block: Block<'a>,
    root: &'a Node,
}

impl Edit<'_> {
    fn put(&self, at: &[KeyStep], value: &Value) -> Result<Patch> {
        let (node, found) = self.root.walk(at);
        let missing = &at[found.len()..];
        let Some((step, rest)) = missing.split_first() else { return self.replace(found, node, value) };
        let new = wrapped(rest, value);
        match (&node.body, step) {
            (Body::Alias(_), _) => Err(not_editable("it is an alias of another value")),
            // Null counts as missing.
            (Body::Scalar(Value::Null), _) => self.replace(found, node, &wrapped(missing, value)),
            (Body::Map(entries, Style::Block), KeyStep::Key(key)) => self.block.add_entry(entries, key, &new),
            (Body::List(items, Style::Block), KeyStep::Index(_)) => self.block.add_item(items, &new),
            _ => self.flow().add(node, step, &new),
        }
    }

    fn replace(&self, at: &[KeyStep], node: &Node, value: &Value) -> Result<Patch> {
        let Some((last, way)) = at.split_last() else { return Ok(self.replace_root(value)) };
        match (&self.root.walk(way).0.body, last) {
            (Body::Map(entries, Style::Block), KeyStep::Key(key)) => {
                let entry = entries.iter().find(|entry| entry.key == *key);
                self.block.set_entry(entry.ok_or_else(|| not_editable("its key does not exist"))?, value)
            }
            (Body::List(_, Style::Block), _) => Ok(self.block.set_item(node, value)),
            _ => Ok(self.flow().replace(node, value)),
        }
    }

    fn replace_root(&self, value: &Value) -> Patch {
        let start = self.root.span.start;
        let lines = match value {
            Value::Map(map) if map.is_empty() => "{}".to_owned(),
            Value::List(items) if items.is_empty() => "[]".to_owned(),
            value => self.block.lines(value, 0).trim_start().to_owned(),
        };
        // An empty document ends where it begins.
        let newline = if start > 0 && !self.block.text[..start].ends_with('\n') { "\n" } else { "" };
        let behind =
            if self.block.text[start..].starts_with('\n') || self.root.span.end > start { "" } else { "\n" };
        Patch::default().replace(self.root.span.clone(), format!("{newline}{lines}{behind}"))
    }

    fn remove(&self, at: &[KeyStep]) -> Result<Patch> {
        let (last, way) = at.split_last().ok_or_else(|| not_editable("the key is the whole document"))?;
        let holder = self.root.walk(way).0;
        match (&holder.body, last) {
            (Body::Map(entries, _), _) if entries.len() == 1 => {
                self.replace(way, holder, &Value::map::<&str>([]))
            }
            (Body::List(items, _), _) if items.len() == 1 => self.replace(way, holder, &Value::list([])),
            (Body::Map(entries, Style::Block), KeyStep::Key(key)) => {
                let at = entries.iter().position(|entry| entry.key == *key);
                self.block.remove_entry(entries, at.ok_or_else(|| not_editable("it does not exist"))?)
            }
            (Body::List(items, Style::Block), KeyStep::Index(index)) => self.block.remove_item(items, *index),
            _ => self.flow().remove(holder, last),
        }
    }

    fn flow(&self) -> Flow<'_, YamlSyntax> {
        Flow { text: self.block.text, syntax: &YamlSyntax, unit: None }
    }
}

/// The syntax of YAML inside brackets.
struct YamlSyntax;

impl Syntax for YamlSyntax {
    const COMMENT: &'static str = "#";

    fn key(&self, key: &str) -> String {
        write_key(key)
    }

    fn scalar(&self, scalar: &Value) -> String {
        write(scalar)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::trial::{Trial, map};

    const YAML: Trial<Yaml> = Trial(Yaml { document: None });

    fn list(items: &[i64]) -> Value {
        Value::list(items.iter().map(|item| Value::Int(*item)))
    }

    #[test]
    fn replaces_values_in_place() {
        YAML.put_on_lines("# top\na: 1 # one\nb: 2\n", "a", 9, "# top\na: 9 # one\nb: 2\n");
        YAML.put("a: 'x'\nb: \"y\"\n", "b", "z", "a: 'x'\nb: z\n");
        YAML.put("é: ü\nb: 1", "b", 2, "é: ü\nb: 2");
        YAML.put("a: {x: 1, xx: [1, 2]}\n", "a.xx[0]", 9, "a: {x: 1, xx: [9, 2]}\n");
        YAML.put("a:\n  - 1\n  - 2 # two\n", "a[1]", "x", "a:\n  - 1\n  - x # two\n");
        YAML.put("a:\n- x: 1\n  xx: 2\n- z\n", "a[0].xx", 3, "a:\n- x: 1\n  xx: 3\n- z\n");
        YAML.put("a:\nb: 1\n", "a", 5, "a: 5\nb: 1\n");
        YAML.put("a: # none\nb: 1\n", "a", 5, "a: 5 # none\nb: 1\n");
        YAML.put("a : 1\n", "a", 5, "a : 5\n");
        YAML.put("\"a b\": 1\n", "a b", 5, "\"a b\": 5\n");
        YAML.put("---\na: 1\n...\n", "a", 5, "---\na: 5\n...\n");
        YAML.put("a: &x 1\n", "a", 5, "a: 5\n");
        YAML.put("a: !secret pw\nb: 1\n", "b", 2, "a: !secret pw\nb: 2\n");
    }

    #[test]
    fn replaces_multi_line_scalars_as_a_whole() {
        YAML.put("a: |\n  one\n  two\n\nb: 1\n", "a", "x", "a: x\n\nb: 1\n");
        YAML.put("a: >-\n  one\n  two\n# about b\nb: 1\n", "a", "x", "a: x\n# about b\nb: 1\n");
        YAML.put("a: one\n  two\nb: 1\n", "a", "x", "a: x\nb: 1\n");
        YAML.put("a: |\n  one\n", "b", 2, "a: |\n  one\nb: 2\n");
        YAML.put("a: x\n", "a", "one\ntwo\n", "a: \"one\\ntwo\\n\"\n");
        YAML.remove("a: |\n  one\n  two\nb: 1\n", "a", "b: 1\n");
    }

    #[test]
    fn scalars_become_collections_and_back() {
        YAML.put_on_lines(
            "a: 1 # one\nb: 2\n",
            "a",
            map(&[("x", 1), ("xx", 2)]),
            "a: # one\n  x: 1\n  xx: 2\nb: 2\n",
        );
        YAML.put("a: 1\nb: 2\n", "a", list(&[1, 2]), "a:\n  - 1\n  - 2\nb: 2\n");
        YAML.put("a: # all\n  x: 1\n  xx: 2 # two\nb: 2\n", "a", "z", "a: z # all\nb: 2\n");
        YAML.put("a:\n  - 1\n  - 2\nb: 2\n", "a", list(&[7]), "a:\n  - 7\nb: 2\n");
        YAML.put("a:\n- 1\n- 2\nb: 2\n", "a", list(&[]), "a: []\nb: 2\n");
        YAML.put("a:\n  x: 1\nb: 2\n", "a", map(&[]), "a: {}\nb: 2\n");
        YAML.put("- 1\n- 2\n", "[1]", map(&[("x", 1), ("xx", 2)]), "- 1\n- x: 1\n  xx: 2\n");
        let before = "m:\n  # why\n  x: 1\n  xx: 2\nz: 1\n";
        YAML.put(before, "m", map(&[("x", 1), ("xx", 3)]), "m:\n  # why\n  x: 1\n  xx: 3\nz: 1\n");
    }

    #[test]
    fn adds_new_members_after_the_others() {
        YAML.put("", "a.b", 1, "a:\n  b: 1\n");
        YAML.put("# nothing yet\n", "a", 1, "# nothing yet\na: 1\n");
        YAML.put("---\n", "a", 1, "---\na: 1\n");
        YAML.put("{}\n", "a", 1, "{a: 1}\n");
        YAML.put_on_lines("a: 1\nb: 2 # two\n", "c", 3, "a: 1\nb: 2 # two\nc: 3\n");
        YAML.put("a: 1", "c", 3, "a: 1\nc: 3");
        YAML.put("a: 1\n\n# the end\n", "c", 3, "a: 1\nc: 3\n\n# the end\n");
        YAML.put("a:\n    x: 1\nb: 2\n", "a.xx.z", 3, "a:\n    x: 1\n    xx:\n        z: 3\nb: 2\n");
        YAML.put("a:\nb: 2\n", "a.x", 3, "a:\n  x: 3\nb: 2\n");
        YAML.put("a: {x: 1}\n", "a.xx", 3, "a: {x: 1, xx: 3}\n");
        YAML.put("a: {}\n", "a.xx", 3, "a: {xx: 3}\n");
        YAML.put("a: [1]\n", "a[1]", "x, y", "a: [1, \"x, y\"]\n");
        YAML.put("a:\n- 1\nb: 2\n", "a[1]", 3, "a:\n- 1\n- 3\nb: 2\n");
        YAML.put("a:\n- x: 1\n  xx: 2\nb: 2\n", "a[0].z", 3, "a:\n- x: 1\n  xx: 2\n  z: 3\nb: 2\n");
        YAML.put("- a\n", "[1]", map(&[("x", 1), ("xx", 2)]), "- a\n- x: 1\n  xx: 2\n");
        YAML.put("a:\n  b:\n", "a.c", 1, "a:\n  b:\n  c: 1\n");
        YAML.put("a:\n  - b:\n", "a[0].b.c", 1, "a:\n  - b:\n      c: 1\n");
    }

    #[test]
    fn members_are_removed_with_their_lines() {
        YAML.remove("a: 1 # one\nb: 2\n", "a", "b: 2\n");
        YAML.remove("a: 1\nb: 2", "b", "a: 1");
        YAML.remove("a:\n  x:\n    - 1\n    - 2\n  xx: 1\n", "a.x", "a:\n  xx: 1\n");
        YAML.remove("a:\n  x: 1\nb: 2\n", "a.x", "a: {}\nb: 2\n");
        YAML.remove("a: 1\n", "a", "{}\n");
        YAML.remove("l:\n- x: 1\n  xx: 2\n", "l[0].x", "l:\n- xx: 2\n");
        YAML.remove("l:\n- x: 1\n  xx: 2\n- z\n", "l[0]", "l:\n- z\n");
        YAML.remove("l:\n- 1\n", "l[0]", "l: []\n");
        YAML.remove("a: {x: 1, xx: 2}\n", "a.x", "a: {xx: 2}\n");
        YAML.remove("a: [1, 2, 3]\n", "a[2]", "a: [1, 2]\n");
        YAML.remove("a: {x: 1}\n", "a.x", "a: {}\n");
        YAML.remove("a:\nb: 1\n", "a", "b: 1\n");
    }

    #[test]
    fn refuses_to_edit_shared_values() {
        YAML.refuse("a: &x 1\nb: *x\n", "a", 2, "cannot edit `a` safely");
        YAML.refuse("a: &x\n  k: 1\nb: *x\n", "a.k", 2, "another value would change");
        YAML.refuse("a: &x\n  k: 1\nb: *x\n", "b.k", 2, "alias");
        YAML.put("a: &x 1\nb: *x\n", "b", 2, "a: &x 1\nb: 2\n");
        YAML.put("a: &x\n  k: 1\nb:\n  <<: *x\n", "b.k", 2, "a: &x\n  k: 1\nb:\n  <<: *x\n  k: 2\n");
        YAML.refuse("? [a]\n: 1\n", "b", 2, "not a plain string");
        YAML.refuse("? a\n: 1\n", "a", 2, "colon");
    }

    #[test]
    fn the_empty_string_differs_from_an_omitted_key() {
        YAML.put(": 1\n", "\"\"", 5, ": 1\n\"\": 5\n");
        YAML.put(": 1\n\"\": 2\n", "\"\"", 5, ": 1\n\"\": 5\n");
        YAML.put("{: 1}\n", "\"\"", 5, "{: 1, \"\": 5}\n");
        YAML.put(": 1\n", "null", 5, ": 5\n");
        YAML.remove(": 1\n'': 2\n", "\"\"", ": 1\n");
    }

    #[test]
    fn edits_one_document_of_several() {
        let two = "a: 1\n---\na: 2\n";
        YAML.refuse(two, "a", 3, "the file has 2 documents");
        Trial(Yaml { document: Some(0) }).put(two, "a", 3, "a: 3\n---\na: 2\n");
        Trial(Yaml { document: Some(1) }).put(two, "b", 3, "a: 1\n---\na: 2\nb: 3\n");
        Trial(Yaml { document: Some(0) }).put(two, "b", 3, "a: 1\nb: 3\n---\na: 2\n");
        Trial(Yaml { document: Some(2) }).refuse(two, "a", 3, "the file has no document 2");
    }

    #[test]
    fn reports_the_position_of_a_syntax_error() {
        YAML.refuse("a: 1\n b: 2\n", "a", 2, "the file is not valid YAML: line 2");
        YAML.refuse("a: 1\na: 2\n", "a", 2, "line 2, column 1: the key \"a\" occurs twice");
        YAML.refuse("a: 1\n", "a.b", 2, "`a` is a number");
        YAML.refuse(&"[".repeat(10_000), "a", 2, "recursion limit");
        let bomb = "a: &a [1,1,1,1,1,1,1,1,1,1]\n".to_owned()
            + &(b'b'..b'k')
                .map(|c| {
                    let (now, before) = (c as char, (c - 1) as char);
                    format!("{now}: &{now} [{}]\n", vec![format!("*{before}"); 10].join(","))
                })
                .collect::<String>();
        YAML.refuse(&bomb, "a", 2, "with all aliases expanded");
    }

    #[test]
    fn random_documents_are_edited_or_refused() {
        let edited = crate::documents::trial::fuzz(&Yaml { document: None }, 20_000);
        assert!(edited > 1000, "{edited}");
    }
}
