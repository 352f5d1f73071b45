//! The configuration and the machine of a plan.

use serde::{Deserialize, Serialize};

/// The configuration of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Configuration {
    /// The directory that relative paths start from.
    pub directory: String,
    /// The `--kinds` directories, as given.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// Params from the command line and the environment.
    pub params: Vec<Param>,
    /// The params files, as given.
    pub params_files: Vec<String>,
    /// The paths of the configuration, as given.
    pub paths: Vec<String>,
    /// Digests of everything that was read.
    pub inputs: Vec<Input>,
}

/// The machine of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Its name, if it has one.
    pub hostname: Option<String>,
    /// A digest of its id, if it has one.
    pub machine_id_digest: Option<String>,
}

/// A param from the command line or the environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// The param.
    pub name: String,
    /// The value, or a digest of a secret.
    #[serde(flatten)]
    pub kept: Kept,
}

/// The saved form of a param.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// The value as typed.
    Value(String),
    /// The digest of a secret.
    Digest(String),
}

/// One input of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The salted digest of its content.
    pub digest: String,
    /// Its name or path.
    pub name: String,
    /// Its kind.
    pub kind: InputKind,
}

/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// A file of the configuration itself, or of its params.
    Configuration,
    /// A file that the configuration names: a module or a template.
    File,
    /// An environment variable.
    EnvironmentVariable,
    /// A fact.
    Fact,
}
