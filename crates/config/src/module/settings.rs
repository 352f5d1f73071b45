//! Reading the `settings` block.

use uphold_model::{BLOCKS, Code, Diagnostic, OnRemoval, closest};

use super::definition::{Member, SettingsBlock};
use super::reader::SourceReader;
use crate::body::Entry;
use crate::excerpt::excerpt;
use crate::suggestion::listed;
use crate::tree::{Content, Item, Items, Labels, Literal, Node};

impl SourceReader<'_, '_> {
    pub(super) fn settings(&mut self, item: &Item<'_>, labels: Labels, items: Items) -> Option<Member> {
        self.without_label(item, labels);
        let place = self.code.place(item.name);
        if !self.loader.is_root() {
            let detail = "settings apply to the whole configuration, and this file belongs to a module";
            let fix = "move the block to the configuration that calls the module";
            self.report(Code::MisplacedBlock, detail.into(), item, fix);
            return None;
        }
        if let Some(first) = &self.module.settings {
            let error =
                Diagnostic::new(Code::DuplicateDefinition, "a configuration has one `settings` block")
                    .at(place)
                    .and_at(first.place, "first written here");
            self.loader.problems.push(error.fix("put all settings into one block"));
            return None;
        }
        let mut block = SettingsBlock { place, settings: Default::default() };
        for entry in Entry::checked(self.code, items, self.loader.problems) {
            let inner = self.code.item(entry.first);
            match inner.key {
                "on_removal" => block.settings.on_removal = self.on_removal(&inner).unwrap_or_default(),
                _ => self.unknown_setting(&inner),
            }
        }
        self.module.settings = Some(block);
        None
    }

    fn on_removal(&mut self, item: &Item<'_>) -> Option<OnRemoval> {
        let word = self.plain_string(item)?;
        let value = OnRemoval::named(word);
        if value.is_none() {
            let detail = format!("{} is not a value of `on_removal`", excerpt(word));
            self.report(Code::AttributeType, detail, item, ON_REMOVAL_FIX);
        }
        value
    }

    /// The string of an attribute. Anything else is reported.
    fn plain_string(&mut self, item: &Item<'_>) -> Option<&str> {
        if let Content::Expression(node) = item.content
            && let Node::Known(Literal::Text(text)) = self.code.node(node)
        {
            return Some(text);
        }
        if !matches!(item.content, Content::Broken) {
            let detail = format!(
                "{} must be a plain string, because settings are read before expressions are evaluated",
                excerpt(item.key)
            );
            self.report(Code::NotPlain, detail, item, ON_REMOVAL_FIX);
        }
        None
    }

    fn unknown_setting(&mut self, inner: &Item<'_>) {
        let schema = BLOCKS.iter().find(|block| block.name == "settings");
        let known = schema.map_or(&[][..], |block| block.attributes).iter().map(|attribute| attribute.name);
        let fix = match closest(inner.key, known.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it has {}", listed(known)),
        };
        let detail = format!("`settings` has no {}", excerpt(inner.key));
        self.report(Code::UnknownAttribute, detail, inner, &fix);
    }
}

/// The valid values of `on_removal`.
pub(crate) const ON_REMOVAL_FIX: &str = "write \"keep\", \"remove\" or \"revert\"";
