//! Helpers for authors of resource kinds, on top of the API in [`resource`].
//!
//! A kind needs no other crate of Uphold: the [`prelude`] has the names that the usual kind uses, and the modules have
//! the parts that kinds of files, tools and scripts share. The built-in kinds use the same parts.
//!
//! ```
//! use uphold_kit::prelude::*;
//!
//! /// A note on disk.
//! #[derive(Resource)]
//! #[resource(kind = "note")]
//! pub struct Note {
//!     /// Path; the label unless set.
//!     #[name]
//!     pub path: AbsolutePath,
//!     /// Text of the note.
//!     #[required]
//!     pub text: Want<String>,
//! }
//!
//! impl Resource for Note {
//!     fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
//!         Ok(regular_file::read_text(&self.path, look)?.map(|text| NoteState { text }).into())
//!     }
//!
//!     fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
//!         match step {
//!             Step::Create { goal } | Step::Update { goal, .. } => regular_file::write(&self.path, &goal.text, host),
//!             Step::Remove { .. } => host.edits().remove_file(&self.path),
//!         }
//!     }
//! }
//! ```
//!
//! | a kind that … | uses |
//! | --- | --- |
//! | writes whole files | [`regular_file`], [`parent`], [`ownership`], [`verification`], [`backup`] |
//! | edits part of a file | [`edited_file`], [`document`], [`pattern`], [`checks`] |
//! | edits a value in JSON, YAML, TOML or INI | `documents` (with the feature of this name), [`ini`] |
//! | reads or writes archives | `archives` (with the feature of this name) |
//! | generates or compares files | [`generated_file`], [`digest`], [`checksum`], [`unmanaged`] |
//! | runs tools of the system | [`tool`], [`machine`] |
//! | runs scripts of the user | [`script`], [`runner`], [`watched`], [`status`] |
//! | changes nothing | [`read_only`] |

#[cfg(feature = "archives")]
pub mod archives;
pub mod backup;
pub mod checks;
pub mod checksum;
pub mod digest;
pub mod document;
#[cfg(feature = "documents")]
pub mod documents;
pub mod edited_file;
pub mod generated_file;
pub mod ini;
pub mod machine;
pub mod ownership;
pub mod parent;
pub mod pattern;
pub mod prelude;
pub mod read_only;
pub mod regular_file;
pub mod resource;
pub mod runner;
pub mod script;
pub mod status;
pub mod tool;
pub mod unmanaged;
pub mod verification;
pub mod watched;
