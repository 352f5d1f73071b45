//! Settings of package installations. Packages with equal settings share a transaction.

use std::collections::BTreeMap;
use std::time::Duration;

use uphold_resource::{Property, Value};

/// Settings of a package manager.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Property)]
pub struct Settings {
    /// Install recommended packages, too. Defaults to the configuration of the package manager.
    #[also("install_weak_deps")]
    pub install_recommends: Option<bool>,
    /// Release to install from, such as `"bookworm-backports"`. apt only.
    #[also("default_release", "target_release", "enablerepo")]
    pub release: Option<String>,
    /// How to handle a locally changed configuration file when the package has a new one: `"keep"` the changed
    /// file, or install the `"new"` one. apt only.
    #[also("overwrite_config_files", "force_conf", "configfiles", "dpkg_options")]
    #[default(ConfigFiles::Keep)]
    pub config_files: ConfigFiles,
    /// Additional options for the package manager.
    #[also("install_options")]
    #[default(Vec::new())]
    #[check(are_options, "must be options that begin with `-`")]
    pub options: Vec<String>,
    /// Environment variables for the package manager.
    #[also("environment")]
    #[default(BTreeMap::new())]
    pub env: BTreeMap<String, String>,
    /// Update the package lists when a package or version is unknown, or when they are older than `cache_max_age`.
    #[default(true)]
    pub update_cache: bool,
    /// Maximum age of the package lists for an installation: older ones are updated first, once for all packages.
    /// They are not updated while nothing needs to be installed; for that, use `apt_update`.
    #[also("cache_valid_time")]
    pub cache_max_age: Option<Duration>,
    /// How long to wait for another program that is installing packages.
    #[default("10m")]
    pub lock_timeout: Duration,
}

/// How to handle locally changed configuration files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Property)]
pub enum ConfigFiles {
    /// Keep them.
    Keep,
    /// Replace them.
    New,
}

/// An argument that is not an option would be taken as a package.
fn are_options(value: &Value) -> bool {
    let is_option = |value: &Value| matches!(value, Value::Text(text) if text.starts_with('-'));
    matches!(value, Value::List(list) if list.iter().all(is_option))
}
