//! Lowering: the blocks of a tree become statements.

use std::sync::Arc;

use uphold_model::{
    Action, Attribute, Declaration, Diagnostic, Meta, Name, Place, RESERVED_BLOCKS, ResourceId, SourceId,
    Statement, Term, Trigger, Value, is_identifier,
};

use crate::body_check::BodyCheck;
use crate::deferred::term;
use crate::excerpt::excerpt;
use crate::meta::{Argument, MetaReader};
use crate::tree::{Content, Item, Label, Slice, Tree};

/// Whether blocks of this kind are not resources. `variable` is what Terraform calls a `param`.
fn is_reserved(kind: &str) -> bool {
    RESERVED_BLOCKS.contains(&kind) || kind == "variable"
}

/// Turns one tree into statements.
pub(crate) struct Lowering<'a> {
    pub(crate) text: &'a str,
    pub(crate) source: SourceId,
    pub(crate) tree: Arc<Tree>,
    pub(crate) statements: &'a mut Vec<Statement>,
    pub(crate) problems: &'a mut Vec<Diagnostic>,
}

impl Lowering<'_> {
    /// All blocks, in written order.
    pub(crate) fn run(mut self) {
        let tree = self.tree.clone();
        for item in tree.items(tree.root) {
            match item.content {
                Content::Block { .. } if is_reserved(&item.key) => self.reserved(item),
                Content::Block { labels, items } => self.block(&tree, item, labels, items),
                Content::Expression(_) | Content::Broken => self.stray_attribute(item),
            }
        }
    }

    fn reserved(&mut self, item: &Item) {
        let detail = format!("{} is not part of the language yet", excerpt(&item.key));
        self.report("block not available yet", detail, item.name.place(self.source), "remove it");
    }

    fn stray_attribute(&mut self, item: &Item) {
        let detail = format!("{} is set outside of every block", excerpt(&item.key));
        let fix = "move it into a block: `kind \"name\" { … }`";
        self.report("attribute outside a block", detail, item.name.place(self.source), fix);
    }

    fn block(&mut self, tree: &Tree, item: &Item, labels: Slice, items: Slice) {
        let head = item.name.place(self.source);
        let labels = tree.labels(labels);
        if let ("resource", [kind, label]) = (&*item.key, labels) {
            self.resource_keyword(kind, label, head);
            return self.resource(tree, kind.text.clone(), label, head, items);
        }
        let [label, more @ ..] = labels else {
            let detail = format!("{} has no name", excerpt(&item.key));
            let fix = format!("write `{} \"name\" {{`", item.key);
            return self.report("block without a label", detail, head, &fix);
        };
        if let Some(second) = more.first() {
            let detail = format!("{} has more than one label", excerpt(&item.key));
            self.report("block with two labels", detail, second.span.place(self.source), "leave one label");
        }
        self.resource(tree, item.key.clone(), label, head, items);
    }

    /// `resource "kind" "name"`, as Terraform has it.
    fn resource_keyword(&mut self, kind: &Label, label: &Label, head: Place) {
        let short = |label: &Label| label.text.len() <= 40 && !label.text.contains(['"', '\\']);
        let fix = match is_identifier(&kind.text) && short(kind) && short(label) {
            true => format!("write `{} \"{}\" {{`", kind.text, label.text),
            false => "write `kind \"name\" {`".into(),
        };
        self.report("no keyword before the kind", "there is no `resource` keyword".into(), head, &fix);
    }

    fn resource(&mut self, tree: &Tree, kind: Name, label: &Label, head: Place, items: Slice) {
        let id = ResourceId { kind, name: label.text.clone() };
        let place = head.to(label.span.place(self.source));
        let (attributes, meta, actions) = self.body(tree, items, place);
        self.statements.push(Statement::Declare(Declaration {
            id: id.clone(),
            place: Some(place),
            attributes,
            meta,
        }));
        let triggers = actions.into_iter().map(|(action, place)| Trigger {
            id: id.clone(),
            action,
            place: Some(place),
            depends_on: Vec::new(),
        });
        self.statements.extend(triggers.map(Statement::Trigger));
    }

    fn body(
        &mut self,
        tree: &Tree,
        items: Slice,
        head: Place,
    ) -> (Vec<Attribute>, Meta, Vec<(Action, Place)>) {
        let groups = self.check(tree).groups(items);
        let mut attributes = Vec::with_capacity(groups.len());
        let mut arguments = Vec::new();
        for group in groups {
            let first = tree.item(group[0]);
            match Argument::named(&first.key) {
                Some(argument) => arguments.push((argument, first)),
                None => attributes.push(self.attribute(tree, group)),
            }
        }
        let (meta, actions) = self.meta(tree, &arguments);
        (attributes, meta, actions.unwrap_or_else(|| vec![(Action::Converge, head)]))
    }

    fn meta(&mut self, tree: &Tree, arguments: &[(Argument, &Item)]) -> (Meta, Option<Vec<(Action, Place)>>) {
        for (argument, item) in arguments {
            // Others take no words, or say so themselves.
            if *argument == Argument::DependsOn {
                self.check(tree).no_words(item.words);
            }
        }
        let (text, source) = (self.text, self.source);
        let mut reader =
            MetaReader { text, source, tree, problems: self.problems, meta: Meta::default(), actions: None };
        arguments.iter().for_each(|(argument, item)| reader.take(*argument, item));
        (reader.meta, reader.actions)
    }

    /// The attribute of one group. A mistake in it is reported and leaves a value that is not known.
    fn attribute(&mut self, tree: &Tree, group: Vec<usize>) -> Attribute {
        let first = tree.item(group[0]);
        for &id in &group {
            self.check(tree).property(tree.item(id));
        }
        let last = tree.item(group[group.len() - 1]);
        let value_place = first.value.to(last.value).place(self.source);
        let (name, place) = (first.key.clone(), Some(first.name.place(self.source)));
        let value = term(&self.tree, self.source, group).unwrap_or_else(|problem| {
            self.problems.push(problem);
            Term::Known(Value::unknown(name.clone()))
        });
        Attribute { name, place, value_place: Some(value_place), value }
    }

    fn check<'b>(&'b mut self, tree: &'b Tree) -> BodyCheck<'b> {
        BodyCheck { text: self.text, source: self.source, tree, problems: self.problems }
    }

    fn report(&mut self, summary: &'static str, detail: String, place: Place, fix: &str) {
        self.problems.push(Diagnostic::error(summary, detail).at(place).fix(fix));
    }
}
