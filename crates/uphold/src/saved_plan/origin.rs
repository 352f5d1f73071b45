//! What a plan was made from, and for.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use serde_json::{Map as Object, Value as Json, json};

use super::inputs::{Inputs, SavedInput};
use super::machine::{Machine, SavedMachine};
use super::object::{Damaged, Fields, damaged};
use super::param::{GivenParam, SavedParam};
use super::salt::Salt;

/// What a plan was made from, and for.
pub struct Origin {
    /// When.
    pub made_at: SystemTime,
    /// On which machine.
    pub machine: Machine,
    /// For what is below this directory, if not for the whole machine.
    pub root: Option<PathBuf>,
    /// From where relative paths go.
    pub directory: PathBuf,
    /// The configuration, as it was given.
    pub paths: Vec<PathBuf>,
    /// Files of params, as they were given.
    pub params_files: Vec<PathBuf>,
    /// Directories of kinds, as they were given.
    pub kinds: Vec<PathBuf>,
    /// Params that were given by hand.
    pub params: Vec<GivenParam>,
    /// What all of that said.
    pub inputs: Inputs,
}

/// The same in a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SavedOrigin {
    pub(super) made_at: SystemTime,
    /// The version of Uphold that made it.
    pub(super) uphold: String,
    pub(super) machine: SavedMachine,
    pub(super) root: Option<PathBuf>,
    pub(super) directory: PathBuf,
    pub(super) paths: Vec<PathBuf>,
    pub(super) params_files: Vec<PathBuf>,
    pub(super) kinds: Vec<PathBuf>,
    pub(super) params: Vec<SavedParam>,
    pub(super) inputs: Vec<SavedInput>,
}

impl SavedOrigin {
    pub(super) fn of(origin: Origin, salt: &Salt) -> Self {
        Self {
            made_at: origin.made_at,
            uphold: env!("CARGO_PKG_VERSION").to_owned(),
            machine: origin.machine.saved(salt),
            root: origin.root,
            directory: origin.directory,
            paths: origin.paths,
            params_files: origin.params_files,
            kinds: origin.kinds,
            params: origin.params.iter().map(|param| SavedParam::of(param, salt)).collect(),
            inputs: origin.inputs.saved(salt),
        }
    }

    /// Its members in a file.
    pub(super) fn write(&self, to: &mut Object<String, Json>) {
        let path = |path: &PathBuf| path.display().to_string();
        let made_at = Timestamp::try_from(self.made_at).unwrap_or(Timestamp::UNIX_EPOCH);
        let configuration = json!({
            "directory": path(&self.directory),
            "paths": self.paths.iter().map(path).collect::<Vec<_>>(),
            "params_files": self.params_files.iter().map(path).collect::<Vec<_>>(),
            "kinds": self.kinds.iter().map(path).collect::<Vec<_>>(),
            "params": self.params.iter().map(SavedParam::to_json).collect::<Vec<_>>(),
            "read": self.inputs.iter().map(SavedInput::to_json).collect::<Vec<_>>(),
        });
        to.insert("made_at".to_owned(), made_at.to_string().into());
        to.insert("uphold".to_owned(), self.uphold.clone().into());
        to.insert("machine".to_owned(), self.machine.to_json());
        to.insert("root".to_owned(), self.root.as_ref().map(path).into());
        to.insert("configuration".to_owned(), configuration);
    }

    /// The same from the members of a file.
    pub(super) fn read(fields: Fields<'_>) -> Result<Self, Damaged> {
        let made_at: Timestamp =
            fields.text("made_at")?.parse().map_err(|_| damaged("`made_at` is not a time"))?;
        let configuration = Fields::of(fields.need("configuration")?)?;
        let paths = |name| Ok(configuration.texts(name)?.into_iter().map(PathBuf::from).collect());
        Ok(Self {
            made_at: made_at.into(),
            uphold: fields.text("uphold")?.to_owned(),
            machine: SavedMachine::from_json(fields.need("machine")?)?,
            root: fields.optional_text("root")?.map(PathBuf::from),
            directory: configuration.text("directory")?.into(),
            paths: paths("paths")?,
            params_files: paths("params_files")?,
            // Plans of format 1.0 have none.
            kinds: configuration.get("kinds").map_or(Ok(Vec::new()), |_| paths("kinds"))?,
            params: configuration.each("params", SavedParam::from_json)?,
            inputs: configuration.each("read", SavedInput::from_json)?,
        })
    }

    /// Whether a plan may be applied here.
    ///
    /// # Errors
    /// Why not, and what to do.
    pub(super) fn check(
        &self,
        machine: &Machine,
        directory: &Path,
        root: Option<&Path>,
        salt: &Salt,
    ) -> Result<(), (String, String)> {
        let anew = "make a plan for this one".to_owned();
        self.machine.check(machine, salt).map_err(|how| (how, anew))?;
        if let Some(root) = root.filter(|root| Some(*root) != self.root.as_deref()) {
            let planned = match &self.root {
                Some(root) => format!("for what is below {}", root.display()),
                None => "for the whole machine".to_owned(),
            };
            let what = format!("it is {planned}, not for what is below {}", root.display());
            return Err((what, "leave out --root: the plan knows its own".to_owned()));
        }
        if self.directory != directory {
            let what =
                format!("it was made in {}, and this is {}", self.directory.display(), directory.display());
            return Err((what, format!("run it there: cd {}", self.directory.display())));
        }
        Ok(())
    }
}
