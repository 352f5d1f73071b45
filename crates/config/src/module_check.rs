//! What is wrong with a module whatever it is called with: names, and what is never used.

use std::collections::HashSet;
use std::sync::Arc;

use uphold_model::Diagnostic;

use crate::body::Entry;
use crate::excerpt::excerpt;
use crate::meta::Argument;
use crate::module::{Block, GroupBlock, Member, Module, What};
use crate::name_check::{Context, NameCheck, Used};
use crate::suggestion::listed;

/// Checks a module and all that it calls, each once.
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
        let code = &module.codes[param.code as usize];
        let item = |item: u32| code.tree.item(item as usize);
        param.default.iter().for_each(|default| names.item(Context::new(code), item(*default)));
        // A param that only its own validation looks at is not used.
        let used = std::mem::take(&mut names.used);
        for validation in &param.validations {
            names.item(Context::new(code), item(validation.condition.item));
            names.item(Context::new(code), item(validation.message.item));
        }
        names.used = used;
    }
    let locals =
        module.locals.values().chain(module.outputs.iter().filter_map(|output| output.value.as_ref()));
    for at in locals {
        let code = &module.codes[at.code as usize];
        names.item(Context::new(code), code.tree.item(at.item as usize));
    }
    module.blocks.iter().for_each(|block| self::block(module, block, &mut names));
    groups(module, &module.members, &mut names);
    let used = names.used;
    unused(module, &used, problems);
}

fn block(module: &Module, block: &Block, names: &mut NameCheck<'_>) {
    let code = &module.codes[block.code as usize];
    let each = block.argument(Argument::ForEach).is_some();
    let inside = Context::new(code).each(each);
    for (argument, item) in &block.arguments {
        let context = match argument {
            Argument::ForEach => Context::new(code),
            _ => inside.words(argument.takes_words()),
        };
        names.item(context, code.tree.item(*item as usize));
    }
    let entries = block.entries(&code.tree);
    for id in entries.iter().flat_map(Entry::items) {
        names.item(inside, code.tree.item(id));
    }
    if let What::Call(Some(called)) = &block.what {
        call(&entries, called, block, code, names.problems);
    }
}

fn groups(module: &Module, members: &[Member], names: &mut NameCheck<'_>) {
    for member in members {
        if let Member::Group(GroupBlock { code, arguments, members, .. }) = member {
            let code = &module.codes[*code as usize];
            for (_, item) in arguments {
                names.item(Context::new(code), code.tree.item(*item as usize));
            }
            groups(module, members, names);
        }
    }
}

/// What is passed to a module must be what it takes.
fn call(
    entries: &[Entry],
    called: &Module,
    block: &Block,
    code: &crate::code::Code,
    problems: &mut Vec<Diagnostic>,
) {
    let items = entries.iter().map(|entry| code.tree.item(entry.first as usize));
    for item in items.filter(|item| !called.params.contains_key(&item.key)) {
        if Argument::named(&item.key).is_some() {
            let detail = format!("{} means nothing on a module", excerpt(&item.key));
            let fix =
                "a module takes `for_each`, `when` and `depends_on`; the rest belongs to the resources in it";
            let error = Diagnostic::error("meta argument in the wrong place", detail);
            problems.push(error.at(code.place(item.name)).fix(fix));
            continue;
        }
        let names = called.params.keys().map(|name| &**name);
        let fix = match called.closest(&item.key, names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if called.params.is_empty() => "the module takes no params".into(),
            None => format!("it takes {}", listed(names)),
        };
        let detail = format!("the module has no param {}", excerpt(&item.key));
        problems.push(Diagnostic::error("no such param", detail).at(code.place(item.name)).fix(fix));
    }
    let names: HashSet<&str> = entries.iter().map(|entry| &*entry.name).collect();
    let set = |name: &str| names.contains(name);
    for (name, param) in
        called.params.iter().filter(|(name, param)| param.required && !param.misread && !set(name))
    {
        let detail = format!("the module needs {}", excerpt(name));
        let error =
            Diagnostic::error("missing param", detail).at(block.head).and_at(param.place, "declared here");
        problems.push(error.fix(format!("add `{name} = …`")));
    }
}

fn unused(module: &Module, used: &Used, problems: &mut Vec<Diagnostic>) {
    for (name, param) in module.params.iter().filter(|(name, _)| !used.params.contains(*name)) {
        let detail = format!("nothing uses `param.{name}`");
        let fix = "remove it, or use it";
        problems.push(Diagnostic::warning("unused param", detail).at(param.place).fix(fix));
    }
    for (name, at) in module.locals.iter().filter(|(name, _)| !used.locals.contains(*name)) {
        let code = &module.codes[at.code as usize];
        let place = code.place(code.tree.item(at.item as usize).name);
        let detail = format!("nothing uses `local.{name}`");
        problems.push(Diagnostic::warning("unused local", detail).at(place).fix("remove it, or use it"));
    }
}
