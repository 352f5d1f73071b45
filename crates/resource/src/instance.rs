//! A decoded resource of any kind, as the engine sees it.

use std::any::Any;

use uphold_model::{Claims, Difference, Map, Schema, Value};

use crate::defined::PredictedEffects;
use crate::error::Result;
use crate::found::Other;
use crate::host::{Act, Look, Reading};
use crate::interest::Interest;
use crate::inverse::Previous;
use crate::resource::OwnedPaths;

/// The desired existence of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Desired {
    /// It exists as declared.
    Present,
    /// It does not exist.
    Absent,
}

/// The loaded state of a resource, compared with the declaration.
pub struct Observation {
    /// The desired existence.
    pub desired: Desired,
    /// Whether the resource exists.
    pub exists: bool,
    /// Whether nothing has to change.
    pub converged: bool,
    /// Whether only work remains that runs at every visit, such as a command.
    pub repeats: bool,
    /// The differences. A resource without state properties differs only by its existence.
    pub differences: Vec<Difference>,
    /// Other values that the effects of a change depend on: settings of nested resources.
    pub inputs: Map,
    pub(crate) state: Option<Box<dyn Any + Send + Sync>>,
    /// Something else that is at its place and is replaced.
    pub(crate) other: Option<Box<Other>>,
}

impl Observation {
    /// A resource that does not exist, and that is to be created.
    pub fn missing() -> Self {
        Self::of_state::<()>(None)
    }

    /// A state that was loaded and not compared.
    pub(crate) fn of_state<S: Send + Sync + 'static>(state: Option<S>) -> Self {
        Self {
            desired: Desired::Present,
            exists: state.is_some(),
            converged: false,
            repeats: false,
            differences: Vec::new(),
            inputs: Map::new(),
            state: state.map(|state| Box::new(state) as _),
            other: None,
        }
    }
}

/// A decoded resource of any kind.
pub trait Instance: Send + Sync {
    /// The schema of its kind.
    fn schema(&self) -> &'static Schema;
    /// The resource for one visit, completed with data of the machine; `None` if it is as declared. Called before every
    /// check, except for a removal.
    fn prepare(&self, look: &Look<'_>) -> Result<Option<Box<dyn Instance>>>;
    /// Loads the state and compares it. Changes nothing.
    fn observe(&self, desired: Desired, host: &Reading<'_>) -> Result<Observation>;
    /// Digests of contents on the machine that a change depends on and that no difference shows.
    fn inputs(&self, desired: Desired, host: &Reading<'_>) -> Map;
    /// Loads the state without comparing it.
    fn look(&self, look: &Look<'_>) -> Result<Observation>;
    /// The differences between the declaration and the state that another resource of the same kind loaded.
    fn compare(&self, seen: &Observation) -> Vec<Difference>;
    /// How the observed state can be brought back after the change that it requires.
    fn previous(&self, seen: &Observation) -> Previous;
    /// Makes the change that the observation requires.
    fn apply(&self, seen: &Observation, host: &Act<'_>) -> Result<()>;
    /// Whether the change ends with the write of one whole file: see
    /// [`Resource::ends_with_write`](crate::Resource::ends_with_write).
    fn ends_with_write(&self) -> bool {
        false
    }
    /// A hint for a resource that still differs after it was applied; `after` is the load that found it.
    fn still_differs_hint(&self, after: &Observation) -> Option<String> {
        let _ = after;
        None
    }
    /// The predicted effects of a verb; `None` if they cannot be predicted.
    fn predict_verb(&self, verb: &str, host: &Reading<'_>) -> Result<Option<PredictedEffects>> {
        let _ = (verb, host);
        Ok(None)
    }
    /// Runs a verb.
    fn run_verb(&self, verb: &str, host: &Act<'_>) -> Result<()>;
    /// The value of a property: as loaded, else as declared. `None` if it is known only after loading.
    fn value(&self, property: &str, seen: Option<&Observation>) -> Option<Value>;
    /// Whether any property was computed from a secret. If so, the exports are secrets, too.
    fn is_tainted(&self) -> bool;
    /// The properties that were computed from a secret, as far as they are known individually.
    fn tainted_properties(&self) -> &[&'static str] {
        &[]
    }
    /// Whether a string that the kind computed, such as a path in a claim or an interest, may show a secret.
    fn may_show_secret(&self, text: &str) -> bool;
    /// The claims that it provides and depends on.
    fn claims(&self) -> Claims;
    /// Functions that find the paths that belong to it and that only the machine knows.
    fn owned_paths(&self) -> Vec<OwnedPaths>;
    /// The changes that require a new check, as far as the machine shows them now. Called before `prepare`.
    fn interests(&self, host: &Reading<'_>) -> Vec<Interest>;
    /// Itself, for a downcast.
    fn as_any(&self) -> &dyn Any;
}
