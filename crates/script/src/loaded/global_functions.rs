//! Global functions that nothing calls, because their author meant an action or a loader.

use uphold_model::closest;

use super::{LOADER, Loaded};
use crate::script::Script;

/// Other names that authors give to the loader.
const LOADER_NAMES: &[&str] =
    &["load", "load_current", "load_current_resource", "load_current_state", "load_state", "loader"];

/// Usual names of actions. As the name of a global function, one of them is an action without `actions.`.
const ACTION_NAMES: &[&str] = &[
    "apply",
    "converge",
    "create",
    "delete",
    "disable",
    "enable",
    "install",
    "reload",
    "remove",
    "restart",
    "run",
    "start",
    "stop",
    "uninstall",
    "update",
    "upgrade",
];

/// Whether authors mean the default action by this name.
fn means_converge(name: &str) -> bool {
    matches!(name, "apply" | "converge" | "create" | "update")
}

impl Loaded {
    /// Refuses a global function that its author meant as an action or a loader: nothing would call it.
    /// `actions`: the actions that it defines itself.
    pub(super) fn check_global_functions(&self, script: &Script, actions: &[String]) -> mlua::Result<()> {
        let mut mistakes = Vec::new();
        let has_loader = self.own.contains_key(LOADER)?;
        for pair in self.own.pairs::<String, mlua::Value>() {
            let (name, mlua::Value::Function(function)) = pair? else { continue };
            let advice = if ACTION_NAMES.contains(&&*name) && !actions.contains(&name) {
                match self.default_action().filter(|_| means_converge(&name)) {
                    Some(default) => format!("`actions.{default}` both creates and updates a resource"),
                    None => format!("write `function actions.{name}()`"),
                }
            } else if name != LOADER && closest(&name, [LOADER]).is_some()
                || LOADER_NAMES.contains(&&*name) && !has_loader
            {
                format!("write `function {LOADER}(current)`")
            } else {
                continue;
            };
            mistakes.push((function.info().line_defined.unwrap_or(1), name, advice));
        }
        let Some((line, name, advice)) = mistakes.into_iter().min() else { return Ok(()) };
        Err(mlua::Error::runtime(format!(
            "{}:{line}: nothing calls the global function `{name}`: {advice}; a helper is \
             `local function {name}()`",
            script.name
        )))
    }
}
