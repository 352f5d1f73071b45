//! One verb of a format: formats a single value.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use uphold_model::Value;

use crate::arguments::written;
use crate::encoding::json;
use crate::number::Number;

/// A verb with its flags.
#[derive(Debug, Default)]
pub(super) struct Verb {
    pub(super) letter: char,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
    left: bool,
    zeros: bool,
    plus: bool,
    space: bool,
    sharp: bool,
}

impl Verb {
    pub(super) fn set_flag(&mut self, flag: char) {
        match flag {
            '-' => self.left = true,
            '0' => self.zeros = true,
            '+' => self.plus = true,
            '#' => self.sharp = true,
            _ => self.space = true,
        }
    }

    /// The formatted value, or the reason why it cannot be formatted.
    pub(super) fn write(&self, value: &Value) -> Result<String, String> {
        if self.sharp && "qfeEgG".contains(self.letter) {
            return Err(format!("the flag `#` has no meaning for `%{}`", self.letter));
        }
        Ok(match self.letter {
            's' => self.pad(&self.cut(&text(value)?)),
            'q' => self.pad(&json::escaped(&self.cut(&text(value)?))),
            't' => self.pad(&bool(value)?.to_string()),
            'd' => self.whole(value, "", |magnitude| magnitude.to_string())?,
            'o' => self.whole(value, "0", |magnitude| format!("{magnitude:o}"))?,
            'b' => self.whole(value, "0b", |magnitude| format!("{magnitude:b}"))?,
            'x' | 'X' => self.hexadecimal(value)?,
            'v' => self.pad(&self.anything(value)?),
            _ => self.fraction(value)?,
        })
    }

    fn anything(&self, value: &Value) -> Result<String, String> {
        match written(value) {
            Some(_) if Number::of(value).is_some() && !self.sharp => Ok(general_number(value)),
            Some(text) if !self.sharp => Ok(self.cut(&text).into_owned()),
            _ => json::encode(value).map_err(|fault| fault.message),
        }
    }

    fn hexadecimal(&self, value: &Value) -> Result<String, String> {
        let text = match value {
            Value::Text(text) => {
                let prefix = if self.sharp { "0x" } else { "" };
                self.pad(&format!("{prefix}{}", data_encoding::HEXLOWER.encode(text.as_bytes())))
            }
            number => self.whole(number, "0x", |magnitude| format!("{magnitude:x}"))?,
        };
        Ok(if self.letter == 'X' { text.to_uppercase() } else { text })
    }

    /// Digits, after the prefix of their base if the flag `#` is set.
    fn whole(&self, value: &Value, prefix: &str, digits: fn(u64) -> String) -> Result<String, String> {
        let number = Number::of(value).ok_or_else(|| self.refuse("a number", value))?;
        let number = number.whole().ok_or_else(|| self.refuse("a whole number", value))?;
        let digits = digits(number.unsigned_abs());
        let digits = match self.precision {
            Some(precision) => format!("{digits:0>precision$}"),
            None => digits,
        };
        let prefix = if self.sharp { prefix } else { "" };
        Ok(self.pad_number(number < 0, prefix, &digits))
    }

    fn fraction(&self, value: &Value) -> Result<String, String> {
        let x = Number::of(value).ok_or_else(|| self.refuse("a number", value))?.float();
        let magnitude = x.abs();
        let digits = match (self.letter, self.precision) {
            ('f', precision) => format!("{magnitude:.0$}", precision.unwrap_or(6)),
            ('e' | 'E', precision) => exponential(magnitude, precision.unwrap_or(6)),
            (_, None) => general_number(value).trim_start_matches('-').to_owned(),
            (_, precision) => general(magnitude, precision),
        };
        let digits = if self.letter.is_uppercase() { digits.to_uppercase() } else { digits };
        Ok(self.pad_number(x.is_sign_negative() && x != 0.0, "", &digits))
    }

    fn refuse(&self, expected: &str, value: &Value) -> String {
        let found = if matches!(value, Value::Float(_)) { "a fraction" } else { value.type_name() };
        format!("`%{}` writes {expected}, not {found}", self.letter)
    }

    /// A precision truncates a string.
    fn cut<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.precision {
            Some(precision) => text.graphemes(true).take(precision).collect(),
            None => text.into(),
        }
    }

    /// The width counts grapheme clusters.
    fn pad(&self, text: &str) -> String {
        let missing =
            if self.width == 0 { 0 } else { self.width.saturating_sub(text.graphemes(true).count()) };
        let fill = " ".repeat(missing);
        if self.left { format!("{text}{fill}") } else { format!("{fill}{text}") }
    }

    /// Zeros go between the prefix and the digits.
    fn pad_number(&self, negative: bool, prefix: &str, digits: &str) -> String {
        let sign = match negative {
            true => "-",
            false if self.plus => "+",
            false if self.space => " ",
            false => "",
        };
        if self.zeros && !self.left {
            let width = self.width.saturating_sub(sign.len() + prefix.len());
            return format!("{sign}{prefix}{digits:0>width$}");
        }
        self.pad(&format!("{sign}{prefix}{digits}"))
    }
}

fn text(value: &Value) -> Result<Cow<'_, str>, String> {
    written(value)
        .ok_or_else(|| format!("`%s` writes a string, not {}; `%v` writes any value", value.type_name()))
}

fn bool(value: &Value) -> Result<bool, String> {
    match value {
        Value::Bool(b) => Ok(*b),
        other => Err(format!("`%t` writes a bool, not {}", other.type_name())),
    }
}

/// As in C and Go: a sign and at least two digits in the exponent.
fn exponential(x: f64, precision: usize) -> String {
    signed_exponent(&format!("{x:.precision$e}"))
}

fn signed_exponent(text: &str) -> String {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(("+", exponent), |digits| ("-", digits));
    format!("{mantissa}e{sign}{digits:0>2}")
}

/// Without a precision, numbers with more digits before the point get an exponent, as in Go.
const SHORTEST: i64 = 6;

/// A number as `%g` writes it, with all digits of a whole one.
fn general_number(value: &Value) -> String {
    let text = value.to_string();
    let (sign, digits) = text.strip_prefix('-').map_or(("", &*text), |digits| ("-", digits));
    match value {
        Value::Int(_) if digits.len() > SHORTEST as usize => {
            let mantissa = digits.trim_end_matches('0');
            let (first, rest) = mantissa.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            format!("{sign}{first}{point}{rest}e+{:02}", digits.len() - 1)
        }
        Value::Float(x) => format!("{sign}{}", general(x.abs(), None)),
        _ => text,
    }
}

/// The shorter notation of a number: an exponent only for very large and very small ones.
fn general(x: f64, precision: Option<usize>) -> String {
    let scientific = match precision {
        Some(precision) => format!("{x:.0$e}", precision.max(1) - 1),
        None => format!("{x:e}"),
    };
    let exponent: i64 = scientific.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    let limit = precision.map_or(SHORTEST, |precision| precision.max(1) as i64);
    if exponent < -4 || exponent >= limit {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        return signed_exponent(&format!("{}e{exponent}", without_zeros(mantissa)));
    }
    match precision {
        Some(_) => without_zeros(&format!("{x:.0$}", (limit - 1 - exponent).max(0) as usize)).to_owned(),
        None => format!("{x}"),
    }
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::super::format::Layout;
    use super::*;
    use crate::bounds::Bounded;

    fn formatted(format: &str, value: &Value) -> String {
        let mut text = Bounded::default();
        let result = Layout::parse(format).and_then(|layout| layout.write(&[value], &mut text));
        result.map_or_else(|fault| fault.message, |()| text.into_string())
    }

    #[test]
    fn verbs_write_as_in_go() {
        let check = |format: &str, value: Value, expected: &str| {
            assert_eq!(formatted(format, &value), expected, "{format}");
        };
        check("%d", Value::Int(-7), "-7");
        check("%+d", Value::Int(7), "+7");
        check("% d", Value::Int(7), " 7");
        check("%06d", Value::Int(-42), "-00042");
        check("%-6d|", Value::Int(42), "42    |");
        check("%.3d", Value::Int(7), "007");
        check("%x", Value::Int(255), "ff");
        check("%X", Value::Int(-255), "-FF");
        check("%x", Value::text("hi"), "6869");
        check("%o", Value::Int(8), "10");
        check("%b", Value::Int(5), "101");
        check("%d", Value::Int(i64::MIN), "-9223372036854775808");
        check("%f", Value::Float(1.5), "1.500000");
        check("%.0f", Value::Float(2.5), "2");
        check("%8.3f", Value::Float(-1.5), "  -1.500");
        check("%08.3f", Value::Float(-1.5), "-001.500");
        check("%e", Value::Float(123_456.789), "1.234568e+05");
        check("%.2E", Value::Float(0.00012), "1.20E-04");
        check("%g", Value::Float(1e21), "1e+21");
        check("%g", Value::Float(1_234_567.891), "1.234567891e+06");
        check("%g", Value::Int(100_000), "100000");
        check("%g", Value::Int(-1_000_000), "-1e+06");
        check("%G", Value::Int(1_234_567_890_123_456_789), "1.234567890123456789E+18");
        check("%v", Value::Int(10_000_000_000), "1e+10");
        check("%v", Value::Int(-123_456), "-123456");
        check("%v", Value::Float(-1234.5), "-1234.5");
        check("%s", Value::Int(10_000_000_000), "10000000000");
        check("%g", Value::Float(0.5), "0.5");
        check("%g", Value::Float(0.00001), "1e-05");
        check("%.3g", Value::Float(1234.5), "1.23e+03");
        check("%.3g", Value::Float(12.0), "12");
        check("%s", Value::Int(3), "3");
        check("%s", Value::Bool(true), "true");
        check("%q", Value::text("a\"b"), r#""a\"b""#);
        check("%5.2s|", Value::text("héllo"), "   hé|");
        check("%t", Value::Bool(false), "false");
        check("%v", Value::list([Value::Int(1), Value::text("a")]), r#"[1,"a"]"#);
        check("%v", Value::Null, "null");
        check("%#v", Value::text("a"), "\"a\"");
        check("100%% %v", Value::Int(1), "100% 1");
        check("%#x", Value::Int(255), "0xff");
        check("%#X", Value::Int(-255), "-0XFF");
        check("%#o", Value::Int(8), "010");
        check("%#b", Value::Int(5), "0b101");
        check("%#08x", Value::Int(255), "0x0000ff");
        check("%#8x|", Value::Int(255), "    0xff|");
        check("%#x", Value::text("hi"), "0x6869");
        check("%4s|", Value::text("🕹️"), "   🕹️|");
        check("%-4s|", Value::text("noe\u{308}l"), "noe\u{308}l|");
        check("%.2s|", Value::text("🕹️🕹️🕹️"), "🕹️🕹️|");
    }

    #[test]
    fn verbs_reject_other_types() {
        let check = |format: &str, value: Value, expected: &str| {
            assert_eq!(formatted(format, &value), expected, "{format}");
        };
        check("%d", Value::text("3"), "`%d` writes a number, not a string");
        check("%d", Value::Float(1.5), "`%d` writes a whole number, not a fraction");
        check("%t", Value::Int(1), "`%t` writes a bool, not a number");
        check("%#q", Value::text("a"), "the flag `#` has no meaning for `%q`");
        check("%#.2f", Value::Float(1.0), "the flag `#` has no meaning for `%f`");
        check("%s", Value::Null, "`%s` writes a string, not null; `%v` writes any value");
        check("%z", Value::Null, "\"%z\" is not a verb");
        check("%", Value::Null, "\"%\" is not a verb");
        check("%99999d", Value::Int(1), "99999 in a verb is more than 4096");
        check("%[0]d", Value::Int(1), "a number from 1 and `]` must follow `[` in a verb");
        check("%[2]d", Value::Int(1), "there is no value 2");
    }
}
