//! Problems of a configuration as text: with their places, excerpts and fixes.

use std::borrow::Cow;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use uphold_model::{Code, Diagnostic, Diagnostics, Place, Severity, is_invisible};

use crate::excerpt::Excerpt;
use crate::lines::Lines;

/// In the order of the texts, after problems of kind files and manifests, which may be the cause of an unknown kind. A
/// problem without a position comes last.
pub fn sorted(diagnostics: &Diagnostics) -> Vec<&Diagnostic> {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    let place = |place: Place| (place.source, place.start, place.end);
    let is_effect = |diagnostic: &Diagnostic| {
        !matches!(
            diagnostic.code,
            Code::UnusableManifest
                | Code::UnusableKind
                | Code::InvalidKind
                | Code::InvalidParentKind
                | Code::ScriptSyntax
                | Code::ScriptFailed
                | Code::KindsNotTrusted
                | Code::KindsNotRead
                | Code::IgnoredKinds
        )
    };
    sorted.sort_by_key(|one| (is_effect(one), one.place.is_none(), one.place.map(place)));
    sorted
}

/// One problem, with its place and a fix; no line end is added.
pub fn render(diagnostic: &Diagnostic, lines: &mut Lines<'_>, coloured: bool) -> String {
    let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let detail = clean(&diagnostic.detail);
    let mut group = Group::with_title(level.primary_title(diagnostic.summary()).id(diagnostic.code.id()));
    group = match diagnostic.place {
        Some(place) => spot(group, place, AnnotationKind::Primary, &detail, lines),
        None => group.element(Level::NOTE.message(detail)),
    };
    for related in &diagnostic.related {
        let label = clean(&related.label);
        group = spot(group, related.place, AnnotationKind::Context, &label, lines);
    }
    if let Some(fix) = &diagnostic.fix {
        group = group.element(Level::HELP.message(clean(fix)));
    }
    renderer.render(&[group])
}

/// Adds a place. Where the excerpt begins within a long line, the renderer would count the column
/// from there, so the position is written in words.
fn spot<'a>(
    group: Group<'a>,
    place: Place,
    kind: AnnotationKind,
    label: &str,
    lines: &mut Lines<'_>,
) -> Group<'a> {
    if lines.is_confidential(place) {
        let words = format!("at {}: {label}", clean(&lines.describe(place)));
        return group.element(Level::NOTE.message(words));
    }
    let Excerpt { text, span, is_shifted } = Excerpt::of(lines, place);
    let annotation = kind.span(span).label(label.to_owned());
    let snippet = Snippet::source(text).line_start(lines.position(place).line).annotation(annotation);
    if is_shifted {
        let words = format!("at {}, in a line too long to show whole", clean(&lines.describe(place)));
        return group.element(Level::NOTE.message(words)).element(snippet);
    }
    group.element(snippet.path(clean(lines.name(place)).into_owned()))
}

/// Text from outside that cannot control a terminal: invisible characters are shown as escapes. Line ends and tabs stay.
pub fn clean(text: &str) -> Cow<'_, str> {
    let is_control = |character: char| !matches!(character, '\n' | '\t') && is_invisible(character);
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_control(character) {
            safe.extend(character.escape_default());
        } else {
            safe.push(character);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use uphold_model::{SourceId, Sources};

    use super::*;

    fn rendered(text: &str, make: impl Fn(&dyn Fn(&str) -> Place) -> Diagnostic) -> String {
        let mut sources = Sources::default();
        let source = sources.add("site.hcl", text);
        let place = |part: &str| {
            let start = u32::try_from(text.find(part).expect("it is there")).expect("a short text");
            Place { source, start, end: start + u32::try_from(part.len()).expect("short") }
        };
        render(&make(&place), &mut Lines::new(&sources), false)
    }

    #[test]
    fn a_problem_shows_its_place_its_kin_and_a_fix() {
        let text = "log \"a\" {}\nlog \"b\" {}\n\nlog \"a\" {\n}\n";
        let shown = rendered(text, |place| {
            let second = Place { start: 23, end: 30, ..place("log \"a\"") };
            Diagnostic::new(Code::DuplicateResource, "log.a is declared twice")
                .at(second)
                .and_at(place("log \"a\""), "first declared here")
                .fix("give one of them another name")
        });
        assert_eq!(
            shown,
            "\
error[E0501]: duplicate resource
 --> site.hcl:4:1
  |
4 | log \"a\" {
  | ^^^^^^^ log.a is declared twice
  |
 ::: site.hcl:1:1
  |
1 | log \"a\" {}
  | ------- first declared here
  |
  = help: give one of them another name"
        );
    }

    #[test]
    fn a_place_far_out_in_a_line_is_told_in_words() {
        let text = format!("x = [{}HERE]\n", "1, ".repeat(100_000));
        let shown =
            rendered(&text, |place| Diagnostic::new(Code::InvalidReference, "this").at(place("HERE")));
        assert!(shown.contains("at site.hcl:1:300006, in a line too long to show whole"), "{shown}");
        assert!(shown.len() < 1_000, "{shown}");
    }

    #[test]
    fn problems_are_told_in_the_order_of_the_text() {
        let at = |start| Place { source: SourceId::FIRST, start, end: start };
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(Diagnostic::new(Code::ParamsNotRead, ""));
        diagnostics.push(Diagnostic::new(Code::UnknownKind, "").at(at(9)));
        diagnostics.push(Diagnostic::new(Code::UnusedLocal, "").at(at(1)));
        let order: Vec<Code> = sorted(&diagnostics).iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(order, [Code::UnusedLocal, Code::UnknownKind, Code::ParamsNotRead]);
    }

    #[test]
    fn text_from_outside_cannot_command_the_terminal() {
        let check = |text: &str, expected: &str| assert_eq!(clean(text), expected);
        check("plain\n\ttext", "plain\n\ttext");
        check("a\u{1b}[31mred", r"a\u{1b}[31mred");
        check("dos\r\n", "dos\\r\n");
        check("trojan\u{202e}txt", r"trojan\u{202e}txt");
        check("a\u{200b}b\u{e0001}", r"a\u{200b}b\u{e0001}");
    }
}
