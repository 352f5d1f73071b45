//! Reading the blocks of a module's sources.

use std::sync::Arc;

use uphold_model::{Code, Diagnostic, Place, is_identifier};

use super::definition::{ItemRef, Member, Module};
use super::loader::Loader;
use crate::excerpt::excerpt;
use crate::foreign::foreign_block;
use crate::tree::{Content, Item, Labels, Literal, Node, Tree, TreeView};

/// Reads one top-level item of a source.
pub(super) struct SourceReader<'a, 'l> {
    pub(super) module: &'a mut Module,
    /// The tree view of the item.
    pub(super) code: TreeView<'a>,
    pub(super) tree: &'a Arc<Tree>,
    /// The number of the source.
    pub(super) number: u32,
    pub(super) loader: &'a mut Loader<'l>,
}

impl<'a> SourceReader<'a, '_> {
    /// Reads a `kind` block; these come first, because they affect the meaning of other blocks.
    pub(super) fn read_kind(&mut self) {
        for item in self.code.items(self.tree.root) {
            if let Content::Block { labels, items } = item.content
                && let Some(label) = self.one_label(&item, labels)
            {
                self.kind(label, &item, items);
            }
        }
    }

    /// Reads any other block.
    pub(super) fn read_block(&mut self) {
        for item in self.code.items(self.tree.root) {
            if let Some(member) = self.item(&item) {
                self.module.members.push(member);
            }
        }
    }

    /// A reference to an item of the tree, to be kept.
    pub(super) fn item_ref(&self, item: u32) -> ItemRef {
        ItemRef { code: self.number, tree: self.tree.clone(), item }
    }

    pub(super) fn item(&mut self, item: &Item<'_>) -> Option<Member> {
        let Content::Block { labels, items } = item.content else {
            let detail = format!("{} is set outside of a block", excerpt(item.key));
            let fix = match (item.key, foreign_block(item.key, 0)) {
                ("locals", _) => "write it as a block, without `=`: `locals { … }`",
                (_, Some((_, fix))) => fix,
                _ => "move it into a block: `kind \"name\" { … }`; define named values in `locals { … }`",
            };
            self.report(Code::MisplacedAttribute, detail, item, fix);
            return None;
        };
        match item.key {
            "param" => self.param(item, labels, items),
            "locals" => self.locals(item, labels, items),
            "output" => self.output(item, labels, items),
            "settings" => self.settings(item, labels, items),
            "moved" => self.moved(item, labels, items),
            "removed" => self.removed(item, labels, items),
            "variable" => {
                let fix = "write `param` instead of `variable`";
                self.report(Code::UnknownBlock, "a `variable` is called `param` in Uphold".into(), item, fix);
                // Its uses are no further errors.
                self.param(item, labels, items)
            }
            _ => self.member(item, labels, items),
        }
    }

    pub(super) fn load(&mut self, item: &Item<'_>) -> Option<Arc<Module>> {
        let code = self.code;
        let text = match item.content {
            Content::Expression(node) => match code.node(node) {
                Node::Known(Literal::Text(text)) => Some((text, code.place_of(node))),
                _ => None,
            },
            Content::Broken => return None,
            Content::Block { .. } => None,
        };
        let Some((source, place)) = text else {
            let detail = "`source` must be a plain string, because modules are loaded before expressions are \
                          evaluated";
            self.report(Code::NotPlain, detail.into(), item, "write a path in quotes: `source = \"./web\"`");
            return None;
        };
        self.loader.load(code.directory(), source, place)
    }

    pub(super) fn one_label(&mut self, item: &Item<'_>, labels: Labels) -> Option<PlacedLabel<'a>> {
        let code = self.code;
        let mut all = code.labels(labels);
        match all.next() {
            None => {
                let fix = format!("write `{} \"name\" {{`", item.key);
                self.report(Code::MissingLabel, format!("{} has no name", excerpt(item.key)), item, &fix);
                None
            }
            Some(label) => {
                if let Some(second) = all.next() {
                    let detail = format!("{} has more than one label", excerpt(item.key));
                    self.report_at(Code::UnexpectedLabel, detail, code.place(second.span), "keep one label");
                }
                Some(PlacedLabel { text: label.text, place: code.place(label.span) })
            }
        }
    }

    /// Reports a label of a block that takes none.
    pub(super) fn without_label(&mut self, item: &Item<'_>, labels: Labels) {
        if let Some(label) = self.code.labels(labels).next() {
            let detail = format!("{} takes no label", excerpt(item.key));
            self.report_at(Code::UnexpectedLabel, detail, self.code.place(label.span), "remove the label");
        }
    }

    pub(super) fn head(&self, item: &Item<'_>, label: &PlacedLabel<'_>) -> Place {
        self.code.place(item.name).to(label.place)
    }

    pub(super) fn check_identifier(&mut self, label: &PlacedLabel<'_>, what: &str) {
        if !is_identifier(label.text) {
            let detail = format!("{} is not a valid name", excerpt(label.text));
            let fix = format!("name the {what} with letters, digits, `_` and `-`");
            self.report_at(Code::InvalidName, detail, label.place, &fix);
        }
    }

    pub(super) fn duplicate(&mut self, code: Code, label: &PlacedLabel<'_>, first: Place) {
        let error = Diagnostic::new(code, format!("{} is defined twice", excerpt(label.text)));
        let error = error.at(label.place).and_at(first, "first written here");
        self.loader.problems.push(error.fix("give one of them another name, or remove it"));
    }

    pub(super) fn report(&mut self, code: Code, detail: String, item: &Item<'_>, fix: &str) {
        self.report_at(code, detail, self.code.place(item.name), fix);
    }

    pub(super) fn report_at(&mut self, code: Code, detail: String, place: Place, fix: &str) {
        self.loader.problems.push(Diagnostic::new(code, detail).at(place).fix(fix));
    }
}

/// A label and its place.
#[derive(Clone, Copy)]
pub(super) struct PlacedLabel<'t> {
    pub(super) text: &'t str,
    pub(super) place: Place,
}
