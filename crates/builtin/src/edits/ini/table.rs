//! The values of an INI file by section and key.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use uphold_kit::document::Document;
use uphold_resource::{Parsed, Result};

use super::layout::{Layout, Sign, section_spelling};

/// The values of an INI file, parsed once for all resources. The result depends on the sign between keys and
/// values and on whether case is ignored, so there is one for each combination that is needed.
pub(super) struct Table {
    content: Vec<u8>,
    by_sign: [[OnceLock<Values>; 2]; 3],
}

type Values = HashMap<Option<String>, HashMap<String, Vec<Option<String>>>>;

impl Parsed for Table {
    fn parse(content: &[u8]) -> Result<Self> {
        Ok(Self { content: content.to_vec(), by_sign: Default::default() })
    }
}

impl Table {
    /// The value of each line of a key.
    pub(super) fn find(
        &self,
        sign: Sign,
        section: Option<&str>,
        key: &str,
        ignore_case: bool,
    ) -> &[Option<String>] {
        let cell = &self.by_sign[sign as usize][usize::from(ignore_case)];
        let values = cell.get_or_init(|| values(&self.content, sign, ignore_case));
        let section = section.map(|section| section_spelling(section, ignore_case).into_owned());
        let keys = values.get(&section);
        keys.and_then(|keys| keys.get(&*spelling(key, ignore_case))).map_or(&[], Vec::as_slice)
    }
}

/// The spelling by which a key is found.
fn spelling(key: &str, ignore_case: bool) -> Cow<'_, str> {
    if ignore_case { Cow::Owned(key.to_ascii_lowercase()) } else { Cow::Borrowed(key) }
}

fn values(content: &[u8], sign: Sign, ignore_case: bool) -> Values {
    let mut values = Values::new();
    for entry in Layout::of(&Document::new(content), sign).entries {
        let section = entry.section.map(|section| section_spelling(&section, ignore_case).into_owned());
        let section = values.entry(section).or_default();
        section.entry(spelling(&entry.key, ignore_case).into_owned()).or_default().push(entry.value);
    }
    values
}
