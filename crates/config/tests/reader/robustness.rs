//! Fuzz tests of the reader: it handles every text.

use proptest::prelude::*;
use uphold_model::{META_ARGUMENTS, RESERVED_BLOCKS, RESERVED_ROOTS};

use crate::print::read_text;

/// A name without another meaning.
fn name() -> impl Strategy<Value = String> {
    "[a-zä][a-z0-9_-]{0,5}".prop_filter("no word of the language", |name| {
        let words = ["true", "false", "null", "for", "if", "in", "and", "or", "not", "is", "var"];
        let own = [&META_ARGUMENTS[..], &RESERVED_BLOCKS, &RESERVED_ROOTS];
        !words.contains(&name.as_str()) && !own.iter().any(|words| words.contains(&name.as_str()))
    })
}

fn quoted() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "[ -!#&-\\[\\]-~äé]{0,8}",
        r#"\\[nrt"\\]"#,
        Just("$${".to_owned()),
        Just("%%{x}".to_owned()),
        Just("\\u00e9".to_owned()),
        reference().prop_map(|reference| format!("${{{reference}}}")),
        (-99i64..99).prop_map(|i| format!("${{ {i} }}")),
    ];
    prop::collection::vec(part, 0..5).prop_map(|parts| format!("\"{}\"", parts.concat()))
}

fn reference() -> impl Strategy<Value = String> {
    let step = prop_oneof![
        name().prop_map(|name| format!(".{name}")),
        (0u8..9).prop_map(|i| format!("[{i}]")),
        "[a-z /]{1,4}".prop_map(|key| format!("[\"{key}\"]")),
    ];
    let first = prop_oneof![
        name().prop_map(|name| format!(".{name}")),
        "[a-z /]{1,4}".prop_map(|key| format!("[\"{key}\"]"))
    ];
    (name(), first, prop::collection::vec(step, 1..3))
        .prop_map(|(kind, first, steps)| kind + &first + &steps.concat())
}

fn heredoc() -> impl Strategy<Value = String> {
    let plain = || prop_oneof!["[ ]{0,6}[a-z$%\"'\\\\ ]{0,8}[a-z]", Just(String::new())];
    let line = prop_oneof![plain(), Just("    ${task.a.b} x".to_owned()), Just("   $${y}".to_owned())];
    let written =
        |head: &'static str| move |lines: Vec<String>| format!("{head}END\n{}\n    END", lines.join("\n"));
    prop_oneof![
        prop::collection::vec(line, 1..5).prop_map(written("<<")),
        // The other parser takes letters for indentation if lines with interpolations are indented unevenly.
        prop::collection::vec(plain(), 1..5).prop_map(written("<<-")),
    ]
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        quoted(),
        any::<i64>().prop_map(|i| i.to_string()),
        (-1e6f64..1e6).prop_map(|x| x.to_string()),
        prop::sample::select(vec!["true", "false", "null", "1e3", "-2.5E-1", "0"]).prop_map(str::to_owned),
        reference(),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        let entry = (name(), inner.clone()).prop_map(|(key, value)| format!("{key} = {value}"));
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec(inner.clone(), 1..4)
                .prop_map(|items| format!("[\n  {},\n]", items.join(",\n  "))),
            prop::collection::vec(entry, 0..4).prop_filter_map("keys once", |entries| {
                let mut keys: Vec<_> = entries.iter().map(|entry| entry.split(' ').next()).collect();
                keys.sort_unstable();
                keys.dedup();
                (keys.len() == entries.len()).then(|| format!("{{\n{}\n}}", entries.join("\n")))
            }),
            inner.prop_map(|inner| format!("({inner})")),
        ]
    })
}

fn block() -> impl Strategy<Value = String> {
    let value = prop_oneof![4 => expression(), 1 => heredoc()];
    let comment = prop::sample::select(vec!["", "", " # why", " // \" ${", " /* } */"]);
    let lines = prop::collection::btree_map(name(), (value, comment), 0..5);
    let inner = prop::collection::vec(expression(), 0..3);
    (name(), name(), lines, inner).prop_map(|(kind, label, lines, inner)| {
        let heredoc_safe =
            |value: &str, comment: &str| if value.ends_with("END") { "" } else { comment }.to_owned();
        let mut text = format!("{kind} \"/{label}\" {{\n");
        for (name, (value, comment)) in lines {
            text += &format!("  {name}-x = {value}{}\n", heredoc_safe(&value, comment));
        }
        for value in inner {
            text += &format!("  inner {{\n    v = {value}\n  }}\n");
        }
        text + "}\n"
    })
}

/// Valid documents.
pub(crate) fn document() -> impl Strategy<Value = String> {
    prop::collection::vec(block(), 0..4).prop_map(|blocks| blocks.concat())
}

/// Documents with one character removed or inserted.
pub(crate) fn mutated() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "", "", "\"", "{", "}", "[", "]", "(", ")", "\n", ",", "=", ".", "${", "%{", "<<A\n", "\\", "0", "a",
        " ", "#", "-", "/*", "*", "?", "é", "$", "\t",
    ]);
    (document(), any::<prop::sample::Index>(), token, any::<bool>()).prop_map(
        |(mut text, at, token, take)| {
            let places: Vec<usize> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
            let at = places[at.index(places.len())];
            if take && at < text.len() {
                text.remove(at);
            }
            text.insert_str(at, token);
            text
        },
    )
}

fn random_tokens() -> impl Strategy<Value = String> {
    let tokens = [
        "a",
        "k \"n\" {\n",
        "}\n",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "\"",
        "${",
        "%{",
        "$${",
        "<<A\n",
        "<<-A\n",
        "A\n",
        "\n",
        "=",
        " = ",
        ":",
        ",",
        ".",
        "...",
        "0644",
        "1.5",
        "-",
        "*",
        "?",
        "!",
        "==",
        "for",
        "true",
        "#",
        "/*",
        "*/",
        "\\",
        "\r\n",
        "é",
        "€",
        "~",
        "t.a.b",
        "action = ",
        "depends_on = [",
        "\u{feff}",
        "\0",
        " ",
        " in ",
        " if ",
        "=>",
        "&&",
        "||",
        "%",
        "<",
        "+ ",
        "[*]",
        ".*",
        "%{ if true }",
        "%{ for x in [1] }",
        "%{ else }",
        "%{ endif }",
        "%{ endfor }",
        "upper(",
        "try(",
        "local.x",
        "param.p",
        "each.key",
        "host.os",
        "module.m",
        "locals {\n",
        "param \"p\" {\n",
        "output \"o\" {\n",
        "module \"m\" {\n",
        "sequence {\n",
        "edit ",
        "trigger ",
        "declare ",
        "kind ",
        "type = ",
        "default = ",
        "value = ",
        "source = \"./m\"\n",
        "for_each = ",
        "when = ",
        "list(string)",
    ];
    prop::collection::vec(prop::sample::select(tokens.to_vec()), 0..60).prop_map(|tokens| tokens.concat())
}

/// Reads the text, and checks every place in the diagnostics.
pub(crate) fn answers(text: &str) {
    let (sources, reading) = read_text(text);
    for problem in reading.diagnostics.iter() {
        assert!(!problem.detail.is_empty() && problem.fix.is_some(), "{text:?}: {problem:?}");
        let place = problem.place.unwrap_or_else(|| panic!("{text:?}: no place: {problem:?}"));
        // Slicing panics if a place is not on a character boundary.
        let _ = (sources.text(place), sources.line_column(place));
        problem.related.iter().for_each(|related| assert!(sources.text(related.place).len() <= text.len()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>()) {
        answers(&text);
    }

    #[test]
    fn any_tokens(text in random_tokens()) {
        answers(&text);
    }

    #[test]
    fn any_change_of_a_document(text in mutated()) {
        answers(&text);
    }

    #[test]
    fn any_bytes_in_a_document(text in document(), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = text.into_bytes();
        if !bytes.is_empty() {
            changes.iter().for_each(|(at, byte)| { let at = at.index(bytes.len()); bytes[at] = *byte; });
        }
        answers(&String::from_utf8_lossy(&bytes));
    }
}
