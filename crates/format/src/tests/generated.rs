//! The invariants, on generated texts.
//!
//! A text is generated with placeholders for white space, and each is replaced by any white space that is allowed
//! there.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::law::{check, check_meaning};
use crate::format;

/// Optional white space.
const MAY: char = '\u{1}';
/// Required white space.
const MUST: char = '\u{2}';
/// White space, line breaks and comments: inside brackets.
const LINES: char = '\u{3}';
/// A line break, with a comment or blank lines.
const END: char = '\u{4}';

/// Replaces the placeholders in `text` by white space, as `choice` selects.
fn fill(text: &str, choice: &[u8]) -> String {
    let mut choice = choice.iter().copied().cycle();
    let mut pick = |list: &[&'static str]| list[usize::from(choice.next().unwrap_or(0)) % list.len()];
    let mut out = String::new();
    for sign in text.chars() {
        match sign {
            MAY => out.push_str(pick(&["", " ", "   ", "\t", "", " ", " /* c */ "])),
            MUST => out.push_str(pick(&[" ", "  ", "\t", " \t "])),
            LINES => {
                out.push_str(pick(&["", " ", "\n", "\r\n\t", " # c\n", "\n\n  ", "\n // d \n", "/* e\n */"]));
            }
            END => out.push_str(pick(&["\n", "  \n", "\r\n", " # c\n", "\t// d \n", "\n\n\n", "\n  # e\n"])),
            _ => out.push(sign),
        }
    }
    out
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "bc", "long_name", "x-y", "größe", "for_", "i"]).prop_map(str::to_owned)
}

fn simple() -> impl Strategy<Value = String> {
    let plain = [
        "1",
        "2.5",
        "1e3",
        "true",
        "null",
        "a",
        "b.c",
        "d[0].e",
        "f[*].g",
        "h.*.i",
        "j[\"k l\"]",
        "\"\"",
        "\"m\"",
        "\"日本\"",
        "\"n ${o} p\"",
        "\"${ q+1 }\"",
        "\"$${r} \\\" # s\"",
        "\"%{ if t }u%{ endif }\"",
        "[]",
        "{}",
        "v()",
    ];
    prop::sample::select(plain.to_vec()).prop_map(str::to_owned)
}

/// Values that can be operands without parentheses.
fn value() -> impl Strategy<Value = String> {
    simple().prop_recursive(4, 24, 4, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..4);
        let operator = prop::sample::select(vec!["+", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||"]);
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            list.clone().prop_map(|items| bracketed("[", &items, "]")),
            list.prop_map(|items| bracketed("f(", &items, ")")),
            prop::collection::vec((name(), inner.clone()), 0..4).prop_map(|members| object(&members)),
            (pair.clone(), operator)
                .prop_map(|((a, b), sign)| format!("({LINES}{a}{MAY}{sign}{MAY}{b}{LINES})")),
            pair.clone().prop_map(|(a, b)| format!("({a}{MUST}-{MUST}{b}{MAY})")),
            pair.clone().prop_map(|(a, b)| format!("({a}{MAY}?{MAY}-{MAY}{b}{MAY}:{MAY}!{MAY}{a})")),
            pair.clone().prop_map(|(a, b)| {
                format!("[{MAY}for{MUST}i{MUST}in{MUST}{a}{LINES}:{LINES}{b}{MUST}if{MUST}i{MAY}]")
            }),
            pair.prop_map(|(a, b)| {
                format!("{{{MAY}for{MUST}k{MAY},{MAY}v{MUST}in{MUST}{a}{MAY}:{LINES}k{MAY}=>{MAY}{b}{MAY}}}")
            }),
        ]
    })
}

fn bracketed(open: &str, items: &[String], close: &str) -> String {
    let items: Vec<String> = items.iter().map(|item| format!("{LINES}{item}{LINES}")).collect();
    format!("{open}{}{close}", items.join(","))
}

fn object(members: &[(String, String)]) -> String {
    let member = |(i, (key, value)): (usize, &(String, String))| {
        format!(
            "{MAY}{key}{i}{MAY}={MAY}{value}{}",
            if i % 2 == 0 { format!(",{END}") } else { END.to_string() }
        )
    };
    format!("{{{END}{}{MAY}}}", members.iter().enumerate().map(member).collect::<String>())
}

/// Attributes and blocks; a number makes each name unique.
fn body() -> impl Strategy<Value = String> {
    let attribute =
        (name(), value()).prop_map(|(name, value)| format!("{MAY}{name}#{MAY}={MAY}{value}{END}"));
    let heredoc = (name(), prop::sample::select(vec!["<<", "<<-"])).prop_map(|(name, sign)| {
        format!("{name}#{MAY}={MAY}{sign}END\n\t a  = ${{ b }}  \n\n  # c\n  END\n")
    });
    let blank = Just(END.to_string());
    let leaf = prop_oneof![6 => attribute, 1 => heredoc, 1 => blank];
    let structure = leaf.prop_recursive(3, 16, 5, |inner| {
        let body = prop::collection::vec(inner, 0..5).prop_map(|parts| parts.concat());
        let label = prop::sample::select(vec!["", "\"l m\"", "n"]);
        (name(), label, body)
            .prop_map(|(name, label, body)| format!("{name}{MUST}{label}{MAY}{{{END}{body}{MAY}}}{END}"))
    });
    prop::collection::vec(structure, 0..8).prop_map(|parts| numbered(&parts.concat()))
}

/// Each `#` right after a name becomes a number; comments come later, with the white space.
fn numbered(text: &str) -> String {
    let mut out = String::new();
    for (i, part) in text.split(&format!("#{MAY}")).enumerate() {
        if i > 0 {
            out.push_str(&format!("{i}{MAY}"));
        }
        out.push_str(part);
    }
    out
}

/// Any tokens in any order, with balanced brackets or not.
fn random_tokens() -> impl Strategy<Value = Vec<&'static str>> {
    let tokens = [
        "a",
        "b-c",
        "in",
        "if",
        "for",
        "1",
        "2.5",
        "0",
        "=",
        "==",
        "=>",
        "!",
        "!=",
        "-",
        "+",
        "/",
        "*",
        "%",
        "<",
        ">=",
        "&&",
        "||",
        "?",
        ":",
        "::",
        ".",
        "...",
        ",",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "\"s\"",
        "\"${ t }\"",
        "\"${\n}\"",
        "/* u */",
        "/* v\n*/",
        "# w\n",
        "//x\n",
        "<<E\n y\nE\n",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        "  ",
        "\t",
        "é",
    ];
    prop::collection::vec(prop::sample::select(tokens.to_vec()), 0..40)
}

/// Removes unmatched closing brackets, and closes open ones at the end.
fn in_pairs(tokens: &[&'static str]) -> String {
    let mut open = Vec::new();
    let mut out = String::new();
    for &token in tokens {
        match token {
            "{" => open.push("}"),
            "[" => open.push("]"),
            "(" => open.push(")"),
            "}" | "]" | ")" if open.pop_if(|close| *close == token).is_none() => continue,
            _ => {}
        }
        out.push_str(token);
    }
    open.iter().rev().for_each(|close| out.push_str(close));
    out
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1000,
        rng_seed: RngSeed::Fixed(3),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn valid_texts_keep_their_meaning(text in body(), choice in prop::collection::vec(any::<u8>(), 1..100)) {
        check_meaning(&fill(&text, &choice));
    }

    /// The result does not depend on the original white space within lines.
    #[test]
    fn white_space_within_lines_leaves_no_trace(text in body(), choice in prop::collection::vec(0..4_u8, 1..100)) {
        let plain = |sign: char| if matches!(sign, LINES | END) { '\n' } else { sign };
        let text: String = text.chars().map(plain).collect();
        prop_assert_eq!(format(&fill(&text, &choice)), format(&fill(&text, &[0])));
    }

    #[test]
    fn any_tokens_stay(tokens in random_tokens()) {
        let text = in_pairs(&tokens);
        prop_assume!(format(&text).is_ok());
        check(&text);
    }

    #[test]
    fn any_text_is_formatted_or_rejected(text in "[ -~\n\té€\"$%{}<#/*-]{0,80}") {
        if format(&text).is_ok() {
            check(&text);
        }
    }
}
