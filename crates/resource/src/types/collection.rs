//! Lists, maps and nullable values.

use std::collections::BTreeMap;

use uphold_model::{Claims, Problem, Role, Type, Value};

use super::mismatch;
use crate::host::Reading;
use crate::interest::Interest;
use crate::property::{Context, Property};

/// Collects all members, or the problems of all invalid ones.
fn all<T, C: FromIterator<T>>(members: impl Iterator<Item = Result<T, Problem>>) -> Result<C, Problem> {
    let mut problems = Vec::new();
    let good = members.filter_map(|member| member.map_err(|problem| problems.push(problem)).ok()).collect();
    Problem::of_members(problems).map_or(Ok(good), Err)
}

/// A list. Each member is decoded and checked.
impl<T: Property> Property for Vec<T> {
    const TYPE: &'static Type = &Type::List(T::TYPE);

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        // A single nested block is accepted as a list.
        if matches!((value, T::TYPE), (Value::Map(_), Type::Struct(_))) {
            return Ok(vec![T::from_value(value, context)?]);
        }
        let Value::List(items) = value else {
            return Err(mismatch(value, "a list", "put it in brackets: [ … ]"));
        };
        let decode = |(i, item)| T::from_value(item, context).map_err(|p| p.inside(&format!("[{i}]")));
        all(items.iter().enumerate().map(decode))
    }

    fn to_value(&self) -> Value {
        Value::list(self.iter().map(Property::to_value))
    }

    fn claim(&self, role: Role, claims: &mut Claims) {
        self.iter().for_each(|item| item.claim(role, claims));
    }

    fn watch(&self, role: Role, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.iter().for_each(|item| item.watch(role, host, interests));
    }
}

/// A map with string keys. Each member is decoded and checked.
impl<T: Property> Property for BTreeMap<String, T> {
    const TYPE: &'static Type = &Type::Map(T::TYPE);

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let Value::Map(map) = value else {
            return Err(mismatch(value, "a map", "put it in braces: { key = value }"));
        };
        let decode = |(key, item): (&std::sync::Arc<str>, &Value)| {
            T::from_value(item, context)
                .map(|item| (key.to_string(), item))
                .map_err(|problem| problem.inside(key))
        };
        all(map.iter().map(decode))
    }

    fn to_value(&self) -> Value {
        Value::map(self.iter().map(|(key, item)| (key.as_str(), item.to_value())))
    }

    fn claim(&self, role: Role, claims: &mut Claims) {
        self.values().for_each(|item| item.claim(role, claims));
    }

    fn watch(&self, role: Role, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.values().for_each(|item| item.watch(role, host, interests));
    }
}

/// A nullable value. No other type accepts null.
impl<T: Property> Property for Option<T> {
    const TYPE: &'static Type = &Type::Nullable(T::TYPE);

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::Null => Ok(None),
            value => T::from_value(value, context).map(Some),
        }
    }

    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Null, Property::to_value)
    }

    fn settle(&self, current: Option<&Self>) -> Self {
        self.as_ref().map(|wish| wish.settle(current.and_then(Option::as_ref)))
    }

    fn claim(&self, role: Role, claims: &mut Claims) {
        self.iter().for_each(|item| item.claim(role, claims));
    }

    fn watch(&self, role: Role, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.iter().for_each(|item| item.watch(role, host, interests));
    }
}
