//! Meta arguments: what every block takes, whatever its kind.

use uphold_model::{Action, Diagnostic, META_ARGUMENTS, Meta, Place, Reference, SourceId, Value};

use crate::excerpt::excerpt;
use crate::token::Span;
use crate::tree::{Content, Item, Node, NodeId, Tree};

/// A meta argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    Action,
    DependsOn,
    Sensitive,
    AutoEdges,
    Reserved,
}

impl Argument {
    /// The meta argument of this name, if it is one.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "action" => Some(Argument::Action),
            "depends_on" => Some(Argument::DependsOn),
            "sensitive" => Some(Argument::Sensitive),
            "auto_edges" => Some(Argument::AutoEdges),
            // Those that cannot be used yet. `timeout` is none: kinds have a property of that name.
            _ if META_ARGUMENTS.contains(&name) => Some(Argument::Reserved),
            _ => None,
        }
    }
}

/// Reads the meta arguments of one block.
pub(crate) struct MetaReader<'a> {
    pub(crate) text: &'a str,
    pub(crate) source: SourceId,
    pub(crate) tree: &'a Tree,
    pub(crate) problems: &'a mut Vec<Diagnostic>,
    pub(crate) meta: Meta,
    /// What is triggered; none when the block does not say.
    pub(crate) actions: Option<Vec<(Action, Place)>>,
}

impl MetaReader<'_> {
    /// Takes one meta argument.
    pub(crate) fn take(&mut self, argument: Argument, item: &Item) {
        if argument == Argument::Reserved {
            return self.reserved(item);
        }
        let node = match item.content {
            Content::Expression(node) => node,
            Content::Broken => return,
            Content::Block { .. } => return self.not_a_block(item),
        };
        match argument {
            Argument::Action => self.action(node),
            Argument::DependsOn => self.depends_on(node),
            Argument::Sensitive => self.meta.sensitive = self.bool(node).unwrap_or(false),
            Argument::AutoEdges => self.meta.no_auto_edges = !self.bool(node).unwrap_or(true),
            Argument::Reserved => {}
        }
    }

    fn reserved(&mut self, item: &Item) {
        let detail = format!("{} is not part of the language yet", excerpt(&item.key));
        self.report("meta argument not available yet", detail, item.name, "remove it");
    }

    fn not_a_block(&mut self, item: &Item) {
        let detail = format!("{} is a meta argument", excerpt(&item.key));
        self.report(
            "meta argument written as a block",
            detail,
            item.name,
            &format!("write `{} = …`", item.key),
        );
    }

    fn bool(&mut self, node: NodeId) -> Option<bool> {
        if let Node::Known(Value::Bool(value)) = self.tree.node(node) {
            return Some(*value);
        }
        let span = self.tree.span(node);
        let detail = format!("{} is neither `true` nor `false`", excerpt(&self.text[span.range()]));
        self.report("meta argument of the wrong type", detail, span, "write `true` or `false`");
        None
    }

    fn action(&mut self, node: NodeId) {
        let words = match self.tree.node(node) {
            Node::List(elements) => self.tree.children(*elements),
            _ => &[node],
        };
        let mut actions = Vec::new();
        for &word in words {
            let place = self.tree.span(word).place(self.source);
            match self.action_word(word) {
                Some(word) => actions.extend(Action::named(word).map(|action| (action, place))),
                None => self.not_an_action(word),
            }
        }
        self.actions = Some(actions);
    }

    fn action_word(&self, node: NodeId) -> Option<&str> {
        match self.tree.node(node) {
            Node::Known(Value::Text(word)) => Some(&**word).filter(|word| !word.is_empty()),
            Node::Word => Some(&self.text[self.tree.span(node).range()]),
            _ => None,
        }
    }

    fn not_an_action(&mut self, node: NodeId) {
        let span = self.tree.span(node);
        let detail = format!("{} is not the name of an action", excerpt(&self.text[span.range()]));
        let fix = "write \"converge\", \"remove\", \"nothing\", a verb of the kind, or a list of them";
        self.report("action is not a word", detail, span, fix);
    }

    fn depends_on(&mut self, node: NodeId) {
        let Node::List(elements) = self.tree.node(node) else {
            let fix = "write a list: `depends_on = [kind.name]`";
            return self.report(
                "meta argument of the wrong type",
                "`depends_on` is a list",
                self.tree.span(node),
                fix,
            );
        };
        for &element in self.tree.children(*elements) {
            match self.tree.node(element) {
                Node::Reference(number) => self.depend(*number, self.tree.span(element)),
                // Reported with all other words that mean nothing.
                Node::Word => {}
                _ => {
                    let span = self.tree.span(element);
                    let detail = format!("{} is not a resource", excerpt(&self.text[span.range()]));
                    self.report(
                        "not a reference",
                        detail,
                        span,
                        "write `kind.name` or `kind[\"name\"]`, without quotes around",
                    );
                }
            }
        }
    }

    fn depend(&mut self, number: u32, span: Span) {
        let reference = &self.tree.references[number as usize];
        if !reference.path.is_empty() {
            let detail = format!("{} is a field", excerpt(&reference.to_string()));
            let fix = format!("write `{}`", reference.target);
            self.report("dependency on a field", detail, span, &fix);
        }
        let whole = Reference { path: Vec::new(), ..reference.clone() };
        self.meta.depends_on.push(whole);
    }

    fn report(&mut self, summary: &'static str, detail: impl Into<String>, span: Span, fix: &str) {
        self.problems.push(Diagnostic::error(summary, detail).at(span.place(self.source)).fix(fix));
    }
}
