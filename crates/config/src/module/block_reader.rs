//! Reading blocks that become statements.

use uphold_model::{BLOCKS, Code, Order, Place, ResourceId, foreign_kind, is_identifier};

use super::block::{Block, Body, What};
use super::definition::{GroupBlock, Member};
use super::reader::{PlacedLabel, SourceReader};
use crate::body::Entry;
use crate::excerpt::excerpt;
use crate::foreign::foreign_block;
use crate::meta::{Argument, GroupArgument};
use crate::suggestion::listed;
use crate::tree::{Content, Item, Items, Label, Labels};

/// Blocks that cannot be members of a group.
const OUTSIDE_OF_GROUPS: [&str; 8] =
    ["kind", "locals", "moved", "output", "param", "removed", "settings", "variable"];

impl SourceReader<'_, '_> {
    /// A block that may also be a member of a group.
    pub(super) fn member(&mut self, item: &Item<'_>, labels: Labels, items: Items) -> Option<Member> {
        match item.key {
            "sequence" => Some(self.group(item, labels, items, Order::Sequence)),
            "parallel" => Some(self.group(item, labels, items, Order::Parallel)),
            "declare" => self.two_labels(item, labels, items, What::Declare),
            "edit" => self.two_labels(item, labels, items, What::Edit),
            "trigger" => self.two_labels(item, labels, items, What::Trigger),
            "module" => self.call(item, labels, items),
            "function" if !self.is_kind(item.key) => self.function(item, labels),
            _ if self.is_foreign(item, labels) => None,
            _ => self.resource(item, labels, items),
        }
    }

    fn is_kind(&self, name: &str) -> bool {
        self.loader.kinds.contains(name) || self.module.kinds.contains_key(name)
    }

    /// Reports a function, which cannot be defined. Its calls are no further errors.
    fn function(&mut self, item: &Item<'_>, labels: Labels) -> Option<Member> {
        let name = self.code.labels(labels).next();
        self.module.refused_functions.extend(name.map(|label| label.text.into()));
        let fix = foreign_kind(item.key).unwrap_or_default();
        self.report(Code::UnknownBlock, "a configuration cannot define functions".into(), item, fix);
        None
    }

    /// Reports a block of another tool.
    fn is_foreign(&mut self, item: &Item<'_>, labels: Labels) -> bool {
        let foreign = foreign_block(item.key, self.code.labels(labels).len());
        if let Some((detail, fix)) = foreign {
            self.report(Code::UnknownBlock, detail.into(), item, fix);
        }
        foreign.is_some()
    }

    pub(super) fn group(&mut self, item: &Item<'_>, labels: Labels, items: Items, order: Order) -> Member {
        let code = self.code;
        if let Some(second) = code.labels(labels).nth(1) {
            self.report_at(
                Code::UnexpectedLabel,
                format!("{} takes one label or none", excerpt(item.key)),
                code.place(second.span),
                "keep one label",
            );
        }
        Entry::checked(code, items, self.loader.problems);
        let (mut members, mut arguments) = (Vec::new(), Vec::new());
        for id in items.ids() {
            let inner = code.item(id);
            match (inner.content, GroupArgument::named(inner.key, order), inner.key) {
                (Content::Block { .. }, _, word) if OUTSIDE_OF_GROUPS.contains(&word) => {
                    let detail = format!("{} is not allowed in a group", excerpt(inner.key));
                    self.report(Code::MisplacedBlock, detail, &inner, "move it out of the group");
                }
                (Content::Block { labels, items }, ..) => {
                    members.extend(self.member(&inner, labels, items));
                }
                (_, Some(argument), _) => arguments.push((argument, self.item_ref(id))),
                (Content::Broken, ..) => {}
                _ => self.unknown_in_group(item, &inner),
            }
        }
        let label = code.labels(labels).next();
        let place = code.place(label.map_or(item.name, |label| item.name.to(label.span)));
        let name = label.map(|label| label.text.into());
        Member::Group(Box::new(GroupBlock { order, name, place, arguments, members }))
    }

    fn unknown_in_group(&mut self, group: &Item<'_>, inner: &Item<'_>) {
        let schema = BLOCKS.iter().find(|block| block.name == group.key);
        let words = schema.map_or(&[][..], |block| block.attributes).iter().map(|attribute| attribute.name);
        let foreign = uphold_model::foreign_argument(inner.key);
        let fix = match foreign.is_none().then(|| uphold_model::closest(inner.key, words.clone())).flatten() {
            Some(near) => format!("did you mean `{near}`?"),
            None if let Some(fix) = foreign => fix.to_owned(),
            None if inner.key == "concurrency" => "only `parallel` has it: a sequence runs one member at a \
                                                   time"
                .into(),
            None => format!("it has {}, and blocks", listed(words)),
        };
        let detail = format!("a group has no {}", excerpt(inner.key));
        self.report(Code::UnknownAttribute, detail, inner, &fix);
    }

    pub(super) fn call(&mut self, item: &Item<'_>, labels: Labels, items: Items) -> Option<Member> {
        let label = self.one_label(item, labels)?;
        let head = self.head(item, &label);
        let code = self.code;
        let source = code.items(items).find(|inner| inner.key == "source");
        let module = match source {
            Some(source) => self.load(&source),
            None => {
                self.report_at(
                    Code::MissingSource,
                    "the block has no `source`".into(),
                    head,
                    "add `source = \"./directory\"`",
                );
                None
            }
        };
        Some(self.add(What::Call(module), ("module", label.text, None), head, items))
    }

    pub(super) fn two_labels(
        &mut self,
        item: &Item<'_>,
        labels: Labels,
        items: Items,
        what: What,
    ) -> Option<Member> {
        let code = self.code;
        let all: Vec<Label<'_>> = code.labels(labels).collect();
        let (kind, label, key) = match all[..] {
            [kind, label] => (kind, label, None),
            [kind, label, key] if !matches!(what, What::Declare) => (kind, label, Some(key.text)),
            _ => {
                let detail = format!("{} takes the kind and the name of a resource", excerpt(item.key));
                let fix = format!("write `{} \"kind\" \"name\" {{`", item.key);
                self.report(Code::MissingLabel, detail, item, &fix);
                return None;
            }
        };
        let head = code.place(item.name.to(label.span));
        Some(self.add(what, (kind.text, label.text, key), head, items))
    }

    pub(super) fn resource(&mut self, item: &Item<'_>, labels: Labels, items: Items) -> Option<Member> {
        let code = self.code;
        let mut all = code.labels(labels);
        let Some(label) = all.next() else {
            let fix = format!("write `{} \"name\" {{`", item.key);
            self.report(Code::MissingLabel, format!("{} has no name", excerpt(item.key)), item, &fix);
            return None;
        };
        let second = all.next();
        if let ("resource", Some(name), None) = (item.key, second, all.next()) {
            self.resource_keyword(&label, &name, item);
            let head = code.place(item.name.to(name.span));
            return Some(self.add(What::Resource, (label.text, name.text, None), head, items));
        }
        if let Some(second) = second {
            let detail = format!("{} has more than one label", excerpt(item.key));
            let fix = "keep one label; for several resources, write `for_each = […]` in the block";
            self.report_at(Code::UnexpectedLabel, detail, code.place(second.span), fix);
        }
        let head = code.place(item.name.to(label.span));
        let what = match self.module.kinds.get(item.key) {
            Some(kind) => What::Call(kind.module.clone()),
            None => What::Resource,
        };
        Some(self.add(what, (item.key, label.text, None), head, items))
    }

    pub(super) fn add(
        &mut self,
        what: What,
        (kind, name, key): (&str, &str, Option<&str>),
        head: Place,
        items: Items,
    ) -> Member {
        if let (What::Call(_), Some(first)) = (&what, self.module.find(kind, name)) {
            let first = self.module.blocks[first as usize].head;
            let label = PlacedLabel { text: name, place: head };
            self.duplicate(Code::DuplicateDefinition, &label, first);
        }
        let entries = Entry::checked(self.code, items, self.loader.problems);
        let argument = |entry: &Entry| match what {
            What::Call(_) => Argument::of_call(entry.name(self.code)),
            _ => Argument::named(entry.name(self.code)),
        };
        let arguments = entries.iter().filter_map(|entry| Some((argument(entry)?, entry.first))).collect();
        let kind = self.loader.names.get(kind);
        let id = ResourceId::new(kind, name).with_key(key.map(Into::into));
        let body = Body::new(items, entries.len(), self.tree, self.code);
        Member::Block(self.module.add(Block {
            what,
            id,
            code: self.number,
            head,
            body,
            arguments,
            literals: None,
        }))
    }

    /// `resource "kind" "name"`, as in Terraform.
    pub(super) fn resource_keyword(&mut self, kind: &Label<'_>, label: &Label<'_>, item: &Item<'_>) {
        let short = |label: &Label<'_>| label.text.len() <= 40 && !label.text.contains(['"', '\\']);
        let fix = if is_identifier(kind.text) && short(kind) && short(label) {
            format!("write `{} \"{}\" {{`", kind.text, label.text)
        } else {
            "write `kind \"name\" {`".into()
        };
        self.report(Code::UnknownBlock, "there is no `resource` keyword".into(), item, &fix);
    }
}
