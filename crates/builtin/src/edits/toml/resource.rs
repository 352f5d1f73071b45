//! One value in a TOML file that something else owns.

use uphold_resource::{
    Act, Claiming, Claims, Error, ErrorKind, Reading, Resource, Result, Step, Value, Want,
};

use super::format::TomlFormat;
use crate::edits::{Datum, Spot};

/// One value in a TOML file that something else owns.
///
/// The rest of the file stays to the byte: order, white space, line ends and comments. What was written is read again:
/// if anything but the one value would change, nothing is touched. Several of them can stand on one file; they are
/// applied in written order, and two for one key are refused.
///
/// A map is compared as a whole: what is not named in it goes. Name a longer `key` to leave its neighbours alone.
/// Removing it removes the key, or the member of an array. A time is compared as text, and written as text.
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
    /// What it is called.
    #[name]
    pub name: String,
    /// Where the value is.
    #[flatten(settings)]
    pub spot: Spot,
    /// The value: text, a number, a bool, a list or a map.
    #[also("content")]
    #[required]
    pub value: Want<Datum>,
}

/// As deep as what was written, which the language limits.
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
        self.spot.claim(claims, None);
    }
}

impl Resource for TomlEdit {
    fn prepare(&mut self, _: &Reading<'_>) -> Result<()> {
        if self.value.get().is_none_or(|value| has_no_null(&value.0)) {
            return Ok(());
        }
        let what = format!("the value of `{}` holds null, which TOML does not have", self.spot.key);
        Err(Error::new(ErrorKind::Invalid, what)
            .hint("leave it out, or remove the key with `action = \"remove\"`"))
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<TomlEditState>> {
        Ok(self.spot.load(&TomlFormat, host)?.map(|value| TomlEditState { value }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => {
                self.spot.apply(&TomlFormat, Some(&goal.value), host)
            }
            Step::Remove { .. } => self.spot.apply(&TomlFormat, None, host),
        }
    }
}
