//! Permission bits.

use std::fmt;

use uphold_model::{Problem, Type, Value};

use super::{mismatch, refused};
use crate::property::{Context, Property};

/// Permission bits: `"0644"`, `0o644`, or symbolic as in `chmod`: `"u=rw,go=r"`, `"g+w"`.
///
/// A symbolic mode declares some bits; applied to the current mode it results in all twelve.
#[derive(Clone, PartialEq, Eq)]
pub struct Mode(Declared);

#[derive(Clone, PartialEq, Eq)]
enum Declared {
    Bits(u32),
    /// Boxed because few modes are symbolic, and every managed file has a mode.
    Symbolic(Box<Symbolic>),
}

/// A symbolic mode, as written and parsed.
#[derive(Clone, PartialEq, Eq)]
struct Symbolic {
    text: String,
    clauses: Vec<Clause>,
}

/// `ug+rw`: an operator and permissions for the users in the mask.
#[derive(Clone, PartialEq, Eq)]
struct Clause {
    who: u32,
    operator: char,
    bits: u32,
    /// `X`: execute permission only if any user has it already.
    conditional_execute: bool,
}

const ALL: u32 = 0o7777;
const READ_OR_WRITE_BY_OTHERS: u32 = 0o066;
const FIX: &str = r#"write it as an octal string such as "0644", or symbolic such as "u=rw,go=r""#;

impl Mode {
    /// The mode with these bits.
    ///
    /// # Panics
    /// If there are bits besides the twelve of a mode.
    pub const fn new(bits: u32) -> Self {
        assert!(bits <= ALL, "a mode has twelve bits: at most 0o7777");
        Mode(Declared::Bits(bits))
    }

    /// The bits `mode` for a file that a secret is written to: others can neither read nor write it, unless the `existing` bits
    /// allowed it before.
    pub const fn restricted(mode: u32, existing: u32) -> u32 {
        mode & (existing | !READ_OR_WRITE_BY_OTHERS)
    }

    /// All twelve bits; a symbolic mode is applied to an empty one.
    pub fn bits(&self) -> u32 {
        match &self.0 {
            Declared::Bits(bits) => *bits,
            Declared::Symbolic(symbolic) => symbolic.clauses.iter().fold(0, Clause::settle),
        }
    }
}

impl Property for Mode {
    const TYPE: &'static Type =
        &Type::Named { name: "mode", doc: "permission bits, in octal or symbolic", example: r#""0644""# };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::Text(text) => parse(text).ok_or_else(|| refused(value, "is not a mode", FIX)),
            // Decimal 644 is octal 1204, which is never intended.
            Value::Int(_) => Err(refused(
                value,
                "must be a string in octal, because a mode is never a decimal number",
                FIX,
            )),
            other => Err(mismatch(other, "a mode", FIX)),
        }
    }

    fn to_value(&self) -> Value {
        Value::text(self.to_string())
    }

    /// Denies read and write access to others.
    fn for_secret(&self) -> Option<Self> {
        Some(Mode::new(Self::restricted(self.bits(), 0)))
    }

    fn settle(&self, current: Option<&Self>) -> Self {
        match &self.0 {
            Declared::Bits(_) => self.clone(),
            Declared::Symbolic(symbolic) => {
                let bits = current.map_or(0, Mode::bits);
                Mode(Declared::Bits(symbolic.clauses.iter().fold(bits, Clause::settle)))
            }
        }
    }
}

fn parse(text: &str) -> Option<Mode> {
    let digits = text.strip_prefix("0o").unwrap_or(text);
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        let bits = u32::from_str_radix(digits, 8).ok().filter(|bits| *bits <= ALL)?;
        return Some(Mode(Declared::Bits(bits)));
    }
    let clauses: Option<Vec<Vec<Clause>>> = text.split(',').map(parse_clause).collect();
    Some(Mode(Declared::Symbolic(Box::new(Symbolic { text: text.to_owned(), clauses: clauses?.concat() }))))
}

/// Parses `ug+r-w`: one mask with one or more operations.
fn parse_clause(text: &str) -> Option<Vec<Clause>> {
    let split = text.find(['+', '-', '='])?;
    let (letters, mut rest) = text.split_at(split);
    let who = letters.chars().try_fold(0, |mask, letter| Some(mask | who_mask(letter)?))?;
    let who = if letters.is_empty() { ALL } else { who };
    let mut clauses = Vec::new();
    while let Some(operator) = rest.chars().next() {
        let end = rest[1..].find(['+', '-', '=']).map_or(rest.len(), |i| i + 1);
        clauses.push(parse_operation(who, operator, &rest[1..end])?);
        rest = &rest[end..];
    }
    Some(clauses)
}

fn parse_operation(who: u32, operator: char, permissions: &str) -> Option<Clause> {
    let mut clause = Clause { who, operator, bits: 0, conditional_execute: false };
    for letter in permissions.chars() {
        clause.bits |= match letter {
            'r' => 0o444,
            'w' => 0o222,
            'x' => 0o111,
            's' => 0o6000,
            't' => 0o1000,
            'X' => {
                clause.conditional_execute = true;
                0
            }
            _ => return None,
        };
    }
    Some(clause)
}

fn who_mask(letter: char) -> Option<u32> {
    match letter {
        'u' => Some(0o4700),
        'g' => Some(0o2070),
        'o' => Some(0o1007),
        'a' => Some(ALL),
        _ => None,
    }
}

impl Clause {
    fn settle(mode: u32, clause: &Clause) -> u32 {
        let execute = if clause.conditional_execute && mode & 0o111 != 0 { 0o111 } else { 0 };
        let bits = (clause.bits | execute) & clause.who;
        match clause.operator {
            '+' => mode | bits,
            '-' => mode & !bits,
            _ => (mode & !clause.who) | bits,
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Declared::Bits(bits) => write!(f, "{bits:04o}"),
            Declared::Symbolic(symbolic) => f.write_str(&symbolic.text),
        }
    }
}

impl fmt::Debug for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applies_modes_to_the_current_one() {
        let check = |text: &str, current: u32, expected: u32| {
            let mode = parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(mode.settle(Some(&Mode::new(current))).bits(), expected, "{text} on {current:o}");
        };
        check("0644", 0o777, 0o644);
        check("0o755", 0, 0o755);
        check("u=rw,go=r", 0o777, 0o644);
        check("g+w", 0o644, 0o664);
        check("a-x", 0o755, 0o644);
        check("+x", 0o644, 0o755);
        check("u+s", 0o755, 0o4755);
        check("o+t", 0o777, 0o1777);
        check("go=", 0o777, 0o700);
        check("a+X", 0o644, 0o644);
        check("a+X", 0o744, 0o755);
        check("u+r-w", 0o200, 0o400);
    }

    #[test]
    fn restricts_modes_for_secrets() {
        let new = |mode: u32| Mode::new(mode).for_secret().expect("a mode has one").settle(None).bits();
        assert_eq!((new(0o644), new(0o755), new(0o440)), (0o600, 0o711, 0o400));
        let there = Mode::new(0o664);
        assert_eq!(Mode::new(0o644).for_secret().expect("a mode has one").settle(Some(&there)), there);
        assert_eq!((Mode::restricted(0o644, 0o600), Mode::restricted(0o644, 0o640)), (0o600, 0o640));
    }

    #[test]
    fn refuses_invalid_modes() {
        for text in ["", "8", "0o8", "77777", "rw", "u=q", "z+r", "u+r,", "-1"] {
            assert!(parse(text).is_none(), "{text}");
        }
        for value in [Value::Int(644), Value::Int(420), Value::Null, Value::Bool(true)] {
            assert!(Mode::from_value(&value, &Context::NOTHING).is_err(), "{value}");
        }
    }
}
