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
