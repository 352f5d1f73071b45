//! The kind `toml_edit`.

use uphold_kit::documents::{EditedValue, PlainValue, Toml};
use uphold_kit::verification::Verification;
use uphold_resource::{
    Act, Claiming, Claims, Found, Look, Previous, Problem, Resource, Result, Step, Value, Want,
};

/// One value in a TOML file.
///
/// The rest of the file is kept byte for byte: order, white space, line endings and comments. The result is parsed
/// again before it is written: if any other value would change, the file is not touched. Several resources can edit
/// one file; they are applied in the order in which they are written, and two for the same key are refused.
///
/// A map is compared as a whole, and members that are not listed are removed. To keep them, use a longer `key`.
/// Removing the resource removes the key, or the item of an array. Dates and times are compared and written as
/// strings.
///
/// ```hcl
/// toml_edit "containerd cgroups" {
///   file  = "/etc/containerd/config.toml"
///   key   = ["plugins", "io.containerd.grpc.v1.cri", "systemd_cgroup"]
///   value = true
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "toml_edit", also("toml", "toml_file"), claims)]
pub struct TomlEdit {
    /// Name of the edit; defaults to the block's label.
    #[name]
    pub name: String,
    /// Position of the value.
    #[flatten(settings)]
    pub target: EditedValue,
    /// Value: a string, number, bool, list or map.
    #[also("content")]
    #[required]
    pub value: Want<PlainValue>,
    /// Check of the new file.
    #[flatten(settings)]
    pub verification: Verification,
}

/// Recursion is as deep as the declared value, which the language limits.
fn has_no_null(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::List(items) => items.iter().all(has_no_null),
        Value::Map(map) => map.values().all(has_no_null),
        _ => true,
    }
}

impl Claiming for TomlEdit {
    fn add_claims(&self, claims: &mut Claims) {
        self.target.claim(claims, None);
    }
}

impl Resource for TomlEdit {
    fn validate(&self) -> Result<(), Problem> {
        if self.value.get().is_none_or(|value| has_no_null(&value.0)) {
            return Ok(());
        }
        let fix = "omit it; to remove the key, set `action = \"remove\"`";
        Err(Problem::new(None, "contains null, which TOML does not support", fix).inside("value"))
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(self.target.load(&Toml, look)?.map(|value| TomlEditState { value }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let value = step.goal().map(|goal| &goal.value);
        self.target.apply(&Toml, value, &self.verification, host)
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        self.target.previous()
    }
}
