//! HCL's specification as a table: the value of each expression, and deliberate differences.

use crate::print::{problems, read_text};

const TABLE: &str = include_str!("../specification.txt");

/// The expectation of a row: a printed value, or `! summary`.
struct Row {
    expression: String,
    expected: String,
}

/// `expression => value`; a mark at the end means that HCL differs.
fn rows() -> Vec<Row> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '=']));
    let row = |line: &str| {
        let (expression, expected) = line.rsplit_once(" => ").unwrap_or_else(|| panic!("no row: {line}"));
        Row {
            expression: expression.to_owned(),
            expected: expected.trim_end_matches("#!").trim_end().to_owned(),
        }
    };
    lines.map(row).collect()
}

/// Heredocs have several lines, so they are written here.
fn heredocs() -> Vec<Row> {
    let rows = [
        ("<<E\na\nE\n", "\"a\\n\""),
        ("<<E\nE\n", "\"\""),
        ("<<E\na\nb\nE\n", "\"a\\nb\\n\""),
        ("<<E\n\na\n\nE\n", "\"\\na\\n\\n\""),
        ("<<E\n  a\n    b\nE\n", "\"  a\\n    b\\n\""),
        ("<<E\n  a\n  E\n", "\"  a\\n\""),
        ("<<-E\n  a\n    b\n  E\n", "\"a\\n  b\\n\""),
        ("<<-E\n    a\n  b\n    E\n", "\"  a\\nb\\n\""),
        ("<<-E\n  a\n\n  b\n  E\n", "\"a\\n\\nb\\n\""),
        ("<<E\na \"b\" \\n \\\\\nE\n", "\"a \\\"b\\\" \\\\n \\\\\\\\\\n\""),
        ("<<E\na ${1 + 1}\nE\n", "\"a 2\\n\""),
        ("<<E\n${\"a\"}\nE\n", "\"a\\n\""),
        ("<<E\n$${a} %%{b}\nE\n", "\"$${a} %%{b}\\n\""),
        ("<<E\n%{ if true }a%{ endif }\nE\n", "\"a\\n\""),
        ("<<E\n%{ for x in [1, 2] ~}\n${x}\n%{ endfor ~}\nE\n", "\"1\\n2\\n\""),
        ("<<-E\n  %{ for x in [1, 2] ~}\n  ${x}\n  %{ endfor ~}\n  E\n", "\"1\\n2\\n\""),
        ("upper(<<E\na\nE\n)", "\"A\\n\""),
        ("[<<E\na\nE\n, 1]", "[\"a\\n\", 1]"),
        ("{ a = <<E\nb\nE\n}", "{ a = \"b\\n\" }"),
        ("trimspace(<<-E\n    a\n  E\n)", "\"a\""),
        ("<<E-1\na\nE-1\n", "\"a\\n\""),
        ("<<E\na", "! unclosed heredoc"),
    ];
    let row = |(expression, expected): (&str, &str)| Row {
        expression: expression.to_owned(),
        expected: expected.to_owned(),
    };
    rows.into_iter().map(row).collect()
}

#[test]
fn every_row_is_correct() {
    let rows: Vec<Row> = rows().into_iter().chain(heredocs()).collect();
    assert!(rows.len() >= 400, "{} rows", rows.len());
    let (mut sources, reading) = read_text("");
    let mut wrong = Vec::new();
    for Row { expression, expected } in &rows {
        let found = match reading.console.evaluate(&mut sources, expression) {
            Ok(value) => value.to_string(),
            Err(found) => {
                let first = found.iter().next().map_or("", |problem| problem.summary());
                if expected.starts_with('!') {
                    format!("! {first}")
                } else {
                    problems(&sources, found.iter())
                }
            }
        };
        if found != *expected {
            wrong.push(format!("{expression}\n  promised {expected}\n  given    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
