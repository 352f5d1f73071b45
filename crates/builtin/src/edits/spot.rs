//! Where a value is that is changed in place.

use uphold_resource::{AbsolutePath, Act, Claim, Claims, Property, Reading, Result};

use super::datum::Datum;
use super::format::{Documents, Format, edit};
use super::key_path::KeyPath;
use crate::edited_file::EditedFile;

/// Where a value is: settings that all kinds have in common that change one value of a document.
#[derive(Clone, Debug, PartialEq, Property)]
pub struct Spot {
    /// The file that it is in.
    #[also("path", "dest")]
    #[required]
    pub file: AbsolutePath,
    /// The way to the value: keys with dots between them, and members of lists by number, as in `a.b[0].c`. A key that
    /// holds dots stands in quotes, or the way is a list of keys and numbers. Maps on the way that are not there are
    /// made. The number behind the last member of a list adds one.
    #[also("pointer", "at", "option", "setting")]
    #[required]
    pub key: KeyPath,
    /// Whether the file is created if it does not exist: with mode 0644, or 0600 if a secret is put into it. If packages
    /// are still to be installed, they come first: one of them may bring the file.
    #[default(false)]
    pub create: bool,
}

impl Spot {
    fn target(&self) -> EditedFile<'_> {
        EditedFile::named(&self.file, self.create)
    }

    /// What is there; none if nothing is.
    pub(crate) fn load<F: Format>(&self, format: &F, host: &Reading<'_>) -> Result<Option<Datum>> {
        let Some(documents) = self.target().parsed::<Documents<F>>(host)? else { return Ok(None) };
        let found = documents.look(format, &self.key);
        let found = found.map_err(|error| error.while_(format!("cannot read {}", self.file)))?;
        Ok(found.cloned().map(Datum))
    }

    /// Puts `value` there, or takes away what is there.
    pub(crate) fn apply(&self, format: &impl Format, value: Option<&Datum>, host: &Act<'_>) -> Result<()> {
        self.target().rewrite(host, |old| edit(format, old, &self.key, value.map(|value| &value.0)))
    }

    /// It changes a part of its file, as others may do, and holds one value of one document in it alone.
    pub(crate) fn claim(&self, claims: &mut Claims, document: Option<usize>) {
        self.target().claim(claims);
        let document = document.map_or(String::new(), |document| format!("document {document} of "));
        claims.hold(Claim::Other("key", format!("{} of {document}{}", self.key, self.file).into()));
    }
}
