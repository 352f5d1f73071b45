//! The names of the script API, read from its definition file.

use crate::functions::FIXED;

/// A function, table or value that every script can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiName {
    /// Its name; that of a member of a table is written as in a script: `fs.copy`.
    pub name: String,
    /// Its declaration in Luau, without `declare`.
    pub declaration: String,
    /// Its documentation; a member has that of its table. Empty if there is none.
    pub doc: String,
}

/// All names of the script API in the order of the definition file, except those of types and kinds.
pub fn api_names() -> Vec<ApiName> {
    let (mut names, mut doc) = (Vec::new(), Vec::new());
    let mut lines = FIXED.lines();
    while let Some(line) = lines.next() {
        if let Some(text) = line.strip_prefix("---") {
            doc.push(text.trim());
            continue;
        }
        let mut text = line.to_owned();
        while depth(&text) > 0 {
            let Some(next) = lines.next() else { break };
            text.push('\n');
            text.push_str(next);
        }
        if let Some(declaration) = text.strip_prefix("declare ") {
            add(&mut names, declaration, &doc.join(" "));
        }
        doc.clear();
    }
    names
}

/// Adds a declaration, and the members of a table.
fn add(names: &mut Vec<ApiName>, declaration: &str, doc: &str) {
    let word = declaration.strip_prefix("function ").unwrap_or(declaration);
    let name = identifier(word);
    let new = |name: String, declaration: &str| ApiName {
        name,
        declaration: declaration.to_owned(),
        doc: doc.to_owned(),
    };
    names.push(new(name.to_owned(), declaration));
    let table = word[name.len()..].strip_prefix(": {").and_then(|rest| rest.strip_suffix('}'));
    for member in table.into_iter().flat_map(members) {
        let of_member = identifier(member);
        if member[of_member.len()..].starts_with(": ") && !of_member.is_empty() {
            names.push(new(format!("{name}.{of_member}"), &format!("{name}.{member}")));
        }
    }
}

/// An error of `argument`, with the name of the argument and the type that the function declares.
///
/// Other operations than these do not get the arguments of the script as they are.
pub(crate) fn argument_error(op: &str, error: mlua::Error) -> mlua::Error {
    let mlua::Error::BadArgument { pos, cause, .. } = &error else { return error };
    let mlua::Error::FromLuaConversionError { from, .. } = &**cause else { return error };
    let is_function = op.starts_with("fs.") || matches!(op, "run" | "query");
    let declared = || api_names().into_iter().find(|one| one.name == op).map(|one| one.declaration);
    let Some(declaration) = is_function.then(declared).flatten() else { return error };
    let Some((name, form)) = parameters(&declaration).get(*pos).and_then(|one| one.split_once(": ")) else {
        return error;
    };
    let form = form.strip_suffix('?').unwrap_or(form);
    mlua::Error::runtime(format!("`{name}` of {op} must be {form}, not a {from}"))
}

/// The parameters of a declared function: `path: string`.
fn parameters(declaration: &str) -> Vec<&str> {
    let inside = declaration.split_once('(').map_or("", |(_, rest)| rest);
    let mut depth = 1;
    let end = inside.find(|character| {
        depth += change_of_depth(character);
        depth == 0
    });
    members(&inside[..end.unwrap_or(inside.len())])
}

fn identifier(text: &str) -> &str {
    let end = text.find(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    &text[..end.unwrap_or(text.len())]
}

/// The number of brackets that are not closed.
fn depth(text: &str) -> i32 {
    text.chars().map(change_of_depth).sum()
}

fn change_of_depth(character: char) -> i32 {
    match character {
        '(' | '{' => 1,
        ')' | '}' => -1,
        _ => 0,
    }
}

/// The members of a table, which commas outside brackets separate.
fn members(table: &str) -> Vec<&str> {
    let mut depth = 0;
    let members = table.split(move |character| {
        depth += change_of_depth(character);
        character == ',' && depth == 0
    });
    members.map(str::trim).filter(|member| !member.is_empty()).collect()
}
