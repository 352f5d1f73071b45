//! The kind `gzip`.

use std::io::Write;

use uphold_kit::checksum::{self, Algorithm, Checksum};
use uphold_kit::generated_file::{self, Make, unwritable};
use uphold_kit::ownership::{self, Ownership};
use uphold_kit::{parent, regular_file};
use uphold_resource::{
    AbsolutePath, Act, Bytes, Desired, Found, Look, Map, Mode, Place, Previous, Problem, Reading, Resource,
    Result, Seen, Step, Want, Wish,
};

use crate::fetch::Copy;
use crate::packing::{Compression, Packer};

/// The mode of a new file.
const NEW: Mode = Mode::new(0o644);

/// A gzip-compressed file, made from another file or a string.
///
/// The same content always gives the same file: neither a name nor a time is stored in it. It is compared by its
/// digest, so the content is compressed at each check.
///
/// ```hcl
/// gzip "/srv/www/index.html.gz" {
///   source = "/srv/www/index.html"
///   level  = 9
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "gzip", also("compress", "gz"), exclusive(source, content), any_of(source, content))]
pub struct Gzip {
    /// Path of the compressed file; defaults to the block's label.
    #[also("dest", "destination")]
    #[name]
    pub path: AbsolutePath,
    /// File to compress.
    #[also("input", "src")]
    pub source: Option<AbsolutePath>,
    /// Content to compress, instead of a file.
    pub content: Option<Bytes>,
    /// Compression level, from 0 (none) to 9 (best).
    #[default(6)]
    #[range(0..=9)]
    pub level: u32,
    /// Comparison with the source: `current`, `outdated` or `altered`. Always managed: it must be `"current"`.
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

impl Resource for Gzip {
    fn validate(&self) -> Result<(), Problem> {
        if self.source.as_ref() != Some(&self.path) {
            return Ok(());
        }
        let fix = "set `path` to another path, such as one that ends in .gz";
        Err(Problem::new(None, "cannot be the path itself", fix).inside("source"))
    }

    fn prepare(&self, look: &Look<'_>) -> Result<GzipWishes> {
        self.ownership.must_exist(look)?;
        Ok(GzipWishes { copy: Wish::Set(Copy::Current), ..GzipWishes::default() })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let make: &Make<'_> = &|to| self.make(to, look);
        let Some(found) = generated_file::load(&self.path, self.copy.is_set(), make, look)? else {
            return Ok(Found::Absent);
        };
        Ok(Found::This(GzipState {
            copy: Copy::compared(found.is_current),
            digest: found.digest,
            mode: Mode::new(found.entry.mode),
            ownership: self.ownership.load(&found.entry, look)?,
            size: found.entry.size,
        }))
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(&self.path, look)
    }

    fn inputs(&self, desired: Desired, host: &Reading<'_>) -> Map {
        let Some(source) = self.source.as_ref().filter(|_| desired == Desired::Present) else {
            return Map::new();
        };
        checksum::input("source", Checksum::of_file(source, Algorithm::Sha256, host))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let access = |mode: &Mode| self.ownership.access(Some(mode.bits()), host);
        match step {
            Step::Update { goal, change, .. } if change.copy.is_none() => {
                let changes_owner = change.ownership.is_any();
                ownership::set(&self.path, &access(&goal.mode)?, changes_owner, host)
            }
            Step::Create { goal } | Step::Update { goal, .. } => {
                let place = Place { access: access(&goal.mode)?, ..Place::default() };
                generated_file::put(&self.path, &place, &|to| self.make(to, host), host)
            }
            Step::Remove { .. } => host.edits().remove_file(&self.path),
        }
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Create { .. } => Previous::VALUES,
            Step::Update { change, .. } if change.copy.is_none() => Previous::without(&["copy"]),
            _ => Previous::none("its previous content is not kept"),
        }
    }
}

impl Gzip {
    fn make(&self, to: &mut dyn Write, host: &Reading<'_>) -> Result<()> {
        let mut packer = Packer::new(Compression::Gzip, self.level, to);
        let mut pack = |piece: &[u8]| packer.write_all(piece).map_err(unwritable);
        match &self.source {
            Some(source) => regular_file::each_piece(source, host, pack)?,
            None => pack(self.content.as_ref().map_or(&[], |content| &content.0))?,
        }
        packer.finish().map(drop).map_err(unwritable)
    }
}
