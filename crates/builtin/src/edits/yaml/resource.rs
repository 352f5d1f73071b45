//! One value in a YAML file that something else owns.

use uphold_resource::{Act, Claiming, Claims, Reading, Resource, Result, Step, Want};

use super::format::Yaml;
use crate::edits::{Datum, Spot};

/// One value in a YAML file that something else owns.
///
/// The rest of the file stays to the byte: order, indentation, line ends and comments. What was written is read again:
/// if anything but the one value would change, as when it has an anchor that is used elsewhere, nothing is touched.
/// Several of them can stand on one file; they are applied in written order, and two for one key are refused.
///
/// A map is compared as a whole: what is not named in it goes. Name a longer `key` to leave its neighbours alone.
/// Removing it removes the key, or the member of a list.
///
/// Values are read by YAML 1.2: `yes` is text. New text is quoted where an older reader could take it for something else.
///
/// ```hcl
/// yaml_edit "netplan renderer" {
///   file  = "/etc/netplan/01-netcfg.yaml"
///   key   = "network.renderer"
///   value = "networkd"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "yaml_edit", also("yaml", "yq", "yedit", "yaml_file"), claims)]
pub struct YamlEdit {
    /// What it is called.
    #[name]
    pub name: String,
    /// Where the value is.
    #[flatten(settings)]
    pub spot: Spot,
    /// Which document of the file is meant, if there are several; the first one is 0.
    pub document: Option<usize>,
    /// The value: text, a number, a bool, null, a list or a map.
    #[also("content")]
    #[required]
    pub value: Want<Datum>,
}

impl YamlEdit {
    fn format(&self) -> Yaml {
        Yaml { document: self.document }
    }
}

impl Claiming for YamlEdit {
    fn add_claims(&self, claims: &mut Claims) {
        self.spot.claim(claims, self.document);
    }
}

impl Resource for YamlEdit {
    fn load(&self, host: &Reading<'_>) -> Result<Option<YamlEditState>> {
        Ok(self.spot.load(&self.format(), host)?.map(|value| YamlEditState { value }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => {
                self.spot.apply(&self.format(), Some(&goal.value), host)
            }
            Step::Remove { .. } => self.spot.apply(&self.format(), None, host),
        }
    }
}
