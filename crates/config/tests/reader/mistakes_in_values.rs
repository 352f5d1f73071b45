//! Mistakes in values: what is said, where, and what to do about it.

use crate::print::check_diagnostics;

/// A text, and its problems: these and no others.
type Row = (&'static str, &'static [&'static str]);

const VALUES: &[Row] = &[
    (
        "k \"n\" {\n  a = \n  b = 0644\n}",
        &[
            "2:5 missing value | nothing comes after `=` | write the value on the same line",
            r#"3:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  v = 0644\n}",
        &[r#"2:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#],
    ),
    (
        "k \"n\" {\n  v = 089\n}",
        &[
            r#"2:7 number with a leading zero | `089` would be read as decimal | write "089", or the number without the zero"#,
        ],
    ),
    (
        "k \"n\" {\n  v = 0x1f\n}",
        &[r#"2:7 malformed number | `0x1f` is not a number | write digits only, or text: "0x1f""#],
    ),
    (
        "k \"n\" {\n  v = 1.2.3\n}",
        &[r#"2:7 malformed number | `1.2.3` is not a number | write digits only, or text: "1.2.3""#],
    ),
    (
        "k \"n\" {\n  v = 1e999\n}",
        &[
            r#"2:7 number too large | `1e999` has no exact or near value | write a smaller number, or "1e999""#,
        ],
    ),
    (
        "k \"n\" {\n  v = \"a\\qb\"\n}",
        &[
            r#"2:9 unknown escape | `\q` means nothing | use one of \n \r \t \" \\ \uNNNN \UNNNNNNNN, or write `\\` for a backslash"#,
        ],
    ),
    (
        "k \"n\" {\n  v = \"\\uD800\"\n}",
        &[
            r#"2:8 unknown escape | `\uD800` means nothing | use one of \n \r \t \" \\ \uNNNN \UNNNNNNNN, or write `\\` for a backslash"#,
        ],
    ),
    (
        "k \"n\" {\n  v = 'a'\n}",
        &[r#"2:7 wrong quotes | text stands in double quotes, not in `'` | write "a""#],
    ),
    (
        "k \"n\" {\n  v = /etc/motd\n}",
        &[
            "2:7 missing value | `/` is no value | write text in quotes, a number, a list, an object or a reference",
        ],
    ),
    (
        "k \"n\" {\n  v = <<END x\n  x\nEND\n}",
        &[
            "2:7 malformed heredoc | the line of `<<` ends with the marker | write `<<-END`, the text on lines of its own, then a line with `END`",
        ],
    ),
    (
        "k \"n\" {\n  v = << \n}",
        &[
            "2:7 malformed heredoc | the line of `<<` ends with the marker | write `<<-END`, the text on lines of its own, then a line with `END`",
        ],
    ),
    (
        "k \"n\" {\n  v = [1 2]\n}",
        &["2:10 unexpected text | expected `,` or `]`, found `2` | add `,` between elements, or `]`"],
    ),
    (
        "k \"n\" {\n  v = { a = 1 b = 2 }\n}",
        &[
            "2:15 unexpected text | expected `,`, a line end or `}`, found `b` | add `,` between entries, or `}`",
        ],
    ),
    (
        "k \"n\" {\n  v = { a 1 }\n}",
        &["2:11 unexpected text | expected `=` after the key, found `1` | write `key = value`"],
    ),
    (
        "k \"n\" {\n  v = { a = 1, a = 2 }\n}",
        &["2:16 duplicate key | `a` is set twice | remove one of them | 2:9 set here first"],
    ),
    (
        "}\nk \"n\" {}",
        &["1:1 unexpected `}` | no block is open here | remove it, or look for a `}` too many above"],
    ),
    (
        "\"k\" \"n\" {\n a = 1\n}",
        &[
            "1:1 unexpected text | a block or an attribute starts with a name, not with a string | write names on the left without quotes",
        ],
    ),
    (
        "k \"n\" {\n  ; = 1\n}",
        &[
            "2:3 unexpected text | a block or an attribute starts with a name, not with `;` | remove it, or write `name = value`",
        ],
    ),
    (
        "k \"${x}\" {}",
        &[
            "1:3 label is not plain text | a block's label is read first of all | write the name out, without `${…}`",
        ],
    ),
    (
        "k \"n\" {\n  v = \"a${null}\"\n}",
        &[
            "2:11 cannot be written as text | null cannot be part of a text | leave it out, or give it a value",
        ],
    ),
    (
        "k \"n\" {\n  v = \"a${[1]}\"\n}",
        &[
            "2:11 cannot be written as text | a list cannot be part of a text | use text, a number or a bool; for the value itself leave the text around it out",
        ],
    ),
    (
        "k \"n\" {\n  v = €\n}",
        &[
            "2:7 missing value | `€` is no value | write text in quotes, a number, a list, an object or a reference",
        ],
    ),
    (
        "k \"n\" {\n  v = [,]\n}",
        &[
            "2:8 missing value | `,` is no value | write text in quotes, a number, a list, an object or a reference",
        ],
    ),
    (
        "k \"n\" {\n  v = {{a}}\n}",
        &["2:8 unexpected text | expected a key or `}`, found `{` | write `key = value`, or close with `}`"],
    ),
];

const UNAVAILABLE: &[Row] = &[
    (
        "k \"n\" {\n  v = \"%{ if true }a%{ endif }\"\n  w = 0644\n}",
        &[
            "2:8 template directive not available yet | `%{` is not part of the language yet | write the text out; for a literal `%{` write `%%{`",
            r#"3:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  v = \"a ${~ 1 ~} b\"\n}",
        &[
            "2:12 trim marker not available yet | `~` is not part of the language yet | remove `~` and the space around the interpolation",
        ],
    ),
    (
        "k \"n\" {\n  v = 1 + 2\n}",
        &["2:9 operator not available yet | `+` is not part of the language yet | write the result out"],
    ),
    (
        "k \"n\" {\n  v = !t.a.b\n}",
        &["2:7 operator not available yet | `!` is not part of the language yet | write the result out"],
    ),
    (
        "k \"n\" {\n  v = -t.a.b\n}",
        &["2:7 operator not available yet | `-` is not part of the language yet | write the result out"],
    ),
    (
        "k \"n\" {\n  v = t.a.b ? 1 : 2\n}",
        &["2:13 conditional not available yet | `?` is not part of the language yet | write the result out"],
    ),
    (
        "k \"n\" {\n  v = upper(\"x\")\n}",
        &[
            "2:7 function call not available yet | `upper` is not part of the language yet | write the result out, or text in quotes",
        ],
    ),
    (
        "k \"n\" {\n  v = [for x in t.a.b : x]\n}",
        &["2:8 `for` not available yet | `for` is not part of the language yet | write the elements out"],
    ),
    (
        "k \"n\" {\n  v = { for k, v in t.a.b : k => v }\n}",
        &["2:9 `for` not available yet | `for` is not part of the language yet | write the elements out"],
    ),
    (
        "k \"n\" {\n  v = t.a.b[*].c\n}",
        &[
            "2:13 splat not available yet | `*` is not part of the language yet | refer to each element by its number",
        ],
    ),
    (
        "k \"n\" {\n  v = t.a.*.c\n}",
        &[
            "2:11 splat not available yet | `*` is not part of the language yet | refer to each element by its number",
        ],
    ),
    (
        "k \"n\" {\n  v = [1, 2][0]\n}",
        &[
            "2:13 member access not available yet | `[` is not part of the language yet | write the member out; only references have fields",
        ],
    ),
    (
        "k \"n\" {\n  v = param.x\n}",
        &[
            "2:7 reference not available yet | `param.x` is not part of the language yet | write the value out",
        ],
    ),
    (
        "param \"x\" {\n  default = 1\n}",
        &["1:1 block not available yet | `param` is not part of the language yet | remove it"],
    ),
    (
        "k \"n\" {\n  notifies = [t.a]\n  only_if = \"x\"\n  retry {}\n}",
        &[
            "2:3 meta argument not available yet | `notifies` is not part of the language yet | remove it",
            "3:3 meta argument not available yet | `only_if` is not part of the language yet | remove it",
            "4:3 meta argument not available yet | `retry` is not part of the language yet | remove it",
        ],
    ),
    (
        "k \"n\" {\n  v = 1..2\n}",
        &[
            "2:8 member access not available yet | `.` is not part of the language yet | write the member out; only references have fields",
        ],
    ),
];

const REFERENCES: &[Row] = &[
    (
        "k \"n\" {\n  v = hello world\n}",
        &[
            r#"2:7 not a reference | `hello` is neither text nor a reference | write "hello" for text, or `hello.name` for a resource"#,
        ],
    ),
    (
        "k \"n\" {\n  v = True\n}",
        &[
            r#"2:7 not a reference | `True` is neither text nor a reference | did you mean `true`? for text write "True""#,
        ],
    ),
    (
        "k \"n\" {\n  v = flase\n}",
        &[
            r#"2:7 not a reference | `flase` is neither text nor a reference | did you mean `false`? for text write "flase""#,
        ],
    ),
    (
        "k \"n\" {\n  v = { a.b = 1 }\n}",
        &[
            "2:9 ambiguous key | a key that is a reference must be marked | put the key in parentheses, or in quotes",
        ],
    ),
    (
        "k \"n\" {\n  v = t.a[t.b.c]\n}",
        &[
            "2:11 index is not a literal | what a reference points to is known from the start | write plain text in quotes, or a whole number",
        ],
    ),
    (
        "k \"n\" {\n  v = t[0]\n}",
        &[
            r#"2:9 resource named by a number | a resource's name is text | write the name in brackets and quotes: `kind["name"]`"#,
        ],
    ),
    (
        "k \"n\" {\n  v = t.a.\n}",
        &[
            r#"2:11 incomplete reference | the end of the line is no name of a field | write a name after `.`, or `["any name"]` instead of `.`"#,
        ],
    ),
    (
        "k \"n\" {\n  v = t.a.b[-1]\n}",
        &[
            "2:13 index is not a literal | what a reference points to is known from the start | write plain text in quotes, or a whole number",
        ],
    ),
    (
        "k \"n\" {\n  depends_on = t.a\n}",
        &[
            "2:16 meta argument of the wrong type | `depends_on` is a list | write a list: `depends_on = [kind.name]`",
        ],
    ),
    (
        "k \"n\" {\n  depends_on = [t.a.b, \"x\", y]\n}",
        &[
            "2:17 dependency on a field | `t.a.b` is a field | write `t.a`",
            r#"2:24 not a reference | `"x"` is not a resource | write `kind.name` or `kind["name"]`, without quotes around"#,
            r#"2:29 not a reference | `y` is neither text nor a reference | write "y" for text, or `y.name` for a resource"#,
        ],
    ),
    (
        "k \"n\" {\n  sensitive = \"yes\"\n  auto_edges = 1\n}",
        &[
            r#"2:15 meta argument of the wrong type | `"yes"` is neither `true` nor `false` | write `true` or `false`"#,
            "3:16 meta argument of the wrong type | `1` is neither `true` nor `false` | write `true` or `false`",
        ],
    ),
    (
        "k \"n\" {\n  action = 5\n}",
        &[
            r#"2:12 action is not a word | `5` is not the name of an action | write "converge", "remove", "nothing", a verb of the kind, or a list of them"#,
        ],
    ),
    (
        "k \"n\" {\n  action = [\"remove\", t.a]\n}",
        &[
            r#"2:23 action is not a word | `t.a` is not the name of an action | write "converge", "remove", "nothing", a verb of the kind, or a list of them"#,
        ],
    ),
    (
        "k \"n\" {\n  action {}\n}",
        &["2:3 meta argument written as a block | `action` is a meta argument | write `action = …`"],
    ),
    (
        "k \"n\" {\n  v = a = 1\n}",
        &[
            r#"2:7 not a reference | `a` is neither text nor a reference | write "a" for text, or `a.name` for a resource"#,
        ],
    ),
];

#[test]
fn values() {
    VALUES.iter().for_each(|(text, problems)| check_diagnostics(text, problems));
}

#[test]
fn not_available_yet() {
    UNAVAILABLE.iter().for_each(|(text, problems)| check_diagnostics(text, problems));
}

#[test]
fn references_and_meta_arguments() {
    REFERENCES.iter().for_each(|(text, problems)| check_diagnostics(text, problems));
}
