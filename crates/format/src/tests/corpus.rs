//! The invariants, on documentation and on examples of all of HCL.

use hcl_edit::structure::Body;

use super::law::{check, check_meaning};

const README: &str = include_str!("../../../../README.md");
const LANGUAGE: &str = include_str!("../../../../docs/language.md");
const DEMO: &str = include_str!("../../../cli/src/demo.hcl");
/// Everything but multi-line strings and comments.
const WHOLE: &str = include_str!("whole.hcl");
const SEVERAL_LINES: &str = include_str!("several_lines.hcl");

/// The configuration blocks on a page.
fn blocks(page: &str) -> impl Iterator<Item = &str> {
    page.split("```hcl\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default())
}

/// Every line with changed white space at its ends and around its `=`.
fn untidy(text: &str) -> String {
    text.lines().map(|line| format!("\t {}  \r\n", line.trim_start().replacen(" = ", "=\t", 1))).collect()
}

/// Octal numbers are our extension: where the other parser stops, its result is not compared.
#[test]
fn pages() {
    let (other_dialect, hcl): (Vec<&str>, Vec<&str>) =
        blocks(README).chain(blocks(LANGUAGE)).partition(|block| block.parse::<Body>().is_err());
    assert!(hcl.len() >= 7, "blocks were found: {}", hcl.len());
    other_dialect.into_iter().for_each(|block| drop(check(block)));
    hcl.into_iter().chain([DEMO]).for_each(|block| drop(check_meaning(block)));
}

#[test]
fn all_of_hcl() {
    for text in [WHOLE, SEVERAL_LINES] {
        assert_eq!(check_meaning(text), text, "it is formatted already");
    }
}

#[test]
fn all_of_hcl_untidy() {
    assert_eq!(check_meaning(&untidy(WHOLE)), WHOLE);
}

/// Invalid text is formatted as well: an editor formats while the user types.
#[test]
fn unfinished() {
    for text in
        ["a =\n", "a = [1,,\n]\n", "= 1\n", "a b c\n", "{ } [ ]\n", "a = \"b\" \"c\"\n", "x = 1 2\n", "..\n"]
    {
        check(text);
    }
}
