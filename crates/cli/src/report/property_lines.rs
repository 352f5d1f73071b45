//! The lines about the differences of properties.

use std::fmt::Write;

use uphold::model::{Difference, SENSITIVE, Side, UNKNOWN, Value};
use uphold::{Change, ChangeKind};

use super::nested_change::{NestedChange, Part, parts};
use super::text_diff;
use crate::{Paint, clean};

/// A longer text is shown as a diff below the name of its property.
const ONE_LINE: usize = 60;

/// The number of characters of a value on one line.
const VALUE_SHOWN: usize = 200;

/// Two longer values, both sides together, are shown on two lines.
const BOTH_SIDES: usize = 100;

/// Formats differences and, if `verbose`, the properties that become known only by the change.
pub(crate) struct PropertyLines {
    pub(crate) paint: Paint,
    pub(crate) verbose: bool,
}

impl PropertyLines {
    /// The lines of a change.
    pub(crate) fn change(&self, change: &Change) -> String {
        let unknown: &[&str] = if self.verbose { &change.unknown } else { &[] };
        let width = unknown.iter().map(|name| name.len()).max().unwrap_or(0);
        let width = width.max(width_of(&change.differences));
        let mut text = self.lines(&change.differences, width, change.kind == ChangeKind::Remove);
        for name in unknown {
            text.push_str(&named(name, width, UNKNOWN));
        }
        text
    }

    /// The lines of differences.
    pub(crate) fn differences(&self, differences: &[Difference]) -> String {
        self.lines(differences, width_of(differences), false)
    }

    /// `removes`: whether the whole resource is removed, so that the lost values need no remark.
    fn lines(&self, differences: &[Difference], width: usize, removes: bool) -> String {
        let visible = differences.iter().filter(|difference| !is_empty(difference));
        let shown = |part: Part<'_>| match part {
            Part::Own(difference) => self.difference(difference, width, removes),
            Part::Nested(nested) => self.nested(&nested),
        };
        parts(visible).into_iter().map(shown).collect()
    }

    /// A nested resource, indented. Recurses into deeper levels, whose number is limited where they are declared.
    fn nested(&self, nested: &NestedChange<'_>) -> String {
        let remark = nested.remark().map(|remark| format!("   ({})", clean(remark))).unwrap_or_default();
        let address = format!("{} {}", nested.sign(), clean(nested.address));
        let address = match nested.sign() {
            '+' => self.paint.added(address),
            '-' => self.paint.removed(address),
            _ => self.paint.changed(address),
        };
        let below = self.lines(&nested.differences, width_of(&nested.differences), nested.sign() == '-');
        let below: String = below.lines().map(|line| format!("    {line}\n")).collect();
        format!("      {address}{remark}\n{below}")
    }

    fn difference(&self, difference: &Difference, width: usize, removes: bool) -> String {
        let Difference { property, from, to } = difference;
        if !difference.is_sensitive()
            && let Some(diff) = self.diff(from, to)
        {
            let removed =
                removed_items(from, to).map(|count| format!(" removes {count}")).unwrap_or_default();
            return format!("      {property}:{removed}\n{diff}");
        }
        let hidden = difference.is_sensitive();
        let value = match (self.side(from, hidden), self.side(to, hidden)) {
            (None, None) => "(nothing)".to_owned(),
            (None, Some(to)) => to,
            (Some(from), None) if removes => from,
            (Some(from), None) => format!("{from} -> (nothing)"),
            (Some(from), Some(to)) if from.chars().count() + to.chars().count() > BOTH_SIDES => {
                // Below each other, because they mostly have the same form, such as two checksums.
                format!("{from}\n{:pad$}-> {to}", "", pad = width + 5)
            }
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

    /// Both sides as a diff, if one of them is too long for a line.
    fn diff(&self, from: &Side, to: &Side) -> Option<String> {
        let unknown = [from, to].iter().any(|side| side.value().is_some_and(Value::is_unknown));
        let (old, new) = (block(from)?, block(to)?);
        let is_long = |text: &str| text.contains('\n') || (text.chars().count() > ONE_LINE && !is_word(text));
        if unknown || !(is_long(&old) || is_long(&new)) {
            return None;
        }
        Some(text_diff::TextChange { paint: self.paint, verbose: self.verbose }.lines(&old, &new))
    }
}

/// The number of items that a list loses, if nothing else changes in it, as in a purged directory.
fn removed_items(from: &Side, to: &Side) -> Option<usize> {
    let (Some(Value::List(from)), Some(Value::List(to))) = (from.value(), to.value()) else { return None };
    let mut left = to.iter().peekable();
    let removed = from.iter().filter(|item| left.next_if_eq(item).is_none()).count();
    left.next().is_none().then_some(removed)
}

/// Whether a text is a single word, such as a checksum, which has no lines to compare.
fn is_word(text: &str) -> bool {
    text.len() <= VALUE_SHOWN && text.bytes().all(|b| b.is_ascii_graphic() && b != b'"' && b != b'\\')
}

/// The width of the names of own properties.
fn width_of(differences: &[Difference]) -> usize {
    let own = parts(differences).into_iter().filter_map(|part| match part {
        Part::Own(difference) => Some(difference.property.len()),
        Part::Nested(_) => None,
    });
    own.max().unwrap_or(0)
}

/// Whether neither side has a value, as for unset properties of a created or removed resource.
fn is_empty(difference: &Difference) -> bool {
    [&difference.from, &difference.to].iter().all(|side| matches!(side.value(), None | Some(Value::Null)))
}

fn named(name: &str, width: usize, value: &str) -> String {
    format!("      {name}:{:pad$} {value}\n", "", pad = width - name.len())
}

/// A value with unknown parts, and the reference on which it depends.
pub(crate) fn known_later(value: &Value, waits_for: &str) -> String {
    match value {
        Value::Unknown(_) => format!("(known after apply: {})", clean(waits_for)),
        mixed => format!("{} (depends on {})", shorten(&mixed.to_string()), clean(waits_for)),
    }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(VALUE_SHOWN) {
        None => clean(text).into_owned(),
        Some((at, _)) => format!("{}… ({} characters)", clean(&text[..at]), text.chars().count()),
    }
}

/// The text that a diff compares: a string, or a collection with one member per line. None for other types.
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
        let shown = PropertyLines { paint: Paint::new(false), verbose: false }.differences(&[difference]);
        assert_eq!(shown, expected);
    }

    fn text(text: &str) -> Side {
        Side::Value(Value::text(text))
    }

    #[test]
    fn shows_both_sides() {
        check(text("a"), text("b"), "      p: \"a\" -> \"b\"\n");
        check(Side::Absent, text("b"), "      p: \"b\"\n");
        check(text("a"), Side::Absent, "      p: \"a\" -> (nothing)\n");
        check(Side::Absent, Side::Default(Value::Int(1)), "      p: 1 (default)\n");
        let checksum = |digit: &str| format!("sha256:{}", digit.repeat(64));
        let (old, new) = (checksum("0"), checksum("1"));
        check(Side::Absent, text(&new), &format!("      p: \"{new}\"\n"));
        check(text(&old), text(&new), &format!("      p: \"{old}\"\n      -> \"{new}\"\n"));
        check(Side::Value(Value::Null), Side::Absent, "");
        check(Side::Value(Value::Null), text("b"), "      p: null -> \"b\"\n");
    }

    #[test]
    fn indents_nested_resources() {
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
        let shown = PropertyLines { paint: Paint::new(false), verbose: false }.differences(&all);
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
    fn hides_both_sides_of_a_secret() {
        let secret = || text("hunter2").sensitive();
        check(secret(), secret(), "      p: (sensitive value) -> (sensitive value)\n");
        check(text("old\nhunter1\n"), secret(), "      p: (sensitive value) -> (sensitive value)\n");
        check(Side::Absent, secret(), "      p: (sensitive value)\n");
    }

    #[test]
    fn names_the_source_of_unknown_values() {
        let unknown = Value::unknown("task.a.status");
        check(
            text("old"),
            Side::Value(unknown.clone()),
            "      p: \"old\" -> (known after apply: task.a.status)\n",
        );
        check(
            text("many\nlines\n"),
            Side::Value(Value::list([Value::Int(1), unknown])),
            "      p: \"many\\nlines\\n\" -> [1, (known after apply)] (depends on task.a.status)\n",
        );
    }

    #[test]
    fn compares_long_values_by_line() {
        check(
            text("a\nb\n"),
            text("a\nc\n"),
            "      p:\n        @@ -1,2 +1,2 @@\n          a\n        - b\n        + c\n",
        );
        let names = |names: &[&str]| Side::Value(Value::list(names.iter().map(|name| Value::text(*name))));
        check(
            names(&["a", "b", "c"]),
            names(&["b"]),
            "      p: removes 2\n        @@ -1,3 +1 @@\n        - \"a\"\n          \"b\"\n        - \"c\"\n",
        );
        check(
            names(&["a"]),
            names(&["b"]),
            "      p:\n        @@ -1 +1 @@\n        - \"a\"\n        + \"b\"\n",
        );
        let list = |last: &str| Side::Value(Value::list([Value::text("x".repeat(60)), Value::text(last)]));
        let same = format!("          \"{}\"\n", "x".repeat(60));
        let diff = format!("      p:\n        @@ -1,2 +1,2 @@\n{same}        - \"a\"\n        + \"b\"\n");
        check(list("a"), list("b"), &diff);
        let long = "y".repeat(1_000);
        let shown = format!("      p: true\n      -> \"{}… (1002 characters)\n", "y".repeat(199));
        check(Side::Value(Value::Bool(true)), text(&long), &shown);
    }
}
