//! The settings of a kind that manages a value in a document.

use uphold_resource::{AbsolutePath, Act, Claim, Claims, Previous, Property, Reading, Result};

use super::{Documents, Format, KeyPath, PlainValue, edit};
use crate::edited_file::EditedFile;
use crate::verification::Verification;

/// The file and the key of a value: settings for a kind that manages it, such as `json_edit`.
#[derive(Clone, Debug, PartialEq, Property)]
pub struct EditedValue {
    /// Path of the file.
    #[also("path", "dest")]
    #[required]
    pub file: AbsolutePath,
    /// Path to the value: map keys separated by dots, and list indexes in brackets, as in `a.b[0].c`. Put a key
    /// that contains dots in quotes, or write the path as a list of keys and indexes. Missing maps are created. The
    /// index after the last item of a list appends an item.
    #[also("pointer", "at", "option", "setting")]
    #[required]
    pub key: KeyPath,
    /// Create the file if it does not exist: with mode 0644, or 0600 if the value is a secret. Pending packages are
    /// installed first, because one of them may provide the file.
    #[default(false)]
    pub create: bool,
}

impl EditedValue {
    fn edited_file(&self) -> EditedFile<'_> {
        EditedFile::named(&self.file, self.create)
    }

    /// The current value; none if it does not exist.
    ///
    /// # Errors
    /// If the file cannot be read or parsed, or the key leads through a scalar.
    pub fn load<F: Format>(&self, format: &F, host: &Reading<'_>) -> Result<Option<PlainValue>> {
        let Some(documents) = self.edited_file().parsed::<Documents<F>>(host)? else { return Ok(None) };
        let found = documents.look(format, &self.key);
        let found = found.map_err(|error| error.while_(format!("cannot read {}", self.file)))?;
        Ok(found.cloned().map(PlainValue))
    }

    /// Sets the value, or removes it, once the new file is verified.
    ///
    /// # Errors
    /// If the file cannot be edited safely or written, or its verification fails.
    pub fn apply(
        &self,
        format: &impl Format,
        value: Option<&PlainValue>,
        verification: &Verification,
        host: &Act<'_>,
    ) -> Result<()> {
        let file = self.edited_file().verified(verification);
        file.rewrite(host, |old| edit(format, old, &self.key, value.map(|value| &value.0)))
    }

    /// The whole file as it was, or the key alone if the file was changed meanwhile.
    pub fn previous(&self) -> Previous {
        self.edited_file().previous(true)
    }

    /// Other values may be edited in the same file, but only one resource may manage each.
    pub fn claim(&self, claims: &mut Claims, document: Option<usize>) {
        self.edited_file().claim(claims);
        let document = document.map_or(String::new(), |document| format!("document {document} of "));
        claims.hold(Claim::Other("key", format!("{} of {document}{}", self.key, self.file).into()));
    }
}
