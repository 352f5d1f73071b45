//! Type errors of values that are not known yet.

use uphold_model::{Problem, Shape, Type, Unknown, Value};

/// The problem of a `value` that a property of type `ty` can never accept, whatever its unknown parts become. Anything
/// else is checked when it is known.
pub(crate) fn refuse(value: &Value, ty: &Type) -> Option<Problem> {
    match (value, ty) {
        (Value::Sensitive(inner), ty) => refuse(inner, ty).map(Problem::hidden),
        (value, Type::Sensitive(inner) | Type::Nullable(inner)) => refuse(value, inner),
        (Value::Unknown(unknown), ty) => refuse_unknown(value, unknown, ty),
        (Value::List(items), Type::List(inner)) => {
            let members = items.iter().enumerate();
            Problem::of_members(
                members.filter_map(|(i, item)| Some(refuse(item, inner)?.inside(&format!("[{i}]")))),
            )
        }
        (Value::Map(map), Type::Map(inner)) => {
            Problem::of_members(map.iter().filter_map(|(key, item)| Some(refuse(item, inner)?.inside(key))))
        }
        _ => None,
    }
}

fn refuse_unknown(value: &Value, unknown: &Unknown, ty: &Type) -> Option<Problem> {
    let shape = unknown.shape?;
    if takes(ty, shape) {
        return None;
    }
    let wanted = words(ty);
    let fix = match (ty, shape) {
        (Type::Text | Type::Bytes | Type::Enum(_), Shape::Number | Shape::Bool) => {
            "convert it: tostring(…)".to_owned()
        }
        (Type::List(_), _) => "put it in brackets: [ … ]".to_owned(),
        _ => format!("use {wanted}"),
    };
    Some(Problem::new(Some(value), format!("must be {wanted}, but will be {}", shape.words()), fix))
}

/// The description of a type in problems.
fn words(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Enum(_) | Type::Bytes => "a string".to_owned(),
        Type::Bool => "true or false".to_owned(),
        Type::Int(..) => "a whole number".to_owned(),
        Type::Float => "a number".to_owned(),
        Type::List(_) => "a list".to_owned(),
        Type::Map(_) => "a map".to_owned(),
        Type::Struct(_) => "a block".to_owned(),
        Type::Reference(kind) => format!("a {kind}"),
        Type::Any | Type::Named { .. } | Type::Sensitive(_) | Type::Nullable(_) => ty.to_string(),
    }
}

/// Whether a value of this shape may be accepted. Named types check more when it is known.
fn takes(ty: &Type, shape: Shape) -> bool {
    match ty {
        Type::Any | Type::Named { .. } => true,
        Type::Text | Type::Enum(_) | Type::Reference(_) | Type::Bytes => {
            matches!(shape, Shape::Text | Shape::Bytes)
        }
        Type::Bool => shape == Shape::Bool,
        Type::Int(..) | Type::Float => matches!(shape, Shape::Number | Shape::Text | Shape::Bytes),
        // A single nested block is accepted as a list.
        Type::List(inner) => shape == Shape::List || takes_block(inner) && shape == Shape::Map,
        Type::Map(_) | Type::Struct(_) => shape == Shape::Map,
        Type::Sensitive(inner) | Type::Nullable(inner) => takes(inner, shape),
    }
}

fn takes_block(ty: &Type) -> bool {
    match ty {
        Type::Any | Type::Named { .. } | Type::Struct(_) => true,
        Type::Sensitive(inner) | Type::Nullable(inner) => takes_block(inner),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: &Type = &Type::List(&Type::Text);
    const NAMED: &Type = &Type::Named { name: "mode", doc: "", example: "" };
    const BLOCKS: &Type = &Type::List(&Type::Struct(&[]));

    fn of(shape: Shape) -> Value {
        Value::unknown_of("task.a.out", Some(shape))
    }

    fn check(value: &Value, ty: &Type, expected: &str) {
        let found = refuse(value, ty).map(|problem| problem.inside("p").to_string()).unwrap_or_default();
        assert_eq!(found, expected, "{value:?} as {ty}");
    }

    #[test]
    fn accepts_shapes_that_may_fit() {
        for shape in [Shape::Bool, Shape::Number, Shape::Text, Shape::Bytes, Shape::List, Shape::Map] {
            check(&of(shape), &Type::Any, "");
            check(&of(shape), NAMED, "");
            check(&of(shape), &Type::Nullable(NAMED), "");
        }
        check(&Value::unknown("task.a.out"), &Type::Bool, "");
        check(&of(Shape::Text), &Type::Int(0, 9), "");
        check(&of(Shape::Bytes), &Type::Text, "");
        check(&of(Shape::Text), &Type::Bytes, "");
        check(&of(Shape::Text), &Type::Reference("file"), "");
        check(&of(Shape::Text), &Type::Enum(&["a"]), "");
        check(&of(Shape::Map), BLOCKS, "");
        check(&of(Shape::List), TEXTS, "");
        check(&Value::list([Value::Int(1), of(Shape::Text)]), TEXTS, "");
    }

    #[test]
    fn refuses_shapes_that_never_fit() {
        let number = of(Shape::Number);
        let as_text = "must be a string, but will be a number; convert it: tostring(…)";
        check(&number, &Type::Text, &format!("`p` = (known after apply) {as_text}"));
        check(&number, &Type::Nullable(&Type::Text), &format!("`p` = (known after apply) {as_text}"));
        check(&number.clone().sensitive(), &Type::Text, &format!("`p` = (sensitive value) {as_text}"));
        let list = Value::list([of(Shape::Text), number]);
        check(&list, TEXTS, &format!("`p[1]` = (known after apply) {as_text}"));
        let map = Value::map([("k", of(Shape::Text))]);
        check(
            &map,
            &Type::Map(&Type::Bool),
            "`p.k` = (known after apply) must be true or false, but will be a string; use true or false",
        );
        check(
            &of(Shape::Text),
            TEXTS,
            "`p` = (known after apply) must be a list, but will be a string; put it in brackets: [ … ]",
        );
    }
}
