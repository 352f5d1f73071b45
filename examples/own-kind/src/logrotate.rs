//! The kind `logrotate`.

use std::path::{Path, PathBuf};

use uphold_kit::checks::is_not_empty;
use uphold_kit::ownership::Ownership;
use uphold_kit::prelude::*;
use uphold_kit::resource::{Claim, Claiming, Claims, Interest, NewFile, Watching};
use uphold_kit::verification::Verification;

use crate::rotation::{Frequency, LogFiles, Rotation};

/// The directory that logrotate reads.
const DIRECTORY: &str = "/etc/logrotate.d";

/// Rotation of log files: a file in `/etc/logrotate.d`.
///
/// ```hcl
/// logrotate "app" {
///   logs      = ["/var/log/app/*.log"]
///   frequency = "daily"
///   keep      = 14
///   verify    = "logrotate --debug {}"
/// }
/// ```
#[derive(Resource)]
#[resource(kind = "logrotate", claims, interests)]
pub struct Logrotate {
    /// Name of the file; defaults to the block's label.
    #[name]
    #[pattern("^[A-Za-z0-9][A-Za-z0-9_-]*$")]
    pub name: String,
    /// Log files to rotate: paths, or shell patterns of paths.
    #[required]
    #[check(is_not_empty, "must have at least one path")]
    pub logs: Want<Vec<LogFiles>>,
    /// How often they are rotated.
    #[enforce("weekly")]
    pub frequency: Want<Frequency>,
    /// How many old files are kept.
    #[enforce(4)]
    pub keep: Want<u32>,
    /// Whether old files are compressed.
    #[enforce(true)]
    pub compress: Want<bool>,
    /// Mode. If it is not set, an existing file keeps its own.
    #[on_create("0644")]
    pub mode: Want<Mode>,
    /// Owner and group of the file.
    #[flatten(
        state,
        doc(
            owner = "Owner. If it is not set, an existing file keeps its own. logrotate reads only files of root."
        )
    )]
    pub ownership: Ownership,
    /// Check of a new file before it is put in place.
    #[flatten(settings)]
    pub verification: Verification,
}

impl Resource for Logrotate {
    fn prepare(&self, look: &Look<'_>) -> Result<LogrotateWishes> {
        self.ownership.must_exist(look)?;
        Ok(LogrotateWishes::default())
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some((entry, content)) = regular_file::read(&self.path(), look)? else {
            return Ok(Found::Absent);
        };
        let Rotation { logs, frequency, keep, compress } = Rotation::read(&String::from_utf8_lossy(&content));
        Ok(Found::This(LogrotateState {
            logs,
            frequency,
            keep,
            compress,
            mode: Mode::new(entry.mode),
            ownership: self.ownership.load(&entry, look)?,
        }))
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(&self.path(), look)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Update { goal, change, .. } if is_only_access(change) => {
                let access = goal.ownership.access(Some(goal.mode.bits()), host)?;
                ownership::set(&self.path(), &access, change.ownership.is_any(), host)
            }
            Step::Create { goal } | Step::Update { goal, .. } => self.write(goal, host),
            Step::Remove { .. } => host.edits().remove_file(&self.path()),
        }
    }
}

/// Only one resource may manage the file, whose path is not a property.
impl Claiming for Logrotate {
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Path(self.path()));
        claims.declare_whole_content();
        claims.need(Claim::Path(DIRECTORY.into()));
        claims.need(Claim::Package("logrotate".into()));
    }
}

impl Watching for Logrotate {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(self.path()));
    }
}

impl Logrotate {
    fn path(&self) -> PathBuf {
        Path::new(DIRECTORY).join(&self.name)
    }

    fn write(&self, goal: &LogrotateGoal, host: &Act<'_>) -> Result<()> {
        let LogrotateGoal { logs, frequency, keep, compress, mode, ownership } = goal;
        let rotation =
            Rotation { logs: logs.clone(), frequency: *frequency, keep: *keep, compress: *compress };
        let access = ownership.access(Some(mode.bits()), host)?;
        let verify = |candidate: &Path| self.verification.run(candidate, host);
        let text = rotation.text();
        let file = NewFile { verify: Some(&verify), ..NewFile::new(text.as_bytes(), access) };
        host.edits().write(&self.path(), &file)
    }
}

fn is_only_access(change: &LogrotateChange) -> bool {
    change.logs.is_none() && change.frequency.is_none() && change.keep.is_none() && change.compress.is_none()
}
