//! What a plan was made from, and for.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use uphold_wire::saved_plan::{Configuration, Machine as SavedMachine};

use super::inputs::Inputs;
use super::machine::MachineIdentity;
use super::param::GivenParam;
use super::salt::Salt;

/// What a plan was made from, and for.
pub struct Origin {
    /// When.
    pub made_at: SystemTime,
    /// On which machine.
    pub machine: MachineIdentity,
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

/// The same from a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SavedOrigin {
    pub(super) made_at: SystemTime,
    /// The version of Uphold that made it.
    pub(super) uphold: String,
    pub(super) machine: SavedMachine,
    pub(super) root: Option<PathBuf>,
    pub(super) paths: Vec<PathBuf>,
    pub(super) kinds: Vec<PathBuf>,
    pub(super) configuration: Configuration,
}

impl SavedOrigin {
    pub(super) fn of(origin: Origin, salt: &Salt) -> Self {
        let path = |path: &PathBuf| path.display().to_string();
        let all = |paths: &[PathBuf]| paths.iter().map(path).collect();
        Self {
            made_at: origin.made_at,
            uphold: env!("CARGO_PKG_VERSION").to_owned(),
            machine: origin.machine.saved(salt),
            configuration: Configuration {
                directory: path(&origin.directory),
                kinds: all(&origin.kinds),
                params: origin.params.iter().map(|param| param.saved(salt)).collect(),
                params_files: all(&origin.params_files),
                paths: all(&origin.paths),
                read: origin.inputs.saved(salt),
            },
            root: origin.root,
            paths: origin.paths,
            kinds: origin.kinds,
        }
    }

    /// Whether a plan may be applied here.
    ///
    /// # Errors
    /// Why not, and what to do.
    pub(super) fn check(
        &self,
        machine: &MachineIdentity,
        directory: &Path,
        root: Option<&Path>,
        salt: &Salt,
    ) -> Result<(), (String, String)> {
        let anew = "make a plan for this one".to_owned();
        machine.check(&self.machine, salt).map_err(|how| (how, anew))?;
        if let Some(root) = root.filter(|root| Some(*root) != self.root.as_deref()) {
            let planned = match &self.root {
                Some(root) => format!("for what is below {}", root.display()),
                None => "for the whole machine".to_owned(),
            };
            let what = format!("it is {planned}, not for what is below {}", root.display());
            return Err((what, "leave out --root: the plan knows its own".to_owned()));
        }
        let planned = &self.configuration.directory;
        if Path::new(planned) != directory {
            let what = format!("it was made in {planned}, and this is {}", directory.display());
            return Err((what, format!("run it there: cd {planned}")));
        }
        Ok(())
    }
}
