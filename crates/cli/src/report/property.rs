//! The lines that tell how a property differs.

use std::fmt::Write;

use uphold::Change;
use uphold::model::{Difference, SENSITIVE, Side, UNKNOWN, Value};

use super::inner::{Inner, Part, parts};
use super::text_diff;
use crate::paint::{Paint, clean};

/// Texts longer than this are shown as a diff below the name of their property.
const ONE_LINE: usize = 60;

/// How much of a value is shown on one line.
const VALUE_SHOWN: usize = 200;

/// Shows differences and, if asked for, what only the change will tell.
pub(crate) struct Properties {
    pub(crate) paint: Paint,
    pub(crate) verbose: bool,
}

impl Properties {
    /// The lines of a change.
    pub(crate) fn change(&self, change: &Change) -> String {
        let unknown: &[&str] = if self.verbose { &change.unknown } else { &[] };
        let width = unknown.iter().map(|name| name.len()).max().unwrap_or(0);
        let width = width.max(width_of(&change.differences));
        let mut text = self.lines(&change.differences, width);
        for name in unknown {
            text.push_str(&named(name, width, UNKNOWN));
        }
        text
    }

    /// The lines of differences alone.
    pub(crate) fn differences(&self, differences: &[Difference]) -> String {
        self.lines(differences, width_of(differences))
    }

    fn lines(&self, differences: &[Difference], width: usize) -> String {
        let telling = differences.iter().filter(|difference| !tells_nothing(difference));
        let shown = |part: Part<'_>| match part {
            Part::Own(difference) => self.difference(difference, width),
            Part::Inner(inner) => self.inner(&inner),
        };
        parts(telling).into_iter().map(shown).collect()
    }

    /// What a resource declares itself stands below it, as it would stand alone. Each level is a turn of this function; how
    /// deep they may be is limited where they are declared.
    fn inner(&self, inner: &Inner<'_>) -> String {
        let remark = inner.remark().map(|remark| format!("   ({})", clean(remark))).unwrap_or_default();
        let address = format!("{} {}", inner.sign(), clean(inner.address));
        let address = match inner.sign() {
            '+' => self.paint.added(address).to_string(),
            '-' => self.paint.removed(address).to_string(),
            _ => self.paint.changed(address).to_string(),
        };
        let below = self.differences(&inner.differences);
        let below: String = below.lines().map(|line| format!("    {line}\n")).collect();
        format!("      {address}{remark}\n{below}")
    }

    fn difference(&self, difference: &Difference, width: usize) -> String {
        let Difference { property, from, to } = difference;
        if !difference.is_sensitive()
            && let Some(diff) = self.diff(from, to)
        {
            return format!("      {property}:\n{diff}");
        }
        let hidden = difference.is_sensitive();
        let value = match (self.side(from, hidden), self.side(to, hidden)) {
            (None, None) => "(nothing)".to_owned(),
            (None, Some(to)) => to,
            (Some(from), None) => format!("{from} -> (nothing)"),
            (Some(from), Some(to)) => format!("{from} -> {to}"),
        };
        named(property, width, &value)
    }

    /// One side on one line.
    fn side(&self, side: &Side, hidden: bool) -> Option<String> {
        let value = side.value()?;
        let mut text = match (hidden, value.first_unknown()) {
            (true, _) => SENSITIVE.to_owned(),
            (false, Some(unknown)) => known_later(value, &unknown.waits_for),
            (false, None) => shorten(&value.to_string()),
        };
        if let Side::Default(_) = side {
            let _ = write!(text, " {}", self.paint.faint("(default)"));
        }
        Some(text)
    }

    /// Both sides as a diff of texts, if one of them is too long for a line.
    fn diff(&self, from: &Side, to: &Side) -> Option<String> {
        let unknown = [from, to].iter().any(|side| side.value().is_some_and(Value::is_unknown));
        let (old, new) = (block(from)?, block(to)?);
        let is_long = |text: &str| text.contains('\n') || text.chars().count() > ONE_LINE;
        if unknown || !(is_long(&old) || is_long(&new)) {
            return None;
        }
        Some(text_diff::TextChange { paint: self.paint, verbose: self.verbose }.lines(&old, &new))
    }
}

/// How wide the names of its own properties are.
fn width_of(differences: &[Difference]) -> usize {
    let own = parts(differences).into_iter().filter_map(|part| match part {
        Part::Own(difference) => Some(difference.property.len()),
        Part::Inner(_) => None,
    });
    own.max().unwrap_or(0)
}

/// Of a thing that comes or goes, what was never there.
fn tells_nothing(difference: &Difference) -> bool {
    [&difference.from, &difference.to].iter().all(|side| matches!(side.value(), None | Some(Value::Null)))
}

fn named(name: &str, width: usize, value: &str) -> String {
    format!("      {name}:{:pad$} {value}\n", "", pad = width - name.len())
}

/// A value, parts of which are not known, with what it waits for.
pub(crate) fn known_later(value: &Value, waits_for: &str) -> String {
    match value {
        Value::Unknown(_) => format!("(known after apply: {})", clean(waits_for)),
        mixed => format!("{} (waits for {})", shorten(&mixed.to_string()), clean(waits_for)),
    }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(VALUE_SHOWN) {
        None => clean(text).into_owned(),
        Some((at, _)) => format!("{}… ({} characters)", clean(&text[..at]), text.chars().count()),
    }
}

/// What a diff compares: texts as they are, collections with one member on each line. None for
/// what has no lines.
fn block(side: &Side) -> Option<String> {
    match side.value() {
        None => Some(String::new()),
        Some(Value::Text(text)) => Some(text.to_string()),
        Some(Value::List(items)) => Some(items.iter().map(|item| format!("{item}\n")).collect()),
        Some(Value::Map(map)) => Some(map.iter().map(|(key, item)| format!("{key} = {item}\n")).collect()),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(from: Side, to: Side, expected: &str) {
        let difference = Difference { property: "p".into(), from, to };
        let shown = Properties { paint: Paint::new(false), verbose: false }.differences(&[difference]);
        assert_eq!(shown, expected);
    }

    fn text(text: &str) -> Side {
        Side::Value(Value::text(text))
    }

    #[test]
    fn a_difference_shows_both_sides() {
        check(text("a"), text("b"), "      p: \"a\" -> \"b\"\n");
        check(Side::Absent, text("b"), "      p: \"b\"\n");
        check(text("a"), Side::Absent, "      p: \"a\" -> (nothing)\n");
        check(Side::Absent, Side::Default(Value::Int(1)), "      p: 1 (default)\n");
        check(Side::Value(Value::Null), Side::Absent, "");
        check(Side::Value(Value::Null), text("b"), "      p: null -> \"b\"\n");
    }

    #[test]
    fn what_a_resource_declares_itself_stands_below_it() {
        let difference =
            |property: &str, from: Side, to: Side| Difference { property: property.into(), from, to };
        let all = [
            difference("port", Side::Value(Value::Int(80)), Side::Value(Value::Int(81))),
            difference("directory[\"/srv\"]", Side::Absent, text("create")),
            difference("file[\"/srv/a\"].content", text("a\nb\n"), text("a\nc\n")),
            difference("file[\"/srv/a\"].mode", text("0600"), text("0644")),
            difference("site.x.task.y", Side::Absent, text("run")),
            difference("service.z", Side::Absent, text("may change, after task.y")),
        ];
        let shown = Properties { paint: Paint::new(false), verbose: false }.differences(&all);
        let expected = "      port: 80 -> 81
      + directory[\"/srv\"]
      ~ file[\"/srv/a\"]
          content:
            @@ -1,2 +1,2 @@
              a
            - b
            + c
          mode:    \"0600\" -> \"0644\"
      ~ site.x
          ! task.y
      ? service.z   (may change, after task.y)
";
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_secret_hides_both_sides() {
        let secret = || text("hunter2").sensitive();
        check(secret(), secret(), "      p: (sensitive value) -> (sensitive value)\n");
        check(text("old\nhunter1\n"), secret(), "      p: (sensitive value) -> (sensitive value)\n");
        check(Side::Absent, secret(), "      p: (sensitive value)\n");
    }

    #[test]
    fn what_is_not_known_says_what_it_waits_for() {
        let unknown = Value::unknown("task.a.status");
        check(
            text("old"),
            Side::Value(unknown.clone()),
            "      p: \"old\" -> (known after apply: task.a.status)\n",
        );
        check(
            text("many\nlines\n"),
            Side::Value(Value::list([Value::Int(1), unknown])),
            "      p: \"many\\nlines\\n\" -> [1, (known after apply)] (waits for task.a.status)\n",
        );
    }

    #[test]
    fn long_texts_and_collections_are_compared_line_by_line() {
        check(
            text("a\nb\n"),
            text("a\nc\n"),
            "      p:\n        @@ -1,2 +1,2 @@\n          a\n        - b\n        + c\n",
        );
        let list = |last: &str| Side::Value(Value::list([Value::text("x".repeat(60)), Value::text(last)]));
        let same = format!("          \"{}\"\n", "x".repeat(60));
        let diff = format!("      p:\n        @@ -1,2 +1,2 @@\n{same}        - \"a\"\n        + \"b\"\n");
        check(list("a"), list("b"), &diff);
        let long = "y".repeat(1_000);
        let shown = format!("      p: true -> \"{}… (1002 characters)\n", "y".repeat(199));
        check(Side::Value(Value::Bool(true)), text(&long), &shown);
    }
}
