//! Messages for mistakes in expressions.

use super::print::check_problems;

/// An expression, and the problems that are reported.
const ROWS: &[(&str, &str)] = &[
    (
        "a ? b",
        "1:10 malformed conditional | expected `:`, found the end of the line | write `condition ? value : other value` | 1:7 the conditional's `?`",
    ),
    (
        "a ? b, c",
        "1:10 malformed conditional | expected `:`, found `,` | write `condition ? value : other value` | 1:7 the conditional's `?`",
    ),
    (
        "a ? : c",
        "1:7 missing value | expected a value after `?`, found `:` | write a value after it, or remove it",
    ),
    (
        "a ?: c",
        "1:7 unknown operator | `?:` is not an operator of this language | write `coalesce(value, other)`, or `condition ? value : other`",
    ),
    (
        "a ?? b",
        "1:7 unknown operator | `??` is not an operator of this language | write `coalesce(value, other)`",
    ),
    (
        "a?.b",
        "1:6 unknown operator | `?.` is not an operator of this language | write `try(value.field, null)`",
    ),
    (
        "a ?\n b : c",
        "1:8 expression over several lines | an expression ends with its line | put the whole expression in parentheses, or on one line",
    ),
    (
        "a ? b\n : c",
        "1:10 expression over several lines | an expression ends with its line | put the whole expression in parentheses, or on one line",
    ),
    (
        "a +\n b\n + c",
        "1:8 expression over several lines | an expression ends with its line | put the whole expression in parentheses, or on one line",
    ),
    (
        "a\n && b\n && c",
        "1:6 expression over several lines | an expression ends with its line | put the whole expression in parentheses, or on one line",
    ),
    (
        "a\n .b",
        "1:6 expression over several lines | an expression ends with its line | put the whole expression in parentheses, or on one line",
    ),
    (
        "a +",
        "1:7 missing value | expected a value after `+`, found the end of the line | write a value after it, or remove it",
    ),
    (
        "(a + )",
        "1:8 missing value | expected a value after `+`, found `)` | write a value after it, or remove it",
    ),
    ("+ a", "1:5 missing value | `+` is not a value | remove `+`"),
    (
        "5%",
        "1:6 missing value | expected a value after `%`, found the end of the line | write a value after it; a percentage is a \
         string: write it in quotes",
    ),
    ("a & b", "1:7 unknown operator | `&` is not an operator of this language | write `&&`"),
    ("a | b", "1:7 unknown operator | `|` is not an operator of this language | write `||`"),
    ("a.b and c", "1:9 unknown operator | `and` is not an operator of this language | write `&&`"),
    ("(a or b)", "1:8 unknown operator | `or` is not an operator of this language | write `||`"),
    (
        "a.b in c",
        "1:9 unknown operator | `in` is not an operator of this language | write `contains(list, value)`",
    ),
    ("a.b is null", "1:9 unknown operator | `is` is not an operator of this language | write `==`"),
    (
        "not a",
        "1:5 unknown operator | `not` is not an operator of this language | write `!` before the condition; \
         strings need quotes",
    ),
    ("a === b", "1:7 unknown operator | `===` is not an operator of this language | write `==`"),
    ("a !== b", "1:7 unknown operator | `!==` is not an operator of this language | write `!=`"),
    (
        "a = b ? 1 : 2",
        "1:7 unknown operator | `=` is not an operator of this language | write `==` to compare",
    ),
    (
        "f(a = 1)",
        "1:9 unknown operator | `=` is not an operator of this language | write `==` to compare; arguments of functions have no names",
    ),
    (
        "f(a: 1)",
        "1:8 unexpected token | expected `,` or `)`, found `:` | write the value alone: arguments of functions have no names",
    ),
    ("a =< b", "1:7 unknown operator | `=<` is not an operator of this language | write `<=`"),
    (
        "a => b",
        "1:7 unknown operator | `=>` is not an operator of this language | write `>=` to compare; `=>` is \
         written between the key and the value of a `for`",
    ),
    (
        "a =~ b",
        "1:7 unknown operator | `=~` is not an operator of this language | write `can(regex(pattern, text))`",
    ),
    ("a <> b", "1:7 unknown operator | `<>` is not an operator of this language | write `!=`"),
    (
        "a ++ b",
        "1:7 unknown operator | `++` is not an operator of this language | write `+ 1`; values are immutable",
    ),
    (
        "a += 1",
        "1:7 unknown operator | `+=` is not an operator of this language | write `+`; values are immutable",
    ),
    (
        "a ** 2",
        "1:7 unknown operator | `**` is not an operator of this language | write `pow(number, exponent)`",
    ),
    (
        "if a { b }",
        "1:5 malformed conditional | there is no `if` expression | write `condition ? value : other value`",
    ),
    (
        "if(a, b, c)",
        "1:5 malformed conditional | there is no `if` expression | write `condition ? value : other value`",
    ),
    (
        "b if a else c",
        "1:7 malformed conditional | there is no `if` expression | write `condition ? value : other value`",
    ),
    ("f(a b)", "1:9 unexpected token | expected `,` or `)`, found `b` | add `,` between arguments, or `)`"),
    (
        "f(a",
        "1:6 unclosed bracket | expected `,` or `)`, found the end of the file | add `,` between arguments, or `)`",
    ),
    (
        "f(a..., b)",
        "1:11 unexpected token | expected `)` after `...`, found `,` | write `...` after the last argument, \
         right before `)`",
    ),
    (
        "f(...)",
        "1:7 missing value | `...` is not a value | join lists with `concat`, objects with `merge`; `...` follows the last argument of a call",
    ),
    ("f)", "1:6 unmatched bracket | `)` closes nothing | remove it, or add the one that opens"),
    (
        "ns::f(a)",
        "1:5 unknown operator | names do not contain `::` | write the name of the function alone, or a string \
         in quotes",
    ),
    (
        "a[]",
        "1:6 malformed index | the index is empty | write a number or a name in quotes; `[*]` is for all elements",
    ),
    (
        "a[1:2]",
        "1:8 unexpected token | expected `]`, found `:` | write one index; for a part of a list `slice(list, start, end)`",
    ),
    ("a[1", "1:6 unclosed bracket | expected `]`, found the end of the file | add `]`"),
    (
        "a..b",
        "1:7 incomplete reference | `.` is not a field name | write a name after `.`, or `[\"any name\"]` \
         instead of `.`",
    ),
    (
        "a.1e5",
        "1:7 malformed index | an index after `.` is a whole number | write a whole number, or `[index]` instead of `.`",
    ),
    (
        "a.*.b.*",
        "1:11 malformed index | `.*` takes fields only, not another splat | write `[*]` instead of `.*`",
    ),
    (
        "[for x]",
        "1:11 malformed `for` | expected `in`, found `]` | write `for value in list`, or `for key, value in map`",
    ),
    (
        "[for x of xs : x]",
        "1:12 malformed `for` | expected `in`, found `of` | write `for value in list`, or `for key, value in map`",
    ),
    (
        "[for in xs : x]",
        "1:10 malformed `for` | expected a name for each element, found `in` | write `for value in list`, or `for key, value in map`",
    ),
    (
        "[for x in]",
        "1:12 missing value | expected a value after `in`, found `]` | write a value after it, or remove it",
    ),
    (
        "[for x in xs]",
        "1:17 malformed `for` | expected `:` after the collection, found `]` | write `for value in list : result`",
    ),
    (
        "[for x in xs : ]",
        "1:18 missing value | expected a value after `:`, found `]` | write a value after it, or remove it",
    ),
    ("[for x in xs : x => y]", "1:22 malformed `for` | a list has no keys | write `{for …}` for an object"),
    (
        "[for x in xs : x...]",
        "1:21 malformed `for` | `...` groups values by their key, in objects only | remove it",
    ),
    (
        "[for x in xs : x, y]",
        "1:21 malformed `for` | a `for` makes one result for each element | remove what follows it",
    ),
    ("[for x in xs : x", "1:5 unclosed bracket | expected `]`, found the end of the file | add `]`"),
    (
        "[x for x in xs]",
        "1:8 unexpected token | expected `,` or `]`, found `for` | write `[for value in list : result]`",
    ),
    (
        "{for x in xs : x}",
        "1:21 malformed `for` | expected `=>` after the key, found `}` | write `{for key, value in map : key => value}`; for a list use `[for …]`",
    ),
    (
        "{for k, v in m : k = v}",
        "1:24 malformed `for` | expected `=>` after the key, found `=` | write `{for key, value in map : key => value}`; for a list use `[for …]`",
    ),
    ("{for k, v in m : k => v", "1:5 unclosed bracket | expected `}`, found the end of the file | add `}`"),
    (
        "for x in xs : x",
        "1:5 malformed `for` | a `for` must come first in a list or an object | write `[for value in list : \
         result]`, with nothing else in the brackets; join lists with `concat`, objects with `merge`",
    ),
    (
        "[1, for x in xs : x]",
        "1:9 malformed `for` | a `for` must come first in a list or an object | write `[for value in list : \
         result]`, with nothing else in the brackets; join lists with `concat`, objects with `merge`",
    ),
    ("{ a => 1 }", "1:9 unexpected token | expected `=` after the key, found `=>` | write `key = value`"),
    (
        "{ a -> 1 }",
        "1:9 unknown operator | `->` is not an operator of this language | write `key = value` in an object, `key => value` in a `for`",
    ),
    (
        "{ a == 1 }",
        "1:7 missing `{` or `=` | `==` compares; an entry is written with `=` | write `key = value`",
    ),
    (
        "{ a.b = 1 }",
        "1:7 ambiguous key | this key could be a name or a reference | put the key in parentheses, or in quotes",
    ),
    (
        "[...a]",
        "1:6 missing value | `...` is not a value | join lists with `concat`, objects with `merge`; `...` follows the last argument of a call",
    ),
    (
        "[a...]",
        "1:7 unexpected token | expected `,` or `]`, found `...` | join lists with `concat`; `...` follows the last argument of a call",
    ),
    (
        "${a}",
        "1:5 missing value | `$` is not a value | write the expression alone: `${…}` is only used inside strings",
    ),
    (
        "hello world",
        "1:5 string without quotes | `hello world` is neither an expression nor in quotes | write \"hello world\"",
    ),
    (
        "a and b",
        "1:5 string without quotes | `a and b` is neither an expression nor in quotes | write \"a and b\", or `&&` in a condition",
    ),
    (
        "1,5",
        "1:6 missing line break | attributes are separated by line breaks, not by commas | put each attribute \
         and each `}` on a line of its own",
    ),
];

#[test]
fn mistakes() {
    ROWS.iter().for_each(|(text, problems)| check_problems(text, problems));
}
