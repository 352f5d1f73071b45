//! Account names: which ones can be created, and which ones may exist.

use uphold_resource::Value;

/// The maximum length that the account databases and `utmp` have room for.
const LONGEST: usize = 32;

/// Whether an account with this name can be created. Stricter than `is_usable`: all tools accept these names.
pub(crate) fn is_new(value: &Value) -> bool {
    matches!(value, Value::Text(name) if is_portable(name))
}

fn is_portable(name: &str) -> bool {
    let body = name.strip_suffix('$').unwrap_or(name);
    let begins = body.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let holds = body.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c));
    begins && holds && name.len() <= LONGEST
}

/// Whether an account with this name may exist.
pub(crate) fn is_usable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('-')
        && name.chars().all(|c| !c.is_control() && !c.is_whitespace() && !":/,".contains(c))
}

/// Whether the string fits into a field of the account databases.
pub(crate) fn is_field(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.contains([':', '\n', '\r', '\0']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_names() {
        let check = |name: &str, expected: bool| assert_eq!(is_new(&Value::text(name)), expected, "{name}");
        check("ann", true);
        check("_apt", true);
        check("web.app-2_x", true);
        check("HOST$", true);
        check(&"a".repeat(32), true);
        check(&"a".repeat(33), false);
        check("", false);
        check("$", false);
        check("1ann", false);
        check("-ann", false);
        check(".ann", false);
        check("ann x", false);
        check("ann:x", false);
        check("änn", false);
        check("a$b", false);
    }

    #[test]
    fn fields() {
        let check = |text: &str, expected: bool| assert_eq!(is_field(&Value::text(text)), expected, "{text}");
        check("Änn, Room 7", true);
        check("", true);
        check("a:b", false);
        check("a\nb", false);
    }
}
