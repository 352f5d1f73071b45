//! A file that is packed from sources: its state, and how it is written.

use std::path::Path;

use uphold_kit::checksum::Checksum;
use uphold_kit::generated_file::{self, Make};
use uphold_kit::ownership::{self, Ownership};
use uphold_resource::{
    Act, Described, Look, Mode, Place, Previous, Properties, Result, Seen, Step, Want, Wish,
};

use crate::fetch::Copy;

/// The mode of a new file.
const NEW: Mode = Mode::new(0o644);

/// State of a packed file, to embed with `#[flatten(state)]`.
#[derive(Clone, Debug, Properties)]
pub struct PackedFile {
    /// Comparison with the sources: `current`, `outdated` or `altered`. Always managed: it must be `"current"`.
    #[one_of("current")]
    pub copy: Want<Copy>,
    /// Mode. If it is not set, an existing file keeps its own.
    #[on_create(NEW)]
    pub mode: Want<Mode>,
    /// Owner and group.
    #[flatten(state)]
    pub ownership: Ownership,
    /// Checksum of the file, with its algorithm.
    pub digest: Seen<Option<Checksum>>,
    /// Size of the file in bytes.
    pub size: Seen<u64>,
}

impl PackedFile {
    /// The wishes of a visit: the file is current.
    pub(super) fn prepare(&self, look: &Look<'_>) -> Result<PackedFileWishes> {
        self.ownership.must_exist(look)?;
        Ok(PackedFileWishes { copy: Wish::Set(Copy::Current), ..PackedFileWishes::default() })
    }

    /// The state of the file at `path`; none if it does not exist.
    pub(super) fn load(
        &self,
        path: &Path,
        make: &Make<'_>,
        look: &Look<'_>,
    ) -> Result<Option<PackedFileState>> {
        let Some(found) = generated_file::load(path, self.copy.is_set(), make, look)? else {
            return Ok(None);
        };
        Ok(Some(PackedFileState {
            copy: Copy::compared(found.is_current),
            digest: found.digest,
            mode: Mode::new(found.entry.mode),
            ownership: self.ownership.load(&found.entry, look)?,
            size: found.entry.size,
        }))
    }

    /// Packs the file, or changes only its mode and owner if its content is current.
    pub(super) fn apply(
        &self,
        path: &Path,
        goal: &PackedFileGoal,
        change: Option<&PackedFileChange>,
        make: &Make<'_>,
        host: &Act<'_>,
    ) -> Result<()> {
        let access = self.ownership.access(Some(goal.mode.bits()), host)?;
        match change {
            Some(change) if change.copy.is_none() => {
                ownership::set(path, &access, change.ownership.is_any(), host)
            }
            _ => generated_file::put(path, &Place { access, ..Place::default() }, make, host),
        }
    }
}

/// The previous state of a packed file, whose content is not kept.
pub(super) fn previous<R: Described>(
    step: Step<'_, R>,
    file: impl Fn(&R::Change) -> &PackedFileChange,
) -> Previous {
    match step {
        Step::Create { .. } => Previous::VALUES,
        Step::Update { change, .. } if file(change).copy.is_none() => Previous::without(&["copy"]),
        _ => Previous::none("its previous content is not kept"),
    }
}
