//! Functions for the code that the derive macros generate. Not a stable API.

use crate::want::{Delta, Want};

use super::lazy::Lazy;
use super::property::{Context, DefaultFor, Property};

pub use uphold_model::{
    Action, Claims, DefaultValue, Difference, Group, GroupRule, Name, Need, Problem, PropertySchema, Role,
    Rule, Schema, Side, Type, Value, VerbSchema,
};

/// A default of a kind as a value of its type. `Registry::add` has checked it.
pub fn default<T: Property>(default: impl DefaultFor<T>) -> T {
    default.make(&Context::NOTHING).expect("a default is checked when its kind is registered")
}

/// A default as plain data. One that is relative to the property `base` is shown with a placeholder for it.
pub fn default_value<T: Property, D: DefaultFor<T>>(
    default: impl Fn() -> D,
    base: Option<&str>,
) -> Result<Value, Problem> {
    let below = |base: Option<&str>| default().make(&Context { base, ..Context::NOTHING });
    let made = match base {
        None => below(None),
        // A path accepts any base; a URL only one with a scheme.
        Some(name) => below(Some(&format!("<{name}>"))).or_else(|_| below(Some(&format!("base://{name}/")))),
    };
    made.map(|value| value.to_value())
}

/// The goal of a property with a create default.
pub fn on_create<T: Property>(want: &Want<T>, current: Option<&T>, default: impl DefaultFor<T>) -> T {
    want.goal(current).unwrap_or_else(|| self::default(default))
}

/// Replaces a create default by the one for a resource that holds a secret, unless the property is declared.
pub fn restrict<T: Property, D: DefaultFor<T>>(want: &mut Want<T>, default: impl Fn() -> D) {
    if let (Want::Unset, Some(restricted)) = (&want, self::default::<T>(default()).for_secret()) {
        *want = Want::OnCreate(restricted);
    }
}

/// The goal of a property whose default is enforced.
pub fn enforced<T: Property>(want: &Want<T>, current: Option<&T>, default: impl DefaultFor<T>) -> T {
    match want {
        Want::Unset => self::default::<T>(default).settle(current),
        want => want.goal(current).expect("it is set"),
    }
}

/// The goal of a property that is loaded only if it is needed; none if it exists and was not.
pub fn lazy<T: Property>(want: &Want<T>, current: Option<&Lazy<T>>) -> Option<T> {
    match (want, current) {
        (Want::Unset | Want::OnCreate(_), Some(current)) => current.get().cloned(),
        (want, current) => want.goal(current.and_then(Lazy::get)),
    }
}

/// The same with a create default.
pub fn lazy_on_create<T: Property>(
    want: &Want<T>,
    current: Option<&Lazy<T>>,
    default: impl DefaultFor<T>,
) -> Option<T> {
    match current {
        Some(_) => lazy(want, current),
        None => Some(on_create(want, None, default)),
    }
}

/// Completes the goal of an embedded property with its create default, which the place of use sets.
pub fn complete<T: Property>(goal: &mut Option<T>, want: &Want<T>, default: impl DefaultFor<T>) {
    if want.get().is_none() {
        *goal = Some(self::default(default));
    }
}

/// The schema of an embedded struct, with the changes that the place of use makes to its properties.
pub const fn changed_properties<const N: usize>(
    schema: &Schema,
    changes: &[(&str, PropertyChange)],
) -> [PropertySchema; N] {
    let mut all = [schema.properties[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = schema.properties[at];
        let mut i = 0;
        while i < changes.len() {
            if is_same(all[at].name, changes[i].0) {
                match changes[i].1 {
                    PropertyChange::Doc(doc) => all[at].doc = doc,
                    PropertyChange::Default(role, default) => {
                        (all[at].role, all[at].default) = (role, Some(default));
                    }
                }
            }
            i += 1;
        }
        at += 1;
    }
    all
}

/// A change that `#[flatten(state, …)]` makes to an embedded property.
#[derive(Clone, Copy)]
pub enum PropertyChange {
    /// Another doc comment.
    Doc(&'static str),
    /// A default, and the role that follows from it.
    Default(Role, DefaultValue),
}

/// Whether the struct itself has this property.
pub const fn has_property(schema: &Schema, name: &str) -> bool {
    let mut at = 0;
    while at < schema.properties.len() {
        if is_same(schema.properties[at].name, name) {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether two strings are equal, in a constant.
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// A default as plain data, for the property of `S` that `field` selects.
pub fn default_of_field<S, T: Property, D: DefaultFor<T>>(
    field: impl Fn(&S) -> &Want<T>,
    default: impl Fn() -> D,
) -> Result<Value, Problem> {
    let _ = field;
    default_value::<T, D>(default, None)
}

/// The goal of a required property.
pub fn required<T: Property>(want: &Want<T>, current: Option<&T>) -> T {
    want.goal(current).expect("a required property is checked when decoding")
}

/// The goal of a property that may be null.
pub fn nullable<T: Property>(want: &Want<Option<T>>, current: Option<&Option<T>>) -> Option<T> {
    want.goal(current).flatten()
}

/// The change of a property; `None` if it does not differ.
pub fn delta<T: Property>(goal: Option<&T>, current: &T) -> Option<Delta<T>> {
    goal.filter(|goal| *goal != current).map(|goal| Delta { from: current.clone(), to: goal.clone() })
}

/// Adds the difference of a property, if there is one. A goal that is not set shows as a default.
pub fn differ<T: Property>(
    property: &'static str,
    set: bool,
    goal: Option<&T>,
    current: Option<&T>,
    out: &mut Vec<Difference>,
) {
    let Some(goal) = goal else { return };
    let from = match current {
        Some(current) if current == goal => return,
        Some(current) => Side::Value(current.to_value()),
        None => Side::Absent,
    };
    let to = if set { Side::Value(goal.to_value()) } else { Side::Default(goal.to_value()) };
    out.push(Difference { property: property.into(), from, to });
}

/// Adds the difference of a property that is removed. Null did not exist in the first place.
pub fn lose<T: Property>(property: &'static str, current: &T, out: &mut Vec<Difference>) {
    if current.to_value() == Value::Null {
        return;
    }
    out.push(Difference {
        property: property.into(),
        from: Side::Value(current.to_value()),
        to: Side::Absent,
    });
}

/// Provides what a property of this type would depend on.
pub fn provide<T: Property>(value: &T, role: Role, claims: &mut Claims) {
    let mut of_type = Claims::default();
    value.claim(role, &mut of_type);
    claims.provides.append(&mut of_type.needs);
}

/// Drops dependencies on what the resource itself provides, which other properties may name, too.
pub fn drop_provided_needs(claims: &mut Claims) {
    let Claims { provides, needs, .. } = claims;
    needs.retain(|need| !provides.contains(need));
}

/// Decodes the fields of a nested struct.
pub fn nested<T>(
    value: &Value,
    context: &Context<'_>,
    schema: &Schema,
    decode: impl FnOnce(&mut crate::Fields<'_>) -> Option<T>,
) -> Result<T, Problem> {
    let Value::Map(map) = value else {
        let rule = format!("must be a block or map, not {}", value.type_name());
        return Err(Problem::new(Some(value), rule, "put it in braces: { key = value }"));
    };
    let values = map.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let mut fields = crate::Fields::nested(values, Some(&Action::Converge), *context);
    let decoded = decode(&mut fields);
    match (decoded, Problem::of_members(fields.finish(schema.kind, schema).problems)) {
        (_, Some(problem)) => Err(problem),
        (Some(decoded), None) => Ok(decoded),
        (None, None) => Err(Problem::new(Some(value), "is not known yet", "set it directly")),
    }
}

/// The error for a verb that the kind does not have.
pub fn no_verb<R: crate::Described>(verb: &str) -> crate::Result<()> {
    let what = format!("{} has no verb `{verb}`", R::SCHEMA.kind);
    Err(crate::Error::new(crate::ErrorKind::Unsupported, what))
}

/// Reads a string that must be one of these words.
pub fn word<'a>(value: &Value, words: &[&'a str]) -> Result<&'a str, Problem> {
    let found = match value {
        Value::Text(text) => words.iter().find(|word| ***word == **text),
        _ => None,
    };
    let list = || words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ");
    found.copied().ok_or_else(|| {
        let near = match value {
            Value::Text(text) => uphold_model::closest(text, words.iter().copied()),
            _ => None,
        };
        let fix =
            near.map_or_else(|| "choose one of them".to_owned(), |near| format!("did you mean {near:?}?"));
        Problem::new(Some(value), format!("must be one of {}", list()), fix)
    })
}

/// Checks the rules of a value besides its type's own.
pub fn check(rules: &[Rule], value: &Value) -> Result<(), Problem> {
    crate::rules::check(rules, value)
}
