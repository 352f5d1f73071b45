//! Statements of a configuration: declarations, edits and triggers, with places and references.
//!
//! A front end (HCL, a script, a program) produces them; the engine consumes them.

use std::fmt;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::group::ActionGroup;
use crate::handling::Handling;
use crate::moved::Moved;
use crate::place::Place;
use crate::thin_vec::ThinVec;
use crate::value::Value;

use super::id::{Name, ResourceId};
use super::moved::Removed;
use super::window::Window;

/// One statement of a configuration. A plain block is short for *declare* and *trigger*.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Declares a resource.
    Declare(Declaration),
    /// Changes a declared resource.
    Edit(Edit),
    /// Appends an action to the list of actions.
    Trigger(Trigger),
    /// Begins a group of actions, perhaps inside another one.
    Begin(ActionGroup),
    /// Ends the innermost group.
    End,
    /// An output of the whole configuration.
    Output(Output),
    /// A block whose `when` is false: it is declared, and has no effect.
    Inactive(InactiveBlock),
    /// A resource that has another address than before.
    Moved(Moved),
    /// A resource that is meant to be no longer declared.
    Removed(Removed),
    /// The settings of the configuration as a whole.
    Settings(Box<Settings>),
}

/// A resource, all resources of a block, or a module call, whose `when` is false.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InactiveBlock {
    /// Its address.
    pub id: ResourceId,
    /// The policy of its resources; none if they have policies of their own, as those of a module.
    pub on_removal: Option<OnRemoval>,
}

/// A named value that is printed at the end of the run.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name.
    pub name: Name,
    /// Where it is declared.
    pub place: Option<Place>,
    /// The value, or an expression that yields it during the run.
    pub value: Term,
}

/// A declared resource: its id, its properties and its meta arguments.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Kind and name.
    pub id: ResourceId,
    /// The header of its block, if it was written in a file.
    pub place: Option<Place>,
    /// The properties that are set, in written order.
    pub attributes: Box<[Attribute]>,
    /// Its meta arguments.
    pub meta: Meta,
}

/// A change of a declared resource. Its properties replace those that are already set.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The resource to change.
    pub id: ResourceId,
    /// Its place, if it was written in a file.
    pub place: Option<Place>,
    /// The properties to set.
    pub attributes: Vec<Attribute>,
}

/// An entry in the list of actions.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// The resource.
    pub id: ResourceId,
    /// The action to run.
    pub action: Action,
    /// Its place, if it was written in a file.
    pub place: Option<Place>,
    /// Further dependencies of this action, besides those of the resource.
    pub depends_on: ThinVec<Reference>,
    /// A condition that is known only during the run.
    pub when: Option<Term>,
}

/// An action on a resource.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Converge the resource: bring it to its declared state.
    Converge,
    /// Remove the resource.
    Remove,
    /// Run a verb of its kind.
    Verb(Name),
}

impl Action {
    /// The action's name in a configuration.
    pub fn word(&self) -> &str {
        match self {
            Action::Converge => "converge",
            Action::Remove => "remove",
            Action::Verb(verb) => verb,
        }
    }

    /// The action of this name; none for `nothing`, which is never in the list of actions.
    pub fn named(word: &str) -> Option<Action> {
        match word {
            "nothing" => None,
            "converge" => Some(Action::Converge),
            "remove" => Some(Action::Remove),
            verb => Some(Action::Verb(verb.into())),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Meta arguments of a resource, which every kind takes.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    /// Resources that come first, or module calls: then everything in them comes first.
    pub depends_on: ThinVec<Reference>,
    /// A condition that is known only during the run. Boxed because it is rare.
    pub when: Option<Box<Term>>,
    /// Whether all values of this resource are hidden.
    pub sensitive: bool,
    /// Whether automatic dependencies are off.
    pub no_auto_edges: bool,
    /// What happens to the resource once it is no longer declared: set by itself, else by the nearest group, module call
    /// or settings around it.
    pub on_removal: OnRemoval,
    /// Whether it is changed outside the maintenance window, too; inherited like `on_removal`.
    pub always: bool,
    /// Further meta arguments, which most resources do not set.
    pub handling: Option<Box<Handling>>,
}

/// `name = value` in a block.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The property's name.
    pub name: Name,
    /// The place of the name.
    pub place: Option<Place>,
    /// The place of the value.
    pub value_place: Option<Place>,
    /// The value, or an expression that yields it during the run.
    pub value: Term,
}

impl Attribute {
    /// A known value without a place.
    pub fn known(name: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self { name: name.into(), place: None, value_place: None, value: Term::Known(value.into()) }
    }

    /// The value, looked up in `scope`; none if it is optional and null.
    ///
    /// # Errors
    /// If it cannot be evaluated.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<Option<Value>, Diagnostic> {
        let value = self.value.evaluate(scope)?;
        Ok(if self.value.is_optional() && *value.reveal() == Value::Null { None } else { Some(value) })
    }
}

/// A value, or an expression over resources that is evaluated during the run.
#[derive(Clone, Debug)]
pub enum Term {
    /// Known when the configuration was read.
    Known(Value),
    /// Depends on resources.
    Deferred(Arc<dyn Deferred>),
}

impl Term {
    /// The resources that the term refers to.
    pub fn references(&self) -> &[Reference] {
        match self {
            Term::Known(_) => &[],
            Term::Deferred(expression) => expression.references(),
        }
    }

    /// Whether null leaves the property unset.
    pub fn is_optional(&self) -> bool {
        matches!(self, Term::Deferred(expression) if expression.is_optional())
    }

    /// The value, looked up in `scope`.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<Value, Diagnostic> {
        match self {
            Term::Known(value) => Ok(value.clone()),
            Term::Deferred(expression) => expression.evaluate(scope),
        }
    }
}

/// An expression that refers to resources, evaluated during the run.
pub trait Deferred: fmt::Debug + Send + Sync {
    /// Every resource that it may read. Each one is a dependency.
    fn references(&self) -> &[Reference];

    /// Its value, looked up in `scope`. It is unknown if a value that it reads is unknown.
    fn evaluate(&self, scope: &dyn Scope) -> Result<Value, Diagnostic>;

    /// Whether null leaves the property unset.
    fn is_optional(&self) -> bool {
        false
    }
}

/// `kind.name.field.field`: a dependency and a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The resource.
    pub target: ResourceId,
    /// The property and its members; empty for the resource itself.
    pub path: Vec<Name>,
    /// Where it was written.
    pub place: Option<Place>,
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.target)?;
        self.path.iter().try_for_each(|step| write!(f, ".{step}"))
    }
}

/// The values that deferred expressions refer to.
pub trait Scope {
    /// The value of `reference`; unknown if it becomes known only after apply.
    fn resolve(&self, reference: &Reference) -> Result<Value, Diagnostic>;
}

// Settings of a configuration as a whole.

/// The `settings` block of a configuration; the defaults if it has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// What happens to resources that are no longer declared, unless they, their group or their module set it.
    /// Declarations contain it already: see [`Meta::on_removal`](crate::Meta::on_removal).
    pub on_removal: OnRemoval,
    /// The maintenance window; always open unless set.
    pub window: Option<Window>,
}

// What happens to a resource that is no longer declared.

/// What happens to a resource on the machine once its declaration is removed from the configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnRemoval {
    /// It stays as it is, and is listed as no longer declared.
    #[default]
    Keep,
    /// It is removed.
    Remove,
    /// It gets the values back that it had before Uphold managed it; if Uphold created it, it is removed.
    Revert,
}

impl OnRemoval {
    /// All of them.
    pub const ALL: [OnRemoval; 3] = [OnRemoval::Keep, OnRemoval::Remove, OnRemoval::Revert];

    /// Its name in a configuration.
    pub fn word(self) -> &'static str {
        match self {
            OnRemoval::Keep => "keep",
            OnRemoval::Remove => "remove",
            OnRemoval::Revert => "revert",
        }
    }

    /// The value of this name.
    pub fn named(word: &str) -> Option<OnRemoval> {
        OnRemoval::ALL.into_iter().find(|value| value.word() == word)
    }
}
