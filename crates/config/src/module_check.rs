//! Checks of a module that do not depend on its params: names, and unused definitions.

use std::collections::HashSet;
use std::sync::Arc;

use uphold_model::{Code, Diagnostic, foreign_argument};

use crate::body::Entry;
use crate::excerpt::excerpt;
use crate::meta::Argument;
use crate::module::{Block, ItemRef, Member, Module, What};
use crate::name_check::{Context, NameCheck, Used};
use crate::optional::optional_argument;
use crate::suggestion::listed;
use crate::tree::TreeView;

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
        let fix = "remove it, or use it";
        problems.push(Diagnostic::new(Code::UnusedParam, detail).at(param.place).fix(fix));
    }
    for (name, local) in module.locals.iter().filter(|(name, _)| !used.locals.contains(*name)) {
        let (at, code) = (&local.item, module.passage(&local.item));
        let place = code.place(code.item(at.item).name);
        let detail = format!("nothing uses `local.{name}`");
        problems.push(Diagnostic::new(Code::UnusedLocal, detail).at(place).fix("remove it, or use it"));
    }
}
