//! Ids of resources, read from the text that they print.

use std::iter::Peekable;
use std::str::{CharIndices, FromStr};

use super::id::ResourceId;
use crate::identifier::continues_identifier;

/// A text that no id prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidId;

/// The reverse of `Display`.
impl FromStr for ResourceId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let id = parse(text).ok_or(InvalidId)?;
        if id.to_string() == text { Ok(id) } else { Err(InvalidId) }
    }
}

fn parse(text: &str) -> Option<ResourceId> {
    let mut rest = text.char_indices().peekable();
    let mut module_end = None;
    // Calls of modules come first, also those of a module that is a kind.
    loop {
        let kind = word(&mut rest);
        let name = match rest.next_if(|(_, sign)| *sign == '.') {
            Some(_) => word(&mut rest),
            None => key(&mut rest)?,
        };
        let key = key(&mut rest);
        let Some((at, sign)) = rest.next() else {
            let module = module_end.map(|end| text[..end].into());
            let id = ResourceId::new(&*kind, name).in_module(module).with_key(key.map(Into::into));
            return (kind != "module").then_some(id);
        };
        module_end = (sign == '.').then_some(at);
        module_end?;
    }
}

fn word(rest: &mut Peekable<CharIndices<'_>>) -> String {
    std::iter::from_fn(|| rest.next_if(|(_, sign)| continues_identifier(*sign)))
        .map(|(_, sign)| sign)
        .collect()
}

/// A quoted string in brackets, if one follows.
fn key(rest: &mut Peekable<CharIndices<'_>>) -> Option<String> {
    rest.next_if(|(_, sign)| *sign == '[')?;
    rest.next_if(|(_, sign)| *sign == '"')?;
    let mut key = String::new();
    loop {
        match rest.next()?.1 {
            '"' => break,
            '\\' => key.push(escaped(rest)?),
            sign => key.push(sign),
        }
    }
    rest.next_if(|(_, sign)| *sign == ']').map(|_| key)
}

fn escaped(rest: &mut Peekable<CharIndices<'_>>) -> Option<char> {
    Some(match rest.next()?.1 {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '0' => '\0',
        'u' => {
            let digits = rest.skip_while(|(_, sign)| *sign == '{').map(|(_, sign)| sign);
            let digits: String = digits.take_while(|sign| *sign != '}').collect();
            char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
        }
        sign => sign,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_ids_are_read_back() {
        for text in [
            "cron.backup",
            r#"file["/etc/a \"b\"\n\u{7f}"]"#,
            r#"module.web["a.b"].module.db.user.people["ann"]"#,
            r#"module.web.file["/a"]["]"]"#,
            r#"log[""]"#,
            r#"site.wiki.file["/etc/wiki.conf"]"#,
            r#"module.web.site["a b"]["c"].site.inner.directory.root["d"]"#,
        ] {
            assert_eq!(text.parse::<ResourceId>().map(|id| id.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "cron", "cron.", "cron.a.b", "module.web", "file[\"/a\"", "file[\"/a\"]x", "a[b]"] {
            assert_eq!(text.parse::<ResourceId>(), Err(InvalidId), "{text}");
        }
    }
}
