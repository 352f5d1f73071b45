//! Messages for mistakes in templates.

use super::print::check_problems;

/// An expression, and the problems that are reported.
const ROWS: &[(&str, &str)] = &[
    (
        "\"%{ if a }\"",
        "1:6 unclosed directive | this `if` has no `%{ endif }` | add `%{ endif }` where its text ends",
    ),
    (
        "\"%{ for x in y }\"",
        "1:6 unclosed directive | this `for` has no `%{ endfor }` | add `%{ endfor }` where its text ends",
    ),
    (
        "\"%{ endif }\"",
        "1:6 malformed directive | no `%{ if … }` is open here | remove it, or add `%{ if … }` before it",
    ),
    (
        "\"%{ else }\"",
        "1:6 malformed directive | no `%{ if … }` is open here | remove it, or add `%{ if … }` before it",
    ),
    (
        "\"%{ endfor }\"",
        "1:6 malformed directive | no `%{ for … }` is open here | remove it, or add `%{ for … }` before it",
    ),
    (
        "\"%{ if a }%{ endfor }\"",
        "1:15 malformed directive | `endfor` belongs to `for`, but an `if` is open here | close the `if` first, \
         with `%{ endif }` | 1:6 opened here",
    ),
    (
        "\"%{ for x in y }%{ endif }\"",
        "1:21 malformed directive | `endif` belongs to `if`, but a `for` is open here | close the `for` first, \
         with `%{ endfor }` | 1:6 opened here",
    ),
    (
        "\"%{ for x in y }%{ else }%{ endfor }\"",
        "1:21 malformed directive | `else` belongs to `if`, but a `for` is open here | close the `for` first, \
         with `%{ endfor }` | 1:6 opened here",
    ),
    (
        "\"%{ if a }%{ else }%{ else }%{ endif }\"",
        "1:24 malformed directive | `else` belongs to `if`, but this `if` has an `else` already | remove one of \
         them | 1:6 opened here",
    ),
    (
        "\"%{ if a }%{ else if b }%{ endif }\"",
        "1:23 malformed directive | `else` takes no condition | write `%{ else }%{ if … }`, with an `%{ endif }` of its own",
    ),
    (
        "\"%{ if a }%{ elif b }%{ endif }\"",
        "1:18 malformed directive | `elif` is not a directive | write `%{ else }%{ if … }`, with an `%{ endif \
         }` of its own",
    ),
    (
        "\"%{ if a }%{ end }\"",
        "1:18 malformed directive | `end` is not a directive | close with `%{ endif }` or `%{ endfor }`",
    ),
    (
        "\"%{ unless a }\"",
        "1:9 malformed directive | `unless` is not a directive | write `%{ if !condition }`",
    ),
    (
        "\"%{ while a }\"",
        "1:9 malformed directive | `while` is not a directive | write `%{ for value in list }`",
    ),
    (
        "\"%{http_code}\"",
        "1:8 malformed directive | `http_code` is not a directive | for a literal `%{` write `%%{`; directives \
         are `if`, `else`, `endif`, `for` and `endfor`",
    ),
    (
        "\"100%{\"",
        "1:9 malformed directive | expected `if` or `for`, found a string | for a literal `%{` write `%%{`, for a value `${`; directives are `%{ if … }` and `%{ for … }`",
    ),
    (
        "\"%{}\"",
        "1:6 malformed directive | expected `if` or `for`, found `}` | for a literal `%{` write `%%{`, for a value `${`; directives are `%{ if … }` and `%{ for … }`",
    ),
    (
        "\"%{ if }x%{ endif }\"",
        "1:9 missing value | expected a value after `if`, found `}` | write a value after it, or remove it",
    ),
    (
        "\"%{ if a x%{ endif }\"",
        "1:6 unclosed directive | expected `}`, found `x` | add `}`; for a literal `%{` write `%%{`",
    ),
    (
        "\"%{ if a",
        "1:6 unclosed directive | expected `}`, found the end of the file | add `}`; for a literal `%{` write `%%{`",
    ),
    (
        "\"%{ for x }%{ endfor }\"",
        "1:15 malformed `for` | expected `in`, found `}` | write `for value in list`, or `for key, value in map`",
    ),
    (
        "\"%{ for x in xs : x }%{ endfor }\"",
        "1:6 unclosed directive | expected `}`, found `:` | write `%{ for value in list }`, then the text, then `%{ endfor }`",
    ),
    (
        "\"%{ if a ~ }%{ endif }\"",
        "1:6 unclosed directive | expected `}`, found `~` | write `~}` without a space in between",
    ),
    (
        "\"${~}\"",
        "1:6 missing value | `${}` is empty | write an expression in it; for a literal `${` write `$${`",
    ),
    (
        "\"${a ~ }\"",
        "1:6 unclosed interpolation | expected `}`, found `~` | write `~}` without a space in between",
    ),
    (
        "\"${ ~a}\"",
        "1:9 missing value | `~` is not a value | write `${~` and `~}` without a space in between; strings need \
         quotes",
    ),
    ("\"${if a}\"", "1:6 malformed directive | `if` is not a value | write `%{` instead of `${`"),
    ("\"${else}\"", "1:6 malformed directive | `else` is not a value | write `%{` instead of `${`"),
    (
        "\"${a b}\"",
        "1:6 unclosed interpolation | expected `}`, found `b` | add `}`; for a literal `${` write `$${`",
    ),
    (
        "<<A\n%{ if a }\nA",
        "2:1 unclosed directive | this `if` has no `%{ endif }` | add `%{ endif }` where its text ends",
    ),
    (
        "<<A\n%{ if a\nA",
        "2:1 unclosed directive | expected `}`, found the end of the heredoc | add `}`; for a literal `%{` write `%%{`",
    ),
    (
        "<<A\n%{ if a }\n%{ for x in y }\n%{ endif }\nA",
        "4:1 malformed directive | `endif` belongs to `if`, but a `for` is open here | close the `for` first, \
         with `%{ endfor }` | 3:1 opened here",
    ),
];

#[test]
fn mistakes() {
    ROWS.iter().for_each(|(text, problems)| check_problems(text, problems));
}
