//! The configuration, the machine and the inputs of a plan.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use uphold_config::Surroundings;
use uphold_model::Value;
use uphold_resource::Facts;
use uphold_wire::saved_plan::{
    Configuration, Input as SavedInput, InputKind, Machine as SavedMachine, SavedPlan as Document,
};

use super::salt::Salt;
use crate::given_params::GivenParam;
use crate::input_log::{Digest, Input, InputLog};

/// The origin of a configuration, which [`ConfigurationReader::logged`](crate::ConfigurationReader::logged) records.
pub struct Origin {
    pub(crate) read_at: SystemTime,
    /// The current directory.
    pub(crate) directory: PathBuf,
    /// The paths of the configuration, as given.
    pub(crate) paths: Vec<PathBuf>,
    /// The params files, as given.
    pub(crate) params_files: Vec<PathBuf>,
    /// The directories of kinds, as given.
    pub(crate) kinds: Vec<PathBuf>,
    /// Params from the command line and the environment.
    pub(crate) params: Vec<GivenParam>,
    /// Everything that was read.
    pub(crate) inputs: Inputs,
}

impl Origin {
    pub(super) fn saved(&self, salt: &Salt) -> Configuration {
        let path = |path: &PathBuf| path.display().to_string();
        let all = |paths: &[PathBuf]| paths.iter().map(path).collect();
        Configuration {
            directory: path(&self.directory),
            kinds: all(&self.kinds),
            params: self.params.iter().map(|param| param.saved(salt)).collect(),
            params_files: all(&self.params_files),
            paths: all(&self.paths),
            inputs: self.inputs.saved(salt),
        }
    }
}

/// Whether a plan can be applied on this machine, in this directory, and with this root.
///
/// # Errors
/// The reason and a fix.
pub(super) fn check_place(
    plan: &Document,
    machine: &SavedMachine,
    directory: &Path,
    root: Option<&Path>,
) -> Result<(), (String, String)> {
    let fix = "make a plan for this machine".to_owned();
    check_machine(&plan.machine, machine).map_err(|how| (how, fix))?;
    let planned_root = plan.root.as_deref();
    if let Some(root) = root.filter(|root| Some(*root) != planned_root.map(Path::new)) {
        let planned = match planned_root {
            Some(root) => format!("for the root {root}"),
            None => "for the whole machine".to_owned(),
        };
        let what = format!("it is {planned}, not for the root {}", root.display());
        return Err((what, "omit --root: the plan has its own".to_owned()));
    }
    let planned = &plan.configuration.directory;
    if Path::new(planned) != directory {
        let what = format!("it was made in {planned}, and this is {}", directory.display());
        return Err((what, format!("change the directory: cd {planned}")));
    }
    Ok(())
}

/// This machine, as far as its identity is known. A machine id is confidential, so only its digest is saved.
pub(super) fn this_machine(facts: &dyn Facts, salt: &Salt) -> SavedMachine {
    let fact = |name| match facts.fact(name) {
        Ok(Value::Text(text)) => Some(text.to_string()),
        _ => None,
    };
    let machine_id_digest = fact("machine_id").map(|id| salt.digest("machine id", id.as_bytes()));
    SavedMachine { hostname: fact("hostname"), machine_id_digest }
}

/// Whether a plan for `planned` is for the machine `now`.
///
/// # Errors
/// The difference, as a message.
fn check_machine(planned: &SavedMachine, now: &SavedMachine) -> Result<(), String> {
    let name = |hostname: &Option<String>| match hostname {
        Some(name) => format!("`{name}`"),
        None => "a machine without a name".to_owned(),
    };
    let planned_name = name(&planned.hostname);
    if planned.hostname != now.hostname {
        return Err(format!("it is for {planned_name}, and this is {}", name(&now.hostname)));
    }
    if planned.machine_id_digest != now.machine_id_digest {
        return Err(format!("it is for another machine with the name {planned_name}"));
    }
    Ok(())
}

/// The name in messages and digests.
fn shown(sort: InputKind, name: &str) -> String {
    match sort {
        InputKind::Configuration | InputKind::File => name.to_owned(),
        InputKind::EnvironmentVariable => format!("the variable {name}"),
        InputKind::Fact => format!("the fact {name}"),
    }
}

/// The saved form of an input. Directories and the time are not saved: the other inputs and the plan have their content.
fn saved_as(input: &Input) -> Option<(InputKind, String)> {
    match input {
        Input::Text(name) => Some((InputKind::Configuration, name.clone())),
        Input::File(path) => Some((InputKind::File, path.to_string_lossy().into_owned())),
        Input::Variable(name) => Some((InputKind::EnvironmentVariable, name.clone())),
        Input::Fact(name) => Some((InputKind::Fact, name.clone())),
        Input::Names(_) | Input::Texts(_) | Input::Kinds(_) | Input::Clock => None,
    }
}

/// The inputs of a configuration. They may grow: expressions that wait for a resource read files later.
#[derive(Clone)]
pub(crate) struct Inputs {
    log: Arc<InputLog>,
    surroundings: Arc<dyn Surroundings>,
}

impl Inputs {
    pub(crate) fn new(log: Arc<InputLog>, surroundings: Arc<dyn Surroundings>) -> Self {
        Self { log, surroundings }
    }

    /// All inputs so far.
    pub(super) fn saved(&self, salt: &Salt) -> Vec<SavedInput> {
        let saved = |(input, digest): (Input, Digest)| {
            let (what, name) = saved_as(&input)?;
            Some(SavedInput { digest: salted(what, &name, &digest, salt), name, kind: what })
        };
        self.log.all().into_iter().filter_map(saved).collect()
    }

    /// The inputs that differ from `saved`, as messages. All inputs of the plan are read now, so that they cannot change
    /// before the run.
    pub(super) fn deviations(&self, saved: &[SavedInput], salt: &Salt) -> Vec<String> {
        let mut found = Vec::new();
        let expected: BTreeMap<(InputKind, &str), &str> =
            saved.iter().map(|one| ((one.kind, &*one.name), &*one.digest)).collect();
        for (sort, name) in self.log.all().keys().filter_map(saved_as) {
            if !expected.contains_key(&(sort, &*name)) {
                found.push(format!("{} was not read by the plan", shown(sort, &name)));
            }
        }
        for ((sort, name), digest) in expected {
            match self.look(sort, name) {
                Some(now) if salted(sort, name, &now, salt) == digest => {}
                Some(_) => found.push(format!("{} has changed", shown(sort, name))),
                None => found.push(format!("{} is no longer read", shown(sort, name))),
            }
        }
        found
    }

    /// The current digest of an input; none if it is not read. Reading adds it to the log.
    fn look(&self, sort: InputKind, name: &str) -> Option<Digest> {
        let input = match sort {
            InputKind::Configuration => Input::Text(name.to_owned()),
            InputKind::File => Input::File(name.into()),
            InputKind::EnvironmentVariable => Input::Variable(name.to_owned()),
            InputKind::Fact => Input::Fact(name.to_owned()),
        };
        if self.log.get(&input).is_none() {
            match &input {
                Input::File(path) => _ = self.surroundings.read(path),
                Input::Variable(name) => _ = self.surroundings.variable(name),
                Input::Fact(name) => _ = self.surroundings.fact(name),
                _ => {}
            }
        }
        self.log.get(&input)
    }
}

fn salted(sort: InputKind, name: &str, digest: &[u8], salt: &Salt) -> String {
    salt.digest(&shown(sort, name), digest)
}

#[cfg(test)]
mod machine_tests {
    use super::*;

    #[test]
    fn a_machine_is_identified_by_name_and_id() {
        let machine = |name: &str, id: &str| SavedMachine {
            hostname: Some(name.to_owned()),
            machine_id_digest: (!id.is_empty()).then(|| id.to_owned()),
        };
        let planned = machine("web1", "4c4b");
        let check = |now: SavedMachine, expected: Result<(), &str>| {
            assert_eq!(check_machine(&planned, &now).as_ref().map_err(String::as_str).copied(), expected);
        };
        check(machine("web1", "4c4b"), Ok(()));
        check(machine("web2", "4c4b"), Err("it is for `web1`, and this is `web2`"));
        check(machine("web1", "aaaa"), Err("it is for another machine with the name `web1`"));
        check(machine("web1", ""), Err("it is for another machine with the name `web1`"));
    }
}

#[expect(clippy::disallowed_methods, reason = "the test prepares real files")]
#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::surroundings::LocalSurroundings;
    use uphold_host::{ConfigurationFiles, LocalHost};

    fn inputs() -> Inputs {
        let (log, files) = (Arc::<InputLog>::default(), Arc::new(ConfigurationFiles::new()));
        let mut local = LocalSurroundings::new(LocalHost::new().machine(), files).expect("a directory");
        local.log = Some(log.clone());
        Inputs::new(log, Arc::new(local))
    }

    #[test]
    fn late_inputs_are_compared_early() {
        let folder = tempfile::tempdir().expect("a folder");
        let [early, late, other] = ["early", "late", "other"].map(|name| folder.path().join(name));
        let write = |path: &Path, text: &str| std::fs::write(path, text).expect("a file");
        for path in [&early, &late, &other] {
            write(path, "a");
        }
        let salt = Salt::fresh();
        let planned = inputs();
        for path in [&early, &late] {
            planned.surroundings.read(path).expect("a file");
        }
        let saved = planned.saved(&salt);
        let check = |expected: &[&str]| {
            let now = inputs();
            now.surroundings.read(&early).expect("a file");
            let found = now.deviations(&saved, &salt);
            let place = folder.path().display().to_string();
            let found: Vec<String> = found.iter().map(|what| what.replace(&place, "FOLDER")).collect();
            assert_eq!(found, expected);
            now
        };
        let now = check(&[]);
        // A compared input does not change any more.
        write(&late, "b");
        assert_eq!(now.surroundings.read(&late), Ok(b"a".to_vec()));
        check(&["FOLDER/late has changed"]);
        std::fs::remove_file(&late).expect("ours");
        check(&["FOLDER/late has changed"]);
        write(&late, "a");
        check(&[]);
        let more = inputs();
        more.surroundings.read(&other).expect("a file");
        let found = more.deviations(&saved, &salt);
        assert_eq!(found, [format!("{} was not read by the plan", other.display())]);
    }
}
