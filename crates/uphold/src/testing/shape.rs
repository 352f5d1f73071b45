//! The syntax of test files.

use std::collections::BTreeMap;

use uphold_config::{WrittenAttribute, WrittenBlock};
use uphold_model::{Code, Diagnostic, closest};

/// A kind of block.
pub(super) struct Shape {
    pub(super) word: &'static str,
    /// The meaning of its label; none without a label.
    label: Option<&'static str>,
    attributes: &'static [&'static str],
    blocks: &'static [Shape],
}

/// The top level.
pub(super) const FILE: Shape = Shape {
    word: "a test file",
    label: None,
    attributes: &["configuration", "params", "facts"],
    blocks: &[TEST, GIVEN],
};

const TEST: Shape = Shape {
    word: "test",
    label: Some("its name"),
    attributes: &["configuration", "params", "facts", "apply", "idempotent"],
    blocks: &[GIVEN, EXPECT],
};

const GIVEN: Shape = Shape {
    word: "given",
    label: None,
    attributes: &["ports"],
    blocks: &[
        named("file", "its path", &["content", "mode", "owner", "group"]),
        named("directory", "its path", &["mode", "owner", "group"]),
        named("link", "its path", &["to"]),
        named("user", "its name", &["uid", "gid", "home", "shell"]),
        named("group", "its name", &["gid", "members"]),
        named("command", "the command with its arguments", &["does", "status", "stdout", "stderr"]),
    ],
};

const EXPECT: Shape = Shape {
    word: "expect",
    label: None,
    attributes: &[
        "changes",
        "creates",
        "updates",
        "removes",
        "runs",
        "unchanged",
        "unwanted",
        "fails",
        "skips",
        "failure",
        "outputs",
        "absent",
        "ran",
    ],
    blocks: &[
        named("file", "its path", &["content", "contains", "mode", "owner", "group"]),
        named("directory", "its path", &["mode", "owner", "group"]),
        named("link", "its path", &["to"]),
        Shape { word: "change", label: None, attributes: &["of", "before", "after"], blocks: &[] },
    ],
};

const fn named(word: &'static str, label: &'static str, attributes: &'static [&'static str]) -> Shape {
    Shape { word, label: Some(label), attributes, blocks: &[] }
}

impl Shape {
    /// Reports unknown attributes and blocks. Recurses as deep as the shapes.
    pub(super) fn check(&self, block: &WrittenBlock, problems: &mut Vec<Diagnostic>) {
        self.check_attributes(&block.attributes, problems);
        for inner in &block.blocks {
            match self.blocks.iter().find(|shape| shape.word == inner.word) {
                Some(shape) => {
                    shape.check_labels(inner, problems);
                    shape.check(inner, problems);
                }
                None => problems.push(self.unknown_block(inner)),
            }
        }
    }

    fn check_attributes(&self, attributes: &[WrittenAttribute], problems: &mut Vec<Diagnostic>) {
        let mut seen: BTreeMap<&str, &WrittenAttribute> = BTreeMap::new();
        for attribute in attributes {
            if let Some(first) = seen.get(&*attribute.name) {
                let detail = format!("`{}` is set twice in one block", attribute.name);
                let error = Diagnostic::new(Code::DuplicateAttribute, detail).at(attribute.place);
                problems.push(error.and_at(first.place, "set here first").fix("remove one of them"));
            } else if !self.attributes.contains(&&*attribute.name) {
                problems.push(self.unknown_attribute(attribute));
            }
            seen.entry(&attribute.name).or_insert(attribute);
        }
    }

    fn unknown_attribute(&self, attribute: &WrittenAttribute) -> Diagnostic {
        let blocks = self.blocks.iter().find(|shape| shape.word == attribute.name);
        let fix = match blocks {
            Some(block) => format!("it is a block: `{}`", block.example()),
            None => suggestion(&attribute.name, self.attributes),
        };
        let detail = format!("{} has no attribute `{}`", self.called(), attribute.name);
        Diagnostic::new(Code::MalformedTest, detail).at(attribute.place).fix(fix)
    }

    fn unknown_block(&self, block: &WrittenBlock) -> Diagnostic {
        let words: Vec<&str> = self.blocks.iter().map(|shape| shape.word).collect();
        let fix = if self.attributes.contains(&&*block.word) {
            format!("it is an attribute: `{} = …`", block.word)
        } else if words.is_empty() {
            "remove it".to_owned()
        } else {
            suggestion(&block.word, &words)
        };
        let detail = format!("{} has no block `{}`", self.called(), block.word);
        Diagnostic::new(Code::MalformedTest, detail).at(block.place).fix(fix)
    }

    fn check_labels(&self, block: &WrittenBlock, problems: &mut Vec<Diagnostic>) {
        if block.labels.len() == usize::from(self.label.is_some()) {
            return;
        }
        let detail = match self.label {
            Some(label) => format!("`{}` takes one label: {label}", self.word),
            None => format!("`{}` takes no label", self.word),
        };
        let error = Diagnostic::new(Code::MalformedTest, detail).at(block.place);
        problems.push(error.fix(format!("write `{}`", self.example())));
    }

    fn called(&self) -> String {
        if self.word == FILE.word { self.word.to_owned() } else { format!("`{}`", self.word) }
    }

    fn example(&self) -> String {
        match self.label {
            Some(label) => format!("{} \"{label}\" {{ … }}", self.word),
            None => format!("{} {{ … }}", self.word),
        }
    }
}

fn suggestion(word: &str, words: &[&str]) -> String {
    match closest(word, words.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it has {}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use uphold_config::read_blocks;
    use uphold_model::Sources;

    use super::*;

    #[test]
    fn unknown_words_get_a_suggestion() {
        let check = |text: &str, expected: &[&str]| {
            let mut sources = Sources::default();
            let id = sources.add("a.test.hcl", text);
            let (file, found) = read_blocks(&sources, id);
            assert!(found.is_empty(), "{found:?}");
            let mut problems = Vec::new();
            FILE.check(&file, &mut problems);
            let shown = |problem: &Diagnostic| {
                format!("{}; {}", problem.detail, problem.fix.as_deref().unwrap_or_default())
            };
            assert_eq!(problems.iter().map(shown).collect::<Vec<_>>(), expected, "{text}");
        };
        check("test \"a\" {}", &[]);
        check("parms = {}", &["a test file has no attribute `parms`; did you mean `params`?"]);
        check("tset \"a\" {}", &["a test file has no block `tset`; did you mean `test`?"]);
        check(
            "test \"a\" {\n given {\n file \"/x\" {\n size = 1\n}\n}\n}",
            &["`file` has no attribute `size`; it has content, mode, owner, group"],
        );
        check(
            "test \"a\" {\n given = {}\n}",
            &["`test` has no attribute `given`; it is a block: `given { … }`"],
        );
        check(
            "test \"a\" {\n params {}\n}",
            &["`test` has no block `params`; it is an attribute: `params = …`"],
        );
        check("test {}", &["`test` takes one label: its name; write `test \"its name\" { … }`"]);
        check("given \"x\" {}", &["`given` takes no label; write `given { … }`"]);
        check(
            "test \"a\" {\n apply = true\n apply = true\n}",
            &["`apply` is set twice in one block; remove one of them"],
        );
    }
}
