//! Reading a configuration: returns statements and diagnostics.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_functions::{Body, Surroundings, find};
use uphold_model::{
    Code, Diagnostic, Diagnostics, Name, Severity, SourceId, Sources, Statement, foreign_argument,
};

use crate::console::Console;
use crate::evaluate::Budget;
use crate::expand::Expansion;
use crate::given::{Given, bind};
use crate::instance::Universe;
use crate::module::Loader;

use super::body::Entry;
use super::excerpt::excerpt;
use super::meta::Argument;
use super::module::{Block, ItemRef, Member, Module, What};
use super::name_check::{Context, NameCheck, Used};
use super::suggestion::listed;
use super::tree::{Content, Item, Node, NodeId, TreeView};

/// A configuration that was read.
pub struct Reading {
    /// The statements, in written order. If there are errors, everything that could be understood: a value that could
    /// not be evaluated is unknown, so that it causes no further error.
    pub statements: Vec<Statement>,
    /// All problems, in written order. Nothing may be applied if there are errors.
    pub diagnostics: Diagnostics,
    /// Evaluates further expressions.
    pub console: Console,
}

/// Reads configurations.
pub struct Reader {
    surroundings: Arc<dyn Surroundings>,
    given: Vec<Given>,
    kinds: HashSet<Name>,
    /// If the process ends after the run, the number of threads.
    threads: Option<NonZeroUsize>,
}

impl Reader {
    /// A reader of configurations with access to these surroundings.
    pub fn new(surroundings: Arc<dyn Surroundings>) -> Self {
        Self { surroundings, given: Vec::new(), kinds: HashSet::new(), threads: None }
    }

    /// The same, with values for params. If a param has several values, the first counts.
    #[must_use]
    pub fn given(mut self, given: impl IntoIterator<Item = Given>) -> Self {
        self.given.extend(given);
        self
    }

    /// The same, with kinds that exist already: no module can take such a name.
    #[must_use]
    pub fn kinds<N: Into<Name>>(mut self, kinds: impl IntoIterator<Item = N>) -> Self {
        self.kinds.extend(kinds.into_iter().map(Into::into));
        self
    }

    /// The same, for a process that ends after the run: a long source is read on this many threads, and memory that is
    /// freed is not collected for later use. The result does not depend on it.
    #[must_use]
    pub fn until_exit(self, threads: NonZeroUsize) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Reads these sources as one configuration, with the modules that it calls.
    ///
    /// Takes time and memory linear in the text and in the number of resources, and never fails: all problems are
    /// diagnostics with places. Sources of modules are added to `sources`.
    pub fn read(&self, sources: &mut Sources, ids: &[SourceId]) -> Reading {
        let mut problems = Vec::new();
        let loader = Loader::new(sources, &*self.surroundings, &self.kinds, &mut problems);
        let root = loader.until_exit(self.threads).define(ids);
        let readable = problems.iter().all(|problem| problem.severity() != Severity::Error);
        check(&root, &mut problems);
        if !readable {
            // An item that could not be read may be the one that uses a definition.
            problems.retain(|problem| problem.severity() == Severity::Error);
        }
        let bindings = bind(&self.given, &root, sources, &self.surroundings, &mut problems);
        let universe = Universe::new(self.surroundings.clone(), directory(sources, ids));
        let instance = universe.add(root, None, None, bindings);
        let budget = Budget::default();
        let mut expansion = Expansion::new(&universe, &budget);
        expansion.run(&instance);
        problems.append(&mut expansion.problems);
        let statements = std::mem::take(&mut expansion.statements);
        drop(expansion);
        let console = Console { universe, root: instance.id };
        Reading { statements, diagnostics: in_order(problems), console }
    }
}

fn directory(sources: &Sources, ids: &[SourceId]) -> PathBuf {
    let first = ids.first().map(|id| Path::new(&sources.get(*id).name));
    first.and_then(Path::parent).map(Path::to_owned).unwrap_or_default()
}

/// The maximum number of problems.
const MOST: usize = 100;

/// Sorts the problems by place, and removes duplicates and excess.
fn in_order(mut problems: Vec<Diagnostic>) -> Diagnostics {
    problems.sort_by_key(|problem| problem.place.map(|place| (place.source, place.start)));
    let mut seen = HashSet::new();
    problems.retain(|problem| {
        seen.insert((
            problem.place.map(|place| (place.source, place.start)),
            problem.code,
            problem.detail.clone(),
        ))
    });
    if problems.len() > MOST && problems.iter().any(|problem| problem.severity() == Severity::Error) {
        // A warning never displaces an error.
        problems.retain(|problem| problem.severity() == Severity::Error);
    }
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(problems);
    diagnostics.cap();
    diagnostics
}

// Checks of a module that do not depend on its params: names, and unused definitions.

/// Checks a module and all modules that it calls, each once.
pub(crate) fn check(module: &Arc<Module>, problems: &mut Vec<Diagnostic>) {
    let mut seen = HashSet::new();
    let mut pending = vec![module.clone()];
    while let Some(module) = pending.pop() {
        if seen.insert(Arc::as_ptr(&module)) {
            check_one(&module, problems);
            pending.extend(module.called().cloned());
        }
    }
}

fn check_one(module: &Module, problems: &mut Vec<Diagnostic>) {
    let mut names = NameCheck { module, problems, used: Used::default() };
    for param in module.params.values() {
        if let Some(default) = &param.default {
            item(module, default, &mut names);
        }
        // A param that only its own validation reads is unused.
        let used = std::mem::take(&mut names.used);
        for validation in &param.validations {
            item(module, &validation.condition, &mut names);
            item(module, &validation.message, &mut names);
        }
        names.used = used;
    }
    let outputs = module.outputs.iter().filter_map(|output| output.value.as_ref());
    for at in module.locals.values().map(|local| &local.item).chain(outputs) {
        item(module, at, &mut names);
    }
    (0..module.blocks.len() as u32).for_each(|number| block(module, number, &mut names));
    groups(module, &module.members, &mut names);
    let used = names.used;
    unused(module, &used, problems);
}

/// An item outside of all blocks.
fn item(module: &Module, at: &ItemRef, names: &mut NameCheck<'_>) {
    let code = module.passage(at);
    names.item(Context::new(&code), &code.item(at.item));
}

fn block(module: &Module, number: u32, names: &mut NameCheck<'_>) {
    let block = &module.blocks[number as usize];
    if block.literals.is_some() {
        return;
    }
    let (code, tree) = module.body(number);
    let code = TreeView::new(code, &tree);
    let each = block.argument(Argument::ForEach).is_some();
    let inside = Context::new(&code).each(each);
    for (argument, item) in &block.arguments {
        let context = match argument {
            Argument::ForEach => Context::new(&code),
            _ => inside.words(argument.takes_words()),
        };
        names.item(context, &code.item(*item));
    }
    for entry in block.entries(code) {
        for item in entry.items().map(|id| code.item(id)) {
            match optional_argument(code, &item).filter(|_| entry.more.is_empty()) {
                Some(argument) => names.node(inside, argument),
                None => names.item(inside, &item),
            }
        }
    }
    if let What::Call(Some(called)) = &block.what {
        let entries: Vec<Entry> = block.entries(code).collect();
        call(&entries, called, block, code, names.problems);
    }
}

fn groups(module: &Module, members: &[Member], names: &mut NameCheck<'_>) {
    for member in members {
        if let Member::Group(group) = member {
            group.arguments.iter().for_each(|(_, at)| item(module, at, names));
            groups(module, &group.members, names);
        }
    }
}

/// Checks the arguments of a module call.
fn call(
    entries: &[Entry],
    called: &Module,
    block: &Block,
    code: TreeView<'_>,
    problems: &mut Vec<Diagnostic>,
) {
    for (name, param) in called.params.iter().filter(|(name, _)| Argument::of_call(name).is_some()) {
        let detail =
            format!("{} is a meta argument of each module call, and cannot be set as a param", excerpt(name));
        let error = Diagnostic::new(Code::ReservedName, detail).at(param.place);
        problems.push(error.fix("give the param another name"));
    }
    let items = entries.iter().map(|entry| code.item(entry.first));
    // A param that was probably meant by an unknown name is not missing, too.
    let mut meant: HashSet<&str> = HashSet::new();
    for item in items.filter(|item| !called.params.contains_key(item.key)) {
        if Argument::named(item.key).is_some() {
            let detail = format!("{} has no meaning on a module", excerpt(item.key));
            let fix = "a module takes `for_each`, `when`, `depends_on`, `on_removal` and `always`; set others on the resources in it";
            let error = Diagnostic::new(Code::MisplacedMetaArgument, detail);
            problems.push(error.at(code.place(item.name)).fix(fix));
            continue;
        }
        let names = called.params.keys().map(|name| &**name);
        let near = called.closest(item.key, names.clone());
        meant.extend(near);
        let fix = match (near, foreign_argument(item.key)) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, Some(hint)) => hint.into(),
            (None, None) if called.params.is_empty() => "the module takes no params".into(),
            (None, None) => format!("it takes {}", listed(names)),
        };
        let detail = format!("the module has no param {}", excerpt(item.key));
        problems.push(Diagnostic::new(Code::UnknownParam, detail).at(code.place(item.name)).fix(fix));
    }
    let names: HashSet<&str> = entries.iter().map(|entry| entry.name(code)).collect();
    let set = |name: &str| names.contains(name) || meant.contains(name);
    for (name, param) in called.params.iter().filter(|(name, param)| {
        param.required && !param.invalid && !set(name) && Argument::of_call(name).is_none()
    }) {
        let detail = format!("the module needs {}", excerpt(name));
        let error =
            Diagnostic::new(Code::MissingParam, detail).at(block.head).and_at(param.place, "declared here");
        problems.push(error.fix(format!("add `{name} = …`")));
    }
}

fn unused(module: &Module, used: &Used, problems: &mut Vec<Diagnostic>) {
    for (name, param) in module.params.iter().filter(|(name, _)| !used.params.contains(*name)) {
        let detail = format!("nothing uses `param.{name}`");
        let fix = if used.jinja.contains(name) {
            format!("`{{{{ }}}}` works in `template(…)`; in a string, write `${{param.{name}}}`")
        } else {
            "remove it, or use it".to_owned()
        };
        problems.push(Diagnostic::new(Code::UnusedParam, detail).at(param.place).fix(fix));
    }
    for (name, local) in module.locals.iter().filter(|(name, _)| !used.locals.contains(*name)) {
        let (at, code) = (&local.item, module.passage(&local.item));
        let place = code.place(code.item(at.item).name);
        let detail = format!("nothing uses `local.{name}`");
        problems.push(Diagnostic::new(Code::UnusedLocal, detail).at(place).fix("remove it, or use it"));
    }
}

// `name = optional(value)`: the property is unset if the value is null.

/// The argument of `optional`, if it is the whole value of the item.
pub(crate) fn optional_argument(code: TreeView<'_>, item: &Item<'_>) -> Option<NodeId> {
    let Content::Expression(node) = item.content else { return None };
    let Node::Call(call) = code.node(node) else { return None };
    let is_optional = find(call.function).is_some_and(|function| matches!(function.body, Body::Optional));
    // A wrong number of arguments was reported by the name check.
    call.arguments.single().filter(|_| is_optional && !call.spread)
}
