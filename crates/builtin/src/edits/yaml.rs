//! The kind `yaml_edit`.

use uphold_kit::documents::{EditedValue, PlainValue, Yaml};
use uphold_kit::verification::Verification;
use uphold_resource::{Act, Claiming, Claims, Found, Look, Previous, Resource, Result, Step, Want};

/// One value in a YAML file.
///
/// The rest of the file is kept byte for byte: order, indentation, line endings and comments. The result is parsed
/// again before it is written: if any other value would change, for example through an anchor that is used
/// elsewhere, the file is not touched. Several resources can edit one file; they are applied in the order in which
/// they are written, and two for the same key are refused.
///
/// A map is compared as a whole, and members that are not listed are removed. To keep them, use a longer `key`.
/// Removing the resource removes the key, or the item of a list.
///
/// Values are parsed as YAML 1.2: `yes` is a string. New strings are quoted if an older parser could read them as
/// another type.
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
    /// Name of the edit; defaults to the block's label.
    #[name]
    pub name: String,
    /// Position of the value.
    #[flatten(settings)]
    pub target: EditedValue,
    /// Index of the document in a file with several; the first one is 0.
    pub document: Option<usize>,
    /// Value: a string, number, bool, null, list or map.
    #[also("content")]
    #[required]
    pub value: Want<PlainValue>,
    /// Check of the new file.
    #[flatten(settings)]
    pub verification: Verification,
}

impl YamlEdit {
    fn format(&self) -> Yaml {
        Yaml { document: self.document }
    }
}

impl Claiming for YamlEdit {
    fn add_claims(&self, claims: &mut Claims) {
        self.target.claim(claims, self.document);
    }
}

impl Resource for YamlEdit {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(self.target.load(&self.format(), look)?.map(|value| YamlEditState { value }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let value = step.goal().map(|goal| &goal.value);
        self.target.apply(&self.format(), value, &self.verification, host)
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        self.target.previous()
    }
}
