//! Names of kinds: from resource types, and assigned to manifests.

use std::collections::BTreeMap;

use uphold_model::{RESERVED_BLOCKS, is_identifier};

use super::content::Manifest;

/// The possible kind names of a type, the shortest first: `Microsoft.Windows/Service` is `service`, or else
/// `windows_service`, or else `microsoft_windows_service`.
pub(crate) fn candidates(type_name: &str) -> Vec<String> {
    let (owner, name) = type_name.split_once('/').unwrap_or(("", type_name));
    let mut names = vec![snake_case(name)];
    for part in owner.split('.').rev().filter(|part| !part.is_empty()) {
        let longer = format!("{}_{}", snake_case(part), names[names.len() - 1]);
        names.push(longer);
    }
    names
}

/// The kind name of each of these manifests; none if all of its names are taken.
///
/// If several types want the same name, none gets it: all get longer ones. So an additional manifest never reassigns a
/// used name to another program.
pub(crate) fn kind_names(manifests: &[Manifest], is_taken: &dyn Fn(&str) -> bool) -> Vec<Option<String>> {
    let wanted: Vec<Vec<String>> = manifests.iter().map(Manifest::kind_candidates).collect();
    let mut chosen = vec![0; wanted.len()];
    loop {
        let names: Vec<&str> = wanted.iter().zip(&chosen).map(|(names, at)| names[*at].as_str()).collect();
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        names.iter().for_each(|name| *uses.entry(name).or_default() += 1);
        let clashes: Vec<bool> =
            names.iter().map(|name| uses[name] > 1 || !can_be_kind(name) || is_taken(name)).collect();
        let can_grow = |i: &usize| clashes[*i] && chosen[*i] + 1 < wanted[*i].len();
        let growing: Vec<usize> = (0..wanted.len()).filter(can_grow).collect();
        if growing.is_empty() {
            let name = |(name, clashes): (&&str, &bool)| (!clashes).then(|| (*name).to_owned());
            return names.iter().zip(&clashes).map(name).collect();
        }
        growing.into_iter().for_each(|i| chosen[i] += 1);
    }
}

/// Whether this word can be the name of a kind.
pub(super) fn can_be_kind(name: &str) -> bool {
    is_identifier(name) && !RESERVED_BLOCKS.contains(&name)
}

/// Words in lower case with `_` between them: `OSInfo` is `os_info`.
pub(crate) fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut made = String::new();
    for (i, &letter) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| letters[i]);
        let next_is_small = letters.get(i + 1).is_some_and(|next| next.is_lowercase());
        let begins_word = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase() || before.is_numeric() || (before.is_uppercase() && next_is_small)
            });
        if begins_word {
            made.push('_');
        }
        if letter.is_alphanumeric() { made.extend(letter.to_lowercase()) } else { made.push('_') }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_names_come_from_the_namespace() {
        let check = |type_name: &str, expected: &[&str]| assert_eq!(candidates(type_name), expected);
        check("Microsoft.Windows/Service", &["service", "windows_service", "microsoft_windows_service"]);
        check("Example/TextFile", &["text_file", "example_text_file"]);
        check("Name", &["name"]);
    }

    #[test]
    fn kind_names_are_lower_case() {
        let check = |name: &str, expected: &str| assert_eq!(snake_case(name), expected);
        check("OSInfo", "os_info");
        check("TextFile", "text_file");
        check("text", "text");
        check("HTTPServer2Thing", "http_server2_thing");
        check("Sql_Table", "sql_table");
        check("SSHD", "sshd");
    }
}
