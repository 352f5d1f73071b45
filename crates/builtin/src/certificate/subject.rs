//! Distinguished names of certificates.

use std::collections::BTreeMap;

use uphold_resource::Value;

use super::der;
use super::der::{Part, Reader, sequence, tag, value};

/// Components of a name other than the common name: `O`, `OU`, `C` and so on.
pub(super) type Parts = BTreeMap<String, String>;

/// Encodes a name in DER.
pub(super) fn write(common_name: &str, parts: &Parts) -> Vec<u8> {
    let known = der::NAME_PARTS.iter().filter_map(|(part, oid)| Some((*oid, parts.get(*part)?.as_str())));
    let all = known.chain([(der::COMMON_NAME, common_name)]);
    let attribute = |(oid, text): (&[u8], &str)| {
        let text = value(text_tag(oid), text.as_bytes());
        value(tag::SET, &sequence(&[der::der(oid), text]))
    };
    sequence(&all.map(attribute).collect::<Vec<_>>())
}

/// The string type of a component: a country is a PrintableString, a mail address an IA5String.
fn text_tag(oid: &[u8]) -> u8 {
    let is = |part: &str| der::NAME_PARTS.iter().any(|(name, number)| *name == part && *number == oid);
    match (is("C"), is("emailAddress")) {
        (true, _) => tag::PRINTABLE_STRING,
        (_, true) => tag::IA5_STRING,
        _ => tag::UTF8_STRING,
    }
}

/// Decodes the common name and the other known components. Any string type is read as text.
pub(super) fn read(name: &[u8]) -> (String, Parts) {
    let mut common = String::new();
    let mut parts = Parts::new();
    let sets = Reader(name).any().into_iter().flat_map(Part::inside);
    for attribute in sets.flat_map(Part::inside) {
        let mut fields = attribute.inside();
        let (Some(number), Some(text)) = (fields.expect(tag::OID), fields.any()) else { continue };
        let text = String::from_utf8_lossy(text.content).into_owned();
        if number.content == der::COMMON_NAME {
            common = text;
        } else if let Some((part, _)) = der::NAME_PARTS.iter().find(|(_, oid)| *oid == number.content) {
            parts.insert((*part).to_owned(), text);
        }
    }
    (common, parts)
}

/// Whether all keys are known components with a value, and a country has two letters.
pub(super) fn are_parts(value: &Value) -> bool {
    let is_part = |(part, text): (&str, &Value)| {
        let Value::Text(text) = text else { return false };
        let is_known = der::NAME_PARTS.iter().any(|(known, _)| *known == part);
        let is_country = text.len() == 2 && text.bytes().all(|letter| letter.is_ascii_uppercase());
        is_known
            && !text.is_empty()
            && (part != "C" || is_country)
            && (part != "emailAddress" || text.is_ascii())
    };
    matches!(value, Value::Map(map) if map.iter().all(|(part, text)| is_part((part, text))))
}
