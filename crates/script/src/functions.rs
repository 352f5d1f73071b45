//! The tables `hcl` and `json` of scripts: HCL's functions on values of Luau.

use std::cell::Cell;
use std::fmt::Write;
use std::path::Path;
use std::rc::Rc;
use std::time::SystemTime;

use mlua::{Lua, MultiValue, Table};
use uphold_functions::{Accepts, Call, FactError, Fault, Function, Parameter, Surroundings, Topic};
use uphold_model::{FactSchema, Need, PropertySchema, Schema, Shape, Type, Value};
use uphold_resource::Registry;

use crate::fuel::Fuel;
use crate::interpreter::place;
use crate::value::from_script;

use super::value::to_script_with_null;

/// Functions that scripts do not have, and what to use instead. Those that read files are found by their topic.
const INSTEAD: [(&str, &str); 10] = [
    ("abspath", "scripts have only absolute paths"),
    ("can", "use pcall"),
    ("env", "a kind cannot read the environment; declare a property"),
    ("issensitive", "a script that handles a secret is hidden as a whole"),
    ("nonsensitive", "a script that handles a secret is hidden as a whole"),
    ("optional", "leave the property out"),
    ("pathexpand", "scripts have only absolute paths"),
    ("sensitive", "declare the property with `sensitive = true`"),
    ("timestamp", "use clock.timestamp()"),
    ("try", "use pcall"),
];

/// What scripts use instead of functions that read files.
const INSTEAD_OF_FILES: &str = "use fs, which reads files of the machine";

/// Steps of HCL for one step of Luau, which takes about ten times as long.
const STEPS_OF_HCL: usize = 10;

/// The functions that scripts have, sorted by name.
pub(crate) fn script_functions() -> impl Iterator<Item = &'static Function> {
    uphold_functions::all().iter().copied().filter(|function| instead_of(function).is_none())
}

fn instead_of(function: &Function) -> Option<&'static str> {
    let named = INSTEAD.iter().find(|(name, _)| *name == function.name).map(|(_, instead)| *instead);
    named.or((function.topic == Topic::Files).then_some(INSTEAD_OF_FILES))
}

/// The functions by name, and what to use instead of those that scripts do not have.
pub(crate) fn tables(lua: &Lua, fuel: &Rc<Fuel>) -> mlua::Result<(Table, Table)> {
    let (functions, instead) = (lua.create_table()?, lua.create_table()?);
    for function in uphold_functions::all() {
        match instead_of(function) {
            Some(words) => instead.set(function.name, words)?,
            None => {
                let fuel = fuel.clone();
                let call = move |lua: &Lua, arguments: MultiValue| call(lua, &fuel, function, &arguments);
                functions.set(function.name, lua.create_function(call)?)?;
            }
        }
    }
    Ok((functions, instead))
}

fn call(lua: &Lua, fuel: &Fuel, function: &Function, arguments: &MultiValue) -> mlua::Result<mlua::Value> {
    let arguments: Vec<Value> = arguments.iter().map(from_script).collect::<mlua::Result<_>>()?;
    let arguments: Vec<Value> =
        arguments.into_iter().enumerate().map(|(at, value)| fit(function, at, value)).collect();
    let pay = |steps: usize| {
        if fuel.pay_steps((steps / STEPS_OF_HCL) as u64) {
            return Ok(());
        }
        Err(mlua::Error::runtime(fuel.limit_message(|| place(lua))))
    };
    pay(function.steps(&arguments))?;
    let steps = Cell::new(0);
    let surroundings = &OnlyTime(SystemTime::UNIX_EPOCH);
    let call = Call { arguments: &arguments, directory: Path::new("/"), surroundings, steps: &steps };
    let made = function.call(&call).map_err(|fault| mlua::Error::runtime(message(function, &fault)))?;
    pay(steps.get() + function.steps_for_result(&made))?;
    match &made {
        Value::Null => Ok(mlua::Nil),
        made => to_script_with_null(lua, made),
    }
}

/// An empty table is an empty map where a function takes a map; `merge` checks its arguments itself.
fn fit(function: &Function, at: usize, value: Value) -> Value {
    let accepts_map = function.parameter(at).is_some_and(|parameter| parameter.accepts == Accepts::Map);
    let takes_map = accepts_map || function.name == "merge";
    let is_empty = matches!(&value, Value::List(items) if items.is_empty());
    if takes_map && is_empty { Value::Map(std::sync::Arc::default()) } else { value }
}

fn message(function: &Function, fault: &Fault) -> String {
    let hint = fault.fix.as_ref().map(|fix| format!("; {fix}")).unwrap_or_default();
    let called = match function.name {
        "jsondecode" => "json.decode".to_owned(),
        "jsonencode" => "json.encode".to_owned(),
        name => format!("hcl.{name}"),
    };
    format!("{called}: {}{hint}", fault.message)
}

/// This time as HCL's `timestamp` writes it, for the other functions of times.
pub(crate) fn timestamp(now: SystemTime) -> Value {
    let call = Call {
        arguments: &[],
        directory: Path::new("/"),
        surroundings: &OnlyTime(now),
        steps: &Cell::default(),
    };
    let made = uphold_functions::find("timestamp").and_then(|function| function.call(&call).ok());
    made.unwrap_or_default()
}

/// A time, but no file, variable or fact: a script reads them through its machine.
struct OnlyTime(SystemTime);

impl Surroundings for OnlyTime {
    fn read(&self, _: &Path) -> Result<Vec<u8>, String> {
        Err("a script has no files beside it".to_owned())
    }

    fn list(&self, _: &Path) -> Result<Vec<String>, String> {
        Err("a script has no files beside it".to_owned())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn current_directory(&self) -> &Path {
        Path::new("/")
    }

    fn now(&self) -> SystemTime {
        self.0
    }

    fn facts(&self) -> &'static [FactSchema] {
        &[]
    }

    fn fact(&self, _: &str) -> Result<Value, FactError> {
        Err(FactError("a script reads facts by name: facts.os.family".to_owned()))
    }
}

// The types of everything that scripts can use, as a Luau definition file for editors.

/// The part that does not depend on the kinds.
pub(crate) const FIXED: &str = include_str!("prelude/definitions.d.luau");

/// A Luau definition file, with a function for each kind: editors use it to complete and check scripts.
pub fn definitions(registry: &Registry) -> String {
    let mut text = FIXED.to_owned();
    write_functions(&mut text);
    for kind in registry.iter() {
        write_kind(&mut text, kind.schema());
    }
    text
}

/// The table `hcl`.
fn write_functions(text: &mut String) {
    text.push_str("\n--- HCL's functions, which `uphold explain NAME` documents.\ndeclare hcl: {\n");
    for function in script_functions() {
        let optional = |parameter: &Parameter| if parameter.optional { "?" } else { "" };
        let parameter = |parameter: &Parameter| {
            format!("{}: {}{}", parameter.name, argument(parameter.accepts), optional(parameter))
        };
        let mut parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
        parameters.extend(function.rest.as_ref().map(|rest| format!("...{}", argument(rest.accepts))));
        let result = function.gives.map_or("any", result);
        let doc = first_line(function.doc);
        let _ =
            writeln!(text, "    --- {doc}\n    {}: ({}) -> {result},", function.name, parameters.join(", "));
    }
    text.push_str("}\n");
}

fn argument(accepts: Accepts) -> &'static str {
    match accepts {
        Accepts::Any => "any",
        Accepts::Text | Accepts::Data => "string",
        Accepts::Writable => "(string | number | boolean)",
        Accepts::Number | Accepts::Integer => "number",
        Accepts::Bool => "boolean",
        Accepts::List => "{ any }",
        Accepts::Map => "{ [string]: any }",
        Accepts::Collection => "any",
    }
}

fn result(shape: Shape) -> &'static str {
    match shape {
        Shape::Text | Shape::Bytes => "string",
        Shape::Number => "number",
        Shape::Bool => "boolean",
        Shape::List => "{ any }",
        Shape::Map => "{ [string]: any }",
    }
}

fn write_kind(text: &mut String, schema: &Schema) {
    let class = camel(schema.kind);
    let _ = writeln!(text, "\n--- {}\nexport type {class} = {{", first_line(schema.doc));
    for property in schema.all().into_iter().filter(|property| property.role.is_settable()) {
        write_property(text, property);
    }
    let _ = writeln!(text, "    action: string?,\n    notifies: {{ any }}?,\n    subscribes: {{ any }}?,");
    let _ = writeln!(text, "    only_if: Guard?,\n    not_if: Guard?,\n}}");
    // A fixed declaration hides a kind of the same name.
    let kind = schema.kind;
    if !FIXED.contains(&format!("declare {kind}:")) && !FIXED.contains(&format!("declare function {kind}(")) {
        let _ = writeln!(
            text,
            "declare function {kind}(name: string, properties: {class}?, block: ((Resource) -> ())?): Resource"
        );
    }
}

fn write_property(text: &mut String, property: &PropertySchema) {
    let doc = first_line(property.doc);
    if !doc.is_empty() {
        let _ = writeln!(text, "    --- {doc}");
    }
    let _ = writeln!(text, "    {}: {}?,", property.name, luau(property.ty));
}

fn luau(ty: &Type) -> String {
    match ty {
        Type::Any | Type::Named { .. } => "any".to_owned(),
        Type::Text | Type::Bytes | Type::Reference(_) => "string".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::Int(..) | Type::Float => "number".to_owned(),
        Type::Enum(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
            format!("({})", words.join(" | "))
        }
        Type::List(inner) => format!("{{ {} }}", luau(inner)),
        Type::Map(inner) => format!("{{ [string]: {} }}", luau(inner)),
        Type::Struct(fields) => {
            let mark = |need: Need| if need == Need::Required { "" } else { "?" };
            let field =
                |field: &PropertySchema| format!("{}: {}{}", field.name, luau(field.ty), mark(field.need));
            format!("{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Type::Sensitive(inner) | Type::Nullable(inner) => luau(inner),
    }
}

fn first_line(doc: &str) -> &str {
    doc.lines().next().unwrap_or_default().trim()
}

/// `web_site` as `WebSiteProperties`.
fn camel(kind: &str) -> String {
    let words = kind.split('_').map(|word| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect::<String>())
            .unwrap_or_default()
    });
    format!("{}Properties", words.collect::<String>())
}

#[cfg(test)]
mod tests {
    use uphold_functions::Body;

    use super::*;

    #[test]
    fn functions_of_the_evaluator_have_a_replacement() {
        for function in script_functions() {
            assert!(!matches!(function.body, Body::Try | Body::Can | Body::Optional), "{}", function.name);
        }
        for (name, _) in INSTEAD {
            assert!(uphold_functions::find(name).is_some(), "there is no function {name}");
        }
    }
}
