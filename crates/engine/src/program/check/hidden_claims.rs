//! Claims that no message and no graph may show.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use uphold_model::{Claim, Claims};
use uphold_resource::Instance;

/// The claims that come from a secret. Mostly there are none, and then a question costs nothing.
#[derive(Default)]
pub(crate) struct HiddenClaims(FxHashSet<Claim>);

impl HiddenClaims {
    /// Adds those of a resource.
    pub(super) fn add(&mut self, instance: &dyn Instance, claims: &Claims) {
        if !instance.is_tainted() {
            return;
        }
        // A name that only kinds agree upon may be composed of several properties in any way.
        let is_hidden = |claim: &&Claim| {
            matches!(claim, Claim::Other(..))
                || claim.name().is_some_and(|name| instance.may_show_secret(&name))
        };
        self.0.extend(claims.all().filter(is_hidden).cloned());
    }

    /// A claim as it may be shown.
    pub(crate) fn shown<'a>(&self, claim: &'a Claim) -> Cow<'a, Claim> {
        if self.0.contains(claim) { Cow::Owned(claim.hidden()) } else { Cow::Borrowed(claim) }
    }

    /// Whether it may not be shown.
    pub(crate) fn contains(&self, claim: &Claim) -> bool {
        self.0.contains(claim)
    }
}
