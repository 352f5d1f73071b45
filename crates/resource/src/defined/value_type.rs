//! The types of properties whose kind is defined at run time.

use std::sync::Arc;
use std::time::Duration;

use uphold_model::{
    Claims, DefaultValue, Map, Need, Problem, PropertySchema, Role, Rule, Type, Value, closest,
};

use super::{intern_str, intern_value, keep, keep_all};
use crate::host::Reading;
use crate::interest::Interest;
use crate::private::word;
use crate::property::{Context, Property};
use crate::types::{AbsolutePath, AnyPath, Bytes, GroupName, Mode, Port, Size, Url, UserName, mismatch};

/// A type that is composed at run time.
#[derive(Clone, Debug)]
pub enum ValueType {
    /// A type that compiled kinds have, too: see [`ValueType::named`].
    Plain(&'static Plain),
    /// One of these strings.
    Words(Vec<String>),
    /// A list of values of one type.
    List(Box<ValueType>),
    /// A map with string keys and values of one type.
    Map(Box<ValueType>),
    /// A map with these keys.
    Struct(Vec<Member>),
    /// The first of these types that accepts the value.
    Either(Vec<ValueType>),
    /// A value of this type, or null.
    Nullable(Box<ValueType>),
    /// A secret of this type.
    Sensitive(Box<ValueType>),
}

/// A key of a [`ValueType::Struct`].
#[derive(Clone, Debug)]
pub struct Member {
    /// The key.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// The type of its value.
    pub ty: ValueType,
    /// Whether it is required.
    pub required: bool,
    /// The value of a key that is left out.
    pub default: Option<Value>,
    /// Rules for its value.
    pub rules: &'static [Rule],
}

/// A compiled type as plain functions.
pub struct Plain {
    name: &'static str,
    ty: &'static Type,
    read: fn(&Value, &Context<'_>) -> Result<Value, Problem>,
    settle: fn(&Value, Option<&Value>) -> Value,
    for_secret: fn(&Value) -> Option<Value>,
    claim: fn(&Value, Role, &mut Claims),
    watch: fn(&Value, Role, &Reading<'_>, &mut Vec<Interest>),
}

impl std::fmt::Debug for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

const fn plain<T: Property>(name: &'static str) -> Plain {
    Plain {
        name,
        ty: T::TYPE,
        read: |value, context| T::from_value(value, context).map(|made| made.to_value()),
        settle: |wish, current| {
            let existing = current.and_then(again::<T>);
            again::<T>(wish).map_or_else(|| wish.clone(), |wish| wish.settle(existing.as_ref()).to_value())
        },
        for_secret: |default| Some(again::<T>(default)?.for_secret()?.to_value()),
        claim: |value, role, claims| again::<T>(value).iter().for_each(|made| made.claim(role, claims)),
        watch: |value, role, host, interests| {
            again::<T>(value).iter().for_each(|made| made.watch(role, host, interests));
        },
    }
}

/// Reads a value that was read successfully before.
fn again<T: Property>(value: &Value) -> Option<T> {
    T::from_value(value, &Context::NOTHING).ok()
}

static PLAIN: [Plain; 17] = [
    plain::<Value>("any"),
    plain::<String>("string"),
    plain::<bool>("bool"),
    plain::<i64>("int"),
    plain::<u32>("count"),
    plain::<f64>("number"),
    plain::<Bytes>("bytes"),
    plain::<AbsolutePath>("path"),
    plain::<AnyPath>("any_path"),
    plain::<Mode>("mode"),
    plain::<UserName>("user"),
    plain::<GroupName>("group"),
    plain::<Port>("port"),
    plain::<Size>("size"),
    plain::<Duration>("duration"),
    plain::<Url>("url"),
    plain::<String>(ALIAS),
];

/// Another word for `string`, which is accepted and not listed.
const ALIAS: &str = "text";

impl ValueType {
    /// The plain type of this name. If it does not exist, the error lists the names that do.
    pub fn named(name: &str) -> Result<Self, Vec<&'static str>> {
        let found = PLAIN.iter().find(|plain| plain.name == name);
        found
            .map(Self::Plain)
            .ok_or_else(|| PLAIN.iter().map(|plain| plain.name).filter(|name| *name != ALIAS).collect())
    }

    /// Any value.
    pub fn any() -> Self {
        Self::Plain(&PLAIN[0])
    }

    /// The schema type, for documentation and editors. Composed types are interned and never freed.
    pub fn describe(&self) -> &'static Type {
        match self {
            Self::Plain(plain) => plain.ty,
            Self::Words(words) => keep(Type::Enum(keep_all(words.iter().map(|word| intern_str(word))))),
            Self::List(inner) => keep(Type::List(inner.describe())),
            Self::Map(inner) => keep(Type::Map(inner.describe())),
            Self::Struct(members) => keep(Type::Struct(keep_all(members.iter().map(Member::describe)))),
            Self::Either(_) => &Type::Any,
            Self::Nullable(inner) => keep(Type::Nullable(inner.describe())),
            Self::Sensitive(inner) => keep(Type::Sensitive(inner.describe())),
        }
    }

    /// Reads and checks a value.
    ///
    /// # Errors
    /// If the value is invalid; the problem says where in the value.
    pub fn read(&self, value: &Value, context: &Context<'_>) -> Result<Value, Problem> {
        match self {
            Self::Plain(plain) => (plain.read)(value, context),
            Self::Words(words) => {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                word(value, &words).map(Value::text)
            }
            Self::List(inner) => read_list(inner, value, context),
            Self::Map(inner) => read_map(inner, value, context),
            Self::Struct(members) => read_struct(members, value, context),
            Self::Either(types) => read_either(types, value, context),
            Self::Nullable(_) if *value == Value::Null => Ok(Value::Null),
            Self::Nullable(inner) | Self::Sensitive(inner) => inner.read(value, context),
        }
    }

    /// The effective value of a declared one, given the current value: see [`Property::settle`].
    pub fn settle(&self, wish: &Value, current: Option<&Value>) -> Value {
        match self {
            Self::Plain(plain) => (plain.settle)(wish, current),
            Self::Nullable(inner) | Self::Sensitive(inner) if *wish != Value::Null => {
                inner.settle(wish, current)
            }
            _ => wish.clone(),
        }
    }

    /// A create default for a resource that holds a secret.
    pub(super) fn for_secret(&self, default: Value) -> Value {
        match self {
            Self::Plain(plain) => (plain.for_secret)(&default).unwrap_or(default),
            Self::Nullable(inner) | Self::Sensitive(inner) if default != Value::Null => {
                inner.for_secret(default)
            }
            _ => default,
        }
    }

    /// Adds what a property of this type and role provides or depends on.
    pub(super) fn claim(&self, value: &Value, role: Role, claims: &mut Claims) {
        self.leaves(value, &mut |plain, value| (plain.claim)(value, role, claims));
    }

    /// Adds the interests of a property of this type and role.
    pub(super) fn watch(&self, value: &Value, role: Role, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.leaves(value, &mut |plain, value| (plain.watch)(value, role, host, interests));
    }

    /// Whether values of this type are never shown.
    pub fn is_sensitive(&self) -> bool {
        match self {
            Self::Sensitive(_) => true,
            Self::Nullable(inner) | Self::List(inner) | Self::Map(inner) => inner.is_sensitive(),
            Self::Struct(members) => members.iter().any(|member| member.ty.is_sensitive()),
            Self::Either(types) => types.iter().any(Self::is_sensitive),
            Self::Plain(_) | Self::Words(_) => false,
        }
    }

    fn leaves(&self, value: &Value, visit: &mut dyn FnMut(&Plain, &Value)) {
        match (self, value) {
            (Self::Plain(plain), _) => visit(plain, value),
            (Self::List(inner), Value::List(items)) => {
                items.iter().for_each(|item| inner.leaves(item, visit));
            }
            (Self::Map(inner), Value::Map(map)) => map.values().for_each(|item| inner.leaves(item, visit)),
            (Self::Struct(members), Value::Map(map)) => {
                for member in members {
                    if let Some(item) = map.get(&*member.name) {
                        member.ty.leaves(item, visit);
                    }
                }
            }
            (Self::Nullable(inner) | Self::Sensitive(inner), value) => inner.leaves(value, visit),
            _ => {}
        }
    }
}

impl Member {
    fn describe(&self) -> PropertySchema {
        PropertySchema {
            name: intern_str(&self.name),
            doc: intern_str(&self.doc),
            role: Role::Setting,
            ty: self.ty.describe(),
            need: if self.required { Need::Required } else { Need::Optional },
            default: self.default.clone().map(|default| DefaultValue::There(intern_value(default))),
            rules: self.rules,
            aliases: &[],
            also: &[],
            replaced_by: None,
            flatten: None,
        }
    }
}

fn read_list(inner: &ValueType, value: &Value, context: &Context<'_>) -> Result<Value, Problem> {
    // A single block is a list of one, as for compiled kinds.
    if matches!((value, inner), (Value::Map(_), ValueType::Struct(_))) {
        return inner.read(value, context).map(|item| Value::list([item]));
    }
    let Value::List(items) = value else {
        return Err(mismatch(value, "a list", "put it in brackets: [ … ]"));
    };
    let mut problems = Vec::new();
    let mut good = Vec::with_capacity(items.len());
    for (i, item) in items.iter().enumerate() {
        match inner.read(item, context) {
            Ok(item) => good.push(item),
            Err(problem) => problems.push(problem.inside(&format!("[{i}]"))),
        }
    }
    Problem::of_members(problems).map_or_else(|| Ok(Value::list(good)), Err)
}

fn read_map(inner: &ValueType, value: &Value, context: &Context<'_>) -> Result<Value, Problem> {
    let Value::Map(map) = value else {
        return Err(mismatch(value, "a map", "put it in braces: { key = value }"));
    };
    let mut problems = Vec::new();
    let mut good = Map::new();
    for (key, item) in map.iter() {
        match inner.read(item, context) {
            Ok(item) => _ = good.insert(key.clone(), item),
            Err(problem) => problems.push(problem.inside(key)),
        }
    }
    Problem::of_members(problems).map_or_else(|| Ok(Value::Map(Arc::new(good))), Err)
}

fn read_struct(members: &[Member], value: &Value, context: &Context<'_>) -> Result<Value, Problem> {
    let Value::Map(map) = value else {
        return Err(mismatch(value, "a map", "put it in braces: { key = value }"));
    };
    let mut problems = Vec::new();
    let mut good = Map::new();
    for (key, item) in map.iter() {
        let Some(member) = members.iter().find(|member| *member.name == **key) else {
            problems.push(unknown_key(key, item, members).inside(key));
            continue;
        };
        match member
            .ty
            .read(item, context)
            .and_then(|read| crate::rules::check(member.rules, &read).map(|()| read))
        {
            Ok(item) => _ = good.insert(key.clone(), item),
            Err(problem) => problems.push(problem.inside(key)),
        }
    }
    for member in members.iter().filter(|member| !map.contains_key(&*member.name)) {
        if let Some(default) = &member.default {
            good.insert(member.name.as_str().into(), default.clone());
        } else if member.required {
            let fix = format!("add `{} = …`", member.name);
            problems.push(Problem::new(None, "is required", fix).inside(&member.name));
        }
    }
    Problem::of_members(problems).map_or_else(|| Ok(Value::Map(Arc::new(good))), Err)
}

fn unknown_key(key: &str, item: &Value, members: &[Member]) -> Problem {
    let names = members.iter().map(|member| member.name.as_str());
    let fix = match closest(key, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its keys are {}", names.collect::<Vec<_>>().join(", ")),
    };
    Problem::new(Some(item), "is not a known key", fix)
}

fn read_either(types: &[ValueType], value: &Value, context: &Context<'_>) -> Result<Value, Problem> {
    let mut refused = None;
    for ty in types {
        match ty.read(value, context) {
            Ok(value) => return Ok(value),
            Err(problem) => refused = refused.or(Some(problem)),
        }
    }
    Err(refused.unwrap_or_else(|| mismatch(value, "nothing", "leave it out")))
}
