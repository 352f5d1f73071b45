//! Blocks that become statements, as they are written.

use uphold_model::{Name, Order, Place, is_identifier};

use super::block::{Block, What};
use super::definition::{GroupBlock, Member};
use super::reader::{OwnedLabel, SourceReader};
use crate::body::Entry;
use crate::code::Code;
use crate::excerpt::excerpt;
use crate::meta::Argument;
use crate::tree::{Content, Item, Label, Slice};

impl SourceReader<'_, '_> {
    /// What may also stand in a group.
    pub(super) fn member(&mut self, code: &Code, item: &Item, labels: Slice, items: Slice) -> Option<Member> {
        match &*item.key {
            "sequence" => Some(self.group(code, item, labels, items, Order::Sequence)),
            "parallel" => Some(self.group(code, item, labels, items, Order::Parallel)),
            "declare" => self.two_labels(item, labels, items, What::Declare),
            "edit" => self.two_labels(item, labels, items, What::Edit),
            "trigger" => self.two_labels(item, labels, items, What::Trigger),
            "module" => self.call(item, labels, items),
            _ => self.resource(code, item, labels, items),
        }
    }

    pub(super) fn group(
        &mut self,
        code: &Code,
        item: &Item,
        labels: Slice,
        items: Slice,
        order: Order,
    ) -> Member {
        if let [_, second, ..] = code.tree.labels(labels) {
            self.report_at(
                "block with two labels",
                format!("{} takes one label or none", excerpt(&item.key)),
                code.place(second.span),
                "leave one label",
            );
        }
        let (mut members, mut arguments) = (Vec::new(), Vec::new());
        for id in items.range() {
            let inner = code.tree.item(id);
            match (inner.content, Argument::named(&inner.key), &*inner.key) {
                (Content::Block { .. }, _, "param" | "locals" | "output" | "kind" | "variable") => {
                    let detail = format!("{} stands outside of all blocks", excerpt(&inner.key));
                    self.report("block in the wrong place", detail, inner, "move it out of the group");
                }
                (Content::Block { labels, items }, ..) => {
                    members.extend(self.member(code, inner, labels, items));
                }
                (_, Some(argument @ (Argument::When | Argument::DependsOn)), _) => {
                    arguments.push((argument, id as u32));
                }
                (Content::Broken, ..) => {}
                _ => {
                    let detail = format!("a group has no {}", excerpt(&inner.key));
                    self.report(
                        "unknown attribute of a group",
                        detail,
                        inner,
                        "it has `when` and `depends_on`, and blocks",
                    );
                }
            }
        }
        let place = code.place(item.name);
        Member::Group(GroupBlock { order, place, code: self.number, arguments, members })
    }

    pub(super) fn call(&mut self, item: &Item, labels: Slice, items: Slice) -> Option<Member> {
        let label = self.one_label(item, labels)?;
        let head = self.head(item, &label);
        let code = self.code.clone();
        let source = code.tree.items(items).iter().find(|inner| &*inner.key == "source");
        let module = match source {
            Some(source) => self.load(source),
            None => {
                self.report_at(
                    "module without a source",
                    "it does not say which module it is".into(),
                    head,
                    "add `source = \"./directory\"`",
                );
                None
            }
        };
        Some(self.add(What::Call(module), ("module".into(), label.text, None), head, items))
    }

    pub(super) fn two_labels(
        &mut self,
        item: &Item,
        labels: Slice,
        items: Slice,
        what: What,
    ) -> Option<Member> {
        let code = self.code.clone();
        let (kind, label, key) = match code.tree.labels(labels) {
            [kind, label] => (kind, label, None),
            [kind, label, key] if !matches!(what, What::Declare) => (kind, label, Some(key.text.clone())),
            _ => {
                let detail = format!("{} takes the kind and the name of a resource", excerpt(&item.key));
                let fix = format!("write `{} \"kind\" \"name\" {{`", item.key);
                self.report("which resource is meant?", detail, item, &fix);
                return None;
            }
        };
        let head = code.place(item.name.to(label.span));
        Some(self.add(what, (kind.text.clone(), label.text.clone(), key), head, items))
    }

    pub(super) fn resource(
        &mut self,
        code: &Code,
        item: &Item,
        labels: Slice,
        items: Slice,
    ) -> Option<Member> {
        let labels = code.tree.labels(labels);
        if let ("resource", [kind, label]) = (&*item.key, labels) {
            self.resource_keyword(kind, label, item);
            let head = code.place(item.name.to(label.span));
            return Some(self.add(
                What::Resource,
                (kind.text.clone(), label.text.clone(), None),
                head,
                items,
            ));
        }
        let [label, more @ ..] = labels else {
            let fix = format!("write `{} \"name\" {{`", item.key);
            self.report("block without a label", format!("{} has no name", excerpt(&item.key)), item, &fix);
            return None;
        };
        if let Some(second) = more.first() {
            let detail = format!("{} has more than one label", excerpt(&item.key));
            self.report_at("block with two labels", detail, code.place(second.span), "leave one label");
        }
        let head = code.place(item.name.to(label.span));
        if let Some(kind) = self.module.kinds.get(&item.key) {
            let what = What::Call(kind.module.clone());
            return Some(self.add(what, (item.key.clone(), label.text.clone(), None), head, items));
        }
        Some(self.add(What::Resource, (item.key.clone(), label.text.clone(), None), head, items))
    }

    pub(super) fn add(
        &mut self,
        what: What,
        name: (Name, Name, Option<Name>),
        head: Place,
        items: Slice,
    ) -> Member {
        let (kind, name, key) = name;
        if let (What::Call(_), Some(first)) = (&what, self.module.find(&kind, &name)) {
            let first = self.module.blocks[first as usize].head;
            let label = OwnedLabel { text: name.clone(), place: head };
            self.duplicate("duplicate module", &label, first);
        }
        let entries = Entry::checked(&self.code.tree, items, self.loader.problems);
        let argument = |entry: &Entry| match what {
            What::Call(_) => Argument::of_call(&entry.name),
            _ => Argument::named(&entry.name),
        };
        let arguments = entries.iter().filter_map(|entry| Some((argument(entry)?, entry.first))).collect();
        Member::Block(self.module.add(Block {
            what,
            kind,
            name,
            key,
            code: self.number,
            head,
            items,
            arguments,
        }))
    }

    /// `resource "kind" "name"`, as Terraform has it.
    pub(super) fn resource_keyword(&mut self, kind: &Label, label: &Label, item: &Item) {
        let short = |label: &Label| label.text.len() <= 40 && !label.text.contains(['"', '\\']);
        let fix = match is_identifier(&kind.text) && short(kind) && short(label) {
            true => format!("write `{} \"{}\" {{`", kind.text, label.text),
            false => "write `kind \"name\" {`".into(),
        };
        self.report("no keyword before the kind", "there is no `resource` keyword".into(), item, &fix);
    }
}
