//! The kind `gzip`.

use std::io::Write;

use uphold_kit::checksum::{self, Algorithm, Checksum};
use uphold_kit::generated_file::unwritable;
use uphold_kit::{parent, regular_file};
use uphold_resource::{
    AbsolutePath, Act, Bytes, Desired, Found, Look, Map, Previous, Problem, Reading, Resource, Result, Step,
};

use super::packed_file::{self, PackedFile};
use uphold_kit::archives::{Compression, Packer};

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
    /// State of the compressed file.
    #[flatten(
        state,
        doc(
            copy = "Comparison with the source: `current`, `outdated` or `altered`. Always managed: it must be `\"current\"`."
        )
    )]
    pub file: PackedFile,
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
        Ok(GzipWishes { file: self.file.prepare(look)? })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let found = self.file.load(&self.path, &|to| self.make(to, look), look)?;
        Ok(found.map(|file| GzipState { file }).into())
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
        let put = |goal, change| self.file.apply(&self.path, goal, change, &|to| self.make(to, host), host);
        match step {
            Step::Create { goal } => put(&goal.file, None),
            Step::Update { goal, change, .. } => put(&goal.file, Some(&change.file)),
            Step::Remove { .. } => host.edits().remove_file(&self.path),
        }
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        packed_file::previous(step, |change| &change.file)
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
