//! Texts before and after formatting.

use crate::format;

/// The output of `hclfmt` of HCL 2.25, byte for byte.
const AS_HCLFMT: &str = include_str!("golden.txt");

#[track_caller]
fn check(before: &str, after: &str) {
    let found = format(before).unwrap_or_else(|error| panic!("{before}: {error}"));
    assert_eq!(found, after, "\n{before}");
    assert_eq!(format(after).as_deref(), Ok(after), "formatted text does not change");
}

#[test]
fn as_hclfmt_does() {
    let cases: Vec<&str> = AS_HCLFMT.split("### ").skip(1).collect();
    assert!(cases.len() >= 35, "the file was read: {}", cases.len());
    for case in cases {
        let (_, pair) = case.split_once('\n').expect("a name");
        let (before, after) = pair.split_once("---\n").expect("two texts");
        check(before, after);
    }
}

#[test]
fn white_space_as_hclfmt_does() {
    check("\ta\t=\t1\t\n \t\n\tb {\n\t\tc = 1\n\t}  \n", "a = 1\n\nb {\n  c = 1\n}\n");
    check(
        "a=<<END\n    b   =   1  # c\n\t  d   \n      END\ne =   [<<-F\n  g\n  F\n,1]\n",
        "a = <<END\n    b   =   1  # c\n\t  d   \n      END\ne = [<<-F\n  g\n  F\n, 1]\n",
    );
    check("a = <<END\n b\nEND  \n", "a = <<END\n b\nEND\n");
    check("a = \"e\u{301}\" # b\nc = \"de\" # f\n", "a = \"e\u{301}\"  # b\nc = \"de\" # f\n");
    check("a=(b /* c */- d)\n", "a = (b /* c */ - d)\n");
}

/// `hclfmt` does not change these line ends.
#[test]
fn ends_of_lines_and_of_the_text() {
    check("", "");
    check("\n \n\t\n", "");
    check("a = 1", "a = 1\n");
    check("a = 1\n\n\n", "a = 1\n");
    check("a = <<END\nEND", "a = <<END\nEND\n");
    check("\u{feff}a = 1\n", "a = 1\n");
    check("a = 1\r\n\r\nb = 2 # c\r\n", "a = 1\n\nb = 2 # c\n");
    check("a = 1 # b  \t\n# c \n", "a = 1 # b\n# c\n");
    check("/* a\r\n   b */\r\n", "/* a\n   b */\n");
    check("a = 1\r", "a = 1\n");
}

/// A value must not change: here a carriage return is part of one.
#[test]
fn carriage_returns_stay_in_heredocs() {
    check("a = <<END\r\n b\r\n END\r\nc=1\r\n", "a = <<END\r\n b\r\n END\nc = 1\n");
}

/// `hclfmt` formats interpolations; here every byte between the quotes stays.
#[test]
fn interpolations_stay() {
    check("a=\"${ b+1 }\"\n", "a = \"${ b+1 }\"\n");
    check("a = 1\nlong = \"${\n b\n}\" # c\nd = 2 # e\n", "a = 1\nlong = \"${\n b\n}\" # c\nd = 2 # e\n");
    check("a {\nb = <<END\n${ c+1 }\nEND\n}\n", "a {\n  b = <<END\n${ c+1 }\nEND\n}\n");
}

/// `hclfmt` mistakes the keywords of `for` for functions, some negations for subtractions, and some subtractions for
/// negations.
#[test]
fn keywords_and_signs_are_known() {
    check("a=[for b in (c):b if (d)]\n", "a = [for b in (c) : b if (d)]\n");
    check("a=[for b in c:b if [d]==b]\n", "a = [for b in c : b if [d] == b]\n");
    check("a=[for b in c:b if - b>1]\n", "a = [for b in c : b if -b > 1]\n");
    check("a={for b in c:b=>- b}\n", "a = { for b in c : b => -b }\n");
    check("a={for b in c:b=>b...if (d)}\n", "a = { for b in c : b => b... if (d) }\n");
    check("a=[/* b */- 1]\n", "a = [/* b */ -1]\n");
    check("a=(b\n- c)\n", "a = (b\n- c)\n");
    check("a=\"b\" [0]\n", "a = \"b\"[0]\n");
    check("in=in (1)\nif=if [1]\n", "in = in(1)\nif = if[1]\n");
}

/// Alignment and indentation are limited.
#[test]
fn widest_and_deepest() {
    let (wide, widest) = ("w".repeat(257), "w".repeat(256));
    check(&format!("a = 1\nbc = 2\n{wide} = 3\nd = 4\n"), &format!("a  = 1\nbc = 2\n{wide} = 3\nd = 4\n"));
    check(&format!("a = 1\n{widest} = 3\n"), &format!("a{} = 1\n{widest} = 3\n", " ".repeat(255)));
    let deep = format(&format!("{}{}", "[\n".repeat(150), "]\n".repeat(150))).expect("brackets in pairs");
    let column = |line: usize| deep.lines().nth(line).map(|text| text.len() - 1);
    assert_eq!([99, 100, 101, 149].map(column), [198, 200, 200, 200].map(Some));
}

/// Invalid sequences of tokens keep their tokens.
#[test]
fn odd_neighbours_do_not_merge() {
    check("a=! =b\n", "a = ! = b\n");
    check("a=1 . 5\n", "a = 1 .5\n");
    check("a=b. . .c\n", "a = b. . .c\n");
    check("a=b.\n0 . 1\n", "a = b.\n0 .1\n");
    check("a=0o644+0644\n", "a = 0o644 + 0644\n");
    check("=1\n", "= 1\n");
}
