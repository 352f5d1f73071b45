//! What every type of a property can do.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

use uphold_model::{Claims, Problem, Role, Type, Value};

use crate::host::Reading;
use crate::interest::Interest;

/// A type that a property can have: decoded from plain data, validated, printed.
///
/// Derive it for enums of words, for nested structs and for newtypes; implement it by hand when
/// there is something to parse.
///
/// # Guarantees
/// `from_value(&x.to_value())` gives an equal value again.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of a property",
    label = "not a property type",
    note = "use a type of `uphold_resource`, or write `#[derive(Property)]` on your own type"
)]
pub trait Property: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The type, for documentation and editors.
    const TYPE: &'static Type;

    /// Decodes and validates. The value is never null, unknown or secret here, unless the type
    /// asks for that itself.
    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem>;

    /// The value as plain data.
    fn to_value(&self) -> Value;

    /// What this wish comes to, given what is there. `u+x` becomes the current mode with one
    /// more bit; most values are what they are.
    fn settle(&self, current: Option<&Self>) -> Self {
        let _ = current;
        self.clone()
    }

    /// This create default for something that holds a secret; none if it is the same. It must settle to what is there, so
    /// that it counts for new things only.
    fn for_secret(&self) -> Option<Self> {
        None
    }

    /// What a property of this type, in this role, provides or stands on.
    fn claim(&self, role: Role, claims: &mut Claims) {
        let _ = (role, claims);
    }

    /// What to watch for a property of this type, in this role. It may depend on the machine: a name that means
    /// nothing yet is waited for.
    fn watch(&self, role: Role, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        let _ = (role, host, interests);
    }
}

/// What decoding may ask about besides the value itself.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The home directory of a user; of the current one for an empty name.
    pub home: &'a dyn Fn(&str) -> Option<PathBuf>,
    /// What relative paths and URLs are relative to.
    pub base: Option<&'a str>,
}

impl Context<'_> {
    /// A context that knows nothing: for defaults.
    pub const NOTHING: Context<'static> = Context { home: &|_| None, base: None };
}

/// What a `relative_to` may name.
#[diagnostic::on_unimplemented(
    message = "nothing can be relative to `{Self}`",
    label = "not a path or URL",
    note = "`#[relative_to(…)]` names a property of type `AbsolutePath`, `AnyPath` or `Url`"
)]
pub trait Base {
    /// The base as text.
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

/// What may stand in `#[default(…)]`, `#[on_create(…)]` and `#[enforce(…)]`: a value of the
/// type, or text that is read as the user's would be.
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
