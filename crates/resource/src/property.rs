//! The interface of property types.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use uphold_model::{Claims, Problem, Role, Type, Value};

use crate::host::Reading;
use crate::interest::Interest;

/// A type that a property can have: decoded from plain data, validated, printed.
///
/// Derive it for enums of words, for nested structs and for newtypes; implement it by hand for types with a syntax of
/// their own.
///
/// # Guarantees
/// `from_value(&x.to_value())` returns an equal value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a property",
    label = "not a property type",
    note = "use a type of `uphold_resource`, or write `#[derive(Property)]` on your own type"
)]
pub trait Property: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The schema type, for documentation and editors.
    const TYPE: &'static Type;

    /// Decodes and validates. The value is never null, unknown or secret here, unless the type accepts that itself.
    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem>;

    /// The value as plain data.
    fn to_value(&self) -> Value;

    /// The effective value of this declared one, given the current value. `u+x` becomes the current mode with one more bit;
    /// most values stay as they are.
    fn settle(&self, current: Option<&Self>) -> Self {
        let _ = current;
        self.clone()
    }

    /// This create default for a resource that holds a secret; `None` if it is the same.
    fn for_secret(&self) -> Option<Self> {
        None
    }

    /// Adds what a property of this type and role provides or depends on.
    fn claim(&self, role: Role, claims: &mut Claims) {
        let _ = (role, claims);
    }

    /// Adds what to watch for a property of this type and role. It may depend on the machine: for a user that does not exist
    /// yet, for example, the account database is watched.
    fn watch(&self, role: Role, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        let _ = (role, host, interests);
    }
}

/// The environment of decoding, besides the value itself.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The home directory of a user, or of the current user for an empty name.
    pub home: &'a dyn Fn(&str) -> Option<PathBuf>,
    /// The base of relative paths and URLs.
    pub base: Option<&'a str>,
}

impl Context<'_> {
    /// An empty context, for defaults.
    pub const NOTHING: Context<'static> = Context { home: &|_| None, base: None };
}

/// A type that `#[relative_to(…)]` may refer to.
#[diagnostic::on_unimplemented(
    message = "nothing can be relative to `{Self}`",
    label = "not a path or URL",
    note = "`#[relative_to(…)]` names a property of type `AbsolutePath`, `AnyPath` or `Url`"
)]
pub trait Base {
    /// The base as a string.
    fn base(&self) -> Option<&str>;
}

impl<T: Base> Base for Option<T> {
    fn base(&self) -> Option<&str> {
        self.as_ref()?.base()
    }
}

impl Base for Path {
    fn base(&self) -> Option<&str> {
        self.to_str()
    }
}

/// A type of defaults in `#[default(…)]`, `#[on_create(…)]` and `#[enforce(…)]`: the property's type, or a string that is
/// read like a declared one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the default of a property of type `{T}`",
    label = "not a `{T}`",
    note = "write a value of the type, or text as a user would write it"
)]
pub trait DefaultFor<T: Property> {
    /// The default as a value of the type.
    fn make(self, context: &Context<'_>) -> Result<T, Problem>;
}

impl<T: Property> DefaultFor<T> for T {
    fn make(self, _: &Context<'_>) -> Result<T, Problem> {
        Ok(self)
    }
}

impl<T: Property> DefaultFor<T> for &'static str {
    fn make(self, context: &Context<'_>) -> Result<T, Problem> {
        T::from_value(&Value::text(self), context)
    }
}
