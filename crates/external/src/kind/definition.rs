//! The kind's interface to the engine.

use std::fmt::Write as _;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Map as Members, Value as Json};
use sha2::{Digest, Sha256};
use uphold_model::{Claim, Claims, Difference, Map, Problem, Role, Schema, Side, Value};
use uphold_resource::{
    Act, Definition, Desired, EntryKind, Error, Interest, Look, PredictedEffects, Reading, Result, ValueType,
    Wishes, Writers, trusted_path,
};

use crate::comparison::is_met;
use crate::json;
use crate::manifest::{Argument, Manifest, Method};
use crate::program::Runner;
use crate::schema::{Checker, IN_DESIRED_STATE, Layout, without_write_only};

/// The key under which the loaded state stores the names that differ according to the program. No property has such a
/// name.
pub(super) const DIFFERING: &str = "_differing";

/// A kind that a manifest defines.
pub(crate) struct External {
    pub(super) manifest: Manifest,
    pub(super) layout: Layout,
    pub(super) checker: Checker,
    pub(super) runner: Runner,
}

impl External {
    /// The program's input: everything that the user set.
    pub(super) fn input(&self, wishes: &Wishes) -> Members<String, Json> {
        let set = self.layout.fields().filter(|(name, _)| wishes.is_set(name));
        let members =
            set.filter_map(|(name, key)| Some((key.to_owned(), json::json(wishes.get(name)?).ok()?)));
        members.collect()
    }

    /// The defaults of properties that the user did not set, by their names in JSON.
    pub(super) fn unset_defaults(&self, wishes: &Wishes) -> impl Iterator<Item = (String, Json)> {
        let unset = self.layout.fields().filter(|(name, _)| !wishes.is_set(name));
        unset.filter_map(|(name, key)| Some((key.to_owned(), json::json(&self.default(name)?).ok()?)))
    }

    /// The default of a property that is neither set nor printed.
    pub(super) fn default(&self, property: &str) -> Option<Value> {
        self.layout.schema.property(property)?.default?.make().ok()
    }

    /// Whether the program's input contains a secret.
    pub(super) fn has_secret(&self, wishes: &Wishes) -> bool {
        self.layout.fields().any(|(name, _)| self.is_secret(name, wishes))
    }

    fn is_secret(&self, name: &str, wishes: &Wishes) -> bool {
        wishes.is_set(name) && (wishes.is_secret(name) || self.value_type(name).is_sensitive())
    }

    /// Whether the resource is required to have any property, besides existing.
    pub(super) fn has_requirements(&self, wishes: &Wishes) -> bool {
        let properties = self.layout.schema.properties.iter();
        let mut required =
            properties.filter(|property| property.role.is_state() || property.role == Role::Setting);
        required.any(|property| wishes.is_set(property.name))
    }

    /// The watched events that the manifest declares.
    fn watched(&self, wishes: &Wishes) -> impl Iterator<Item = Interest> {
        let value = |key: &str| match wishes.get(self.layout.name(key)?)? {
            Value::Text(text) => Some(text.to_string()),
            Value::Int(number) => Some(number.to_string()),
            _ => None,
        };
        self.manifest.own.watch.iter().filter_map(move |watched| watched.interest(&value))
    }

    /// The part of a desired value that the program may print, if that is not all of it.
    fn comparable(&self, property: &str, wanted: &Value) -> Option<Value> {
        let field = self.layout.field(property)?;
        let shown = without_write_only(self.checker.root(), &field.json, wanted);
        (shown != *wanted).then_some(shown)
    }

    /// Identifying properties for which the program prints another value. The engine does not compare names; but the
    /// first required property of a schema need not be an identity.
    fn differing_names(&self, wishes: &Wishes, current: &Map) -> Vec<Difference> {
        let is_listed = |name: &str| match current.get(DIFFERING) {
            Some(Value::List(names)) => names.contains(&Value::text(name)),
            _ => false,
        };
        let named = self.layout.schema.properties.iter();
        let named = named.filter(|property| matches!(property.role, Role::Name | Role::Identity));
        let differing = named.filter_map(|property| {
            let wanted = wishes.get(property.name)?;
            let there = current.get(property.name).filter(|there| **there != Value::Null);
            let is_known = there.is_some() || is_listed(property.name);
            let differs = is_known && !self.is_as_wanted(property.name, wanted, current);
            differs.then(|| Difference {
                property: property.name.into(),
                from: there.map_or(Side::Absent, |there| Side::Value(there.clone())),
                to: Side::Value(wanted.clone()),
            })
        });
        differing.collect()
    }

    /// Properties that differ according to the program, besides those that the user set.
    fn other_differences(&self, wishes: &Wishes, current: &Map) -> Vec<Difference> {
        let says_no = match (current.get(IN_DESIRED_STATE), current.get(DIFFERING)) {
            (Some(said), _) => *said == Value::Bool(false),
            (None, Some(Value::List(names))) => !names.is_empty(),
            _ => false,
        };
        let mut differences = self.differing_names(wishes, current);
        if says_no && differences.is_empty() && !self.differs(wishes, current) {
            differences.push(Difference {
                property: IN_DESIRED_STATE.into(),
                from: Side::Value(Value::Bool(false)),
                to: Side::Value(Value::Bool(true)),
            });
        }
        differences
    }

    /// Whether a property differs that the user set.
    fn differs(&self, wishes: &Wishes, current: &Map) -> bool {
        let wanted = self.layout.schema.properties.iter().filter(|property| wishes.wants(property));
        let goals = wanted.filter_map(|property| Some((property.name, wishes.get(property.name)?)));
        goals.into_iter().any(|(name, goal)| !self.is_as_wanted(name, goal, current))
    }
}

impl Definition for External {
    fn schema(&self) -> &'static Schema {
        self.layout.schema
    }

    fn value_type(&self, property: &str) -> &ValueType {
        static NONE: ValueType = ValueType::Words(Vec::new());
        self.layout.field(property).map_or(&NONE, |field| &field.ty)
    }

    fn adjust(&self, property: &str, value: Value) -> std::result::Result<Value, Problem> {
        if let Some(field) = self.layout.field(property) {
            self.checker.check(&field.json, &json::json(&value)?)?;
        }
        Ok(value)
    }

    fn check(&self, wishes: &Wishes) -> Vec<Problem> {
        if !self.manifest.methods.all().any(Method::shows_input) {
            return Vec::new();
        }
        let secret = self.layout.fields().filter(|(name, _)| self.is_secret(name, wishes));
        let refused = secret.map(|(name, _)| {
            let rule = "is a secret, but the program takes its input as an argument, which every user of the \
                        machine can see";
            let fix = format!("change {} to take its input from stdin", self.manifest.type_name);
            Problem::new(None, rule, fix).inside(name)
        });
        refused.collect()
    }

    fn load(&self, wishes: &Wishes, look: &Look<'_>) -> Result<Option<Map>> {
        self.load_state(wishes, look)
    }

    fn is_as_wanted(&self, property: &str, wanted: &Value, current: &Map) -> bool {
        match (current.get(IN_DESIRED_STATE), current.get(DIFFERING)) {
            (Some(Value::Bool(true)), _) => return true,
            (None, Some(Value::List(names))) => return !names.contains(&Value::text(property)),
            _ => {}
        }
        let shown = self.comparable(property, wanted);
        let wanted = match &shown {
            // It is never printed at all.
            Some(Value::Map(members)) if members.is_empty() => return true,
            Some(shown) => shown,
            None => wanted,
        };
        match current.get(property).filter(|there| **there != Value::Null) {
            Some(there) => is_met(wanted, there),
            None => {
                *wanted == Value::Null
                    || self.default(property).is_some_and(|default| is_met(wanted, &default))
            }
        }
    }

    fn predict_effects(
        &self,
        wishes: &Wishes,
        current: Option<&Map>,
        desired: Desired,
        _: &Reading<'_>,
    ) -> Result<PredictedEffects> {
        let current = current.filter(|_| desired == Desired::Present);
        Ok(current.map(|current| self.other_differences(wishes, current)).unwrap_or_default().into())
    }

    fn inputs(&self, _: Desired, host: &Reading<'_>) -> Map {
        digests(&self.manifest, host)
    }

    fn converge(&self, wishes: &Wishes, current: Option<&Map>, host: &Act<'_>) -> Result<()> {
        self.set(wishes, current, host)
    }

    fn remove(&self, wishes: &Wishes, _: &Map, host: &Act<'_>) -> Result<()> {
        self.delete(wishes, host)
    }

    fn claims(&self, wishes: &Wishes, claims: &mut Claims) {
        for interest in self.watched(wishes) {
            match interest {
                Interest::Path(path) | Interest::Entries(path) | Interest::Tree(path) => {
                    claims.own(path.clone());
                    claims.need(Claim::Path(path));
                }
                Interest::Unit(unit) => claims.need(Claim::Unit(unit)),
                _ => {}
            }
        }
    }

    fn interests(&self, wishes: &Wishes, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.extend(self.watched(wishes));
    }
}

// Digests of a manifest's programs, so that a saved plan notices when one was replaced.

/// The number of bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// A digest, cached while the file is unchanged.
struct FileDigest(String);

/// The digest of each program beside the manifest, by path. A program found in `PATH` is part of the system, like the
/// programs of built-in kinds.
pub(super) fn digests(manifest: &Manifest, host: &Reading<'_>) -> Map {
    let mut digests = Map::new();
    for path in manifest.methods.all().filter_map(|method| program_file(manifest, method, host)) {
        let name = format!("the program {}", path.display());
        if !digests.contains_key(name.as_str()) {
            let digest = host.noted(&[&path], || digest(&path, host));
            let value = digest.map_or_else(|_| Value::unknown(&*name), |digest| Value::text(&*digest.0));
            digests.insert(name.into(), value);
        }
    }
    digests
}

/// The executable, or the script that an interpreter gets as its first argument.
fn program_file(manifest: &Manifest, method: &Method, host: &Reading<'_>) -> Option<PathBuf> {
    let words = method.args.iter().filter_map(|argument| match argument {
        Argument::Plain(word) => Some(word),
        _ => None,
    });
    let mut files =
        std::iter::once(&method.executable).chain(words).filter(|word| !Path::new(word).is_absolute());
    files.find_map(|word| regular_file(&manifest.directory.join(word), host))
}

/// The path without links, if it is a regular file.
fn regular_file(path: &Path, host: &Reading<'_>) -> Option<PathBuf> {
    let path = trusted_path(path, &Writers::ANY, host).ok()?.ok()?;
    let entry = host.files().look(&path).ok()??;
    (entry.kind == EntryKind::File).then_some(path)
}

fn digest(path: &Path, host: &Reading<'_>) -> Result<FileDigest> {
    let (mut file, mut hasher) = (host.open(path)?, Sha256::new());
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece).map_err(|error| Error::io("read", path, error))? {
            0 => break,
            read => hasher.update(&piece[..read]),
        }
    }
    let mut text = "sha256:".to_owned();
    for byte in hasher.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(FileDigest(text))
}
