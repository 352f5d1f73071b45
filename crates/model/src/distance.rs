//! Suggestions for misspelt names.

/// The candidate nearest to `word`, if it is near enough to be a typing error.
///
/// Words that are longer than any name a person types are not compared.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 256;
    if word.len() > LONGEST {
        return None;
    }
    let limit = (word.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= 4 * limit)
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|&(d, _)| d <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, replacements and swaps of adjacent characters that turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let width = b.len() + 1;
    let mut table: Vec<usize> = (0..(a.len() + 1) * width).map(|i| if i < width { i } else { 0 }).collect();
    for i in 1..=a.len() {
        table[i * width] = i;
        for j in 1..=b.len() {
            let above = &table[(i - 1) * width..];
            let replace = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(above[j] + 1).min(table[i * width + j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(table[(i - 2) * width + j - 2] + 1);
            }
            table[i * width + j] = best;
        }
    }
    table[a.len() * width + b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn suggests_only_what_is_near() {
        let known = ["content", "mode", "owner", "group"];
        let check = |word, expected| assert_eq!(closest(word, known), expected, "{word}");
        check("contnet", Some("content"));
        check("onwer", Some("owner"));
        check("mod", Some("mode"));
        check("path", None);
        check("", None);
        assert_eq!(closest(&"x".repeat(10 << 20), ["x"]), None);
    }
}
