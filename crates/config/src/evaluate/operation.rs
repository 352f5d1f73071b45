//! Operators.

use uphold_model::{Code, Diagnostic, Shape, Value};

use super::evaluator::{Evaluated, Evaluator, is_secret, keep_secret, unknown_like};
use super::frame::Frame;
use crate::tree::{Node, NodeId, Operator};

/// One operator of a chain.
struct Operation {
    operator: Operator,
    left: NodeId,
    right: NodeId,
    id: NodeId,
}

impl Evaluator<'_> {
    pub(super) fn not(&self, frame: &Frame<'_>, operand: NodeId) -> Evaluated {
        let value = self.node(frame, operand)?;
        let result = match value.reveal() {
            Value::Bool(b) => Value::Bool(!b),
            Value::Unknown(unknown) if may_be(value.shape(), Shape::Bool) => {
                unknown_like(unknown, Shape::Bool)
            }
            other => {
                return Err(frame.not_a(operand, Code::OperandType, other, "true or false"));
            }
        };
        Ok(keep_secret(is_secret(&value), result))
    }

    pub(super) fn negative(&self, frame: &Frame<'_>, operand: NodeId) -> Evaluated {
        let value = self.node(frame, operand)?;
        let result = match value.reveal() {
            Value::Int(i) => i.checked_neg().map(Value::Int).ok_or_else(|| too_large(frame, operand))?,
            Value::Float(x) => Value::Float(-x),
            Value::Unknown(unknown) if may_be(value.shape(), Shape::Number) => {
                unknown_like(unknown, Shape::Number)
            }
            other => return Err(frame.not_a(operand, Code::OperandType, other, "a number")),
        };
        Ok(keep_secret(is_secret(&value), result))
    }

    /// Binary operators, from left to right. A chain can be as long as its text, so it must not use a stack level for
    /// each operator.
    pub(super) fn binary<'f>(&self, frame: &Frame<'f>, id: NodeId, node: Node<'f>) -> Evaluated {
        let (mut chain, mut at, mut first) = (Vec::new(), id, node);
        while let Node::Binary { operator, left, right } = first {
            chain.push(Operation { operator, left, right, id: at });
            (at, first) = (left, frame.code.node(left));
        }
        let mut value = self.read(frame, at, first)?;
        for operation in chain.iter().rev() {
            self.budget.spend(1, || frame.code.place_of(operation.id))?;
            value = self.operate(frame, operation, value)?;
        }
        Ok(value)
    }

    fn operate(&self, frame: &Frame<'_>, operation: &Operation, a: Value) -> Evaluated {
        let Operation { operator, left, right, id } = *operation;
        if let Operator::And | Operator::Or = operator {
            return self.logic(frame, operation, a);
        }
        let b = self.node(frame, right)?;
        self.budget.charge(&a, || frame.code.place_of(left))?;
        self.budget.charge(&b, || frame.code.place_of(right))?;
        if let Operator::Equal | Operator::Unequal = operator {
            self.comparable(frame, [(&a, left), (&b, right)])?;
        }
        let secret = a.is_sensitive() || b.is_sensitive();
        let result = match operator {
            Operator::Equal => equality(&a, &b, true),
            Operator::Unequal => equality(&a, &b, false),
            _ => numeric(frame, operator, (&a, left), (&b, right), id)?,
        };
        Ok(keep_secret(secret, result))
    }

    /// `&&` and `||`: the right operand counts only if the left one does not decide. If that is unknown, an error of
    /// the right operand is postponed.
    fn logic(&self, frame: &Frame<'_>, operation: &Operation, a: Value) -> Evaluated {
        let Operation { operator, left, right, .. } = *operation;
        let decides = operator == Operator::Or;
        let first = truth(frame, left, &a)?;
        if first == Some(decides) {
            return Ok(a);
        }
        let second = || {
            let b = self.node(frame, right)?;
            let second = truth(frame, right, &b)?;
            Ok((b, second))
        };
        let (b, second) = match a.reveal() {
            Value::Unknown(unknown) => self.postpone(unknown, second)?.unwrap_or_else(|| (a.clone(), None)),
            _ => second()?,
        };
        let secret = is_secret(&a) || is_secret(&b);
        let result = match (first, second) {
            (None, Some(second)) if second == decides => Value::Bool(decides),
            (None, _) => unknown_of(&a),
            (_, None) => unknown_of(&b),
            (_, Some(second)) => Value::Bool(second),
        };
        Ok(keep_secret(secret, result))
    }
}

fn unknown_of(value: &Value) -> Value {
    match value.first_unknown() {
        Some(unknown) => unknown_like(unknown, Shape::Bool),
        None => value.clone(),
    }
}

/// Whether an unknown value of this shape may turn out to have the shape `wanted`. True without a shape.
pub(super) fn may_be(shape: Option<Shape>, wanted: Shape) -> bool {
    shape.is_none_or(|shape| shape == wanted)
}

fn is_comparison(operator: Operator) -> bool {
    use Operator::{Greater, GreaterOrEqual, Less, LessOrEqual};
    matches!(operator, Less | LessOrEqual | Greater | GreaterOrEqual)
}

fn symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::Or => "||",
        Operator::And => "&&",
        Operator::Equal => "==",
        Operator::Unequal => "!=",
        Operator::Less => "<",
        Operator::LessOrEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterOrEqual => ">=",
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::Remainder => "%",
    }
}

fn is_zero(value: &Value) -> bool {
    matches!(value, Value::Int(0)) || matches!(value, Value::Float(x) if *x == 0.0)
}

/// The number as a double, if that is exact.
fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Int(i) => exact(*i),
        Value::Float(x) => Some(*x),
        _ => None,
    }
}

fn exact(number: i64) -> Option<f64> {
    let float = number as f64;
    (float as i128 == i128::from(number)).then_some(float)
}

fn compare(operator: Operator, a: &Value, b: &Value) -> bool {
    uphold_functions::compare_numbers(a, b).is_some_and(|order| match operator {
        Operator::Less => order.is_lt(),
        Operator::LessOrEqual => order.is_le(),
        Operator::Greater => order.is_gt(),
        _ => order.is_ge(),
    })
}

/// The result; none if it is not representable.
fn compute(operator: Operator, a: &Value, b: &Value) -> Option<Value> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        let whole = match operator {
            Operator::Add => a.checked_add(*b)?,
            Operator::Subtract => a.checked_sub(*b)?,
            Operator::Multiply => a.checked_mul(*b)?,
            Operator::Remainder => a.checked_rem(*b)?,
            _ if a.checked_rem(*b)? == 0 => a.checked_div(*b)?,
            _ => return finite(exact(*a)? / exact(*b)?),
        };
        return Some(Value::Int(whole));
    }
    let (a, b) = (float(a)?, float(b)?);
    finite(match operator {
        Operator::Add => a + b,
        Operator::Subtract => a - b,
        Operator::Multiply => a * b,
        Operator::Remainder => a % b,
        _ => a / b,
    })
}

fn finite(number: f64) -> Option<Value> {
    number.is_finite().then_some(Value::Float(number))
}

/// Whether two values are equal; unknown if a part that could decide it is unknown.
fn equality(a: &Value, b: &Value, expected: bool) -> Value {
    match equal(a, b) {
        Some(equal) => Value::Bool(equal == expected),
        None => unknown_of(if a.is_unknown() { a } else { b }),
    }
}

fn equal(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Sensitive(a), b) => equal(a, b),
        (a, Value::Sensitive(b)) => equal(a, b),
        (Value::Unknown(_), _) | (_, Value::Unknown(_)) => None,
        (Value::Int(_), Value::Float(_)) | (Value::Float(_), Value::Int(_)) => {
            Some(uphold_functions::compare_numbers(a, b).is_some_and(std::cmp::Ordering::is_eq))
        }
        (Value::List(a), Value::List(b)) => {
            if a.len() != b.len() {
                Some(false)
            } else {
                all_equal(a.iter().zip(b.iter()))
            }
        }
        (Value::Map(a), Value::Map(b)) => {
            if !a.keys().eq(b.keys()) {
                Some(false)
            } else {
                all_equal(a.values().zip(b.values()))
            }
        }
        _ => Some(a == b),
    }
}

/// One pair that differs decides; otherwise an unknown pair makes the result unknown.
fn all_equal<'v>(pairs: impl Iterator<Item = (&'v Value, &'v Value)>) -> Option<bool> {
    let mut answer = Some(true);
    for (a, b) in pairs {
        match equal(a, b) {
            Some(false) => return Some(false),
            Some(true) => {}
            None => answer = None,
        }
    }
    answer
}

/// A bool, or none if it is unknown.
fn truth(frame: &Frame<'_>, at: NodeId, value: &Value) -> Result<Option<bool>, Box<Diagnostic>> {
    match value.reveal() {
        Value::Bool(b) => Ok(Some(*b)),
        Value::Unknown(_) if may_be(value.shape(), Shape::Bool) => Ok(None),
        other => Err(frame.not_a(at, Code::OperandType, other, "true or false")),
    }
}

fn not_a_number(frame: &Frame<'_>, at: NodeId, found: &Value, operator: Operator) -> Box<Diagnostic> {
    let text = found.shape() == Some(Shape::Text);
    if operator == Operator::Add && text {
        let detail = "`+` adds numbers; this is a string";
        let fix = "join strings in a template: \"${a}${b}\"";
        return frame.error(at, Code::OperandType, detail, fix);
    }
    if operator == Operator::Add && found.shape() == Some(Shape::List) {
        let detail = "`+` adds numbers; this is a list";
        return frame.error(at, Code::OperandType, detail, "join lists: `concat(a, b)`");
    }
    let does = if is_comparison(operator) { "compares" } else { "computes with" };
    let detail = format!("`{}` {does} numbers; this is {}", symbol(operator), found.type_name());
    let fix = match found {
        Value::Text(_) => "turn it into a number: `tonumber(…)`",
        Value::Bool(_) if is_comparison(operator) => "compare two at a time: `a < b && b < c`",
        _ => "use a number here",
    };
    frame.error(at, Code::OperandType, detail, fix)
}

fn too_large(frame: &Frame<'_>, at: NodeId) -> Box<Diagnostic> {
    let detail = "the result fits neither a 64-bit integer nor a double";
    frame.error(at, Code::NumberTooLarge, detail, "use smaller numbers")
}

fn numeric(
    frame: &Frame<'_>,
    operator: Operator,
    left: (&Value, NodeId),
    right: (&Value, NodeId),
    id: NodeId,
) -> Evaluated {
    for (value, at) in [left, right] {
        if !may_be(value.shape(), Shape::Number) {
            return Err(not_a_number(frame, at, value.reveal(), operator));
        }
    }
    let (a, b) = (left.0.reveal(), right.0.reveal());
    match (a, b) {
        (Value::Unknown(unknown), _) | (_, Value::Unknown(unknown)) => {
            Ok(unknown_like(unknown, if is_comparison(operator) { Shape::Bool } else { Shape::Number }))
        }
        (Value::Null | Value::Reference(_), _) => Err(frame.not_a(left.1, Code::OperandType, a, "a number")),
        (_, Value::Null | Value::Reference(_)) => Err(frame.not_a(right.1, Code::OperandType, b, "a number")),
        _ if matches!(operator, Operator::Divide | Operator::Remainder) && is_zero(b) => Err(frame.error(
            right.1,
            Code::DivisionByZero,
            "a number cannot be divided by 0",
            "handle that case: `n == 0 ? … : … / n`",
        )),
        _ if is_comparison(operator) => Ok(Value::Bool(compare(operator, a, b))),
        _ => compute(operator, a, b).ok_or_else(|| too_large(frame, id)),
    }
}
