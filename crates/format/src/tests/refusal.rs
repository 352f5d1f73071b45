//! Texts that cannot be formatted.

use uphold_model::{Code, Severity, SourceId, Sources};

use crate::{Cause, format};

#[track_caller]
fn check(text: &str, cause: Cause, line: usize, column: usize) {
    let error = format(text).expect_err(text);
    assert_eq!((error.cause, error.at.line, error.at.column), (cause, line, column), "{text}");
    let mut sources = Sources::default();
    let source = sources.add("a.hcl", text);
    let diagnostic = error.diagnostic(source);
    let place = diagnostic.place.expect("a place");
    assert_eq!(sources.line_column(place), error.at, "{text}");
    assert!(!sources.text(place).is_empty(), "{text}: something to point to");
}

#[test]
fn unclosed_text() {
    check("a = \"b\n", Cause::UnclosedString, 1, 5);
    check("a = \"b", Cause::UnclosedString, 1, 5);
    check("a = \"b\\", Cause::UnclosedString, 1, 5);
    check("a = \"b\\\n\"", Cause::UnclosedString, 1, 5);
    check("a = \"${ \"b }\n", Cause::UnclosedString, 1, 9);
    check("a = \"${ \"b }\"\n", Cause::UnclosedInterpolation, 1, 6);
    check("é = \"${ b\n", Cause::UnclosedInterpolation, 1, 6);
    check("a = \"%{ if b\n", Cause::UnclosedInterpolation, 1, 6);
    check("a = \"${ { b }\n", Cause::UnclosedInterpolation, 1, 6);
    check("a = \"${ { b\n", Cause::UnclosedInterpolation, 1, 9);
    check("a = 1\nb = <<END\nc\nEND d\n", Cause::UnclosedHeredoc, 2, 5);
    check("a = <<END\n${b\nEND\n", Cause::UnclosedInterpolation, 2, 1);
    check("a = 1 /* b\n", Cause::UnclosedComment, 1, 7);
    check("a = \"${ /* }\"\n", Cause::UnclosedComment, 1, 9);
    check("a = [\n[1]\n", Cause::UnclosedBracket, 1, 5);
    check("a {\nb {\n}\n", Cause::UnclosedBracket, 1, 3);
}

#[test]
fn invalid_text() {
    check("a = 1\n}\n", Cause::UnopenedBracket, 2, 1);
    check("a = [(1]\n", Cause::WrongBracket { expected: ')', opened: 5 }, 1, 8);
    check("a = <<\n", Cause::MalformedHeredoc, 1, 5);
    check("a = <<END b\nEND\n", Cause::MalformedHeredoc, 1, 5);
    check("a = <<END", Cause::MalformedHeredoc, 1, 5);
    check("a = 'b'\n", Cause::StrayCharacter, 1, 5);
    check("a = b & c\n", Cause::StrayCharacter, 1, 7);
    check("a\rb\n", Cause::StrayCharacter, 1, 2);
    check("\u{feff}a = €\n", Cause::StrayCharacter, 1, 5);
}

#[test]
fn errors_have_a_hint() {
    let error = format("a = 1\nb = [(1]\n").expect_err("a wrong bracket");
    let expected = "line 2, column 8: unmatched bracket: the open bracket must be closed with `)`; \
                    close the inner bracket first";
    assert_eq!(error.to_string(), expected);
    let diagnostic = error.diagnostic(SourceId::FIRST);
    assert_eq!(diagnostic.severity(), Severity::Error);
    assert_eq!(diagnostic.code, Code::UnmatchedBracket);
    assert_eq!(diagnostic.fix.as_deref(), Some("close the inner bracket first"));
    let related: Vec<_> = diagnostic.related.iter().map(|r| (r.place.range(), r.label.as_str())).collect();
    assert_eq!(related, [(11..12, "opened here")]);
}
