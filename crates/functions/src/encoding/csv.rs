//! CSV, as defined by RFC 4180.

use std::collections::BTreeSet;

use uphold_model::{Name, Shape, Value};

use crate::bounds::{MOST_ELEMENTS, list, too_many};
use crate::call::{Call, Fault};
use crate::function::Accepts::Text;
use crate::function::{Body, Function, Topic, example, takes};

pub(crate) static FUNCTIONS: &[Function] = &[Function {
    name: "csvdecode",
    topic: Topic::Encoding,
    parameters: &[takes("text", Text)],
    rest: None,
    gives: Some(Shape::List),
    doc: "Parses comma-separated values. The first line names the columns; every other line becomes a map of \
          strings. Empty lines are skipped.",
    examples: &[example("csvdecode(\"a,b\\n1,\\\"x, y\\\"\\n\")", "[{ a = \"1\", b = \"x, y\" }]")],
    body: Body::Whole(decode),
}];

fn decode(call: &Call<'_>) -> Result<Value, Fault> {
    let mut reader = Reader { rest: call.text(0)?, line: 1 };
    let Some(header) = reader.record()? else {
        return Err(Fault::at(0, "the line with the column names is missing"));
    };
    let mut names = BTreeSet::new();
    if let Some(twice) = header.iter().find(|name| !names.insert(*name)) {
        return Err(Fault::at(0, format!("there are two columns named {twice:?}")));
    }
    let header: Vec<Name> = header.into_iter().map(Name::from).collect();
    let mut fields = 0;
    list(std::iter::from_fn(|| {
        let line = reader.line;
        let record = reader.record().transpose()?;
        Some(record.and_then(|record| {
            fields += record.len();
            if fields > MOST_ELEMENTS {
                return Err(too_many());
            }
            row(&header, record, line)
        }))
    }))
}

fn row(header: &[Name], record: Vec<String>, line: usize) -> Result<Value, Fault> {
    if record.len() == header.len() {
        Ok(Value::map(header.iter().cloned().zip(record.into_iter().map(Value::text))))
    } else {
        let message = format!("line {line} has {} fields, not {}", record.len(), header.len());
        Err(Fault::at(0, message))
    }
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl Reader<'_> {
    /// The fields of the next line that is not empty; none at the end.
    fn record(&mut self) -> Result<Option<Vec<String>>, Fault> {
        while self.end_of_line() {}
        if self.rest.is_empty() {
            return Ok(None);
        }
        let mut fields = vec![self.field()?];
        while !self.rest.is_empty() && !self.end_of_line() {
            self.rest = &self.rest[1..];
            fields.push(self.field()?);
            if fields.len() > MOST_ELEMENTS {
                return Err(too_many());
            }
        }
        Ok(Some(fields))
    }

    fn end_of_line(&mut self) -> bool {
        let rest = self.rest.strip_prefix("\r\n").or_else(|| self.rest.strip_prefix('\n'));
        if let Some(rest) = rest {
            (self.rest, self.line) = (rest, self.line + 1);
        }
        rest.is_some()
    }

    /// A field, up to the comma or the end of the line.
    fn field(&mut self) -> Result<String, Fault> {
        if let Some(rest) = self.rest.strip_prefix('"') {
            self.rest = rest;
            return self.quoted();
        }
        let end = self.rest.find([',', '\n', '"']).unwrap_or(self.rest.len());
        let (field, rest) = self.rest.split_at(end);
        if rest.starts_with('"') {
            return Err(self.fault("a field without quotes contains a quote"));
        }
        // The `\r` of a line break is not part of the field.
        let field = if rest.starts_with('\n') { field.strip_suffix('\r').unwrap_or(field) } else { field };
        self.rest = rest;
        Ok(field.to_owned())
    }

    /// The rest of a quoted field: two quotes are an escaped one.
    fn quoted(&mut self) -> Result<String, Fault> {
        let mut field = String::new();
        loop {
            let Some((before, after)) = self.rest.split_once('"') else {
                return Err(self.fault("a quote is not closed"));
            };
            self.line += before.matches('\n').count();
            field.push_str(before);
            self.rest = after;
            match after.strip_prefix('"') {
                Some(after) => self.rest = after,
                None => break,
            }
            field.push('"');
        }
        if self.rest.is_empty() || self.rest.starts_with([',', '\n']) || self.rest.starts_with("\r\n") {
            Ok(field)
        } else {
            Err(self.fault("a comma or the end of the line must follow a closing quote"))
        }
    }

    fn fault(&self, what: &str) -> Fault {
        Fault::at(0, format!("{what}, in line {}", self.line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_records_of_rfc_4180() {
        let check = |text: &str, expected: &[&[&str]]| {
            let mut reader = Reader { rest: text, line: 1 };
            let records: Result<Vec<_>, _> = std::iter::from_fn(|| reader.record().transpose()).collect();
            assert_eq!(records.unwrap_or_default(), expected, "{text:?}");
        };
        check("", &[]);
        check("\n\r\n", &[]);
        check("a,b\r\nc,d", &[&["a", "b"], &["c", "d"]]);
        check("a,\n,b\n", &[&["a", ""], &["", "b"]]);
        check("\"a\"\"b\",\"x\ny\"\r\nz,", &[&["a\"b", "x\ny"], &["z", ""]]);
        check("\"\"", &[&[""]]);
    }

    #[test]
    fn mistakes_name_their_line() {
        let check = |text: &str, expected: &str| {
            let mut reader = Reader { rest: text, line: 1 };
            let message = std::iter::from_fn(|| reader.record().transpose()).find_map(Result::err);
            assert_eq!(message.map(|fault| fault.message).unwrap_or_default(), expected, "{text:?}");
        };
        check("a\nb\"c", "a field without quotes contains a quote, in line 2");
        check("a\n\"b", "a quote is not closed, in line 2");
        check("\"a\nb\"c", "a comma or the end of the line must follow a closing quote, in line 2");
    }
}
