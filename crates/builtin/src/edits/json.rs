//! The kind `json_edit`.

use uphold_kit::documents::{EditedValue, Json, PlainValue};
use uphold_kit::verification::Verification;
use uphold_resource::{Act, Claiming, Claims, Found, Look, Previous, Resource, Result, Step, Want};

/// One value in a JSON file.
///
/// The rest of the file is kept byte for byte: order, indentation, line endings, comments and trailing commas. The
/// result is parsed again before it is written: if any other value would change, the file is not touched. Several
/// resources can edit one file; they are applied in the order in which they are written, and two for the same key
/// are refused.
///
/// A map is compared as a whole, and members that are not listed are removed. To keep them, use a longer `key`.
/// Removing the resource removes the key, or the item of a list.
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
    /// Name of the edit; defaults to the block's label.
    #[name]
    pub name: String,
    /// Position of the value.
    #[flatten(settings)]
    pub target: EditedValue,
    /// Value: a string, number, bool, null, list or map.
    #[also("content")]
    #[required]
    pub value: Want<PlainValue>,
    /// Check of the new file.
    #[flatten(settings)]
    pub verification: Verification,
}

impl Claiming for JsonEdit {
    fn add_claims(&self, claims: &mut Claims) {
        self.target.claim(claims, None);
    }
}

impl Resource for JsonEdit {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(self.target.load(&Json, look)?.map(|value| JsonEditState { value }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let value = step.goal().map(|goal| &goal.value);
        self.target.apply(&Json, value, &self.verification, host)
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        self.target.previous()
    }
}
