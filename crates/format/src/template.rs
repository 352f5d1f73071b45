//! Finding the end of strings and heredocs.
//!
//! Interpolations can contain strings and heredocs again, to any depth, so open ones are kept in a list.

use std::ops::Range;

use uphold_model::is_identifier;

use crate::unformattable::Cause;

/// An open string, heredoc or brace.
#[derive(Debug)]
enum Opening {
    Quote,
    Heredoc {
        marker: Range<usize>,
    },
    /// `${` or `%{`, or a brace inside.
    Brace,
}

/// Why and where a template is not closed.
pub(crate) type Fault = (Cause, Range<usize>);

/// Skips one string or heredoc.
#[derive(Debug)]
pub(crate) struct Template<'t> {
    text: &'t str,
    at: usize,
    open: Vec<(Opening, usize)>,
}

impl<'t> Template<'t> {
    /// The end of the string whose `"` is at `start`.
    pub(crate) fn end_of_quoted(text: &'t str, start: usize) -> Result<usize, Fault> {
        Self { text, at: start + 1, open: vec![(Opening::Quote, start)] }.end()
    }

    /// The end of the marker that closes the heredoc whose `<<` is at `start`.
    pub(crate) fn end_of_heredoc(text: &'t str, start: usize) -> Result<usize, Fault> {
        let mut template = Self { text, at: start, open: Vec::new() };
        template.heredoc()?;
        template.end()
    }

    fn end(mut self) -> Result<usize, Fault> {
        while let Some((opening, start)) = self.open.last() {
            let start = *start;
            match opening {
                Opening::Quote => self.in_quotes(start)?,
                Opening::Heredoc { marker } => {
                    let marker = marker.clone();
                    self.in_heredoc(marker, start)?;
                }
                Opening::Brace => self.in_braces(start)?,
            }
        }
        Ok(self.at)
    }

    /// The next byte that `special` accepts; the position is at the end if there is none.
    fn skip_to(&mut self, special: impl Fn(u8) -> bool) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.iter().position(|&byte| special(byte));
        self.at += length.unwrap_or(rest.len());
        length.map(|i| rest[i])
    }

    fn open(&mut self, opening: Opening, length: usize) {
        self.open.push((opening, self.at));
        self.at += length;
    }

    fn close(&mut self, length: usize) {
        self.open.pop();
        self.at += length;
    }

    fn in_quotes(&mut self, start: usize) -> Result<(), Fault> {
        match self.skip_to(|b| matches!(b, b'"' | b'\\' | b'\n' | b'$' | b'%')) {
            Some(b'"') => self.close(1),
            Some(b'\\') => self.escape(),
            Some(b'$' | b'%') => self.sign(),
            _ => return Err((Cause::UnclosedString, start..start + 1)),
        }
        Ok(())
    }

    /// Skips the `\` and the character after it, unless that is the end of the line.
    fn escape(&mut self) {
        self.at += 1;
        let escaped = self.text[self.at..].chars().next().filter(|&c| c != '\n');
        self.at += escaped.map_or(0, char::len_utf8);
    }

    /// A `$` or `%`: it may start an interpolation, or be doubled and literal.
    fn sign(&mut self) {
        let bytes = &self.text.as_bytes()[self.at..];
        match (bytes[0], bytes.get(1), bytes.get(2)) {
            (_, Some(b'{'), _) => self.open(Opening::Brace, 2),
            (sign, Some(next), Some(b'{')) if sign == *next => self.at += 3,
            _ => self.at += 1,
        }
    }

    fn in_heredoc(&mut self, marker: Range<usize>, start: usize) -> Result<(), Fault> {
        match self.skip_to(|b| matches!(b, b'\n' | b'$' | b'%')) {
            Some(b'\n') => {
                self.at += 1;
                self.close_heredoc(marker);
            }
            Some(_) => self.sign(),
            None => return Err((Cause::UnclosedHeredoc, start..marker.end)),
        }
        Ok(())
    }

    /// Closes the heredoc if the line that starts here contains only its marker.
    fn close_heredoc(&mut self, marker: Range<usize>) {
        let rest = &self.text[self.at..];
        let Some(after) = rest.trim_start_matches([' ', '\t']).strip_prefix(&self.text[marker]) else {
            return;
        };
        let tail = after.trim_start_matches([' ', '\t', '\r']);
        if tail.is_empty() || tail.starts_with('\n') {
            self.close(rest.len() - after.len());
        }
    }

    fn in_braces(&mut self, start: usize) -> Result<(), Fault> {
        let byte = self.skip_to(|b| matches!(b, b'"' | b'{' | b'}' | b'#' | b'/' | b'<'));
        match (byte, self.text.as_bytes().get(self.at + 1)) {
            (Some(b'"'), _) => self.open(Opening::Quote, 1),
            (Some(b'{'), _) => self.open(Opening::Brace, 1),
            (Some(b'}'), _) => self.close(1),
            (Some(b'#'), _) | (Some(b'/'), Some(b'/')) => self.at = end_of_line(self.text, self.at),
            (Some(b'/'), Some(b'*')) => self.at = end_of_comment(self.text, self.at)?,
            (Some(b'<'), Some(b'<')) => self.heredoc()?,
            (Some(_), _) => self.at += 1,
            (None, _) => return Err((Cause::UnclosedInterpolation, self.opening_sign(start))),
        }
        Ok(())
    }

    /// The span of `${`, or of the brace inside it.
    fn opening_sign(&self, start: usize) -> Range<usize> {
        start..start + if self.text[start..].starts_with('{') { 1 } else { 2 }
    }

    /// Parses the first line of a heredoc, whose `<<` is here; its line break is not consumed.
    fn heredoc(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let end = end_of_line(self.text, start);
        let line = self.text[start + 2..end].trim_end_matches([' ', '\t', '\r']);
        let marker = line.strip_prefix('-').unwrap_or(line);
        if end == self.text.len() || !is_identifier(marker) {
            return Err((Cause::MalformedHeredoc, start..start + 2));
        }
        let marker_end = start + 2 + line.len();
        self.open(Opening::Heredoc { marker: marker_end - marker.len()..marker_end }, end - start);
        Ok(())
    }
}

/// The end of the line that contains `at`.
pub(crate) fn end_of_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |i| at + i)
}

/// The end of the comment whose `/*` is at `start`.
pub(crate) fn end_of_comment(text: &str, start: usize) -> Result<usize, Fault> {
    let length = text[start + 2..].find("*/");
    length.map(|i| start + 2 + i + 2).ok_or((Cause::UnclosedComment, start..start + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_end() {
        let check = |text: &str, rest: &str| {
            let end = Template::end_of_quoted(text, 0).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
            assert_eq!(&text[end..], rest, "{text}");
        };
        check(r#""a" b"#, " b");
        check(r#""\"" b"#, " b");
        check(r#""\é" b"#, " b");
        check(r#""${"}"}" b"#, " b");
        check(r#""${ { a = "${b}" }.a }" b"#, " b");
        check(r#""%{ if a == "}" }x%{ endif }" b"#, " b");
        check(r#""$${" b"#, " b");
        check(r#""%%{" b"#, " b");
        check(r#""$$${" b"#, " b");
        check(r#""5$ 100% $%" b"#, " b");
        check("\"${ /* } \" */ a # } \"\n // } \"\n}\" b", " b");
        check("\"${<<X\n } \" \nX\n}\" b", " b");
        check("\"${1 / 2 < 3}\" b", " b");
    }

    #[test]
    fn heredocs_end() {
        let check = |text: &str, rest: &str| {
            let end = Template::end_of_heredoc(text, 0).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
            assert_eq!(&text[end..], rest, "{text}");
        };
        check("<<X\nX", "");
        check("<<-X\n a\n \tX \nb", " \nb");
        check("<<X\r\na\r\nX\r\nb", "\r\nb");
        check("<<X\nX Y\nXY\n\"\nX\n", "\n");
        check("<<X\n${a\nX\n}\nX\n", "\n");
        check("<<X\n$${\nX\n", "\n");
        check("<<X\n${<<X\n a\nX\n}\nX\n", "\n");
        check("<<größe-1\n größe-1\n", "\n");
    }
}
