//! Checks of names without evaluation, also in expressions that are never evaluated.

use rustc_hash::FxHashSet;
use uphold_functions::{Body, all, find, foreign_function_hint};
use uphold_model::{Code, Diagnostic, Name, Place, RESERVED_ROOTS, closest, foreign_argument, is_identifier};

use crate::excerpt::excerpt;
use crate::module::Module;
use crate::token::Span;
use crate::tree::{Call, Content, Gathered, Item, Literal, Loop, Node, NodeId, TreeView};

/// A hint for the loop variable of Ansible.
const ITEM_FIX: &str = "an element of `for_each` is `each.value`; for a string write \"item\"";

/// Checks the names in a module's expressions, and records which definitions are used.
pub(crate) struct NameCheck<'a> {
    pub(crate) module: &'a Module,
    pub(crate) problems: &'a mut Vec<Diagnostic>,
    pub(crate) used: Used,
}

/// The params and locals that are used.
#[derive(Debug, Default)]
pub(crate) struct Used {
    pub(crate) params: FxHashSet<Name>,
    pub(crate) locals: FxHashSet<Name>,
    /// The names in strings such as `{{ port }}`, which only `template` replaces.
    pub(crate) jinja: FxHashSet<Name>,
}

/// The context of an expression.
#[derive(Clone, Copy)]
pub(crate) struct Context<'c> {
    pub(crate) code: &'c TreeView<'c>,
    /// Whether `each` is defined.
    each: bool,
    /// Whether a bare word is allowed.
    words: bool,
    variables: Option<&'c Scope<'c>>,
    in_template: bool,
}

struct Scope<'c> {
    name: &'c str,
    outer: Option<&'c Scope<'c>>,
}

impl<'c> Context<'c> {
    pub(crate) fn new(code: &'c TreeView<'c>) -> Self {
        Self { code, each: false, words: false, variables: None, in_template: false }
    }

    /// The same context, with or without `each`.
    pub(crate) fn each(self, each: bool) -> Self {
        Self { each, ..self }
    }

    /// The same context, with or without bare words.
    pub(crate) fn words(self, words: bool) -> Self {
        Self { words, ..self }
    }

    fn has(&self, name: &str) -> bool {
        let mut next = self.variables;
        while let Some(scope) = next {
            if scope.name == name {
                return true;
            }
            next = scope.outer;
        }
        false
    }
}

impl NameCheck<'_> {
    /// Checks an attribute, or a whole nested block, which takes no label.
    pub(crate) fn item(&mut self, context: Context<'_>, item: &Item<'_>) {
        match item.content {
            Content::Expression(node) => self.node(context, node),
            Content::Broken => {}
            Content::Block { labels, items } => {
                let code = context.code;
                if let Some(label) = code.labels(labels).next() {
                    let detail =
                        format!("{} is inside another block and cannot have a label", excerpt(item.key));
                    let fix = foreign_argument(item.key)
                        .unwrap_or("remove the label, or move the block out; `sequence` and `parallel` are groups of resources");
                    self.report(Code::UnexpectedLabel, detail, code.place(label.span), fix);
                }
                crate::body::Entry::checked(*code, items, self.problems);
                code.items(items).for_each(|inner| self.item(context, &inner));
            }
        }
    }

    /// Checks an expression.
    pub(crate) fn node(&mut self, context: Context<'_>, id: NodeId) {
        let plain = Context { words: false, in_template: false, ..context };
        match context.code.node(id) {
            Node::Known(Literal::Text(text)) if text.contains("{{") => {
                self.used.jinja.extend(jinja_names(text).map(Name::from));
            }
            Node::Known(_) | Node::Element => {}
            Node::Name(name) => self.word(context, name, id),
            node @ (Node::Field { .. } | Node::Index { .. }) => self.path(plain, id, node),
            Node::Splat { of, each } => {
                self.node(plain, of);
                self.node(plain, each);
            }
            Node::Not(operand) | Node::Negative(operand) => self.node(plain, operand),
            Node::Binary { .. } => {
                let mut operands = vec![id];
                while let Some(id) = operands.pop() {
                    match context.code.node(id) {
                        Node::Binary { left, right, .. } => operands.extend([right, left]),
                        _ => self.node(plain, id),
                    }
                }
            }
            Node::Conditional { condition, yes, no } => {
                self.node(plain, condition);
                self.node(Context { words: context.words, ..plain }, yes);
                self.node(Context { words: context.words, ..plain }, no);
            }
            Node::Call(call) => self.call(plain, &call),
            Node::For(id) => self.for_(plain, &context.code.loop_(id)),
            Node::Template(parts) => {
                let inside = Context { in_template: true, ..plain };
                parts.iter().for_each(|part| self.node(inside, part));
            }
            Node::List(elements) => {
                let inside = Context { words: context.words, ..plain };
                elements.iter().for_each(|element| self.node(inside, element));
            }
            Node::Object(entries) => entries.iter().for_each(|part| self.node(plain, part)),
        }
    }

    fn word(&mut self, context: Context<'_>, name: &str, id: NodeId) {
        if context.words || context.has(name) {
            return;
        }
        let place = context.code.place_of(id);
        if RESERVED_ROOTS.contains(&name) {
            let detail = format!("{} needs a name after it", excerpt(name));
            let fix = match name {
                "each" => "write `each.key` or `each.value`".into(),
                "path" => "write `path.module`, `path.root` or `path.cwd`".into(),
                "host" => "write a fact: `host.os.family`; `uphold facts` lists them".into(),
                "parent" => "write `parent.kind.name`".into(),
                "param" | "local" => {
                    format!("write `{name}.name`; for several, a map: `{{ name = {name}.name }}`")
                }
                _ => format!("write `{name}.name`"),
            };
            return self.report(Code::IncompleteReference, detail, place, &fix);
        }
        let (what, fix) = match context.in_template {
            _ if name == "item" && !self.is_own(name) => ("is not defined", ITEM_FIX.into()),
            true if !self.is_own(name) => ("is not defined", template_fix(name)),
            true => ("is not defined", self.word_fix(name)),
            false => ("is neither a string nor a reference", self.word_fix(name)),
        };
        self.report(Code::InvalidReference, format!("{} {what}", excerpt(name)), place, &fix);
    }

    fn path(&mut self, context: Context<'_>, id: NodeId, path: Node<'_>) {
        let (mut at, mut node, mut first, mut step) = (id, path, id, path);
        let root = loop {
            let of = match node {
                Node::Field { of, .. } => of,
                Node::Index { of, index } => {
                    self.node(context, index);
                    of
                }
                root => break root,
            };
            (first, step) = (at, node);
            (at, node) = (of, context.code.node(of));
        };
        match root {
            Node::Name(root) if !context.has(root) => self.root(context, root, first, step),
            Node::Name(_) => {}
            _ => self.node(context, at),
        }
    }

    /// Checks the first step of a path that starts with a reserved word.
    fn root(&mut self, context: Context<'_>, root: &str, first: NodeId, step: Node<'_>) {
        let code = context.code;
        let name = match step {
            Node::Field { name, .. } => name,
            Node::Index { index, .. } => match code.node(index) {
                Node::Known(Literal::Text(name)) => name,
                _ => return self.computed(root),
            },
            _ => return,
        };
        let place = context.code.place_of(first);
        let module = self.module;
        match root {
            "param" if !module.params.contains_key(name) => {
                self.missing(Code::UnknownParam, "param", name, place, module.params.keys());
            }
            "local" if !module.locals.contains_key(name) => {
                self.missing(Code::UnknownLocal, "local", name, place, module.locals.keys());
            }
            "param" => note(&mut self.used.params, name),
            "local" => note(&mut self.used.locals, name),
            "each" if !context.each => {
                let detail = format!("`each.{name}` is used in a block without `for_each`");
                self.report(
                    Code::EachOutside,
                    detail,
                    place,
                    "add `for_each = …` to the block, or write the value itself",
                );
            }
            "each" if !matches!(name, "key" | "value") => {
                let fix = "write `each.key` or `each.value`; a member of the value is `each.value.name`";
                self.report(Code::UnknownMember, format!("`each` has no {}", excerpt(name)), place, fix);
            }
            _ => {
                if let Some((detail, fix)) = module.foreign_reference(root, name) {
                    note(&mut self.used.params, name);
                    self.report(Code::InvalidReference, detail.into(), place, &fix);
                }
            }
        }
    }

    /// Marks all names as used: a computed name may be any of them.
    fn computed(&mut self, root: &str) {
        match root {
            "param" => self.used.params.extend(self.module.params.keys().cloned()),
            "local" => self.used.locals.extend(self.module.locals.keys().cloned()),
            _ => {}
        }
    }

    fn missing<'k>(
        &mut self,
        code: Code,
        root: &str,
        name: &str,
        place: Place,
        names: impl Iterator<Item = &'k Name>,
    ) {
        let fix = match self.module.closest(name, names.map(|name| &**name)) {
            Some(near) => format!("did you mean `{root}.{near}`?"),
            None if root == "param" => format!("declare it: `param \"{name}\" {{ … }}`"),
            None => format!("set it: `locals {{ {name} = … }}`"),
        };
        self.report(code, format!("there is no {root} {}", excerpt(name)), place, &fix);
    }

    fn call(&mut self, context: Context<'_>, call: &Call<'_>) {
        call.arguments.iter().for_each(|argument| self.node(context, argument));
        let place = context.code.place(call.function_span);
        let Some(function) = find(call.function) else {
            if self.module.refused_functions.contains(call.function) {
                return;
            }
            let closest = || self.module.closest(call.function, all().iter().map(|function| function.name));
            let near = || closest().map(|near| format!("did you mean `{near}`?"));
            let fix = foreign_function_hint(call.function).or_else(near);
            let fix = fix.unwrap_or_else(|| "`uphold explain --functions` lists them".into());
            let detail = format!("there is no function {}", excerpt(call.function));
            return self.report(Code::UnknownFunction, detail, place, &fix);
        };
        if !call.spread
            && let Err(detail) = function.check_count(call.arguments.len())
        {
            let fix = match function.body {
                // In a type, `optional` takes a type and a default.
                Body::Optional => {
                    "here it takes the value: `owner = optional(param.owner)`; for a default, write \
                                   `param.owner == null ? \"…\" : param.owner`"
                        .to_owned()
                }
                _ => format!("`uphold explain '{}()'` shows what it takes", function.name),
            };
            return self.report(Code::ArgumentCount, detail, place, &fix);
        }
        if let Body::Optional = function.body {
            let detail = "`optional` must be the whole value of a property or of an argument of a module";
            let fix = "write it around the whole value: `owner = optional(…)`; in a map, pass null for a field that the \
                       param's type has as `optional(…)`; elsewhere, replace null: `x == null ? … : x`";
            self.report(Code::MisplacedOptional, detail.into(), place, fix);
        }
    }

    fn for_(&mut self, context: Context<'_>, each: &Loop) {
        self.node(context, each.collection);
        each.key.iter().chain([&each.value]).for_each(|variable| self.variable(context, *variable));
        let name = |variable| context.code.written(variable);
        let outer = each.key.map(|key| Scope { name: name(key), outer: context.variables });
        let scope = Scope { name: name(each.value), outer: outer.as_ref().or(context.variables) };
        let inside = Context { variables: Some(&scope), ..context };
        if let Some(condition) = &each.condition {
            self.node(inside, *condition);
        }
        match each.result {
            Gathered::List(node) | Gathered::Text(node) => self.node(inside, node),
            Gathered::Object { key, value } | Gathered::Grouped { key, value } => {
                self.node(inside, key);
                self.node(inside, value);
            }
        }
    }

    fn variable(&mut self, context: Context<'_>, variable: Span) {
        let name = context.code.written(variable);
        if RESERVED_ROOTS.contains(&name) {
            let detail = format!("{} is a reserved name", excerpt(name));
            let place = context.code.place(variable);
            self.report(Code::ReservedName, detail, place, "choose another name for the variable");
        }
    }

    fn is_own(&self, word: &str) -> bool {
        self.module.locals.contains_key(word) || self.module.params.contains_key(word)
    }

    /// A hint for a bare word.
    fn word_fix(&self, word: &str) -> String {
        // The comparison takes time quadratic in the length.
        if word.len() > 40 {
            return "write a string in quotes, or a resource as `kind.name`".into();
        }
        if self.module.locals.contains_key(word) {
            return format!("did you mean `local.{word}`?");
        }
        if self.module.params.contains_key(word) {
            return format!("did you mean `param.{word}`?");
        }
        let meant = match &*word.to_lowercase() {
            "yes" | "on" => return format!("write \"{word}\" for a string, or `true` for a bool"),
            "no" | "off" => return format!("write \"{word}\" for a string, or `false` for a bool"),
            "true" => Some("true"),
            "false" => Some("false"),
            "null" => Some("null"),
            "none" | "nil" | "undefined" => return format!("remove the line; for a string write \"{word}\""),
            "omit" => return OMIT_FIX.into(),
            _ => closest(word, ["true", "false", "null"]),
        };
        match meant {
            Some(literal) => format!("did you mean `{literal}`? for a string write \"{word}\""),
            None => match self.module.kind_of(word) {
                Some(kind) => {
                    format!(
                        "write \"{word}\" for a string, or `{kind}.{word}.…` for a property of the resource"
                    )
                }
                None => format!(
                    "write \"{word}\" for a string; a property of a resource is `kind.name.property`, such as \
                     `user.{word}.name`"
                ),
            },
        }
    }

    fn report(&mut self, code: Code, detail: String, place: Place, fix: &str) {
        self.problems.push(Diagnostic::new(code, detail).at(place).fix(fix));
    }
}

/// A hint for `omit` of Ansible.
const OMIT_FIX: &str =
    "write `optional(…)`, such as `owner = optional(param.owner)`: null leaves the property unset";

/// Records a name, which is copied only once.
fn note(used: &mut FxHashSet<Name>, name: &str) {
    if !used.contains(name) {
        used.insert(name.into());
    }
}

/// The names that a text contains as `{{ name }}`.
fn jinja_names(text: &str) -> impl Iterator<Item = &str> {
    let inside = text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}"));
    inside.map(|(name, _)| name.trim()).filter(|name| is_identifier(name))
}

/// A hint for a bare word in a template, which mostly is a shell variable.
fn template_fix(word: &str) -> String {
    let word = if word.len() > 40 { "NAME" } else { word };
    format!(
        "for a shell variable write `${word}` or `$${{{word}}}`; for a value write `local.name`, `param.name` or `kind.name.field`"
    )
}
