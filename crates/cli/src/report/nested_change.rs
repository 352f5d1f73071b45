//! Differences of nested resources, whose property names begin with an address.

use uphold::model::{Difference, Side, Value};

/// The differences of one nested resource.
pub(super) struct NestedChange<'a> {
    /// Its address: `file["/etc/motd"]`.
    pub(super) address: &'a str,
    /// The change of the whole resource.
    word: Option<&'a Value>,
    /// Its differences.
    pub(super) differences: Vec<Difference>,
}

/// A part of the changes of a resource.
pub(super) enum Part<'a> {
    Own(&'a Difference),
    Nested(NestedChange<'a>),
}

/// Groups consecutive differences of the same nested resource.
pub(super) fn parts<'a>(differences: impl IntoIterator<Item = &'a Difference>) -> Vec<Part<'a>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for difference in differences {
        let Some((address, rest)) = split(&difference.property) else {
            parts.push(Part::Own(difference));
            continue;
        };
        if !matches!(parts.last(), Some(Part::Nested(last)) if last.address == address) {
            parts.push(Part::Nested(NestedChange { address, word: None, differences: Vec::new() }));
        }
        let Some(Part::Nested(nested)) = parts.last_mut() else { continue };
        match rest {
            Some(rest) => {
                nested.differences.push(Difference { property: rest.into(), ..difference.clone() });
            }
            None => nested.word = difference.to.value(),
        }
    }
    parts
}

impl NestedChange<'_> {
    /// The sign of the change: + create, ~ change, - remove, ! run, ? may change.
    pub(super) fn sign(&self) -> char {
        let own: Vec<&Difference> =
            self.differences.iter().filter(|difference| split(&difference.property).is_none()).collect();
        let all =
            |is: fn(&Difference) -> bool| !own.is_empty() && own.iter().all(|difference| is(difference));
        match self.word() {
            Some("create") => '+',
            Some("remove") => '-',
            Some("run") => '!',
            Some(word) if word != "update" => '?',
            _ if all(|difference| difference.from == Side::Absent) => '+',
            _ if all(|difference| difference.to == Side::Absent) => '-',
            _ => '~',
        }
    }

    /// The text beside the sign, if there is any.
    pub(super) fn remark(&self) -> Option<&str> {
        self.word().filter(|_| self.sign() == '?')
    }

    fn word(&self) -> Option<&str> {
        match self.word {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }
}

/// The address at the start of a name, and the property after it; none if the name is a plain property.
fn split(name: &str) -> Option<(&str, Option<&str>)> {
    let start = name.find(['.', '['])?;
    let mut end = start + step(&name[start..])?;
    while name[end..].starts_with('[') {
        end += step(&name[end..])?;
    }
    match &name[end..] {
        "" => Some((name, None)),
        rest => Some((&name[..end], Some(rest.strip_prefix('.')?))),
    }
}

/// The length of the first step of a path: `.name` or `["name"]`.
fn step(path: &str) -> Option<usize> {
    let Some(quoted) = path.strip_prefix("[\"") else {
        let name = path.strip_prefix('.')?;
        let length = name.find(['.', '[']).unwrap_or(name.len());
        return (length > 0).then_some(length + 1);
    };
    let mut escaped = false;
    let end = quoted.find(|character| {
        let is_end = character == '"' && !escaped;
        escaped = character == '\\' && !escaped;
        is_end
    })?;
    quoted[end + 1..].starts_with(']').then_some(end + 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_address_and_property() {
        let check = |name: &str, expected: Option<(&str, Option<&str>)>| {
            assert_eq!(split(name), expected, "{name}");
        };
        check("content", None);
        check("file[\"/etc/a.b\"].content", Some(("file[\"/etc/a.b\"]", Some("content"))));
        check("file[\"a\\\"].x\"].mode", Some(("file[\"a\\\"].x\"]", Some("mode"))));
        check("task.x", Some(("task.x", None)));
        check("task.x.status", Some(("task.x", Some("status"))));
        check("site.web.file[\"/a\"].content", Some(("site.web", Some("file[\"/a\"].content"))));
        check("user.a[\"key\"].uid", Some(("user.a[\"key\"]", Some("uid"))));
        check("inline[\"say it\"]", Some(("inline[\"say it\"]", None)));
        check("file[\"/a", None);
        check("file.", None);
    }

    #[test]
    fn chooses_the_sign() {
        let check = |name: &str, from: Side, to: Side, expected: char| {
            let difference = Difference { property: name.into(), from, to };
            let parts = parts([&difference]);
            assert!(matches!(&parts[..], [Part::Nested(nested)] if nested.sign() == expected), "{name}");
        };
        let text = |text: &str| Side::Value(Value::text(text));
        check("task.x", Side::Absent, text("run"), '!');
        check("directory.x", Side::Absent, text("create"), '+');
        check("directory.x", text("x"), text("remove"), '-');
        check("directory.x", Side::Absent, text("may change, after task.x"), '?');
        check("directory.x", Side::Absent, text("update"), '~');
        check("file.x.mode", Side::Absent, text("0644"), '+');
        check("file.x.mode", text("0644"), Side::Absent, '-');
        check("file.x.mode", text("0600"), text("0644"), '~');
    }
}
