//! The order of versions, as Semantic Versioning defines it, and the newest manifest of each type.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::content::Manifest;
use crate::document::Fault;

/// Compares two versions. Numbers are compared as numbers, and a pre-release comes before its release. An invalid
/// version comes before all others, so that it never wins.
pub(crate) fn compare_versions(one: &str, other: &str) -> Ordering {
    match (Version::read(one), Version::read(other)) {
        (Some(one), Some(other)) => one.compare(&other),
        (one, other) => one.is_some().cmp(&other.is_some()),
    }
}

struct Version<'a> {
    numbers: Vec<u64>,
    pre_release: Option<&'a str>,
}

impl<'a> Version<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let without_build = text.split('+').next().unwrap_or(text);
        let (numbers, pre_release) = match without_build.split_once('-') {
            Some((numbers, pre_release)) => (numbers, Some(pre_release)),
            None => (without_build, None),
        };
        let numbers = numbers.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        Some(Self { numbers, pre_release })
    }

    fn compare(&self, other: &Self) -> Ordering {
        let by_number = self.numbers.cmp(&other.numbers);
        by_number.then_with(|| match (self.pre_release, other.pre_release) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(one), Some(other)) => {
                one.split('.').map(Identifier::of).cmp(other.split('.').map(Identifier::of))
            }
        })
    }
}

/// A part of a pre-release: numbers come before words.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identifier<'a> {
    Number(u64),
    Word(&'a str),
}

impl<'a> Identifier<'a> {
    fn of(text: &'a str) -> Self {
        text.parse().map_or(Self::Word(text), Self::Number)
    }
}

/// The manifest with the newest version of each type, in the order in which they were found. Of two with the same
/// version, the first counts; if they differ, that is a fault of the second.
pub(crate) fn newest(manifests: &[Manifest]) -> (Vec<&Manifest>, Vec<Fault>) {
    let mut best: BTreeMap<&str, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    for (i, manifest) in manifests.iter().enumerate() {
        let Some(&known) = best.get(manifest.type_name.as_str()) else {
            best.insert(&manifest.type_name, i);
            continue;
        };
        match compare_versions(&manifest.version, &manifests[known].version) {
            Ordering::Greater => {
                best.insert(&manifest.type_name, i);
            }
            Ordering::Less => {}
            Ordering::Equal if manifest.is_alike(&manifests[known]) => {}
            Ordering::Equal => faults.push(second(manifest, &manifests[known])),
        }
    }
    let mut chosen: Vec<usize> = best.into_values().collect();
    chosen.sort_unstable();
    (chosen.into_iter().map(|i| &manifests[i]).collect(), faults)
}

fn second(manifest: &Manifest, first: &Manifest) -> Fault {
    let Manifest { type_name, version, .. } = manifest;
    let what =
        format!("{type_name} {version} is described by {}, too, and that is used", first.document.file);
    manifest.fault(&["version"], what, "remove one of them, or give the one to use a higher version")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered() {
        let ascending = [
            "none",
            "0.9.0",
            "0.10.0",
            "1.0.0-alpha",
            "1.0.0-alpha.2",
            "1.0.0-alpha.10",
            "1.0.0-beta",
            "1.0.0",
            "1.0.1",
        ];
        for pair in ascending.windows(2) {
            assert_eq!(compare_versions(pair[0], pair[1]), Ordering::Less, "{pair:?}");
            assert_eq!(compare_versions(pair[1], pair[0]), Ordering::Greater, "{pair:?}");
        }
        assert_eq!(compare_versions("1.0.0+one", "1.0.0+two"), Ordering::Equal);
    }
}
