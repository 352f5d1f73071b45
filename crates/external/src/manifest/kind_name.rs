//! Names of kinds from resource types.

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
