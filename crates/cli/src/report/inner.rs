//! Differences of what a resource declares itself: their names begin with an address.

use uphold::model::{Difference, Side, Value};

/// The differences of one thing that a resource declares itself.
pub(super) struct Inner<'a> {
    /// What it is called: `file["/etc/motd"]`.
    pub(super) address: &'a str,
    /// What is done to it as a whole.
    word: Option<&'a Value>,
    /// Its own differences.
    pub(super) differences: Vec<Difference>,
}

/// What is to be shown of a resource.
pub(super) enum Part<'a> {
    /// A property of its own.
    Own(&'a Difference),
    /// Something that it declares itself.
    Inner(Inner<'a>),
}

/// Puts together what belongs together, in the order in which it was told.
pub(super) fn parts<'a>(differences: impl IntoIterator<Item = &'a Difference>) -> Vec<Part<'a>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    for difference in differences {
        let Some((address, rest)) = split(&difference.property) else {
            parts.push(Part::Own(difference));
            continue;
        };
        if !matches!(parts.last(), Some(Part::Inner(last)) if last.address == address) {
            parts.push(Part::Inner(Inner { address, word: None, differences: Vec::new() }));
        }
        let Some(Part::Inner(inner)) = parts.last_mut() else { continue };
        match rest {
            Some(rest) => {
                inner.differences.push(Difference { property: rest.into(), ..difference.clone() });
            }
            None => inner.word = difference.to.value(),
        }
    }
    parts
}

impl Inner<'_> {
    /// The sign of a plan: + is created, ~ is changed, - is removed, ! runs.
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

    /// What is said about it besides its sign.
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

/// The address that a name begins with, and the name of the property behind it; none if it is the name of a property.
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

/// How long the first step of a path is: `.name` or `["name"]`.
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
    fn an_address_ends_before_its_property() {
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
    fn the_sign_tells_what_is_done() {
        let check = |name: &str, from: Side, to: Side, expected: char| {
            let difference = Difference { property: name.into(), from, to };
            let parts = parts([&difference]);
            assert!(matches!(&parts[..], [Part::Inner(inner)] if inner.sign() == expected), "{name}");
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
