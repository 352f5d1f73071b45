//! Pages of the names that scripts in Luau can use.

use uphold::model::closest;
use uphold_wire::schema as wire;

use super::block::{Block, Page, doc_blocks};
use crate::CliError;

/// A function, table or value of the script API.
pub(crate) struct ScriptName {
    name: String,
    declaration: String,
    doc: String,
}

impl ScriptName {
    pub(super) fn find(name: &str) -> Option<Self> {
        let (name, declaration, doc) = all().into_iter().find(|(one, ..)| one == name)?;
        Some(Self { name, declaration, doc })
    }

    /// The member of a table such as `fs`, or an error with a suggestion.
    pub(super) fn member(name: &str) -> Result<Self, CliError> {
        Self::find(name).ok_or_else(|| {
            let table = name.split('.').next().unwrap_or_default();
            let names = all();
            let hint = closest(name, names.iter().map(|(one, ..)| &**one)).map_or_else(
                || format!("`uphold explain {table}` lists its members"),
                |similar| format!("did you mean `{similar}`?"),
            );
            CliError::new(format!("scripts have no `{name}`")).hint(hint)
        })
    }

    pub(super) fn page(&self) -> Page {
        let mut page = vec![Block::Title(self.name.clone()), Block::Code(self.declaration.clone())];
        page.extend(doc_blocks(&self.doc));
        page.push(Block::Text("For kinds and recipes in Luau.".to_owned()));
        page
    }

    /// The declaration is the first paragraph of its documentation.
    pub(super) fn documented(&self) -> wire::Documented {
        let doc = format!("`{}`\n\n{}", self.declaration, self.doc);
        wire::Documented { doc: doc.trim_end().to_owned().into(), name: self.name.clone().into() }
    }
}

/// The name, declaration and documentation of each.
#[cfg(feature = "luau")]
fn all() -> Vec<(String, String, String)> {
    let names = uphold::script::api_names().into_iter();
    names.map(|one| (one.name, one.declaration, one.doc)).collect()
}

#[cfg(not(feature = "luau"))]
fn all() -> Vec<(String, String, String)> {
    Vec::new()
}
