//! Mistakes in blocks and lines: what is said, where, and what to do about it.

use crate::print::check_diagnostics;

/// A text, and its problems: these and no others.
type Row = (&'static str, &'static [&'static str]);

const BODIES: &[Row] = &[
    ("k {}", &[r#"1:1 block without a label | `k` has no name | write `k "name" {`"#]),
    ("k \"a\" \"b\" {}", &["1:7 block with two labels | `k` has more than one label | leave one label"]),
    (
        "a = 1",
        &[
            r#"1:1 attribute outside a block | `a` is set outside of every block | move it into a block: `kind "name" { … }`"#,
        ],
    ),
    (
        "a",
        &[
            r#"1:2 neither a block nor an attribute | after `a` comes the end of the file | write a block: `a "name" { … }`"#,
        ],
    ),
    (
        "k \"n\"",
        &[
            r#"1:6 missing `{` | after the label comes the end of the file | write a block: `k "label" { … }`"#,
        ],
    ),
    (
        "k \"n\"\n{\n}\n",
        &[
            "2:1 `{` on the next line | a block's `{` ends the line of its label | move `{` up to the end of the line above",
        ],
    ),
    (
        "k\n{\n}\n",
        &[
            r#"1:1 block without a label | `k` has no name | write `k "name" {`"#,
            "2:1 `{` on the next line | a block's `{` ends the line of its label | move `{` up to the end of the line above",
        ],
    ),
    (
        "k \"n\" {\n  check \"x\"\n}",
        &[
            "2:12 missing `{` or `=` | after the label comes the end of the line | write `check = value`, or a block without a label: `check { … }`",
        ],
    ),
    (
        "k \"n\" {\n  check: \"x\"\n}",
        &[
            "2:8 neither a block nor an attribute | after `check` comes `:` | write `check = value` with `=` instead of `:`",
        ],
    ),
    (
        "k \"n\" {\n  check\n}",
        &[
            "2:8 neither a block nor an attribute | after `check` comes the end of the line | write `check = value`",
        ],
    ),
    (
        "k \"n\" {\n  a = 1 b = 2\n}",
        &[
            "2:9 missing line end | `b` comes after a whole attribute or block | put each attribute and each `}` on a line of its own",
        ],
    ),
    (
        "k \"n\" {\n  a = 1,\n  b = 2\n}",
        &[
            "2:8 missing line end | attributes are separated by line ends, not by commas | put each attribute and each `}` on a line of its own",
        ],
    ),
    (
        "k \"n\" { a = 1, b = 2 }",
        &[
            "1:14 missing line end | attributes are separated by line ends, not by commas | put each attribute and each `}` on a line of its own",
        ],
    ),
    (
        "k \"n\" { a = 1\n}",
        &[
            "2:1 one-line block with too much in it | the block starts on one line and goes on on the next | put `{`, each attribute and `}` on lines of their own",
        ],
    ),
    (
        "k \"n\" {\n  a = 1 }",
        &[
            "2:9 missing line end | `}` stands on the line of what it closes | put each attribute and each `}` on a line of its own",
        ],
    ),
    (
        "k \"n\" { e { a = 1 } }",
        &[
            "1:9 one-line block with too much in it | a block stands inside a one-line block | put `{`, each attribute and `}` on lines of their own",
        ],
    ),
    (
        "k \"n\" {} l \"m\" {}",
        &[
            "1:10 missing line end | `l` comes after a whole attribute or block | put each attribute and each `}` on a line of its own",
        ],
    ),
    (
        "k \"n\" {\n  e \"x\" {\n  }\n}",
        &[
            "2:5 label on a nested block | `e` is inside another block and cannot have a name | remove the label, or move the block out of the one around it",
        ],
    ),
    (
        "k \"n\" {\n  a = 1\n  b = 2\n  a = 3\n}",
        &[
            "4:3 duplicate attribute | `a` is set twice in one block | remove one of them | 2:3 set here first",
        ],
    ),
    (
        "k \"n\" {\n  a = 1\n  a {}\n}",
        &[
            "3:3 duplicate attribute | `a` is set twice in one block | remove one of them | 2:3 set here first",
        ],
    ),
    (
        "k \"n\" {\n  e {\n    a = 1\n    a = 2\n  }\n}",
        &[
            "4:5 duplicate attribute | `a` is set twice in one block | remove one of them | 3:5 set here first",
        ],
    ),
    (
        "k \"n\" {\n  v = \"a ${}\"\n}",
        &[
            "2:10 empty interpolation | nothing stands in `${}` | write an expression in it; for a literal `${` write `$${`",
        ],
    ),
    (
        "k \"n\" {\n  v = \"a\" \"b\"\n}",
        &[
            "2:11 missing line end | a string comes after a whole attribute or block | put each attribute and each `}` on a line of its own",
        ],
    ),
    ("k \"n\" = 1", &[r#"1:7 missing `{` | after the label comes `=` | write a block: `k "label" { … }`"#]),
    (
        "k \"n\" {\n  v == 1\n}",
        &["2:5 neither a block nor an attribute | after `v` comes `==` | write `v = value`"],
    ),
    (
        "k \"n\" {\n  a.b = 1\n}",
        &["2:4 neither a block nor an attribute | after `a` comes `.` | write `a = value`"],
    ),
];

const UNCLOSED: &[Row] = &[
    (
        "k \"n\" {\n  v = \"a\n  w = 0644\n}",
        &[
            r#"2:7 unclosed string | the line ends before the closing `"` | add `"`; for a text of several lines use a heredoc: `<<-END`"#,
            r#"3:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  v = <<END\n  x\n}",
        &[
            "2:7 unclosed heredoc | no line holds `END` alone | add a line with `END` and nothing else where the text ends",
        ],
    ),
    (
        "k \"n\" {\n  v = [1, 2\n  w = 0644\n}",
        &[
            "2:7 unclosed `[` | expected `,` or `]`, found `w` | add `,` between elements, or `]`",
            r#"3:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    ("k \"n\" {\n  v = (1\n}", &["2:7 unclosed `(` | expected `)`, found `}` | add `)`"]),
    (
        "k \"n\" {\n  v = [1, 2}\n}",
        &[
            "2:7 unclosed `[` | expected `,` or `]`, found `}` | add `,` between elements, or `]`",
            "3:1 unexpected `}` | no block is open here | remove it, or look for a `}` too many above",
        ],
    ),
    (
        "k \"n\" {\n  v = { a = 1\n\nl \"m\" {\n  w = 0644\n}",
        &[
            "2:7 unclosed `{` | expected a key or `}`, found `l` | add `}`",
            r#"5:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  v = {\n  a = 1\n}\n",
        &["1:7 unclosed block | this `{` has no `}` | add `}` on a line of its own where the block ends"],
    ),
    (
        "k \"n\" {\n  a = 1\n\nl \"m\" {\n  v = 0644\n}",
        &[
            "1:7 unclosed block | this `{` has no `}` | add `}` on a line of its own where the block ends | 4:1 the next block starts here",
            r#"5:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  a = 1\n",
        &["1:7 unclosed block | this `{` has no `}` | add `}` on a line of its own where the block ends"],
    ),
    ("k \"n\" {\n  /* a\n}", &["2:3 unclosed comment | `/*` has no `*/` | add `*/` where the comment ends"]),
    (
        "k \"n\" {\n  v = \"a ${t.b.c d\"\n  w = 0644\n}",
        &[
            "2:10 unclosed interpolation | expected `}`, found `d` | add `}`; for a literal `${` write `$${`",
            r#"3:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  v = \"a ${t.b.c\"\n  w = 0644\n}",
        &[
            "2:10 unclosed interpolation | expected `}`, found a string | add `}`; for a literal `${` write `$${`",
            r#"3:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  v = [1,\n  w = 2\n  x = 0644\n}",
        &[
            "2:7 unclosed `[` | expected `,` or `]`, found `=` | add `,` between elements, or `]`",
            r#"4:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    ("k \"n\" {\n  v = (1\n  w = 2\n}", &["2:7 unclosed `(` | expected `)`, found `w` | add `)`"]),
    (
        "k \"n {\n  a = 1\n}\nl \"m\" {}\na = 1",
        &[
            r#"1:3 unclosed string | the line ends before the closing `"` | add `"`; for a text of several lines use a heredoc: `<<-END`"#,
            r#"5:1 attribute outside a block | `a` is set outside of every block | move it into a block: `kind "name" { … }`"#,
        ],
    ),
    (
        "k \"n\" {\n  v = \"a${\"b\n  w = 0644\n}",
        &[
            r#"2:11 unclosed string | the line ends before the closing `"` | add `"`; for a text of several lines use a heredoc: `<<-END`"#,
            r#"3:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  v = \"a\nb\"\n}",
        &[
            r#"2:7 unclosed string | the line ends before the closing `"` | add `"`; for a text of several lines use a heredoc: `<<-END`"#,
        ],
    ),
    (
        "k \"n\" {\n  e {\n    v = 1\n\n}\n\nl \"m\" {\n}\n",
        &[
            "1:7 unclosed block | this `{` has no `}` | add `}` on a line of its own where the block ends | 7:1 the next block starts here",
        ],
    ),
];

#[test]
fn bodies() {
    BODIES.iter().for_each(|(text, problems)| check_diagnostics(text, problems));
}

#[test]
fn unclosed() {
    UNCLOSED.iter().for_each(|(text, problems)| check_diagnostics(text, problems));
}
