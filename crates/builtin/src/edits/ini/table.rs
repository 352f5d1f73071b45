//! The values of an INI file by section and key.

use std::collections::HashMap;
use std::sync::OnceLock;

use uphold_resource::{Parsed, Result};

use super::layout::{Layout, Sign};
use crate::line::document::Document;

/// The values of an INI file, parsed once for all resources. The result depends on the sign between keys and
/// values, so there is one for each sign that is needed.
pub(super) struct Table {
    content: Vec<u8>,
    by_sign: [OnceLock<Values>; 3],
}

type Values = HashMap<Option<String>, HashMap<String, Vec<Option<String>>>>;

impl Parsed for Table {
    fn parse(content: &[u8]) -> Result<Self> {
        Ok(Self { content: content.to_vec(), by_sign: Default::default() })
    }
}

impl Table {
    /// The value of each line of a key.
    pub(super) fn find(&self, sign: Sign, section: Option<&str>, key: &str) -> &[Option<String>] {
        let values = self.by_sign[sign as usize].get_or_init(|| values(&self.content, sign));
        let keys = values.get(&section.map(str::to_owned));
        keys.and_then(|keys| keys.get(key)).map_or(&[], Vec::as_slice)
    }
}

fn values(content: &[u8], sign: Sign) -> Values {
    let mut values = Values::new();
    for entry in Layout::of(&Document::new(content), sign).entries {
        let section = values.entry(entry.section).or_default();
        section.entry(entry.key).or_default().push(entry.value);
    }
    values
}
