//! Functions on numbers.

use uphold_model::{Shape, Value};

use crate::call::{Call, Fault};
use crate::function::Accepts::{Integer, List, Number as Numeric, Text};
use crate::function::{Body, Function, Topic, example, takes};
use crate::number::{self, Number, overflow};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "abs",
        topic: Topic::Numbers,
        parameters: &[takes("number", Numeric)],
        rest: None,
        gives: Some(Shape::Number),
        doc: "Returns the absolute value of a number.",
        examples: &[example("abs(-12.4)", "12.4")],
        body: Body::Whole(abs),
    },
    Function {
        name: "ceil",
        topic: Topic::Numbers,
        parameters: &[takes("number", Numeric)],
        rest: None,
        gives: Some(Shape::Number),
        doc: "Rounds a number up to a whole number.",
        examples: &[example("ceil(5.1)", "6"), example("ceil(-5.1)", "-5")],
        body: Body::Whole(|call| round(call, f64::ceil)),
    },
    Function {
        name: "floor",
        topic: Topic::Numbers,
        parameters: &[takes("number", Numeric)],
        rest: None,
        gives: Some(Shape::Number),
        doc: "Rounds a number down to a whole number.",
        examples: &[example("floor(4.9)", "4"), example("floor(-4.9)", "-5")],
        body: Body::Whole(|call| round(call, f64::floor)),
    },
    Function {
        name: "log",
        topic: Topic::Numbers,
        parameters: &[takes("number", Numeric), takes("base", Numeric)],
        rest: None,
        gives: Some(Shape::Number),
        doc: "Returns the logarithm of a number to a base. Both must be positive, and the base not 1.",
        examples: &[example("log(16, 2)", "4"), example("ceil(log(15, 2))", "4")],
        body: Body::Whole(log),
    },
    Function {
        name: "max",
        topic: Topic::Numbers,
        parameters: &[takes("number", Numeric)],
        rest: Some(takes("numbers", Numeric)),
        gives: Some(Shape::Number),
        doc: "Returns the largest number. Use `...` to pass the elements of a list.",
        examples: &[example("max(12, 54, 3)", "54")],
        body: Body::Whole(|call| extreme(call, |a, b| a.compare(b).is_gt())),
    },
    Function {
        name: "min",
        topic: Topic::Numbers,
        parameters: &[takes("number", Numeric)],
        rest: Some(takes("numbers", Numeric)),
        gives: Some(Shape::Number),
        doc: "Returns the smallest number. Use `...` to pass the elements of a list.",
        examples: &[example("min(12, 54, 3)", "3")],
        body: Body::Whole(|call| extreme(call, |a, b| a.compare(b).is_lt())),
    },
    Function {
        name: "parseint",
        topic: Topic::Numbers,
        parameters: &[takes("text", Text), takes("base", Integer)],
        rest: None,
        gives: Some(Shape::Number),
        doc: "Parses a whole number in a base from 2 to 62. Up to base 36, lower-case and upper-case letters \
              are the same digits; beyond, lower-case letters come first.",
        examples: &[
            example("parseint(\"FF\", 16)", "255"),
            example("parseint(\"-10\", 2)", "-2"),
            example("parseint(\"aA\", 62)", "656"),
        ],
        body: Body::Whole(parseint),
    },
    Function {
        name: "pow",
        topic: Topic::Numbers,
        parameters: &[takes("number", Numeric), takes("exponent", Numeric)],
        rest: None,
        gives: Some(Shape::Number),
        doc: "Raises a number to a power.",
        examples: &[example("pow(3, 2)", "9"), example("pow(4, 0.5)", "2"), example("pow(2, -1)", "0.5")],
        body: Body::Whole(pow),
    },
    Function {
        name: "signum",
        topic: Topic::Numbers,
        parameters: &[takes("number", Numeric)],
        rest: None,
        gives: Some(Shape::Number),
        doc: "Returns the sign of a number: -1, 0 or 1.",
        examples: &[example("signum(-13)", "-1"), example("signum(0)", "0")],
        body: Body::Whole(|call| Ok(Value::Int(call.number(0)?.compare(Number::Int(0)) as i64))),
    },
    Function {
        name: "sum",
        topic: Topic::Numbers,
        parameters: &[takes("list", List)],
        rest: None,
        gives: Some(Shape::Number),
        doc: "Returns the sum of a list of numbers, which must not be empty.",
        examples: &[example("sum([10, 13, 6, 4.5])", "33.5")],
        body: Body::Whole(sum),
    },
];

fn abs(call: &Call<'_>) -> Result<Value, Fault> {
    match call.number(0)? {
        Number::Int(i) => i.checked_abs().map(Value::Int).ok_or_else(overflow),
        Number::Float(x) => number::value(x.abs()),
    }
}

/// Integers stay as they are: a float may be too coarse.
fn round(call: &Call<'_>, round: fn(f64) -> f64) -> Result<Value, Fault> {
    match call.number(0)? {
        Number::Int(i) => Ok(Value::Int(i)),
        Number::Float(x) => number::value(round(x)),
    }
}

fn log(call: &Call<'_>) -> Result<Value, Fault> {
    let (x, base) = (call.number(0)?.float(), call.number(1)?.float());
    if x <= 0.0 {
        return Err(Fault::at(0, "only positive numbers have a logarithm"));
    }
    if base <= 0.0 || base == 1.0 {
        return Err(Fault::at(1, "the base must be positive and not 1"));
    }
    // The quotient of natural logarithms misses whole results slightly.
    number::value(match base {
        2.0 => x.log2(),
        10.0 => x.log10(),
        _ => x.log(base),
    })
}

fn extreme(call: &Call<'_>, better: fn(Number, Number) -> bool) -> Result<Value, Fault> {
    let mut best = call.number(0)?;
    for index in 1..call.arguments.len() {
        let number = call.number(index)?;
        if better(number, best) {
            best = number;
        }
    }
    best.value()
}

fn parseint(call: &Call<'_>) -> Result<Value, Fault> {
    let (text, base) = (call.text(0)?, call.int(1)?);
    if !(2..=62).contains(&base) {
        return Err(Fault::at(1, format!("the base must be from 2 to 62, not {base}")));
    }
    let (digits, sign) = match text.strip_prefix('-') {
        Some(digits) => (digits, -1),
        None => (&**text, 1),
    };
    let no_number = || Fault::at(0, format!("{text:?} is not a whole number in base {base}"));
    let mut number: i64 = 0;
    for character in digits.chars() {
        let digit = digit(character, base).ok_or_else(no_number)?;
        let next = number.checked_mul(base).and_then(|n| n.checked_add(sign * digit));
        number = next.ok_or_else(overflow)?;
    }
    if digits.is_empty() { Err(no_number()) } else { Ok(Value::Int(number)) }
}

fn digit(character: char, base: i64) -> Option<i64> {
    let code = i64::from(u32::from(character));
    let digit = match character {
        '0'..='9' => code - i64::from(b'0'),
        'a'..='z' => code - i64::from(b'a') + 10,
        'A'..='Z' if base <= 36 => code - i64::from(b'A') + 10,
        'A'..='Z' => code - i64::from(b'A') + 36,
        _ => return None,
    };
    (digit < base).then_some(digit)
}

fn pow(call: &Call<'_>) -> Result<Value, Fault> {
    let (base, exponent) = (call.number(0)?, call.number(1)?);
    if let (Number::Int(base), Number::Int(exponent)) = (base, exponent)
        && let Ok(exponent) = u32::try_from(exponent)
    {
        return base.checked_pow(exponent).map(Value::Int).ok_or_else(overflow);
    }
    let power = base.float().powf(exponent.float());
    if power.is_nan() {
        return Err(Fault::new("a negative number has no such power"));
    }
    number::value(power)
}

/// An integer that no float equals would be rounded.
fn inexact() -> Fault {
    Fault::at(0, "a whole number beyond 2 to the power of 53 and a fraction have no exact sum")
}

fn sum(call: &Call<'_>) -> Result<Value, Fault> {
    let items = call.list(0)?;
    if items.is_empty() {
        return Err(Fault::at(0, "an empty list has no sum").with_fix("add a 0: `sum(concat([0], list))`"));
    }
    let mut total = Number::Int(0);
    for (at, item) in items.iter().enumerate() {
        let number = Number::of(item).ok_or_else(|| crate::arguments::element(0, at, "a number", item))?;
        total = match (total, number) {
            (Number::Int(a), Number::Int(b)) => Number::Int(a.checked_add(b).ok_or_else(overflow)?),
            (a, b) => Number::Float(a.exact().zip(b.exact()).map(|(a, b)| a + b).ok_or_else(inexact)?),
        };
    }
    total.value()
}
