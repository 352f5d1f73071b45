//! What a plan was made from, and for.

use serde::{Deserialize, Serialize};

/// What a plan was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Configuration {
    /// From where relative paths go.
    pub directory: String,
    /// Directories of kinds, as they were given.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// Params that were given by hand.
    pub params: Vec<Param>,
    /// Files of params, as they were given.
    pub params_files: Vec<String>,
    /// The configuration, as it was given.
    pub paths: Vec<String>,
    /// Digests of everything that was read.
    pub read: Vec<Input>,
}

/// Which machine a plan is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Its name, if it has one.
    pub hostname: Option<String>,
    /// A digest of its id, if it has one.
    pub machine_id_digest: Option<String>,
}

/// A param that was given by hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// The param.
    pub name: String,
    /// The value, or a digest of a secret.
    #[serde(flatten)]
    pub kept: Kept,
}

/// What is kept of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// The value, as it was typed.
    Value(String),
    /// The digest of a secret.
    Digest(String),
}

/// One thing that a plan was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The salted digest of its content.
    pub digest: String,
    /// Its name or path.
    pub name: String,
    /// What it is.
    pub what: InputSort,
}

/// What sort of thing was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputSort {
    /// A text of the configuration itself, or of its params.
    Text,
    /// A file that the configuration names: a module, a template.
    File,
    /// A variable of the environment.
    Variable,
    /// A fact.
    Fact,
}
