//! What people write who come from YAML, the shell or Terraform: one mistake, one message.

use crate::print::{check_diagnostics, read_text};

/// A text, and its problems: these and no others.
type Row = (&'static str, &'static [&'static str]);

const YAML: &[Row] = &[
    (
        "path: /srv/a\n",
        &[
            r#"1:1 YAML instead of HCL | this looks like YAML, and HCL is read here | write blocks: `file "/srv/a" { mode = "0644" }`"#,
        ],
    ),
    (
        "---\n- name: x\n  path: /srv/*\n  text: |\n    it's \"a\n- y\nfile \"a\" {\n  mode = 0644\n}\n",
        &[
            r#"1:1 YAML instead of HCL | this looks like YAML, and HCL is read here | write blocks: `file "/srv/a" { mode = "0644" }`"#,
            r#"8:10 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "file \"a\" {}\nmode: 1\nowner: root\n",
        &[
            r#"2:1 YAML instead of HCL | this looks like YAML, and HCL is read here | write blocks: `file "/srv/a" { mode = "0644" }`"#,
        ],
    ),
    (
        "file \"a\" {\n  mode: \"0644\"\n}",
        &[
            "2:7 neither a block nor an attribute | after `mode` comes `:` | write `mode = value` with `=` instead of `:`",
        ],
    ),
    (
        "k \"n\" {\n  v = yes\n  w = Off\n}",
        &[
            r#"2:7 not a reference | `yes` is neither text nor a reference | did you mean `true`? for text write "yes""#,
            r#"3:7 not a reference | `Off` is neither text nor a reference | did you mean `false`? for text write "Off""#,
        ],
    ),
    (
        "k \"n\" {\n  v = [No, on]\n}",
        &[
            r#"2:8 not a reference | `No` is neither text nor a reference | did you mean `false`? for text write "No""#,
            r#"2:12 not a reference | `on` is neither text nor a reference | did you mean `true`? for text write "on""#,
        ],
    ),
    (
        "k \"n\" {\n  u = None\n  v = nil\n  w = undefined\n}",
        &[
            r#"2:7 not a reference | `None` is neither text nor a reference | leave the line out; for text write "None""#,
            r#"3:7 not a reference | `nil` is neither text nor a reference | leave the line out; for text write "nil""#,
            r#"4:7 not a reference | `undefined` is neither text nor a reference | leave the line out; for text write "undefined""#,
        ],
    ),
];

const QUOTES: &[Row] = &[
    (
        "file '/srv/a' {\n  mode = 0644\n}",
        &[
            r#"1:6 wrong quotes | text stands in double quotes, not in `'` | write "/srv/a""#,
            r#"2:10 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "file “/srv/a” {\n  v = “hi”\n  w = „hi“\n  x = 0644\n}",
        &[
            r#"1:6 wrong quotes | text stands in double quotes, not in `“` | write "/srv/a""#,
            r#"2:7 wrong quotes | text stands in double quotes, not in `“` | write "hi""#,
            r#"3:7 wrong quotes | text stands in double quotes, not in `„` | write "hi""#,
            r#"4:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "file 'a'\n  mode = 0644\n}",
        &[
            r#"1:6 wrong quotes | text stands in double quotes, not in `'` | write "a""#,
            r#"1:9 missing `{` | after the label comes the end of the line | write a block: `file "label" { … }`"#,
            r#"2:10 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  check 'x'\n  v = 0644\n}",
        &[
            r#"2:9 wrong quotes | text stands in double quotes, not in `'` | write "x""#,
            r#"3:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  v = '/etc/*'\n  w = ['a', 'b']\n  x = { 'a' = 1 }\n  y = t['a'].b\n}",
        &[
            r#"2:7 wrong quotes | text stands in double quotes, not in `'` | write "/etc/*""#,
            r#"3:8 wrong quotes | text stands in double quotes, not in `'` | write "a""#,
            r#"4:9 wrong quotes | text stands in double quotes, not in `'` | write "a""#,
            r#"5:9 wrong quotes | text stands in double quotes, not in `'` | write "a""#,
        ],
    ),
    (
        "k \"n\" {\n  v = 'say \"a\"'\n  w = 'a\n  x = 0644\n}",
        &[
            r#"2:7 wrong quotes | text stands in double quotes, not in `'` | write "…""#,
            r#"3:7 wrong quotes | text stands in double quotes, not in `'` | write "…""#,
            r#"4:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  v = \"${file(\\\"x\\\")}\"\n}\nl \"m\" {\n  v = 0644\n}",
        &[
            "2:10 function call not available yet | `file` is not part of the language yet | write the result out, or text in quotes",
            r#"5:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  v = \"${t[\\\"x\\\"].y} a\"\n}",
        &[
            r#"2:12 wrong quotes | no text begins with an escaped quote | write `"` without the `\`, in `${…}` as well"#,
        ],
    ),
];

const SHELL: &[Row] = &[
    (
        "k \"n\" {\n  v = \"echo ${HOME}\"\n  w = \"${HOME}\"\n}",
        &[
            "2:15 not a reference | `HOME` names no value | for a shell variable write `$HOME` or `$${HOME}`; for a value name a resource: `kind.name.field`",
            "3:10 not a reference | `HOME` names no value | for a shell variable write `$HOME` or `$${HOME}`; for a value name a resource: `kind.name.field`",
        ],
    ),
    (
        "k \"n\" {\n  v = <<-END\n    echo ${HOME}\n  END\n}",
        &[
            "3:12 not a reference | `HOME` names no value | for a shell variable write `$HOME` or `$${HOME}`; for a value name a resource: `kind.name.field`",
        ],
    ),
    (
        "k \"n\" {\n  v = <<-END\n    echo ${HOME\n    rm /tmp/* \"\n  END\n  w = 0644\n}\nl \"m\" {\n  v = 0644\n}",
        &[
            "3:10 unclosed interpolation | expected `}`, found `rm` | add `}`; for a literal `${` write `$${`",
            r#"6:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
            r#"9:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  v = <<END\n${t.a.b\nEND\n  w = 0644\n}",
        &[
            "3:1 unclosed interpolation | expected `}`, found the end of the heredoc | add `}`; for a literal `${` write `$${`",
            r#"5:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "k \"n\" {\n  v = <<END\n${[1,\nEND\n  w = <<END\n${{ a = 1\nEND\n  x = <<END\n${\"a\nEND\n  y = 0644\n}",
        &[
            "3:3 unclosed `[` | expected `]`, found the end of the heredoc | add `]`",
            "6:3 unclosed `{` | expected `,`, a line end or `}`, found the end of the heredoc | add `,` between entries, or `}`",
            r#"9:3 unclosed string | the line ends before the closing `"` | add `"`; for a text of several lines use a heredoc: `<<-END`"#,
            r#"11:7 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
];

const TERRAFORM: &[Row] = &[
    (
        "resource \"file\" \"a\" {\n  mode = 0644\n}",
        &[
            r#"1:1 no keyword before the kind | there is no `resource` keyword | write `file "a" {`"#,
            r#"2:10 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "resource \"/a\" \"b\\\"c\" {}",
        &[r#"1:1 no keyword before the kind | there is no `resource` keyword | write `kind "name" {`"#],
    ),
    (
        "variable \"x\" {\n  default = 1\n}",
        &["1:1 block not available yet | `variable` is not part of the language yet | remove it"],
    ),
    (
        "directory \"${local.base}\" {\n}",
        &[
            "1:11 label is not plain text | a block's label is read first of all | write the name out, without `${…}`",
        ],
    ),
];

const BRACES: &[Row] = &[
    (
        "file \"a\"\n  mode = 0644\n}\n",
        &[
            r#"1:9 missing `{` | after the label comes the end of the line | write a block: `file "label" { … }`"#,
            r#"2:10 number with a leading zero | `0644` would be read as decimal | write "0644" or 0o644"#,
        ],
    ),
    (
        "file \"a\"\n  mode = 1\n\nfile \"b\" {}\n",
        &[
            r#"1:9 missing `{` | after the label comes the end of the line | write a block: `file "label" { … }`"#,
        ],
    ),
    (
        "k \"n\" { a = 1\n  b = 2 }",
        &[
            "2:3 one-line block with too much in it | the block starts on one line and goes on on the next | put `{`, each attribute and `}` on lines of their own",
        ],
    ),
    (
        "k \"n\" { a = 1\n\n  b = 2\n  c = 3 }",
        &[
            "3:3 one-line block with too much in it | the block starts on one line and goes on on the next | put `{`, each attribute and `}` on lines of their own",
        ],
    ),
    (
        "k \"n\" { a = 1\nl \"m\" {}",
        &[
            "1:7 unclosed block | this `{` has no `}` | add `}` on a line of its own where the block ends | 2:1 the next block starts here",
        ],
    ),
];

#[test]
fn from_yaml() {
    YAML.iter().for_each(|(text, problems)| check_diagnostics(text, problems));
}

#[test]
fn quotes() {
    QUOTES.iter().for_each(|(text, problems)| check_diagnostics(text, problems));
}

#[test]
fn shell_variables() {
    SHELL.iter().for_each(|(text, problems)| check_diagnostics(text, problems));
}

#[test]
fn from_terraform() {
    TERRAFORM.iter().for_each(|(text, problems)| check_diagnostics(text, problems));
}

#[test]
fn braces() {
    BRACES.iter().for_each(|(text, problems)| check_diagnostics(text, problems));
}

/// What is underlined.
#[test]
fn places_are_whole() {
    let check = |text: &str, expected: &[&str]| {
        let (sources, reading) = read_text(text);
        let shown = reading.diagnostics.iter().map(|problem| sources.text(problem.place.expect("written")));
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
    };
    check("directory \"${local.base}\" {\n}", &["\"${local.base}\""]);
    check("file 'a b' {}", &["'a b'"]);
    check("k \"n\" {\n  v = „hi“\n}", &["„hi“"]);
    check("k \"n\" {\n  v = [\n    param.x\n  ]\n}", &["param.x"]);
    check("k \"n\" {\n  depends_on = [\n    \"x\"\n  ]\n}", &["\"x\""]);
    check("file \"a\"", &[""]);
}
