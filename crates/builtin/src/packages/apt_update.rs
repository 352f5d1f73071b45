//! The kind `apt_update`.

use std::time::Duration;

use uphold_resource::{
    Act, Claiming, Claims, Context, Found, Interest, Look, Previous, Property, Reading, Resource, Result,
    Step, Value, Verbs, Want, Watching,
};

use super::apt;
use super::{lists, sources};

/// Regular updates of apt's package lists.
///
/// Lists that are older than `max_age` are updated. All `package` resources come after it, so that `version =
/// "latest"` uses fresh lists; it comes after all repositories and keys.
///
/// ```hcl
/// apt_update "daily" {
///   max_age = "1d"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "apt_update",
    also("apt_cache", "update_cache"),
    permanent,
    verbs(update = "Update the lists now, regardless of their age."),
    claims,
    interests
)]
pub struct AptUpdate {
    /// Name of the update; defaults to the block's label.
    #[name]
    pub name: String,
    /// Maximum age of the lists.
    #[also("frequency", "cache_valid_time")]
    #[default("1d")]
    #[check(is_long, "must be at least one minute; to update at every run, set `action = \"update\"`")]
    pub max_age: Duration,
    /// Whether the lists are not older than `max_age`. Always managed.
    #[enforce(true)]
    #[check(is_true, "cannot be false; to stop updates, remove the resource")]
    pub fresh: Want<bool>,
}

fn is_true(value: &Value) -> bool {
    *value == Value::Bool(true)
}

/// Lists that were just updated must count as fresh.
fn is_long(value: &Value) -> bool {
    Duration::from_value(value, &Context::NOTHING).is_ok_and(|age| age >= Duration::from_secs(60))
}

impl Resource for AptUpdate {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let age = apt::lists_age(look)?;
        Ok(Found::This(AptUpdateState { fresh: age.is_some_and(|age| age < self.max_age) }))
    }

    fn apply(&self, _: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        apt::update_lists(host)
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        Previous::none("the previous package lists are not kept")
    }
}

impl Verbs for AptUpdate {
    type Verb = AptUpdateVerb;

    fn run(&self, verb: AptUpdateVerb, host: &Act<'_>) -> Result<()> {
        match verb {
            AptUpdateVerb::Update => apt::update_lists(host),
        }
    }
}

impl Claiming for AptUpdate {
    fn add_claims(&self, claims: &mut Claims) {
        claims.own("/var/lib/apt/lists");
        claims.lead(lists());
        claims.follow(sources());
        claims.edit(lists());
    }
}

impl Watching for AptUpdate {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Interval(self.max_age));
        interests.push(Interest::Path(apt::LISTS.into()));
        interests.push(Interest::Path(apt::STAMP.into()));
    }
}
