//! Reading the blocks of a module's sources into its definition.

use std::sync::Arc;

use uphold_model::{Diagnostic, Name, Place, is_identifier};

use super::definition::{Member, Module};
use super::loader::Loader;
use crate::code::Code;
use crate::excerpt::excerpt;
use crate::tree::{Content, Item, Node, Slice};

/// Reads one source of a module.
pub(super) struct SourceReader<'a, 'l> {
    pub(super) module: &'a mut Module,
    pub(super) code: Arc<Code>,
    pub(super) number: u32,
    pub(super) loader: &'a mut Loader<'l>,
}

impl SourceReader<'_, '_> {
    /// The `kind` blocks, which change what other blocks are.
    pub(super) fn kinds(&mut self) {
        let code = self.code.clone();
        for item in code.tree.items(code.tree.root) {
            if let (Content::Block { labels, items }, "kind") = (&item.content, &*item.key)
                && let Some(label) = self.one_label(item, *labels)
            {
                self.kind(label, item, *items);
            }
        }
    }

    /// All other blocks, in written order.
    pub(super) fn blocks(&mut self) {
        let code = self.code.clone();
        for item in code.tree.items(code.tree.root) {
            if let Some(member) = self.item(&code, item) {
                self.module.members.push(member);
            }
        }
    }

    pub(super) fn item(&mut self, code: &Code, item: &Item) -> Option<Member> {
        let Content::Block { labels, items } = item.content else {
            let detail = format!("{} is set outside of every block", excerpt(&item.key));
            let fix =
                "move it into a block: `kind \"name\" { … }`; for a name of a value write `locals { … }`";
            self.report("attribute outside a block", detail, item, fix);
            return None;
        };
        match &*item.key {
            "kind" => None,
            "param" => self.param(item, labels, items),
            "locals" => self.locals(code, item, labels, items),
            "output" => self.output(item, labels, items),
            "variable" => {
                let fix = "write `param` instead of `variable`";
                self.report("no such block", "Uphold calls it a param".into(), item, fix);
                None
            }
            _ => self.member(code, item, labels, items),
        }
    }

    pub(super) fn load(&mut self, item: &Item) -> Option<Arc<Module>> {
        let code = self.code.clone();
        let text = match item.content {
            Content::Expression(node) => match code.tree.node(node) {
                Node::Known(uphold_model::Value::Text(text)) => Some((text.clone(), code.place_of(node))),
                _ => None,
            },
            Content::Broken => return None,
            Content::Block { .. } => None,
        };
        let Some((source, place)) = text else {
            let detail = "where a module is must be known before anything is evaluated";
            self.report(
                "source is not plain text",
                detail.into(),
                item,
                "write a path in quotes: `source = \"./web\"`",
            );
            return None;
        };
        self.loader.load(&code.directory, &source, place)
    }

    pub(super) fn one_label(&mut self, item: &Item, labels: Slice) -> Option<OwnedLabel> {
        let code = self.code.clone();
        match code.tree.labels(labels) {
            [] => {
                let fix = format!("write `{} \"name\" {{`", item.key);
                self.report(
                    "block without a label",
                    format!("{} has no name", excerpt(&item.key)),
                    item,
                    &fix,
                );
                None
            }
            [label, more @ ..] => {
                if let Some(second) = more.first() {
                    let detail = format!("{} has more than one label", excerpt(&item.key));
                    self.report_at(
                        "block with two labels",
                        detail,
                        code.place(second.span),
                        "leave one label",
                    );
                }
                Some(OwnedLabel { text: label.text.clone(), place: code.place(label.span) })
            }
        }
    }

    pub(super) fn head(&self, item: &Item, label: &OwnedLabel) -> Place {
        self.code.place(item.name).to(label.place)
    }

    pub(super) fn check_identifier(&mut self, label: &OwnedLabel, what: &str) {
        if !is_identifier(&label.text) {
            let detail = format!("{} is not a plain word", excerpt(&label.text));
            let fix = format!("name the {what} with letters, digits, `_` and `-`");
            self.report_at("name is not a word", detail, label.place, &fix);
        }
    }

    pub(super) fn duplicate(&mut self, summary: &'static str, label: &OwnedLabel, first: Place) {
        let error = Diagnostic::error(summary, format!("{} is there twice", excerpt(&label.text)));
        let error = error.at(label.place).and_at(first, "first written here");
        self.loader.problems.push(error.fix("give one of them another name, or remove it"));
    }

    pub(super) fn report(&mut self, summary: &'static str, detail: String, item: &Item, fix: &str) {
        self.report_at(summary, detail, self.code.place(item.name), fix);
    }

    pub(super) fn report_at(&mut self, summary: &'static str, detail: String, place: Place, fix: &str) {
        self.loader.problems.push(Diagnostic::error(summary, detail).at(place).fix(fix));
    }
}

/// A label that outlives its tree.
pub(super) struct OwnedLabel {
    pub(super) text: Name,
    pub(super) place: Place,
}
