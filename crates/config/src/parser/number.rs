//! Parsing numbers.

use uphold_model::{Code, Diagnostic};

use super::cursor::Parser;
use crate::excerpt::excerpt;
use crate::token::Span;
use crate::tree::{Literal, NodeId, NodeKind};

/// Why a token is not a number.
#[derive(Debug, PartialEq)]
enum Fault {
    LeadingZero,
    /// A whole number of more than 64 bits.
    TooWide,
    TooLarge,
    Malformed,
}

impl Parser<'_> {
    /// Parses the number at `span`, including its sign; the current token is its last. A mistake is reported, and
    /// parsing continues.
    pub(super) fn number(&mut self, span: Span) -> NodeId {
        let value = number(self.word(span)).unwrap_or_else(|fault| {
            let error = self.fault(&fault, span);
            self.problems.push(error);
            Literal::Null
        });
        self.bump();
        match value {
            Literal::Int(int) => self.tree.add_int(int, span),
            Literal::Float(float) => self.tree.add_float(float, span),
            Literal::Text(text) => self.text_leaf(text, span),
            Literal::Null | Literal::Bool(_) => self.leaf(NodeKind::Null, span),
        }
    }

    fn fault(&self, fault: &Fault, span: Span) -> Diagnostic {
        let text = self.word(span);
        let shown = excerpt(text);
        let quoted = if text.len() > 40 { "it in quotes".into() } else { format!("\"{text}\"") };
        match fault {
            Fault::LeadingZero => {
                let octal = text.trim_start_matches('0');
                let fix = match text.len() <= 40
                    && !octal.is_empty()
                    && octal.bytes().all(|b| b.is_ascii_digit() && b < b'8')
                {
                    true => format!("write {quoted} or 0o{octal}"),
                    false => format!("write {quoted}, or the number without the zero"),
                };
                self.error(Code::LeadingZero, format!("{shown} would be read as decimal"), span).fix(fix)
            }
            Fault::TooWide => self
                .error(Code::NumberTooLarge, format!("{shown} does not fit into 64 bits"), span)
                .fix(format!("write a smaller number, or {quoted}")),
            Fault::TooLarge => self
                .error(Code::NumberTooLarge, format!("{shown} is out of range"), span)
                .fix(format!("write a smaller number, or {quoted}")),
            Fault::Malformed => self
                .error(Code::MalformedNumber, format!("{shown} is not a number"), span)
                .fix(format!("write digits only, or a string: {quoted}")),
        }
    }
}

fn number(text: &str) -> Result<Literal<'_>, Fault> {
    let digits = text.strip_prefix('-').map_or(text, |rest| rest.trim_start());
    let bytes = digits.as_bytes();
    if let Some(octal) = digits.strip_prefix("0o") {
        return octal_literal(text, octal);
    }
    if bytes.len() > 1 && bytes[0] == b'0' && bytes[1].is_ascii_digit() {
        return Err(Fault::LeadingZero);
    }
    let whole = bytes.iter().all(u8::is_ascii_digit);
    // The sign may be separated from its digits, which the parsers of std do not accept.
    let text = if digits.len() < text.len() { &format!("-{digits}") } else { text };
    if whole && !bytes.is_empty() {
        // A double would be rounded.
        return text.parse().map(Literal::Int).map_err(|_| Fault::TooWide);
    }
    match text.parse::<f64>() {
        Ok(number) if is_decimal(bytes) && number.is_finite() => Ok(Literal::Float(number)),
        Ok(_) if is_decimal(bytes) => Err(Fault::TooLarge),
        _ => Err(Fault::Malformed),
    }
}

/// `0o644` stays a string: a mode must keep that it was written in octal, or 0o644 and 420 would be the same number,
/// and a mode written as decimal `644` could not be recognised. Integer properties parse the string, too.
fn octal_literal<'t>(text: &'t str, octal: &str) -> Result<Literal<'t>, Fault> {
    let valid = !octal.is_empty() && octal.bytes().all(|b| matches!(b, b'0'..=b'7')) && text.starts_with('0');
    if valid { Ok(Literal::Text(text)) } else { Err(Fault::Malformed) }
}

/// Digits, then optionally a point and digits, then optionally an exponent.
fn is_decimal(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let check =
            |text: &str, expected: Result<Literal<'_>, Fault>| assert_eq!(number(text), expected, "{text}");
        check("0", Ok(Literal::Int(0)));
        check("-5", Ok(Literal::Int(-5)));
        check("- 5", Ok(Literal::Int(-5)));
        check("9223372036854775807", Ok(Literal::Int(i64::MAX)));
        check("-9223372036854775808", Ok(Literal::Int(i64::MIN)));
        check("9223372036854775808", Err(Fault::TooWide));
        check("-9223372036854775809", Err(Fault::TooWide));
        check("9223372036854775808.0", Ok(Literal::Float(9223372036854775808.0)));
        check("0.5", Ok(Literal::Float(0.5)));
        check("1e3", Ok(Literal::Float(1000.0)));
        check("-2.5E-1", Ok(Literal::Float(-0.25)));
        check("0o644", Ok(Literal::Text("0o644")));
        check("0644", Err(Fault::LeadingZero));
        check("-01", Err(Fault::LeadingZero));
        check("00", Err(Fault::LeadingZero));
        check("1e999", Err(Fault::TooLarge));
        for malformed in ["0o", "0o8", "-0o7", "0x1f", "1_000", "1.2.3", "1e", "12ab"] {
            check(malformed, Err(Fault::Malformed));
        }
    }
}
