//! The table `laws` of a script: the examples and the machine that the laws of kinds are tested with.

use mlua::Table;
use uphold_model::{Map, Name, Role, Value, closest};
use uphold_resource::Definition;

use crate::define::defined_kind;
use crate::interpreter::Interpreter;
use crate::kind::ScriptedKind;
use crate::value::{fit, from_script, map_from_script};

/// Fields of the table.
const FIELDS: [&str; 4] = ["examples", "given", "side_effects", "unreadable"];

/// Fields of `given`.
const GIVEN: [&str; 5] = ["commands", "directories", "files", "groups", "users"];

/// The examples of a kind, and the machine that they need.
#[derive(Debug, Default)]
pub struct LawSetup {
    /// Blocks to test with: a label and the properties that are set.
    pub examples: Vec<(String, Vec<(Name, Value)>)>,
    /// Directories of the machine.
    pub directories: Vec<String>,
    /// Files of the machine, with their contents.
    pub files: Vec<(String, String)>,
    /// Users of the machine, each with a group.
    pub users: Vec<String>,
    /// Groups of the machine.
    pub groups: Vec<String>,
    /// Commands with their output.
    pub commands: Vec<(String, String)>,
    /// Trees of files that are written besides the state.
    pub side_effects: Vec<String>,
    /// Properties that cannot be read without a declaration.
    pub unreadable: Vec<String>,
}

/// The table `laws` of the kind that a file defines. The kind must be in use.
///
/// # Errors
/// If there is no such table, or if it is invalid.
pub fn law_setup(file: &str) -> Result<LawSetup, String> {
    let kind = defined_kind(file).ok_or_else(|| format!("{file} defines no kind"))?;
    let read = || {
        let table: Option<Table> = Interpreter::here()?.loaded(&kind.script)?.table("laws")?;
        table.map(|table| read(&kind, &table)).transpose()
    };
    let setup = read().map_err(|error| {
        let text = error.to_string();
        text.strip_prefix("runtime error: ").unwrap_or(&text).to_owned()
    })?;
    match setup {
        Some(setup) if !setup.examples.is_empty() => Ok(setup),
        _ => {
            Err(format!("`{}` has no examples to test the laws with: {}", kind.script.kind, template(&kind)))
        }
    }
}

/// What an author can write.
fn template(kind: &ScriptedKind) -> String {
    let required = kind.schema().properties.iter();
    let required = required
        .filter(|property| property.role == Role::Name || property.need != uphold_model::Need::Optional);
    let fields: Vec<String> = required.map(|property| format!("{} = …", property.name)).collect();
    format!("laws = {{ examples = {{ {{ {} }}, … }} }}", fields.join(", "))
}

fn read(kind: &ScriptedKind, table: &Table) -> mlua::Result<LawSetup> {
    check_fields("laws", table, &FIELDS)?;
    let given = table.get::<Option<Table>>("given")?;
    let mut setup = LawSetup {
        side_effects: strings("laws.side_effects", table, "side_effects")?,
        unreadable: strings("laws.unreadable", table, "unreadable")?,
        ..LawSetup::default()
    };
    if let Some(given) = given {
        check_fields("laws.given", &given, &GIVEN)?;
        setup.directories = strings("laws.given.directories", &given, "directories")?;
        setup.users = strings("laws.given.users", &given, "users")?;
        setup.groups = strings("laws.given.groups", &given, "groups")?;
        setup.files = pairs("laws.given.files", &given, "files")?;
        setup.commands = pairs("laws.given.commands", &given, "commands")?;
    }
    let examples = table.get::<Option<Vec<Table>>>("examples");
    let examples = examples.map_err(|_| wrong("laws.examples must be a list of tables"))?;
    for (at, example) in examples.unwrap_or_default().iter().enumerate() {
        let found = map_from_script(example).and_then(|values| block(kind, values));
        setup.examples.push(found.map_err(|error| {
            let text = error.to_string();
            wrong(&format!("laws.examples[{}]: {}", at + 1, text.trim_start_matches("runtime error: ")))
        })?);
    }
    Ok(setup)
}

/// The block of an example: the value of the name property is its label.
fn block(kind: &ScriptedKind, values: Map) -> mlua::Result<(String, Vec<(Name, Value)>)> {
    let properties = kind.schema().properties;
    let mut label = None;
    let mut set = Vec::new();
    for (name, value) in values {
        let Some(property) = properties.iter().find(|property| *property.name == *name) else {
            let near = closest(&name, properties.iter().map(|property| property.name));
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Err(wrong(&format!("there is no property `{name}`{near}")));
        };
        match (property.role, value) {
            (Role::Name, Value::Text(text)) => label = Some(text.to_string()),
            (Role::Name, _) => return Err(wrong(&format!("`{name}` must be a string"))),
            (_, value) => set.push((name, fit(value, property.ty))),
        }
    }
    let name = properties.iter().find(|property| property.role == Role::Name);
    let name = name.map_or("name", |property| property.name);
    let label = label.ok_or_else(|| wrong(&format!("`{name}` is missing")))?;
    Ok((label, set))
}

fn check_fields(what: &str, table: &Table, known: &[&str]) -> mlua::Result<()> {
    for pair in table.pairs::<mlua::Value, mlua::Value>() {
        let field = pair?.0.to_string()?;
        if !known.contains(&&*field) {
            let near = closest(&field, known.iter().copied());
            let help = near.map_or_else(
                || format!("it has {}", known.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            return Err(wrong(&format!("{what} has no field `{field}`; {help}")));
        }
    }
    Ok(())
}

fn strings(what: &str, table: &Table, field: &str) -> mlua::Result<Vec<String>> {
    let found = table.get::<Option<Vec<String>>>(field);
    found.map(Option::unwrap_or_default).map_err(|_| wrong(&format!("{what} must be a list of strings")))
}

fn pairs(what: &str, table: &Table, field: &str) -> mlua::Result<Vec<(String, String)>> {
    let Some(table) =
        table.get::<Option<Table>>(field).map_err(|_| wrong(&format!("{what} must be a table")))?
    else {
        return Ok(Vec::new());
    };
    let mut all = Vec::new();
    for pair in table.pairs::<String, mlua::Value>() {
        let (key, value) = pair.map_err(|_| wrong(&format!("the keys of {what} must be strings")))?;
        match from_script(&value)? {
            Value::Text(text) => all.push((key, text.to_string())),
            _ => return Err(wrong(&format!("{what}[{key:?}] must be a string"))),
        }
    }
    all.sort();
    Ok(all)
}

fn wrong(message: &str) -> mlua::Error {
    mlua::Error::runtime(message)
}
