//! Calls with literal arguments, written as HCL.

use hcl_edit::expr::{Expression, ObjectKey, UnaryOperator};
use uphold_functions::Fault;
use uphold_model::Value;

use crate::world::call;

/// The value of a call whose arguments are literals or such calls.
pub(crate) fn evaluate(text: &str) -> Result<Value, Fault> {
    value(&text.parse().unwrap_or_else(|error| panic!("{text}: {error}")))
}

/// The value, or the message and the hint, as one string.
pub(crate) fn shown(text: &str) -> String {
    match evaluate(text) {
        Ok(value) => value.to_string(),
        Err(Fault { message, fix: Some(fix), .. }) => format!("{message} ({fix})"),
        Err(Fault { message, .. }) => message,
    }
}

fn value(expression: &Expression) -> Result<Value, Fault> {
    Ok(match expression {
        Expression::Null(_) => Value::Null,
        Expression::Bool(b) => Value::Bool(**b),
        Expression::Number(n) => match n.as_i64() {
            Some(i) => Value::Int(i),
            None => Value::Float(n.as_f64().unwrap_or_default()),
        },
        Expression::String(text) => Value::text(text.as_str()),
        Expression::Array(items) => Value::List(items.iter().map(value).collect::<Result<_, _>>()?),
        Expression::Object(object) => {
            let entry = |(key, item): (&ObjectKey, &hcl_edit::expr::ObjectValue)| {
                Ok((name(key), value(item.expr())?))
            };
            Value::map(object.iter().map(entry).collect::<Result<Vec<_>, Fault>>()?)
        }
        Expression::UnaryOp(operation) if *operation.operator == UnaryOperator::Neg => {
            match value(&operation.expr)? {
                Value::Int(i) => Value::Int(-i),
                Value::Float(x) => Value::Float(-x),
                other => panic!("-{other}"),
            }
        }
        Expression::FuncCall(function) => {
            let arguments = function.args.iter().map(value).collect::<Result<Vec<_>, _>>()?;
            call(function.name.name.as_str(), &arguments)?
        }
        other => panic!("only literals and calls: {other}"),
    })
}

fn name(key: &ObjectKey) -> String {
    match key {
        ObjectKey::Ident(ident) => ident.as_str().to_owned(),
        ObjectKey::Expression(Expression::Variable(ident)) => ident.as_str().to_owned(),
        ObjectKey::Expression(Expression::String(text)) => text.as_str().to_owned(),
        ObjectKey::Expression(other) => panic!("only plain keys: {other}"),
    }
}
