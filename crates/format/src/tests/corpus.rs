//! The laws, on what people read and on examples of all of HCL.

use hcl_edit::structure::Body;

use super::law::{check, check_meaning};

const README: &str = include_str!("../../../../README.md");
const LANGUAGE: &str = include_str!("../../../../docs/language.md");
const DEMO: &str = include_str!("../../../cli/src/demo.hcl");
/// All but texts and comments of several lines.
const WHOLE: &str = include_str!("whole.hcl");
const SEVERAL_LINES: &str = include_str!("several_lines.hcl");

/// The blocks of configuration on a page.
fn blocks(page: &str) -> impl Iterator<Item = &str> {
    page.split("```hcl\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default())
}

/// Every line with white space at its ends and another one before and after its `=`.
fn untidy(text: &str) -> String {
    text.lines().map(|line| format!("\t {}  \r\n", line.trim_start().replacen(" = ", "=\t", 1))).collect()
}

/// Octal numbers are ours: where the other reader stops, its opinion on the meaning is left out.
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
        assert_eq!(check_meaning(text), text, "it is laid out already");
    }
}

#[test]
fn all_of_hcl_untidy() {
    assert_eq!(check_meaning(&untidy(WHOLE)), WHOLE);
}

/// What no reader takes yet has its layout as well: an editor asks for it while somebody types.
#[test]
fn unfinished() {
    for text in
        ["a =\n", "a = [1,,\n]\n", "= 1\n", "a b c\n", "{ } [ ]\n", "a = \"b\" \"c\"\n", "x = 1 2\n", "..\n"]
    {
        check(text);
    }
}
