//! Reading definitions: params, locals, outputs and kinds.

use uphold_model::{Code, Diagnostic, RESERVED_BLOCKS, RESERVED_ROOTS};

use super::definition;
use super::definition::{Kind, Local, Member};
use super::param::ParamReader;
use super::reader::{PlacedLabel, SourceReader};
use crate::body::{Entry, is_block};
use crate::excerpt::excerpt;
use crate::tree::{Item, Items, Labels};

impl SourceReader<'_, '_> {
    pub(super) fn param(&mut self, item: &Item<'_>, labels: Labels, items: Items) -> Option<Member> {
        let label = self.one_label(item, labels)?;
        let code = self.code;
        let place = self.head(item, &label);
        self.check_identifier(&label, "param");
        if let Some(first) = self.module.params.get(label.text) {
            let first = first.place;
            self.duplicate(Code::DuplicateDefinition, &label, first);
            return None;
        }
        let kept = self.item_ref(items.ids().next().unwrap_or_default());
        let mut reader = ParamReader { code, kept, problems: self.loader.problems };
        let param = reader.read(label.text, place, items);
        self.module.params.insert(label.text.into(), param);
        None
    }

    pub(super) fn locals(&mut self, item: &Item<'_>, labels: Labels, items: Items) -> Option<Member> {
        let code = self.code;
        self.without_label(item, labels);
        for id in items.ids() {
            let inner = code.item(id);
            if is_block(&inner) {
                let fix = format!("write `{} = {{ … }}`", inner.key);
                self.report(
                    Code::MisplacedBlock,
                    format!("{} is written as a block", excerpt(inner.key)),
                    &inner,
                    &fix,
                );
                continue;
            }
            if let Some(Local { item: first, .. }) = self.module.locals.get(inner.key) {
                let first_code = self.module.passage(first);
                let first = first_code.place(first_code.item(first.item).name);
                let error = Diagnostic::new(
                    Code::DuplicateDefinition,
                    format!("{} is set twice", excerpt(inner.key)),
                );
                let error = error.at(code.place(inner.name)).and_at(first, "set here first");
                self.loader.problems.push(error.fix("give one of them another name"));
                continue;
            }
            let number = self.module.locals.len() as u32;
            self.module.locals.insert(inner.key.into(), Local { item: self.item_ref(id), number });
        }
        None
    }

    pub(super) fn output(&mut self, item: &Item<'_>, labels: Labels, items: Items) -> Option<Member> {
        let label = self.one_label(item, labels)?;
        let code = self.code;
        let place = self.head(item, &label);
        self.check_identifier(&label, "output");
        if let Some(first) = self.module.output(label.text) {
            let first = self.module.outputs[first].place;
            self.duplicate(Code::DuplicateDefinition, &label, first);
            return None;
        }
        let kept = self.item_ref(items.ids().next().unwrap_or_default());
        let output = definition::read(code, &kept, (label.text.into(), place), items, self.loader.problems);
        Some(Member::Output(self.module.add_output(output)))
    }

    pub(super) fn kind(&mut self, label: PlacedLabel<'_>, item: &Item<'_>, items: Items) {
        let place = self.head(item, &label);
        self.check_identifier(&label, "kind");
        let taken = RESERVED_ROOTS.contains(&label.text) || RESERVED_BLOCKS.contains(&label.text);
        if taken || self.loader.kinds.contains(label.text) {
            let detail = format!("{} is a reserved name", excerpt(label.text));
            return self.report_at(Code::ReservedName, detail, place, "choose another name");
        }
        if let Some(first) = self.module.kinds.get(label.text) {
            let first = first.place;
            return self.duplicate(Code::DuplicateKind, &label, first);
        }
        let code = self.code;
        let mut module = None;
        for entry in Entry::checked(code, items, self.loader.problems) {
            let inner = code.item(entry.first);
            match inner.key {
                "source" => module = Some(self.load(&inner)),
                _ => {
                    let detail = format!("a kind has no {}", excerpt(inner.key));
                    self.report(
                        Code::UnknownAttribute,
                        detail,
                        &inner,
                        "it has `source`; params are set where it is used",
                    );
                }
            }
        }
        if module.is_none() {
            self.report_at(
                Code::MissingSource,
                "the block has no `source`".into(),
                place,
                "add `source = \"./directory\"`",
            );
        }
        self.module.kinds.insert(label.text.into(), Kind { place, module: module.flatten() });
    }
}
