//! What is wrong inside a body whatever its kind: names twice, labels inside, words that mean nothing.

use std::collections::HashMap;

use uphold_model::{Diagnostic, SourceId, closest};

use crate::excerpt::excerpt;
use crate::token::Span;
use crate::tree::{Content, Item, Slice, Tree, Word};

/// Checks bodies of one tree.
pub(crate) struct BodyCheck<'a> {
    pub(crate) text: &'a str,
    pub(crate) source: SourceId,
    pub(crate) tree: &'a Tree,
    pub(crate) problems: &'a mut Vec<Diagnostic>,
}

impl<'a> BodyCheck<'a> {
    /// Which items of a body count, by name: an attribute, or all blocks of that name. In written order of the
    /// first of each.
    pub(crate) fn groups(&mut self, items: Slice) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for id in items.range() {
            let item = self.tree.item(id);
            let group = *known.entry(&item.key).or_insert(groups.len());
            match groups.get_mut(group) {
                None => groups.push(vec![id]),
                Some(ids) if is_block(item) && is_block(self.tree.item(ids[0])) => ids.push(id),
                Some(ids) => {
                    let first = self.tree.item(ids[0]).name;
                    self.duplicate(item, first);
                }
            }
        }
        groups
    }

    fn duplicate(&mut self, item: &Item, first: Span) {
        let detail = format!("{} is set twice in one block", excerpt(&item.key));
        let error = self.error("duplicate attribute", detail, item.name);
        self.problems
            .push(error.and_at(first.place(self.source), "set here first").fix("remove one of them"));
    }

    /// Checks what stands inside an item that is a property.
    pub(crate) fn property(&mut self, item: &'a Item) {
        if let Content::Block { labels, items } = item.content {
            self.no_label(item, labels);
            self.groups(items);
            for inner in self.tree.items(items) {
                self.property(inner);
            }
        } else {
            self.no_words(item.words);
        }
    }

    fn no_label(&mut self, item: &Item, labels: Slice) {
        let Some(label) = self.tree.labels(labels).first() else { return };
        let detail = format!("{} is inside another block and cannot have a name", excerpt(&item.key));
        let error = self.error("label on a nested block", detail, label.span);
        self.problems.push(error.fix("remove the label, or move the block out of the one around it"));
    }

    /// Words on their own mean nothing here.
    pub(crate) fn no_words(&mut self, words: Slice) {
        for &Word { span, in_template } in &self.tree.words[words.range()] {
            let word = &self.text[span.range()];
            let (what, fix) = match in_template {
                true => ("names no value", template_fix(word)),
                false => ("is neither text nor a reference", word_fix(word)),
            };
            let error = self.error("not a reference", format!("{} {what}", excerpt(word)), span);
            self.problems.push(error.fix(fix));
        }
    }

    fn error(&self, summary: &'static str, detail: String, span: Span) -> Diagnostic {
        Diagnostic::error(summary, detail).at(span.place(self.source))
    }
}

fn is_block(item: &Item) -> bool {
    matches!(item.content, Content::Block { .. })
}

fn word_fix(word: &str) -> String {
    // Measuring how near a word is costs the square of its length.
    if word.len() > 40 {
        return "write text in quotes, or a resource as `kind.name`".into();
    }
    let meant = match &*word.to_lowercase() {
        "true" | "yes" | "on" => Some("true"),
        "false" | "no" | "off" => Some("false"),
        "null" => Some("null"),
        "none" | "nil" | "undefined" => return format!("leave the line out; for text write \"{word}\""),
        _ => closest(word, ["true", "false", "null"]),
    };
    match meant {
        Some(literal) => format!("did you mean `{literal}`? for text write \"{word}\""),
        None => format!("write \"{word}\" for text, or `{word}.name` for a resource"),
    }
}

/// In a template a lonely word mostly is a variable of the shell.
fn template_fix(word: &str) -> String {
    let word = if word.len() > 40 { "NAME" } else { word };
    format!(
        "for a shell variable write `${word}` or `$${{{word}}}`; for a value name a resource: `kind.name.field`"
    )
}
