//! What a configuration says: declarations, edits and triggers, with places and references.
//!
//! A front end (HCL, a script, a program) makes these; the engine takes them.

use std::fmt;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::few::Few;
use crate::group::ActionGroup;
use crate::handling::Handling;
use crate::id::{Name, ResourceId};
use crate::place::Place;
use crate::value::Value;

/// One thing that a configuration says. A block is sugar for *declare* and *trigger*.
#[derive(Clone, Debug)]
pub enum Statement {
    /// This resource exists in the set.
    Declare(Declaration),
    /// A declared resource is changed.
    Edit(Edit),
    /// This action is put at the end of the list.
    Trigger(Trigger),
    /// A group of actions begins, perhaps inside another one.
    Begin(ActionGroup),
    /// The innermost group ends.
    End,
    /// A value that the whole configuration tells.
    Output(Output),
}

/// A named value that the run tells at its end.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name.
    pub name: Name,
    /// Where it was written.
    pub place: Option<Place>,
    /// The value, or how to get it.
    pub value: Term,
}

/// A resource: its id, what was set on it, and how the engine should treat it.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Kind and name.
    pub id: ResourceId,
    /// Where, if it was written anywhere: the block's head.
    pub place: Option<Place>,
    /// What was set, in written order.
    pub attributes: Box<[Attribute]>,
    /// How the engine treats it.
    pub meta: Meta,
}

/// A change of a declared resource. What it sets replaces what was set.
#[derive(Clone, Debug)]
pub struct Edit {
    /// Which resource.
    pub id: ResourceId,
    /// Where, if it was written anywhere.
    pub place: Option<Place>,
    /// What is set anew.
    pub attributes: Vec<Attribute>,
}

/// An entry of the action list.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// Which resource.
    pub id: ResourceId,
    /// What to do with it.
    pub action: Action,
    /// Where, if it was written anywhere.
    pub place: Option<Place>,
    /// What must be done before, besides what the resource itself stands on.
    pub depends_on: Few<Reference>,
    /// Whether it is done at all, if only the run can tell.
    pub when: Option<Term>,
}

/// What is done with a resource.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Make it so.
    Converge,
    /// Desired: nothing.
    Remove,
    /// Run a verb of its kind.
    Verb(Name),
}

impl Action {
    /// How it is written.
    pub fn word(&self) -> &str {
        match self {
            Action::Converge => "converge",
            Action::Remove => "remove",
            Action::Verb(verb) => verb,
        }
    }

    /// The action of this name. `nothing` is none: it is simply not in the list.
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

/// How the engine treats a resource, whatever its kind.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    /// Resources that come first, or calls of modules: then everything in them does.
    pub depends_on: Few<Reference>,
    /// Whether it is wanted at all, if only the run can tell. Few have this, so it lies elsewhere.
    pub when: Option<Box<Term>>,
    /// Hide all values of this resource.
    pub sensitive: bool,
    /// Whether claims make edges; on unless switched off.
    pub no_auto_edges: bool,
    /// What most resources do not have.
    pub handling: Option<Box<Handling>>,
}

/// `name = value` inside a block.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The property.
    pub name: Name,
    /// Where the name stands.
    pub place: Option<Place>,
    /// Where the value stands.
    pub value_place: Option<Place>,
    /// The value, or how to get it.
    pub value: Term,
}

impl Attribute {
    /// A known value that was written nowhere.
    pub fn known(name: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self { name: name.into(), place: None, value_place: None, value: Term::Known(value.into()) }
    }

    /// The value, given what the scope knows; none if it is optional and null.
    ///
    /// # Errors
    /// If it cannot be evaluated.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<Option<Value>, Diagnostic> {
        let value = self.value.evaluate(scope)?;
        Ok(if self.value.is_optional() && *value.reveal() == Value::Null { None } else { Some(value) })
    }
}

/// A value, or an expression over resources that waits for its turn.
#[derive(Clone, Debug)]
pub enum Term {
    /// Known when it was read.
    Known(Value),
    /// Stands on resources.
    Deferred(Arc<dyn Deferred>),
}

impl Term {
    /// What the term refers to.
    pub fn references(&self) -> &[Reference] {
        match self {
            Term::Known(_) => &[],
            Term::Deferred(expression) => expression.references(),
        }
    }

    /// Whether null means that nothing is set.
    pub fn is_optional(&self) -> bool {
        matches!(self, Term::Deferred(expression) if expression.is_optional())
    }

    /// The value, given what the scope knows.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<Value, Diagnostic> {
        match self {
            Term::Known(value) => Ok(value.clone()),
            Term::Deferred(expression) => expression.evaluate(scope),
        }
    }
}

/// An expression that refers to resources.
pub trait Deferred: fmt::Debug + Send + Sync {
    /// Every resource it may read. Each is an edge.
    fn references(&self) -> &[Reference];

    /// Its value, given what the scope knows. Unknown in, unknown out.
    fn evaluate(&self, scope: &dyn Scope) -> Result<Value, Diagnostic>;

    /// Whether null means that nothing is set.
    fn is_optional(&self) -> bool {
        false
    }
}

/// `kind.name.field.field`: an edge, and a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The resource.
    pub target: ResourceId,
    /// The field of it, and what is inside; empty for the resource itself.
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

/// What deferred expressions look values up in. Looked up, never copied.
pub trait Scope {
    /// The value of `reference`; unknown if it will only be known after apply.
    fn resolve(&self, reference: &Reference) -> Result<Value, Diagnostic>;
}
