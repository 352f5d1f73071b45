//! Params files.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_functions::{Call, Surroundings, find};
use uphold_model::{Code, Diagnostic, Diagnostics, Place, SourceId, Sources, Value};

use crate::body::Entry;
use crate::excerpt::excerpt;
use crate::given::{Given, GivenValue, Origin};
use crate::parser::Parser;
use crate::source_code::SourceCode;
use crate::standalone_expr::StandaloneExpr;
use crate::tree::Content;

/// Reads a params file: HCL, JSON or YAML, depending on its extension.
pub fn read_params(
    sources: &mut Sources,
    id: SourceId,
    surroundings: &Arc<dyn Surroundings>,
) -> (Vec<Given>, Diagnostics) {
    let source = sources.get(id);
    let decode = match source.name.rsplit_once('.').map(|(_, end)| end) {
        Some("json") => Some("jsondecode"),
        Some("yaml" | "yml") => Some("yamldecode"),
        _ => None,
    };
    let mut problems = Vec::new();
    let given = match decode {
        Some(decode) => decoded(sources, id, decode, &**surroundings, &mut problems),
        None => {
            let given = assigned(sources, id, surroundings, &mut problems);
            problems = problems.into_iter().map(without_text).collect();
            given
        }
    };
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(problems);
    diagnostics.cap();
    (given, diagnostics)
}

/// The problem without text of the file, which may be part of a secret.
fn without_text(problem: Diagnostic) -> Diagnostic {
    let Some(place) = problem.place else { return problem };
    let detail = "the text is not shown because it may contain a secret";
    Diagnostic::new(problem.code, detail).at(place).fix("write `name = value`, and strings in quotes")
}

fn decoded(
    sources: &Sources,
    id: SourceId,
    decode: &str,
    surroundings: &dyn Surroundings,
    problems: &mut Vec<Diagnostic>,
) -> Vec<Given> {
    let source = sources.get(id);
    let arguments = [Value::text(&*source.text)];
    let call = Call {
        arguments: &arguments,
        directory: surroundings.current_directory(),
        surroundings,
        steps: &Cell::new(0),
    };
    let start = Place { source: id, start: 0, end: 0 };
    let value = find(decode).map(|function| function.call(&call));
    match value {
        Some(Ok(Value::Map(map))) => map
            .iter()
            .map(|(name, value)| Given {
                name: name.to_string(),
                value: GivenValue::Value(value.clone(), Some(start)),
                origin: Origin::File,
            })
            .collect(),
        Some(Err(fault)) => {
            // Without a place: the line may contain a secret, and its param is not known.
            let detail = format!("{}: {}", source.name, fault.message);
            let fix = fault.fix.unwrap_or_else(|| "fix the file".into());
            problems.push(Diagnostic::new(Code::ParamsNotRead, detail).fix(fix));
            Vec::new()
        }
        Some(Ok(other)) => {
            let detail = format!("the file contains {}, not a map of names and values", other.type_name());
            let fix = "put the params into one map: `{ \"name\": value }`";
            problems.push(Diagnostic::new(Code::ParamsNotRead, detail).at(start).fix(fix));
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// `name = value`, line by line. Values can call functions, but cannot refer to names.
fn assigned(
    sources: &Sources,
    id: SourceId,
    surroundings: &Arc<dyn Surroundings>,
    problems: &mut Vec<Diagnostic>,
) -> Vec<Given> {
    let source = sources.get(id);
    let directory = Path::new(&source.name).parent().map(PathBuf::from).unwrap_or_default();
    let (tree, found) = Parser::new(&source.text, id).parse_whole();
    problems.extend(found);
    let root = tree.root;
    let aside = StandaloneExpr::new(SourceCode::of(sources, id, directory), tree, surroundings);
    let code = aside.code();
    let mut given = Vec::new();
    for entry in Entry::checked(code, root, problems) {
        let item = code.item(entry.first);
        match item.content {
            Content::Block { .. } => {
                let detail = format!("{} is a block", excerpt(item.key));
                let error = Diagnostic::new(Code::MisplacedBlock, detail);
                problems.push(error.at(code.place(item.name)).fix("write `name = value`"));
            }
            Content::Broken => {}
            Content::Expression(node) => match aside.node(node) {
                Ok(value) => given.push(Given {
                    name: item.key.to_owned(),
                    value: GivenValue::Value(value, Some(code.place(item.value))),
                    origin: Origin::File,
                }),
                Err(found) => problems.extend(found),
            },
        }
    }
    given
}
