//! Recipes: scripts that are given in place of configuration, or together with it.

use uphold_model::Map;

use crate::configuration::Configuration;
use crate::kind_files::is_script;
use crate::luau::{self, ScriptFile};

/// A recipe that was read.
pub(crate) struct Recipe {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The params that it may ask for.
    pub(crate) params: Map,
}

/// Whether a path that somebody named leads to a recipe.
pub(crate) fn is_recipe(name: &str) -> bool {
    is_script(name)
}

impl Recipe {
    /// Adds what it says to a configuration: its text, the kind that it is, what runs it, and what is wrong with it.
    pub(crate) fn add(self, configuration: &mut Configuration) {
        let Self { name, text, params } = self;
        let source = configuration.sources.add(name.as_str(), text);
        let text = configuration.sources.get(source).text.clone();
        let file = ScriptFile { name: &name, source, text: &text };
        match luau::recipe(&file, params, &mut configuration.kinds) {
            Ok(statements) => configuration.statements.extend(statements),
            Err(problems) => configuration.diagnostics.extend(problems),
        }
    }
}
