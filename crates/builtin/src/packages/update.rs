//! Fresh lists of what there is to install.

use std::time::Duration;

use uphold_resource::{
    Act, Claiming, Claims, Context, Interest, Property, Reading, Resource, Result, Step, Value, Verbs, Want,
    Watching,
};

use super::apt;
use super::claims::{lists, sources};

/// Keeps apt's lists of packages fresh.
///
/// Lists that are older than `max_age` are updated. All `package` resources come after it, so that `version = "latest"` goes by
/// fresh lists; it comes after all repositories and keys.
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
    verbs(update = "Update the lists, however old they are."),
    claims,
    interests
)]
pub struct AptUpdate {
    /// What it is called; the block's label unless set.
    #[name]
    pub name: String,
    /// How old the lists may be.
    #[also("frequency", "cache_valid_time")]
    #[default("1d")]
    #[check(is_long, "must be a minute at least; `action = \"update\"` updates in every run")]
    pub max_age: Duration,
    /// Whether the lists are no older than that.
    #[enforce(true)]
    #[check(is_true, "cannot be false: leave the resource out to let the lists grow old")]
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
    fn load(&self, host: &Reading<'_>) -> Result<Option<AptUpdateState>> {
        let age = apt::lists_age(host)?;
        Ok(Some(AptUpdateState { fresh: age.is_some_and(|age| age < self.max_age) }))
    }

    fn apply(&self, _: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        apt::update_lists(host)
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
