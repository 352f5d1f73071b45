//! All functions.

use std::sync::LazyLock;

use crate::function::Function;
use crate::{
    encoding, files, hashing, lists, maps, networks, numbers, paths, patterns, strings, templates, time,
    types,
};

/// One table for each file that defines functions.
static TABLES: &[&[Function]] = &[
    encoding::base64::FUNCTIONS,
    encoding::charset::FUNCTIONS,
    encoding::csv::FUNCTIONS,
    encoding::gzip::FUNCTIONS,
    encoding::json::FUNCTIONS,
    encoding::url::FUNCTIONS,
    encoding::yaml::FUNCTIONS,
    files::FUNCTIONS,
    files::glob::FUNCTIONS,
    hashing::FUNCTIONS,
    lists::arrangement::FUNCTIONS,
    lists::choice::FUNCTIONS,
    lists::selection::FUNCTIONS,
    lists::sets::FUNCTIONS,
    maps::FUNCTIONS,
    networks::FUNCTIONS,
    numbers::FUNCTIONS,
    paths::FUNCTIONS,
    patterns::FUNCTIONS,
    strings::affix::FUNCTIONS,
    strings::format::FUNCTIONS,
    strings::letters::FUNCTIONS,
    strings::pieces::FUNCTIONS,
    templates::FUNCTIONS,
    time::FUNCTIONS,
    types::conversion::FUNCTIONS,
    types::secrecy::FUNCTIONS,
];

static SORTED: LazyLock<Vec<&'static Function>> = LazyLock::new(|| {
    let mut all: Vec<_> = TABLES.iter().copied().flatten().collect();
    all.sort_unstable_by_key(|function| function.name);
    all
});

/// Every function, sorted by name.
pub fn all() -> &'static [&'static Function] {
    &SORTED
}

/// The function of this name.
pub fn find(name: &str) -> Option<&'static Function> {
    all().binary_search_by_key(&name, |function| function.name).ok().map(|index| all()[index])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::Body;

    #[test]
    fn every_function_is_found_once_and_is_documented() {
        assert!(all().windows(2).all(|pair| pair[0].name < pair[1].name), "sorted, and no name twice");
        for function in all() {
            let name = function.name;
            assert_eq!(find(name).map(|found| found.name), Some(name));
            assert!(function.doc.ends_with('.'), "{name}: {}", function.doc);
            // `optional` has no meaning in an expression of its own.
            let least = usize::from(!matches!(function.body, Body::Optional));
            assert!((least..=3).contains(&function.examples.len()), "{name}");
            let calls_it = |call: &str| call.contains(&format!("{name}("));
            assert!(function.examples.iter().all(|example| calls_it(example.call)), "{name}");
            let optional = function.parameters.iter().map(|parameter| parameter.optional);
            assert!(optional.is_sorted(), "{name}: optional parameters come last");
        }
        assert!(find("nothing").is_none());
    }
}
