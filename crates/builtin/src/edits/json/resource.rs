//! One value in a JSON file that something else owns.

use uphold_resource::{Act, Claiming, Claims, Reading, Resource, Result, Step, Want};

use super::format::Json;
use crate::edits::{Datum, Spot};

/// One value in a JSON file that something else owns.
///
/// The rest of the file stays to the byte: order, indentation, line ends, and the comments and last commas that some
/// programs allow. What was written is read again: if anything but the one value would change, nothing is touched.
/// Several of them can stand on one file; they are applied in written order, and two for one key are refused.
///
/// A map is compared as a whole: what is not named in it goes. Name a longer `key` to leave its neighbours alone.
/// Removing it removes the key, or the member of a list.
///
/// ```hcl
/// json_edit "docker logs" {
///   file   = "/etc/docker/daemon.json"
///   key    = "log-opts.max-size"
///   value  = "10m"
///   create = true
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "json_edit", also("json", "jq", "json_file"), claims)]
pub struct JsonEdit {
    /// What it is called.
    #[name]
    pub name: String,
    /// Where the value is.
    #[flatten(settings)]
    pub spot: Spot,
    /// The value: text, a number, a bool, null, a list or a map.
    #[also("content")]
    #[required]
    pub value: Want<Datum>,
}

impl Claiming for JsonEdit {
    fn add_claims(&self, claims: &mut Claims) {
        self.spot.claim(claims, None);
    }
}

impl Resource for JsonEdit {
    fn load(&self, host: &Reading<'_>) -> Result<Option<JsonEditState>> {
        Ok(self.spot.load(&Json, host)?.map(|value| JsonEditState { value }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => {
                self.spot.apply(&Json, Some(&goal.value), host)
            }
            Step::Remove { .. } => self.spot.apply(&Json, None, host),
        }
    }
}
