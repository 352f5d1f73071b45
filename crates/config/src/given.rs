//! Values for params that come from outside the configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

use uphold_functions::Surroundings;
use uphold_model::{Code, Diagnostic, Name, Place, Sources, Value};

use crate::constraint::{Constraint, TypeMismatch};
use crate::evaluate::wrong_type_of;
use crate::excerpt::excerpt;
use crate::instance::Binding;
use crate::module::{Module, Param};
use crate::parser::Parser;
use crate::source_code::SourceCode;
use crate::standalone_expr::StandaloneExpr;
use crate::suggestion::listed;

/// A value for a param.
#[derive(Clone, Debug)]
pub struct Given {
    /// The param's name.
    pub name: String,
    /// Its value.
    pub value: GivenValue,
    /// Where it comes from.
    pub origin: Origin,
}

/// A value from outside.
#[derive(Clone, Debug)]
pub enum GivenValue {
    /// As it was typed; the param's type decides how it is parsed.
    Text(String),
    /// A value from a file, and its place.
    Value(Value, Option<Place>),
}

/// The origin of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The command line.
    Flag,
    /// An environment variable.
    Environment,
    /// A params file.
    File,
}

/// Binds the params of the configuration itself. If a param has several values, the first counts.
pub(crate) fn bind(
    given: &[Given],
    module: &Module,
    sources: &mut Sources,
    surroundings: &Arc<dyn Surroundings>,
    problems: &mut Vec<Diagnostic>,
) -> Vec<(Name, Binding)> {
    let mut strongest: BTreeMap<&str, &Given> = BTreeMap::new();
    for one in given {
        match param_named(one, module) {
            Some(name) => _ = strongest.entry(name).or_insert(one),
            None => problems.push(unknown(one, module)),
        }
    }
    let mut bindings = Vec::new();
    for (name, param) in &module.params {
        let binding = match strongest.get(&**name) {
            Some(one) => match convert((name, param), one, sources, surroundings) {
                Ok(value) => Binding::Given(value),
                Err(found) => {
                    problems.extend(found);
                    Binding::Missing
                }
            },
            None if param.required => {
                problems.extend((!param.invalid).then(|| missing(name, param)));
                Binding::Missing
            }
            None => Binding::Default,
        };
        bindings.push((name.clone(), binding));
    }
    bindings
}

/// The param that a value is param_named for. Environment variables are upper case, with `_` for `-`.
fn param_named<'m>(one: &Given, module: &'m Module) -> Option<&'m str> {
    let names = module.params.keys().map(|name| &**name);
    match one.origin {
        Origin::Environment => names.into_iter().find(|name| one.name == *name || one.name == variable(name)),
        _ => module.params.get_key_value(&*one.name).map(|(name, _)| &**name),
    }
}

/// The name of a param as an environment variable, without the prefix.
fn variable(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}

fn missing(name: &str, param: &Param) -> Diagnostic {
    let shown = param.description.as_deref().map(|text| format!(": {text}")).unwrap_or_default();
    let variable = variable(name);
    // Every local user can read the arguments of a process.
    let fix = if param.sensitive {
        format!("pass one in `UPHOLD_PARAM_{variable}`, or in a file with `--params FILE`")
    } else {
        format!("pass one with `-p {name}=…`, in `UPHOLD_PARAM_{variable}`, or give it a default")
    };
    Diagnostic::new(Code::MissingParam, format!("`{name}` has no value{shown}")).at(param.place).fix(fix)
}

fn unknown(one: &Given, module: &Module) -> Diagnostic {
    let (detail, written) = match one.origin {
        Origin::Environment => {
            let detail = format!("UPHOLD_PARAM_{} is set, but there is no such param", one.name);
            (detail, one.name.to_lowercase())
        }
        _ => (format!("there is no param {}", excerpt(&one.name)), one.name.clone()),
    };
    let names = module.params.keys().map(|name| &**name);
    let fix = match module.closest(&written, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if module.params.is_empty() => "the configuration takes no params".into(),
        None => format!("it takes {}", listed(names)),
    };
    let place = match &one.value {
        GivenValue::Value(_, place) => *place,
        GivenValue::Text(_) => None,
    };
    // A params file or an environment may serve several configurations.
    let diagnostic = match one.origin {
        Origin::Flag => Diagnostic::new(Code::UnknownParam, detail),
        Origin::Environment | Origin::File => Diagnostic::new(Code::IgnoredParam, detail),
    };
    diagnostic.at(place).fix(fix)
}

/// The value of a param. A message about a secret quotes neither the value nor its source.
fn convert(
    (name, param): (&str, &Param),
    one: &Given,
    sources: &mut Sources,
    surroundings: &Arc<dyn Surroundings>,
) -> Result<Value, Vec<Diagnostic>> {
    let converted = convert_plainly((name, param), one, sources, surroundings);
    converted.map_err(|problems| if param.sensitive { vec![hidden(name, param)] } else { problems })
}

fn hidden(name: &str, param: &Param) -> Diagnostic {
    let wanted = param.constraint.as_ref().map_or_else(|| "a value".into(), Constraint::words);
    let detail = format!("`{name}` must be {wanted}; its value, which is a secret, is not");
    Diagnostic::new(Code::ParamType, detail).at(param.place).fix(format!("pass {wanted}"))
}

fn convert_plainly(
    (name, param): (&str, &Param),
    one: &Given,
    sources: &mut Sources,
    surroundings: &Arc<dyn Surroundings>,
) -> Result<Value, Vec<Diagnostic>> {
    let (value, place) = match &one.value {
        GivenValue::Value(value, place) => (value.clone(), place.unwrap_or(param.place)),
        GivenValue::Text(text) => match typed(name, text, param, sources, surroundings)? {
            Typed::Value(value) => return Ok(value),
            Typed::Expression(value, place) => (value, place),
        },
    };
    match &param.constraint {
        None => Ok(value),
        Some(constraint) => constraint.convert(&value).map_err(|mismatch| {
            let is_typed = matches!(one.value, GivenValue::Text(_)) && mismatch.at.is_empty();
            let example = || is_typed.then(|| written_as(name, constraint));
            let fix = mismatch.fix.clone().or_else(example);
            vec![*wrong_type_of(name, param, TypeMismatch { fix, ..mismatch }, place)]
        }),
    }
}

fn written_as(name: &str, constraint: &Constraint) -> String {
    format!("write it as in `-p '{name}={}'`", constraint.example())
}

/// The result of parsing a typed value.
enum Typed {
    Value(Value),
    Expression(Value, Place),
}

/// Parses a value from the command line or the environment by the type of its param.
fn typed(
    name: &str,
    text: &str,
    param: &Param,
    sources: &mut Sources,
    surroundings: &Arc<dyn Surroundings>,
) -> Result<Typed, Vec<Diagnostic>> {
    let shown = excerpt(text);
    let refused = |wanted: &str| {
        let error = Diagnostic::new(Code::ParamType, format!("`{name}` must be {wanted}; {shown} is not"));
        vec![error.at(param.place).fix(format!("pass {wanted}"))]
    };
    let simple = match &param.constraint {
        None | Some(Constraint::Text) => Some(Value::text(text)),
        Some(Constraint::Bool) => match text {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => return Err(refused("true or false")),
        },
        Some(Constraint::Number) => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(whole), _) => Some(Value::Int(whole)),
            // A whole number of more than 64 bits would be rounded.
            (_, Ok(_)) if text.trim_start_matches(['-', '+']).bytes().all(|byte| byte.is_ascii_digit()) => {
                return Err(refused("a whole number of at most 64 bits"));
            }
            (_, Ok(number)) if number.is_finite() => Some(Value::Float(number)),
            _ => return Err(refused("a number")),
        },
        Some(_) => None,
    };
    if let Some(value) = simple {
        return Ok(Typed::Value(value));
    }
    let id = sources.add(format!("-p {name}"), text);
    let (tree, node, problems) = Parser::new(text, id).parse_single_expression();
    let wanted = param.constraint.as_ref().map_or_else(|| "a value".into(), Constraint::words);
    let is_collection = text.trim_start().starts_with(['[', '{']);
    let explained = |problem: Diagnostic| {
        let detail = format!("`{name}` is {wanted}; its value is written as in a configuration");
        let problem = problem.and_at(param.place, detail);
        match &param.constraint {
            Some(constraint) if !is_collection => problem.fix(written_as(name, constraint)),
            _ => problem,
        }
    };
    let explain = |problems: Vec<Diagnostic>| problems.into_iter().map(explained).collect::<Vec<_>>();
    let Some(node) = node else { return Err(explain(problems)) };
    let aside = StandaloneExpr::new(
        SourceCode::of(sources, id, surroundings.current_directory().to_owned()),
        tree,
        surroundings,
    );
    Ok(Typed::Expression(aside.node(node).map_err(explain)?, aside.code().place_of(node)))
}
