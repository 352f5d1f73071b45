//! A table of expressions and values, with the differences from Terraform marked.

use crate::expression::evaluate;

const TABLE: &str = include_str!("table.txt");

/// A row: the expression, the arrow, and the expectation.
fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let row = |line: &'static str| {
        let arrow = ["  =>  ", "  ~>  ", "  !>  ", "  ~!  "].into_iter().find(|arrow| line.contains(arrow));
        let (expression, expected) = arrow.and_then(|arrow| line.split_once(arrow)).unwrap_or((line, ""));
        (expression, arrow.unwrap_or_default().trim(), expected)
    };
    TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(row)
}

#[test]
fn every_row_holds() {
    let mut wrong = Vec::new();
    for (expression, arrow, expected) in rows() {
        let result = evaluate(expression);
        let holds = match (&result, arrow) {
            (Ok(value), "=>" | "~>") => value.to_string() == expected,
            (Err(fault), "!>" | "~!") => !expected.is_empty() && fault.message.contains(expected),
            _ => false,
        };
        if !holds {
            let found =
                result.map_or_else(|fault| format!("error: {}", fault.message), |value| value.to_string());
            wrong.push(format!("{expression}\n  {arrow} {expected}\n  is {found}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn the_table_is_large_and_names_nearly_every_function() {
    assert!(rows().count() >= 300, "{}", rows().count());
    let called = |name: &str| rows().any(|(expression, _, _)| expression.contains(&format!("{name}(")));
    // Functions that read the environment or the clock, functions of the evaluator itself, and further digests of
    // files.
    let elsewhere = ["can", "try", "env", "optional", "timestamp", "template", "joinpath"];
    let missing: Vec<_> = uphold_functions::all()
        .iter()
        .map(|function| function.name)
        .filter(|name| !called(name) && !elsewhere.contains(name) && !name.starts_with("file"))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
