//! A table as `nft` lists it: in a normal form, so that equal tables are equal strings.

use std::collections::BTreeMap;

/// The end of a set or map inside the table.
const END: &str = "\t}";

/// The start of the elements, which come last in their block.
const ELEMENTS: &str = "\t\telements = {";

/// The content of the only table of a listing, without its indentation. None if there is another table.
pub(super) fn inside(listing: &str, table: &str) -> Option<String> {
    let rest = listing.strip_prefix(&format!("table {table} {{\n"))?;
    let (body, after) = match rest.strip_prefix("}\n") {
        Some(after) => ("", after),
        None => rest.split_once("\n}\n")?,
    };
    if !after.trim().is_empty() {
        return None;
    }
    Some(body.lines().map(|line| format!("{}\n", line.strip_prefix('\t').unwrap_or(line))).collect())
}

/// A listing without elements that change by themselves: of sets and maps that packets fill or that expire.
pub(super) fn without_dynamic(listing: &str) -> String {
    let mut result = String::with_capacity(listing.len());
    for block in blocks(listing) {
        match block.dynamic_elements() {
            Some(elements) => result.push_str(&block.text.replace(elements, "")),
            None => result.push_str(block.text),
        }
    }
    result
}

/// The first set or map with elements that change by themselves.
pub(super) fn first_dynamic_set(listing: &str) -> Option<&str> {
    blocks(listing).find(|block| block.dynamic_elements().is_some()).map(|block| block.name())
}

/// `wanted`, with the current elements of sets and maps that change by themselves. So an address that a rule banned
/// stays banned when another rule changes.
pub(super) fn with_elements_of(wanted: &str, found: &str) -> String {
    let found: BTreeMap<&str, Block<'_>> = blocks(found).map(|block| (block.head(), block)).collect();
    let mut text = String::with_capacity(wanted.len());
    for block in blocks(wanted) {
        let kept = found.get(block.head()).filter(|old| block.is_dynamic() && old.key() == block.key());
        match (kept.and_then(Block::dynamic_elements), block.text.strip_suffix("\t}\n")) {
            (Some(elements), Some(open)) => text.extend([open, elements, "\t}\n"]),
            _ => text.push_str(block.text),
        }
    }
    text
}

/// A set, a map, or the text between two of them.
struct Block<'a> {
    text: &'a str,
}

impl<'a> Block<'a> {
    /// Its first line.
    fn head(&self) -> &'a str {
        self.text.lines().next().unwrap_or_default()
    }

    fn name(&self) -> &'a str {
        self.head().split_whitespace().nth(1).unwrap_or_default()
    }

    fn is_set(&self) -> bool {
        begins_set(self.head())
    }

    /// The line with the type of the elements.
    fn key(&self) -> Option<&'a str> {
        self.text.lines().find(|line| line.starts_with("\t\ttype ") || line.starts_with("\t\ttypeof "))
    }

    /// Whether its elements change by themselves.
    fn is_dynamic(&self) -> bool {
        let flags = self.text.lines().find_map(|line| line.strip_prefix("\t\tflags "));
        let dynamic = |flag: &str| matches!(flag.trim(), "dynamic" | "timeout");
        self.is_set() && flags.is_some_and(|flags| flags.split(',').any(dynamic))
    }

    /// Its elements, if they change by themselves.
    fn dynamic_elements(&self) -> Option<&'a str> {
        let begin = self.text.find(ELEMENTS).filter(|_| self.is_dynamic())?;
        let end = self.text.rfind(END)?;
        self.text.get(begin..end)
    }
}

fn begins_set(line: &str) -> bool {
    let words = line.strip_prefix('\t').unwrap_or_default();
    words.starts_with("set ") || words.starts_with("map ")
}

/// Splits a listing into blocks that together are the whole listing.
fn blocks(listing: &str) -> impl Iterator<Item = Block<'_>> {
    let mut rest = listing;
    std::iter::from_fn(move || {
        let length = block_length(rest)?;
        let (text, after) = rest.split_at(length);
        rest = after;
        Some(Block { text })
    })
}

/// The length of the first block: a whole set or map, or the text before the next one.
fn block_length(listing: &str) -> Option<usize> {
    let mut length = 0;
    let in_set = begins_set(listing.lines().next()?);
    for line in listing.split_inclusive('\n') {
        if !in_set && length > 0 && begins_set(line) {
            return Some(length);
        }
        length += line.len();
        if in_set && line.trim_end_matches('\n') == END {
            return Some(length);
        }
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BANS: &str = "\tset bans {\n\t\ttype ipv4_addr\n\t\tflags dynamic,timeout\n\t\ttimeout 1h\n";
    const SEEN: &str =
        "\t\telements = { 192.0.2.1 expires 59m comment \"}\",\n\t\t\t     192.0.2.2 expires 3m }\n";
    const CHAIN: &str = "\n\tchain input {\n\t\ttcp dport 22 accept\n\t}\n";

    fn table(bans: &str) -> String {
        let ports = "\tset ports {\n\t\ttype inet_service\n\t\telements = { 22, 80 }\n\t}\n\n";
        format!("table inet web {{\n{ports}{BANS}{bans}\t}}\n{CHAIN}}}\n")
    }

    #[test]
    fn finds_the_content_of_the_table() {
        let check = |listing: &str, expected: Option<&str>| {
            assert_eq!(inside(listing, "inet web").as_deref(), expected, "{listing}");
        };
        check("table inet web {\n}\n", Some(""));
        check("table inet web {\n\tchain a {\n\t\taccept\n\t}\n}\n", Some("chain a {\n\taccept\n}\n"));
        check("table inet web {\n}\ntable inet other {\n}\n", None);
        check("table inet other {\n}\n", None);
        check("", None);
    }

    #[test]
    fn omits_dynamic_elements() {
        assert_eq!(without_dynamic(&table(SEEN)), table(""));
        assert_eq!(without_dynamic(&table("")), table(""));
        assert_eq!(first_dynamic_set(&table(SEEN)), Some("bans"));
        assert_eq!(first_dynamic_set(&table("")), None);
    }

    #[test]
    fn keeps_dynamic_elements_of_matching_sets() {
        let check = |wanted: &str, found: &str, expected: &str| {
            assert_eq!(with_elements_of(wanted, found), expected, "{wanted}\n{found}");
        };
        check(&table(""), &table(SEEN), &table(SEEN));
        check(&table(""), &table(""), &table(""));
        check(&table(""), "table inet web {\n}\n", &table(""));
        // A set with the same name but another type, or one that no longer exists.
        check(&table(""), &table(SEEN).replace("ipv4_addr", "ipv6_addr"), &table(""));
        check("table inet web {\n}\n", &table(SEEN), "table inet web {\n}\n");
        let static_bans = table("").replace("dynamic,timeout", "interval");
        check(&static_bans, &table(SEEN), &static_bans);
    }
}
