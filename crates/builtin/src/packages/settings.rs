//! How packages are installed. Those with equal settings share a transaction.

use std::collections::BTreeMap;
use std::time::Duration;

use uphold_resource::{Property, Value};

/// How a package manager is called.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Property)]
pub struct Settings {
    /// Whether packages that are only recommended are installed, too; as the package manager is set up unless set.
    #[also("install_weak_deps")]
    pub install_recommends: Option<bool>,
    /// The release to take packages from where there are several, such as `"bookworm-backports"`. For apt.
    #[also("default_release", "target_release", "enablerepo")]
    pub release: Option<String>,
    /// What happens to a configuration file that somebody changed when its package brings a new one: `"keep"` it, or take
    /// the `"new"` one. For apt.
    #[also("overwrite_config_files", "force_conf", "configfiles", "dpkg_options")]
    #[default(ConfigFiles::Keep)]
    pub config_files: ConfigFiles,
    /// Further options for the package manager.
    #[also("install_options")]
    #[default(Vec::new())]
    #[check(are_options, "must be options, which begin with `-`")]
    pub options: Vec<String>,
    /// Variables that are added to the environment of the package manager.
    #[also("environment")]
    #[default(BTreeMap::new())]
    pub env: BTreeMap<String, String>,
    /// Whether the lists of packages may be updated: when a package or version is not known, and when they are older
    /// than `cache_max_age`.
    #[default(true)]
    pub update_cache: bool,
    /// How old the lists of packages may be when something is installed: older ones are updated first, once for all
    /// packages. They are not looked at while there is nothing to do: see `apt_update`.
    #[also("cache_valid_time")]
    pub cache_max_age: Option<Duration>,
    /// How long to wait for another program that installs something.
    #[default("10m")]
    pub lock_timeout: Duration,
}

/// What happens to configuration files that somebody changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Property)]
pub enum ConfigFiles {
    /// They stay.
    Keep,
    /// They are replaced.
    New,
}

/// A word that is no option would be taken for a package.
fn are_options(value: &Value) -> bool {
    let is_option = |value: &Value| matches!(value, Value::Text(text) if text.starts_with('-'));
    matches!(value, Value::List(list) if list.iter().all(is_option))
}
