//! What a kind looks like from outside: made by the derive, read by the decoder, the
//! documentation, the editor schema and `explain`. All of it is static data.

use std::fmt;

use crate::problem::Problem;
use crate::value::{Shape, Value};

/// One kind.
#[derive(Debug)]
pub struct Schema {
    /// The word a block starts with.
    pub kind: &'static str,
    /// The doc comment of its struct.
    pub doc: &'static str,
    /// Its properties, in written order; embedded ones where they are embedded.
    pub properties: &'static [PropertySchema],
    /// Rules over several properties.
    pub groups: &'static [Group],
    /// Verbs besides `converge` and `remove`.
    pub verbs: &'static [VerbSchema],
    /// Whether `remove` makes sense.
    pub removable: bool,
    /// What other tools call it: for suggestions only.
    pub also: &'static [&'static str],
}

/// One property.
#[derive(Debug)]
pub struct PropertySchema {
    /// Its name in a block.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// Its role.
    pub role: Role,
    /// Its type.
    pub ty: &'static Type,
    /// When the user must set it.
    pub need: Need,
    /// The default, made when asked for. Its meaning depends on the role.
    pub default: Option<DefaultValue>,
    /// Rules besides the type's own.
    pub rules: &'static [Rule],
    /// Old names; setting one warns, and sets this property.
    pub aliases: &'static [&'static str],
    /// What other tools call it: for suggestions only.
    pub also: &'static [&'static str],
    /// The property that replaces this one, and why, if it should no longer be used.
    pub replaced_by: Option<(&'static str, &'static str)>,
    /// For an embedded struct: its properties stand here.
    pub flatten: Option<&'static Schema>,
}

/// The default of a property.
#[derive(Clone, Copy)]
pub enum DefaultValue {
    /// Of a compiled kind.
    Made(fn() -> Result<Value, Problem>),
    /// Of a kind that is defined while the program runs. Equal values have one address.
    There(&'static Value),
}

/// By address, since the text of a value does not tell all values apart.
impl fmt::Debug for DefaultValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DefaultValue::Made(make) => write!(f, "Made({:p})", *make),
            DefaultValue::There(value) => write!(f, "There({:p})", *value),
        }
    }
}

impl DefaultValue {
    /// The value.
    ///
    /// # Errors
    /// If it breaks a rule of its own type: found when the kind is registered.
    pub fn make(self) -> Result<Value, Problem> {
        match self {
            DefaultValue::Made(make) => make(),
            DefaultValue::There(value) => Ok(value.clone()),
        }
    }
}

/// What a property is for. Each has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The block's label unless set. Names the thing.
    Name,
    /// Names the thing, together with the name.
    Identity,
    /// Compared and converged, when the user set it.
    State,
    /// State whose default is enforced even when the user said nothing.
    EnforcedState,
    /// Says how, not what: never compared.
    Setting,
    /// Filled by looking; for others to refer to.
    Export,
}

/// When a property must be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The user may leave it out.
    Optional,
    /// Always.
    Required,
    /// Only for these actions: `converge`, `remove`, or a verb.
    RequiredFor(&'static [&'static str]),
}

/// A rule that a value must keep.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// One of these.
    OneOf(&'static [&'static str]),
    /// A number between these, both included.
    Range(f64, f64),
    /// Text that matches this regular expression.
    Pattern(&'static str),
    /// Whatever the message says.
    Check(fn(&Value) -> bool, &'static str),
}

/// A rule over several properties.
#[derive(Debug)]
pub struct Group {
    /// Which rule.
    pub rule: GroupRule,
    /// The properties it is about.
    pub properties: &'static [&'static str],
    /// What to do about it, where the rule alone does not say.
    pub fix: Option<&'static str>,
}

/// How the members of a group relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupRule {
    /// At most one may be set.
    Exclusive,
    /// At least one must be set.
    AnyOf,
    /// All or none.
    Together,
}

/// A verb of a kind.
#[derive(Debug)]
pub struct VerbSchema {
    /// What is written in `action` or a notification.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
}

/// The type of a property, for people and editors.
#[derive(Debug)]
pub enum Type {
    /// Any value.
    Any,
    /// Text.
    Text,
    /// True or false.
    Bool,
    /// A whole number between these.
    Int(i64, i64),
    /// A number.
    Float,
    /// Bytes.
    Bytes,
    /// A named type with its own rules, written as the inner type.
    Named {
        /// What it is called, such as `mode`.
        name: &'static str,
        /// What may be written.
        doc: &'static str,
        /// What it looks like, for examples.
        example: &'static str,
    },
    /// One of these words.
    Enum(&'static [&'static str]),
    /// A list.
    List(&'static Type),
    /// A map with text keys.
    Map(&'static Type),
    /// A nested struct.
    Struct(&'static [PropertySchema]),
    /// A resource of this kind.
    Reference(&'static str),
    /// The inner type, never shown.
    Sensitive(&'static Type),
    /// The inner type, or null.
    Nullable(&'static Type),
}

impl Type {
    /// What its values are, where that is one thing only.
    pub fn shape(&self) -> Option<Shape> {
        match self {
            Type::Any | Type::Named { .. } | Type::Reference(_) | Type::Nullable(_) => None,
            Type::Text | Type::Enum(_) => Some(Shape::Text),
            Type::Bool => Some(Shape::Bool),
            Type::Int(..) | Type::Float => Some(Shape::Number),
            Type::Bytes => Some(Shape::Bytes),
            Type::List(_) => Some(Shape::List),
            Type::Map(_) | Type::Struct(_) => Some(Shape::Map),
            Type::Sensitive(inner) => inner.shape(),
        }
    }

    /// Whether its values, or parts of them, are never shown.
    pub fn is_secret(&self) -> bool {
        match self {
            Type::Sensitive(_) => true,
            Type::Nullable(inner) | Type::List(inner) | Type::Map(inner) => inner.is_secret(),
            _ => false,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Any => f.write_str("any value"),
            Type::Text => f.write_str("text"),
            Type::Bool => f.write_str("bool"),
            Type::Int(min, max) => write_integer(f, *min, *max),
            Type::Float => f.write_str("number"),
            Type::Bytes => f.write_str("bytes"),
            Type::Named { name, .. } => f.write_str(name),
            Type::Enum(words) => write_words(f, words),
            Type::List(inner) => write!(f, "list of {inner}"),
            Type::Map(inner) => write!(f, "map of {inner}"),
            Type::Struct(_) => f.write_str("block"),
            Type::Reference(kind) => write!(f, "{kind} (a reference or its name)"),
            Type::Sensitive(inner) => write!(f, "{inner}, sensitive"),
            Type::Nullable(inner) => write!(f, "{inner} or null"),
        }
    }
}

fn write_integer(f: &mut fmt::Formatter<'_>, min: i64, max: i64) -> fmt::Result {
    match (min, max) {
        (i64::MIN, i64::MAX) => f.write_str("whole number"),
        (0, i64::MAX) => f.write_str("whole number, not negative"),
        (min, i64::MAX) => write!(f, "whole number from {min} on"),
        (min, max) => write!(f, "whole number from {min} to {max}"),
    }
}

fn write_words(f: &mut fmt::Formatter<'_>, words: &[&str]) -> fmt::Result {
    for (i, word) in words.iter().enumerate() {
        write!(f, "{}{word:?}", if i == 0 { "" } else { " or " })?;
    }
    Ok(())
}

impl Schema {
    /// All properties, embedded ones included, in written order.
    pub fn all(&self) -> Vec<&'static PropertySchema> {
        let mut all = Vec::new();
        for property in self.properties {
            match property.flatten {
                Some(inner) => all.extend(inner.all()),
                None => all.push(property),
            }
        }
        all
    }

    /// All rules over several properties, embedded ones included.
    pub fn all_groups(&self) -> Vec<&'static Group> {
        let embedded = self.properties.iter().filter_map(|property| property.flatten);
        self.groups.iter().chain(embedded.flat_map(Schema::all_groups)).collect()
    }

    /// The property of this name, embedded ones included.
    pub fn property(&self, name: &str) -> Option<&'static PropertySchema> {
        self.properties.iter().find_map(|property| match property.flatten {
            Some(inner) => inner.property(name),
            None => (property.name == name).then_some(property),
        })
    }

    /// How many properties take the block's label: exactly one in a sound kind.
    pub const fn names(&self) -> usize {
        let mut count = 0;
        let mut i = 0;
        while i < self.properties.len() {
            let property = &self.properties[i];
            count += match property.flatten {
                Some(inner) => inner.names(),
                None => matches!(property.role, Role::Name) as usize,
            };
            i += 1;
        }
        count
    }
}

impl Role {
    /// The role in one word, as documentation shows it.
    pub fn word(self) -> &'static str {
        match self {
            Role::Name => "name",
            Role::Identity => "identity",
            Role::State => "state",
            Role::EnforcedState => "state, enforced",
            Role::Setting => "setting",
            Role::Export => "export",
        }
    }

    /// Whether it is compared and converged.
    pub fn is_state(self) -> bool {
        matches!(self, Role::State | Role::EnforcedState)
    }

    /// Whether the user may write it.
    pub fn is_settable(self) -> bool {
        self != Role::Export
    }
}
