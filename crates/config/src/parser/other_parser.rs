//! Comparison with another parser of the same language (`hcl-edit`).

use hcl_edit::structure::Body;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::print::printed_file;

/// Whether the other parser accepts this file.
fn accepted(text: &str) -> bool {
    text.parse::<Body>().is_ok()
}

/// Expressions that both accept.
const ACCEPTED: &[&str] = &[
    "1 + 2 * 3 - 4 / 5 % 6",
    "a || b && c == d != e < f <= g > h >= i",
    "!a",
    "!!a",
    "-a",
    "- a",
    "-a.b",
    "-(1 + 2)",
    "!(a && b)",
    "a -5",
    "a - 5",
    "a-5",
    "1-5",
    "a - -5",
    "a ? b : c",
    "a ? b : c ? d : e",
    "a ? b ? c : d : e",
    "(a\n ? b\n : c)",
    "f()",
    "f(a)",
    "f(a, b,)",
    "f(\n  a,\n  b\n)",
    "f(a...)",
    "f(g(h(1)))",
    "f(a)[0]",
    "f(a).b",
    "a.b.c",
    "a[\"b\"]",
    "a[b.c]",
    "a[1 + 2]",
    "a.0",
    "a.0.b",
    "a.b.0.c",
    "[1, 2][0]",
    "{ a = 1 }.a",
    "(a).b",
    "a[*]",
    "a[*].b",
    "a[*].b[0]",
    "a[*].b[*].c",
    "a.*",
    "a.*.b",
    "a.*.b.c",
    "a.*.b[0]",
    "[for x in xs : x]",
    "[for k, v in m : v if k != \"a\"]",
    "{for k, v in m : k => v}",
    "{for k, v in m : v => k... if k}",
    "{\n for k, v in m :\n k => v\n }",
    "[\n for x in xs :\n x\n if c\n]",
    "{}",
    "{ a = 1, \"b\" : 2, 3 = 4, (c) = 5 }",
    "{\n a = 1\n b = 2\n\n c = 3,\n}",
    "{ \"a${b}\" = 1 }",
    "{ true = 1 }",
    "[]",
    "[1,]",
    "[\n]",
    "(1)",
    "((1))",
    "(\n1\n)",
    r#""""#,
    r#""${x}""#,
    r#""a${x}b""#,
    r#"" ${~ x ~} ""#,
    r#""a ${~x~} b""#,
    r#""$${x} %%{y} $x 5%""#,
    r#""%{ if c }a%{ endif }""#,
    r#""%{ if c }a%{ else }b%{ endif }!""#,
    r#""%{if c~} a %{~else~} b %{~endif~} !""#,
    r#""%{ for x in xs }${x},%{ endfor }""#,
    r#""%{ for k, v in m }%{ if k }a${v}%{ endif }%{ endfor }""#,
    r#""${"a${"b${c}"}"}""#,
    r#""${a ? "b" : "c"}""#,
    r#""${f("x")}""#,
    "\"${\n a\n}\"",
    "<<A\n  a\n b\nA",
    "<<-A\n    a\n      b\n    A",
    "<<A\n${x ~}\nA",
    "<<A\n%{ if c ~}\nd\n%{ else ~}\ne\n%{ endif ~}\nA",
    "\"a\" + \"b\"",
    "a == null",
    "1.5e3 > 2",
    "a && b || c",
    "{ a = [for x in xs : x] }",
    "f({ a = 1 })",
    "f([1, 2]...)",
];

/// Expressions that both reject.
const REFUSED: &[&str] = &[
    "a +",
    "+ a",
    "* a",
    "a + )",
    "(a",
    "a)",
    "a ? b",
    "a ? b :",
    "a ? : c",
    "a ?: c",
    "a ?? b",
    "a === b",
    "a = b",
    "(a = b)",
    "a & b",
    "a | b",
    "a ^ b",
    "a ++ b",
    "a += 1",
    "a ** b",
    "a <> b",
    "a => b",
    "a and b",
    "not a",
    "if a then b",
    "f(a b)",
    "f(a",
    "f(,)",
    "f(a,,b)",
    "f(...)",
    "f(a..., b)",
    "f(a; b)",
    "f(a = 1)",
    "a[]",
    "a[1",
    "a[1, 2]",
    "a[1:2]",
    "a.",
    "a..b",
    "a.-1",
    "a.\"b\"",
    "a.(b)",
    "a.[0]",
    "[for x]",
    "[for x in]",
    "[for x in xs]",
    "[for x in xs x]",
    "[for x in xs : ]",
    "[for x of xs : x]",
    "[for x, in xs : x]",
    "[for x, y, z in xs : x]",
    "[for (x, y) in xs : x]",
    "[for x in xs : x",
    "[x for x in xs]",
    "{for x in xs : x}",
    "{for k, v in m : k = v}",
    "{for k, v in m : k => }",
    "for x in xs : x",
    "[for x in xs : x => y]",
    "[for x in xs : x, y]",
    "{ a, b }",
    "{ a 1 }",
    "{ ...a }",
    "[...a]",
    "[1 2]",
    "[,]",
    "{,}",
    r#""%{ if a }""#,
    r#""%{ endif }""#,
    r#""%{ else }""#,
    r#""%{ if a }%{ endfor }""#,
    r#""%{ for x in y }%{ endif }""#,
    r#""%{ if a }%{ else }%{ else }%{ endif }""#,
    r#""%{ if a }%{ else if b }%{ endif }""#,
    r#""%{ if a }%{ elif b }%{ endif }""#,
    r#""%{ }""#,
    r#""%{ a }""#,
    r#""%{ for x }%{ endfor }""#,
    r#""${}""#,
    r#""${~}""#,
    r#""${a b}""#,
    r#""${a""#,
    "a\n && b",
    "a &&\n b",
    "a ? b\n : c",
    "\"a\" \"b\"",
    "1 2",
    "${a}",
    "$a",
    "@a",
];

#[test]
fn same_answers() {
    let check = |expression: &str, expected: bool| {
        let text = format!("v = {expression}\n");
        let ours = printed_file(&text);
        assert_eq!(!ours.starts_with('!'), expected, "we: {text}{ours}");
        assert_eq!(accepted(&text), expected, "the other parser: {text}");
    };
    ACCEPTED.iter().for_each(|expression| check(expression, true));
    REFUSED.iter().for_each(|expression| check(expression, false));
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "a",
        "b-1",
        "true",
        "null",
        "1",
        "-2",
        "0.5",
        "\"t\"",
        "\"t${a}\"",
        "x.y",
        "x[0].z",
        "x.0",
        "[]",
        "{}",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 24, 3, |inner| {
        let operator =
            prop::sample::select(vec!["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"]);
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (inner.clone(), operator, inner.clone()).prop_map(|(a, o, b)| format!("{a} {o} {b}")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            inner.clone().prop_map(|a| format!("!({a})")),
            inner.clone().prop_map(|a| format!("-({a})")),
            two.clone().prop_map(|(a, b)| format!("f({a}, {b}...)")),
            two.clone().prop_map(|(a, b)| format!("[{a},\n {b}]")),
            two.clone().prop_map(|(a, b)| format!("{{ k = {a}, (j) = {b} }}")),
            two.clone().prop_map(|(a, b)| format!("({a})[{b}].c")),
            inner.clone().prop_map(|a| format!("({a})[*].c[0]")),
            two.clone().prop_map(|(a, b)| format!("[for v in {a} : {b} if v]")),
            two.clone().prop_map(|(a, b)| format!("{{for k, v in {a} : \"x${{k}}\" => {b}}}")),
            two.clone().prop_map(|(a, b)| format!("\"%{{ if {a} ~}} p ${{{b} ~}} %{{ endif }}\"")),
            two.prop_map(|(a, b)| format!("\"%{{ for v in {a} }}q${{~ {b} }}%{{ endfor }}\"")),
        ]
    })
}

// The seed is fixed: a rare quirk of the other parser must not fail an unrelated build.
proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, rng_seed: RngSeed::Fixed(3), ..ProptestConfig::default() })]

    #[test]
    fn generated(expression in expression()) {
        let text = format!("v = {expression}\n");
        let ours = printed_file(&text);
        prop_assert_eq!(ours.starts_with('!'), !accepted(&text), "{}{}", text, ours);
    }

    #[test]
    fn mutated(
        expression in expression(),
        at in any::<prop::sample::Index>(),
        sign in prop::sample::select(SIGNS),
        take in any::<bool>(),
    ) {
        let at = at.index(expression.len() + 1);
        let (head, mut tail) = expression.split_at(at);
        if take && !tail.is_empty() {
            tail = &tail[1..];
        }
        let text = format!("v = {head}{sign}{tail}\n");
        let ours = printed_file(&text);
        let same = ours.starts_with('!') != accepted(&text);
        prop_assert!(same || known(&text, &ours), "{}{}", text, ours);
    }
}

/// Characters that mutate an expression.
const SIGNS: &[&str] = &[
    "", "(", ")", "[", "]", "{", "}", "?", ":", ",", "+", "!", ".", "*", "\"", "~", "%{", "${", "=", "a",
    "1", " ", "if", "for ", "...", "\n",
];

/// Whether a difference from the other parser is known.
fn known(text: &str, ours: &str) -> bool {
    // It needs no blank between a word and the next token: `inx` is `in x`.
    let glued = [" in", " if"].iter().any(|word| {
        text.match_indices(word).any(|(i, _)| text[i + 3..].starts_with(|c: char| c.is_alphanumeric()))
    });
    match ours {
        // We reject more than HCL does.
        "! number with a leading zero" | "! malformed number" => true,
        "! malformed conditional" => text.contains("if"),
        // After any bracket, it continues on the next line.
        "! expression over several lines" => text.contains([')', ']', '}']),
        // Between directives, it takes quotes and line breaks for text, even in a quoted string.
        _ if ours.starts_with('!') => glued || text.contains("%{") || text.contains("\n\""),
        // It accepts no line break after `!`, not even in brackets, and no key named `for`.
        _ => text.contains("!\n") || text.contains("{ for "),
    }
}
