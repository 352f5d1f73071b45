//! Lists of valid names for hints.

/// The maximum number of names in a hint.
const FEW: usize = 12;

/// The names; only the first of them if there are many.
pub(crate) fn listed<'n>(names: impl Iterator<Item = &'n str> + Clone) -> String {
    let more = names.clone().skip(FEW).count();
    let first = names.take(FEW).collect::<Vec<_>>().join(", ");
    if more == 0 { first } else { format!("{first}, and {more} more") }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..20).map(|i| format!("n{i}")).collect();
        let check = |count: usize, expected: &str| {
            assert_eq!(listed(names.iter().take(count).map(String::as_str)), expected);
        };
        check(0, "");
        check(2, "n0, n1");
        check(12, "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11");
        check(20, "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, and 8 more");
    }
}
