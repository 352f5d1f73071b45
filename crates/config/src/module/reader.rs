//! Reading the blocks of a module's sources into its definition.

use std::sync::Arc;

use uphold_model::{Diagnostic, Name, Order, Place, RESERVED_ROOTS, is_identifier};

use super::block::{Block, What};
use super::definition::{GroupBlock, ItemRef, Kind, Member, Module};
use super::loader::Loader;
use super::output;
use super::param::ParamReader;
use crate::body::{Entry, is_block};
use crate::code::Code;
use crate::excerpt::excerpt;
use crate::meta::Argument;
use crate::tree::{Content, Item, Label, Node, Slice};

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

    fn item(&mut self, code: &Code, item: &Item) -> Option<Member> {
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

    /// What may also stand in a group.
    fn member(&mut self, code: &Code, item: &Item, labels: Slice, items: Slice) -> Option<Member> {
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

    fn group(&mut self, code: &Code, item: &Item, labels: Slice, items: Slice, order: Order) -> Member {
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

    fn param(&mut self, item: &Item, labels: Slice, items: Slice) -> Option<Member> {
        let label = self.one_label(item, labels)?;
        let code = self.code.clone();
        let place = self.head(item, &label);
        self.check_identifier(&label, "param");
        if let Some(first) = self.module.params.get(&label.text) {
            let first = first.place;
            self.duplicate("duplicate param", &label, first);
            return None;
        }
        let mut reader = ParamReader { code: &code, number: self.number, problems: self.loader.problems };
        let param = reader.read(&label.text, place, items);
        self.module.params.insert(label.text, param);
        None
    }

    fn locals(&mut self, code: &Code, item: &Item, labels: Slice, items: Slice) -> Option<Member> {
        if let Some(label) = code.tree.labels(labels).first() {
            let place = code.place(label.span);
            self.report_at(
                "label on `locals`",
                "locals are named one by one inside".into(),
                place,
                "remove the label",
            );
        }
        for id in items.range() {
            let inner = code.tree.item(id);
            if is_block(inner) {
                let fix = format!("write `{} = {{ … }}`", inner.key);
                self.report(
                    "block in `locals`",
                    format!("{} is written as a block", excerpt(&inner.key)),
                    inner,
                    &fix,
                );
                continue;
            }
            if let Some(first) = self.module.locals.get(&inner.key) {
                let first_code = &self.module.codes[first.code as usize];
                let first = first_code.place(first_code.tree.item(first.item as usize).name);
                let error =
                    Diagnostic::error("duplicate local", format!("{} is set twice", excerpt(&inner.key)));
                let error = error.at(code.place(inner.name)).and_at(first, "set here first");
                self.loader.problems.push(error.fix("give one of them another name"));
                continue;
            }
            self.module.locals.insert(inner.key.clone(), ItemRef { code: self.number, item: id as u32 });
        }
        _ = item;
        None
    }

    fn output(&mut self, item: &Item, labels: Slice, items: Slice) -> Option<Member> {
        let label = self.one_label(item, labels)?;
        let code = self.code.clone();
        let place = self.head(item, &label);
        self.check_identifier(&label, "output");
        if let Some(first) = self.module.output(&label.text) {
            let first = self.module.outputs[first].place;
            self.duplicate("duplicate output", &label, first);
            return None;
        }
        let output = output::read(&code, self.number, (label.text, place), items, self.loader.problems);
        self.module.outputs.push(output);
        Some(Member::Output(self.module.outputs.len() as u32 - 1))
    }

    fn kind(&mut self, label: OwnedLabel, item: &Item, items: Slice) {
        let place = self.head(item, &label);
        self.check_identifier(&label, "kind");
        if RESERVED_ROOTS.contains(&&*label.text) || uphold_model::RESERVED_BLOCKS.contains(&&*label.text) {
            let detail = format!("{} means something else", excerpt(&label.text));
            return self.report_at("reserved name", detail, place, "choose another name");
        }
        if let Some(first) = self.module.kinds.get(&label.text) {
            let first = first.place;
            return self.duplicate("duplicate kind", &label, first);
        }
        let code = self.code.clone();
        let mut module = None;
        for entry in Entry::checked(&code.tree, items, self.loader.problems) {
            let inner = code.tree.item(entry.first as usize);
            match &*entry.name {
                "source" => module = Some(self.load(inner)),
                _ => {
                    let detail = format!("a kind has no {}", excerpt(&inner.key));
                    self.report(
                        "unknown attribute of a kind",
                        detail,
                        inner,
                        "it has `source`; params are set where it is used",
                    );
                }
            }
        }
        if module.is_none() {
            self.report_at(
                "kind without a source",
                "it does not say which module it is".into(),
                place,
                "add `source = \"./directory\"`",
            );
        }
        self.module.kinds.insert(label.text, Kind { place, module: module.flatten() });
    }

    fn call(&mut self, item: &Item, labels: Slice, items: Slice) -> Option<Member> {
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

    fn load(&mut self, item: &Item) -> Option<Arc<Module>> {
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

    fn two_labels(&mut self, item: &Item, labels: Slice, items: Slice, what: What) -> Option<Member> {
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

    fn resource(&mut self, code: &Code, item: &Item, labels: Slice, items: Slice) -> Option<Member> {
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

    fn add(&mut self, what: What, name: (Name, Name, Option<Name>), head: Place, items: Slice) -> Member {
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
    fn resource_keyword(&mut self, kind: &Label, label: &Label, item: &Item) {
        let short = |label: &Label| label.text.len() <= 40 && !label.text.contains(['"', '\\']);
        let fix = match is_identifier(&kind.text) && short(kind) && short(label) {
            true => format!("write `{} \"{}\" {{`", kind.text, label.text),
            false => "write `kind \"name\" {`".into(),
        };
        self.report("no keyword before the kind", "there is no `resource` keyword".into(), item, &fix);
    }

    fn one_label(&mut self, item: &Item, labels: Slice) -> Option<OwnedLabel> {
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

    fn head(&self, item: &Item, label: &OwnedLabel) -> Place {
        self.code.place(item.name).to(label.place)
    }

    fn check_identifier(&mut self, label: &OwnedLabel, what: &str) {
        if !is_identifier(&label.text) {
            let detail = format!("{} is not a plain word", excerpt(&label.text));
            let fix = format!("name the {what} with letters, digits, `_` and `-`");
            self.report_at("name is not a word", detail, label.place, &fix);
        }
    }

    fn duplicate(&mut self, summary: &'static str, label: &OwnedLabel, first: Place) {
        let error = Diagnostic::error(summary, format!("{} is there twice", excerpt(&label.text)));
        let error = error.at(label.place).and_at(first, "first written here");
        self.loader.problems.push(error.fix("give one of them another name, or remove it"));
    }

    fn report(&mut self, summary: &'static str, detail: String, item: &Item, fix: &str) {
        self.report_at(summary, detail, self.code.place(item.name), fix);
    }

    fn report_at(&mut self, summary: &'static str, detail: String, place: Place, fix: &str) {
        self.loader.problems.push(Diagnostic::error(summary, detail).at(place).fix(fix));
    }
}

/// A label that outlives its tree.
struct OwnedLabel {
    text: Name,
    place: Place,
}
