//! What schemas consist of lives as long as the program. It is made once for each text of a kind, not for each resource.

/// Keeps one thing for good.
pub fn keep<T>(made: T) -> &'static T {
    Box::leak(Box::new(made))
}

/// Keeps several.
pub fn keep_all<T>(all: impl IntoIterator<Item = T>) -> &'static [T] {
    Vec::leak(all.into_iter().collect())
}

/// Keeps a text.
pub fn keep_text(text: &str) -> &'static str {
    if text.is_empty() { "" } else { String::leak(text.to_owned()) }
}
