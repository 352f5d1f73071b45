//! Invariants of formatting.

use hcl_edit::expr::{Array, FuncArgs, Object};
use hcl_edit::structure::Body;
use hcl_edit::visit_mut::{VisitMut, visit_array_mut, visit_func_args_mut, visit_object_mut};

use crate::format;
use crate::lexer::tokens;
use crate::token::Kind;

/// Checks all invariants on `text`, and returns the result.
#[track_caller]
pub(super) fn check(text: &str) -> String {
    let after = format(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!(format(&after).as_deref(), Ok(after.as_str()), "formatting {text:?} is not idempotent");
    assert_eq!(pieces(text), pieces(&after), "tokens changed");
    assert_eq!(ink(text), ink(&after), "something else than white space changed");
    check_white_space(&after);
    after
}

/// Checks all invariants on `text`, and that another parser accepts it and finds the same before and after.
#[track_caller]
pub(super) fn check_meaning(text: &str) -> String {
    let after = check(text);
    assert_eq!(meaning(text), meaning(&after), "the meaning changed:\n{text}\n{after}");
    after
}

/// The tree that the other parser finds in `text`.
#[track_caller]
fn meaning(text: &str) -> Body {
    let mut body = text.parse::<Body>().unwrap_or_else(|error| panic!("{error}\n{text}"));
    Loose.visit_body_mut(&mut body);
    body
}

/// Removes the white space before closing brackets: the only white space that the other parser compares.
struct Loose;

impl VisitMut for Loose {
    fn visit_array_mut(&mut self, node: &mut Array) {
        node.set_trailing("");
        visit_array_mut(self, node);
    }

    fn visit_object_mut(&mut self, node: &mut Object) {
        node.set_trailing("");
        visit_object_mut(self, node);
    }

    fn visit_func_args_mut(&mut self, node: &mut FuncArgs) {
        node.set_trailing("");
        visit_func_args_mut(self, node);
    }
}

/// All tokens with their kinds, without line breaks at the end of the text.
fn pieces(text: &str) -> Vec<(Kind, String)> {
    let tokens = tokens(text).expect("a formatted text");
    let mut pieces: Vec<_> =
        tokens.iter().map(|token| (token.kind, text[token.range()].to_owned())).collect();
    for (_, comment) in pieces.iter_mut().filter(|(kind, _)| *kind == Kind::BlockComment) {
        *comment = comment.replace("\r\n", "\n");
    }
    while pieces.pop_if(|(kind, _)| *kind == Kind::Newline).is_some() {}
    pieces
}

/// All characters but white space, found without a lexer.
fn ink(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Between tokens: no tabs, no trailing white space, and one line break at the end.
#[track_caller]
fn check_white_space(after: &str) {
    let tokens = tokens(after).expect("a formatted text");
    let mut end = 0;
    for token in &tokens {
        let blank = &after[end..token.start];
        assert!(blank.bytes().all(|byte| byte == b' '), "{blank:?} in {after:?}");
        assert!(blank.is_empty() || token.kind != Kind::Newline, "white space at a line end of {after:?}");
        end = token.end;
    }
    assert_eq!(end, after.len(), "white space at the end of {after:?}");
    let last = tokens.iter().rev().take(2).map(|token| token.kind == Kind::Newline);
    assert!(after.is_empty() || last.eq([true, false]), "the end of {after:?}");
}

#[test]
fn the_other_reader_sees_a_change() {
    assert_eq!(meaning("a = [1,2] # b"), meaning("a  = [ 1, 2 ]"));
    assert_ne!(meaning("a = \"b  c\""), meaning("a = \"b c\""));
    assert_ne!(meaning("a = b - c"), meaning("a = b-c"));
}

// The invariants, on documentation and on examples of all of HCL.

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
