//! Diagnostics as text: with locations, excerpts and fixes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use uphold_model::{
    Code, Diagnostic, Diagnostics, LineColumn, LineIndexes, Outline, Place, Severity, SourceId, Sources,
    is_invisible,
};

/// The diagnostics in source order. Unusable manifests come first: they may be why a kind is unknown. Diagnostics without
/// a place come last.
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

/// One diagnostic with its place and a fix, without a line end.
pub fn render(diagnostic: &Diagnostic, lines: &mut Lines<'_>, coloured: bool) -> String {
    let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let detail = clean(&diagnostic.detail);
    let mut group = Group::with_title(level.primary_title(diagnostic.summary()).id(diagnostic.code.id()));
    group = match diagnostic.place {
        Some(place) => add_place(group, place, AnnotationKind::Primary, &detail, lines),
        None => group.element(Level::NOTE.message(detail)),
    };
    for related in &diagnostic.related {
        let label = clean(&related.label);
        group = add_place(group, related.place, AnnotationKind::Context, &label, lines);
    }
    if let Some(fix) = &diagnostic.fix {
        group = group.element(Level::HELP.message(clean(fix)));
    }
    renderer.render(&[group])
}

/// Adds a place. For an excerpt from the middle of a long line, the renderer would count columns wrongly, so the position
/// is a note.
fn add_place<'a>(
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

/// Escapes invisible characters, so that untrusted text cannot control a terminal. Line ends and tabs stay.
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

/// The bytes of a line that are shown before the place, and from its start on: a line may be megabytes long.
const BEFORE: usize = 60;
const FROM: usize = 100;

/// Replaces the rest of a line.
const CUT: &str = "…";

/// A line, or the part of it around a place.
#[derive(Debug, PartialEq)]
pub(crate) struct Excerpt {
    /// The shown text.
    pub(crate) text: String,
    /// The place in the shown text; of several lines, in the first.
    pub(crate) span: Range<usize>,
    /// Whether the start of the line is omitted, so that columns do not match.
    pub(crate) is_shifted: bool,
}

impl Excerpt {
    /// The excerpt for `place`. Scans its line.
    pub(crate) fn of(lines: &mut Lines<'_>, place: Place) -> Self {
        let (text, range) = lines.line(place);
        let within = |at: u32| (at as usize).saturating_sub(range.start).min(text.len());
        let (start, end) = (within(place.start), within(place.end).max(within(place.start)));
        Self::cut(text.trim_end_matches('\r'), start..end)
    }

    fn cut(line: &str, span: Range<usize>) -> Self {
        let start = span.start.min(line.len());
        let from = line.floor_char_boundary(start.saturating_sub(BEFORE));
        let to = line.ceil_char_boundary((start + FROM).min(line.len()));
        let (before, after) = (if from > 0 { CUT } else { "" }, if to < line.len() { CUT } else { "" });
        let shift = |at: usize| at.clamp(from, to) - from + before.len();
        Self {
            text: format!("{before}{}{after}", &line[from..to]),
            span: shift(span.start)..shift(span.end),
            is_shifted: from > 0,
        }
    }
}

/// Lines and columns of places. Each text is scanned once.
pub struct Lines<'a>(Texts<'a>);

enum Texts<'a> {
    /// Sources, scanned at their first use.
    Read { sources: &'a Sources, outlines: HashMap<SourceId, Outline> },
    /// Line indexes of sources that are not in memory.
    Outlined(&'a LineIndexes),
}

impl<'a> Lines<'a> {
    /// The lines of these sources.
    pub fn new(sources: &'a Sources) -> Self {
        Self(Texts::Read { sources, outlines: HashMap::new() })
    }

    /// The lines of sources that are not in memory.
    pub fn outlined(outlines: &'a LineIndexes) -> Self {
        Self(Texts::Outlined(outlines))
    }

    /// The name of the source of `place`.
    pub fn name(&self, place: Place) -> &'a str {
        match &self.0 {
            Texts::Read { sources, .. } => &sources.get(place.source).name,
            Texts::Outlined(outlines) => outlines.name(place.source),
        }
    }

    /// Whether the source of `place` must not be shown.
    pub fn is_confidential(&self, place: Place) -> bool {
        match &self.0 {
            Texts::Read { sources, .. } => sources.get(place.source).confidential,
            Texts::Outlined(_) => true,
        }
    }

    /// The line in which `place` starts, without its end, and its range. Empty if the source is not in memory.
    pub fn line(&mut self, place: Place) -> (&'a str, Range<usize>) {
        let Texts::Read { sources, outlines } = &mut self.0 else { return ("", 0..0) };
        let sources: &'a Sources = sources;
        let text = &sources.get(place.source).text;
        let start = outline(sources, outlines, place.source).line(place.start).1;
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        (&text[start..end], start..end)
    }

    /// The line and column of the start of `place`, from 1. A place may be outside: the text of a secret is not in memory.
    pub fn position(&mut self, place: Place) -> LineColumn {
        match &mut self.0 {
            Texts::Read { sources, outlines } => {
                outline(sources, outlines, place.source).position(place.start)
            }
            Texts::Outlined(outlines) => outlines.position(place),
        }
    }

    /// `name:line:column`, which terminals and editors make clickable.
    pub fn describe(&mut self, place: Place) -> String {
        let at = self.position(place);
        format!("{}:{}:{}", self.name(place), at.line, at.column)
    }
}

fn outline<'a>(
    sources: &Sources,
    outlines: &'a mut HashMap<SourceId, Outline>,
    source: SourceId,
) -> &'a Outline {
    outlines.entry(source).or_insert_with(|| Outline::of(&sources.get(source).text))
}

#[cfg(test)]
mod tests {
    use uphold_model::{SourceId, Sources};

    use super::*;

    fn rendered(text: &str, make: impl Fn(&dyn Fn(&str) -> Place) -> Diagnostic) -> String {
        let mut sources = Sources::default();
        let source = sources.add("site.hcl", text);
        let place = |part: &str| {
            let start = u32::try_from(text.find(part).expect("it exists")).expect("a short text");
            Place { source, start, end: start + u32::try_from(part.len()).expect("short") }
        };
        render(&make(&place), &mut Lines::new(&sources), false)
    }

    #[test]
    fn a_diagnostic_shows_places_and_a_fix() {
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
    fn a_place_in_a_long_line_is_a_note() {
        let text = format!("x = [{}HERE]\n", "1, ".repeat(100_000));
        let shown =
            rendered(&text, |place| Diagnostic::new(Code::InvalidReference, "this").at(place("HERE")));
        assert!(shown.contains("at site.hcl:1:300006, in a line too long to show whole"), "{shown}");
        assert!(shown.len() < 1_000, "{shown}");
    }

    #[test]
    fn diagnostics_are_in_source_order() {
        let at = |start| Place { source: SourceId::FIRST, start, end: start };
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(Diagnostic::new(Code::ParamsNotRead, ""));
        diagnostics.push(Diagnostic::new(Code::UnknownKind, "").at(at(9)));
        diagnostics.push(Diagnostic::new(Code::UnusedLocal, "").at(at(1)));
        let order: Vec<Code> = sorted(&diagnostics).iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(order, [Code::UnusedLocal, Code::UnknownKind, Code::ParamsNotRead]);
    }

    #[test]
    fn untrusted_text_is_escaped() {
        let check = |text: &str, expected: &str| assert_eq!(clean(text), expected);
        check("plain\n\ttext", "plain\n\ttext");
        check("a\u{1b}[31mred", r"a\u{1b}[31mred");
        check("dos\r\n", "dos\\r\n");
        check("trojan\u{202e}txt", r"trojan\u{202e}txt");
        check("a\u{200b}b\u{e0001}", r"a\u{200b}b\u{e0001}");
    }
}

#[cfg(test)]
mod excerpt_tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let check = |line: &str, span: Range<usize>, text: &str, marked: &str| {
            let excerpt = Excerpt::cut(line, span);
            assert_eq!(excerpt.text, text);
            assert_eq!(&excerpt.text[excerpt.span.clone()], marked);
        };
        check("mode = 1", 7..8, "mode = 1", "1");
        check("", 0..0, "", "");
        let long = format!("{}HERE{}", "a".repeat(5_000), "b".repeat(5_000));
        let around = format!("…{}HERE{}…", "a".repeat(60), "b".repeat(96));
        check(&long, 5_000..5_004, &around, "HERE");
        check(&long, 5_000..10_004, &around, &format!("HERE{}", "b".repeat(96)));
        check(&"é".repeat(5_000), 2..4, &format!("{}…", "é".repeat(51)), "é");
    }
}

#[cfg(test)]
mod lines_tests {
    use super::*;

    #[test]
    fn positions_match_an_editor() {
        let mut sources = Sources::default();
        let text = "a = 1\n\nä = é\n";
        let source = sources.add("x.hcl", text);
        let mut lines = Lines::new(&sources);
        let mut check = |at: usize, expected: &str, line: &str| {
            let start = u32::try_from(at).expect("a short text");
            let place = Place { source, start, end: start };
            assert_eq!(lines.describe(place), expected);
            assert_eq!(lines.line(place).0, line);
            assert_eq!(lines.describe(place), sources.describe(place));
        };
        check(0, "x.hcl:1:1", "a = 1");
        check(6, "x.hcl:2:1", "");
        check(text.find('é').expect("it exists"), "x.hcl:3:5", "ä = é");
        check(text.len(), "x.hcl:4:1", "");
        let outside = Place { source, start: 99, end: 99 };
        assert_eq!((lines.describe(outside), lines.line(outside).0), ("x.hcl:4:1".to_owned(), ""));
    }
}
