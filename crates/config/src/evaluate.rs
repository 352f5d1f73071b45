//! The evaluator: a node of a tree in, a value out.
//!
//! It calls itself once a level; the parser keeps levels few.

use std::collections::BTreeMap;
use std::fmt::Write;

use uphold_model::{Diagnostic, Map, Name, Scope, SourceId, Value};

use crate::token::Span;
use crate::tree::{Content, Item, Node, NodeId, Slice, Tree};

/// What a value that could not be read waits for. It stays unknown, so that one mistake makes no second one.
const MISTAKE: &str = "a mistake in the configuration";

/// Evaluates parts of one tree.
pub(crate) struct Evaluator<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) source: SourceId,
    pub(crate) scope: &'a dyn Scope,
}

impl Evaluator<'_> {
    /// The value of an attribute, or of a nested block as a map.
    pub(crate) fn item(&self, item: &Item) -> Result<Value, Diagnostic> {
        match item.content {
            Content::Expression(node) => self.node(node),
            Content::Block { items, .. } => self.body(items),
            Content::Broken => Ok(Value::unknown(MISTAKE)),
        }
    }

    /// The values of several items of one name: blocks that were repeated.
    pub(crate) fn repeated(&self, items: &[&Item]) -> Result<Value, Diagnostic> {
        match items {
            [single] => self.item(single),
            _ => Ok(Value::List(items.iter().map(|item| self.item(item)).collect::<Result<_, _>>()?)),
        }
    }

    fn body(&self, items: Slice) -> Result<Value, Diagnostic> {
        let mut groups: BTreeMap<&Name, Vec<&Item>> = BTreeMap::new();
        for item in self.tree.items(items) {
            groups.entry(&item.key).or_default().push(item);
        }
        let entries = groups.into_iter().map(|(key, group)| Ok((key.clone(), self.repeated(&group)?)));
        Ok(Value::Map(entries.collect::<Result<Map, Diagnostic>>()?.into()))
    }

    fn node(&self, id: NodeId) -> Result<Value, Diagnostic> {
        match self.tree.node(id) {
            Node::Known(value) => Ok(value.clone()),
            Node::Word => Ok(Value::unknown(MISTAKE)),
            Node::Reference(number) => self.scope.resolve(&self.tree.references[*number as usize]),
            Node::Template(parts) => self.template(*parts),
            Node::List(elements) => {
                let elements = self.tree.children(*elements).iter().map(|&element| self.node(element));
                Ok(Value::List(elements.collect::<Result<_, _>>()?))
            }
            Node::Object(entries) => self.object(*entries),
        }
    }

    /// Text, unless a part is not known yet. A secret part makes a secret.
    fn template(&self, parts: Slice) -> Result<Value, Diagnostic> {
        let mut text = String::new();
        let mut unknown = None;
        let mut secret = false;
        for &part in self.tree.children(parts) {
            let value = self.node(part)?;
            secret |= value.is_sensitive();
            match value.first_unknown() {
                Some(_) if unknown.is_some() => {}
                Some(first) => unknown = Some(Value::unknown(first.waits_for.clone())),
                None => self.append(&mut text, value.reveal(), part)?,
            }
        }
        let value = unknown.unwrap_or_else(|| Value::text(text));
        Ok(if secret { value.sensitive() } else { value })
    }

    fn append(&self, text: &mut String, value: &Value, part: NodeId) -> Result<(), Diagnostic> {
        match value {
            Value::Text(more) => text.push_str(more),
            // Writing to a string cannot fail.
            Value::Int(_) | Value::Float(_) | Value::Bool(_) => _ = write!(text, "{value}"),
            _ => return Err(self.not_text(value, part)),
        }
        Ok(())
    }

    fn not_text(&self, value: &Value, part: NodeId) -> Diagnostic {
        let detail = format!("{} cannot be part of a text", value.type_name());
        let error = self.error("cannot be written as text", detail, self.tree.span(part));
        match value {
            Value::Reference(id) => error.fix(format!("name a field of it, such as `{id}.name`")),
            Value::Null => error.fix("leave it out, or give it a value"),
            _ => error.fix("use text, a number or a bool; for the value itself leave the text around it out"),
        }
    }

    fn object(&self, entries: Slice) -> Result<Value, Diagnostic> {
        let mut map = Map::new();
        let mut secret = false;
        for entry in self.tree.children(entries).chunks_exact(2) {
            let (key, value) = (self.node(entry[0])?, self.node(entry[1])?);
            secret |= key.is_sensitive();
            if key.is_unknown() {
                return Ok(key);
            }
            let name = self.key(key.reveal(), entry[0])?;
            if map.insert(name.clone(), value).is_some() {
                return Err(self.duplicate_key(entries, &name, entry[0]));
            }
        }
        let value = Value::Map(map.into());
        Ok(if secret { value.sensitive() } else { value })
    }

    fn key(&self, key: &Value, id: NodeId) -> Result<Name, Diagnostic> {
        match key {
            Value::Text(name) => Ok(name.clone()),
            Value::Int(_) | Value::Float(_) | Value::Bool(_) => Ok(key.to_string().into()),
            _ => {
                let detail = format!("{} cannot be a key", key.type_name());
                Err(self.error("key is not text", detail, self.tree.span(id)).fix("use text as a key"))
            }
        }
    }

    fn duplicate_key(&self, entries: Slice, name: &Name, second: NodeId) -> Diagnostic {
        let keys = self.tree.children(entries).chunks_exact(2).map(|entry| entry[0]);
        let mut same = keys.filter(|&key| {
            self.node(key).and_then(|value| self.key(value.reveal(), key)).is_ok_and(|other| other == *name)
        });
        let first = same.next().unwrap_or(second);
        self.error(
            "duplicate key",
            format!("{} is set twice", crate::excerpt::excerpt(name)),
            self.tree.span(second),
        )
        .and_at(self.tree.span(first).place(self.source), "set here first")
        .fix("remove one of them")
    }

    fn error(&self, summary: &'static str, detail: String, span: Span) -> Diagnostic {
        Diagnostic::error(summary, detail).at(span.place(self.source))
    }
}
