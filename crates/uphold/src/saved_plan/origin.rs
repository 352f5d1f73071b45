//! What a plan was made from, and for.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use uphold_host::LocalHost;
use uphold_wire::saved_plan::{Configuration, Machine as SavedMachine};

use super::inputs::Inputs;
use super::machine::MachineIdentity;
use super::param::GivenParam;
use super::salt::Salt;

/// What a configuration was read from: [`ConfigurationReader::logged`](crate::ConfigurationReader::logged) notes it.
pub struct Origin {
    pub(crate) read_at: SystemTime,
    /// From where relative paths go.
    pub(crate) directory: PathBuf,
    /// The configuration, as it was given.
    pub(crate) paths: Vec<PathBuf>,
    /// Files of params, as they were given.
    pub(crate) params_files: Vec<PathBuf>,
    /// Directories of kinds, as they were given.
    pub(crate) kinds: Vec<PathBuf>,
    /// Params that were given by hand.
    pub(crate) params: Vec<GivenParam>,
    /// The content of all of that.
    pub(crate) inputs: Inputs,
}

/// What a plan was made from, and for, as it is saved.
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
    pub(super) fn of(origin: &Origin, root: Option<PathBuf>, salt: &Salt) -> Self {
        let path = |path: &PathBuf| path.display().to_string();
        let all = |paths: &[PathBuf]| paths.iter().map(path).collect();
        Self {
            made_at: origin.read_at,
            uphold: env!("CARGO_PKG_VERSION").to_owned(),
            machine: MachineIdentity::of(&LocalHost::new()).saved(salt),
            configuration: Configuration {
                directory: path(&origin.directory),
                kinds: all(&origin.kinds),
                params: origin.params.iter().map(|param| param.saved(salt)).collect(),
                params_files: all(&origin.params_files),
                paths: all(&origin.paths),
                read: origin.inputs.saved(salt),
            },
            root,
            paths: origin.paths.clone(),
            kinds: origin.kinds.clone(),
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
