//! A table as `nft` lists it: one way to write it, so that equal tables are equal texts.

use std::collections::BTreeMap;

/// How a block of a set or map, one level inside the table, ends.
const END: &str = "\t}";

/// How the elements begin. They are the last thing in their block.
const ELEMENTS: &str = "\t\telements = {";

/// The inside of the only table of a listing, one level less deep. None unless there is exactly this one.
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

/// A listing without what changes by itself: the elements of sets and maps that packets fill, or that time empties.
pub(super) fn steady(listing: &str) -> String {
    let mut steady = String::with_capacity(listing.len());
    for block in blocks(listing) {
        match block.passing() {
            Some(passing) => steady.push_str(&block.text.replace(passing, "")),
            None => steady.push_str(block.text),
        }
    }
    steady
}

/// The first set or map of a listing that has elements and fills or empties by itself.
pub(super) fn passing_elements(listing: &str) -> Option<&str> {
    blocks(listing).find(|block| block.passing().is_some()).map(|block| block.name())
}

/// `wanted`, with the elements that its sets and maps have got in `found`, where they fill or empty by themselves. Who was
/// banned by a rule stays so when another rule changes.
pub(super) fn with_elements_of(wanted: &str, found: &str) -> String {
    let found: BTreeMap<&str, Block<'_>> = blocks(found).map(|block| (block.head(), block)).collect();
    let mut text = String::with_capacity(wanted.len());
    for block in blocks(wanted) {
        let kept = found.get(block.head()).filter(|old| block.passes() && old.key() == block.key());
        match (kept.and_then(Block::passing), block.text.strip_suffix("\t}\n")) {
            (Some(elements), Some(open)) => text.extend([open, elements, "\t}\n"]),
            _ => text.push_str(block.text),
        }
    }
    text
}

/// A set, a map, or what stands between two of them.
struct Block<'a> {
    text: &'a str,
}

impl<'a> Block<'a> {
    /// The line that it begins with.
    fn head(&self) -> &'a str {
        self.text.lines().next().unwrap_or_default()
    }

    fn name(&self) -> &'a str {
        self.head().split_whitespace().nth(1).unwrap_or_default()
    }

    fn is_set(&self) -> bool {
        begins_set(self.head())
    }

    /// The line that says what an element is.
    fn key(&self) -> Option<&'a str> {
        self.text.lines().find(|line| line.starts_with("\t\ttype ") || line.starts_with("\t\ttypeof "))
    }

    /// Whether its elements come and go by themselves.
    fn passes(&self) -> bool {
        let flags = self.text.lines().find_map(|line| line.strip_prefix("\t\tflags "));
        let passing = |flag: &str| matches!(flag.trim(), "dynamic" | "timeout");
        self.is_set() && flags.is_some_and(|flags| flags.split(',').any(passing))
    }

    /// Its elements, if they come and go by themselves.
    fn passing(&self) -> Option<&'a str> {
        let begin = self.text.find(ELEMENTS).filter(|_| self.passes())?;
        let end = self.text.rfind(END)?;
        self.text.get(begin..end)
    }
}

fn begins_set(line: &str) -> bool {
    let words = line.strip_prefix('\t').unwrap_or_default();
    words.starts_with("set ") || words.starts_with("map ")
}

/// The listing in pieces: put together, they are the listing.
fn blocks(listing: &str) -> impl Iterator<Item = Block<'_>> {
    let mut rest = listing;
    std::iter::from_fn(move || {
        let length = block_length(rest)?;
        let (text, after) = rest.split_at(length);
        rest = after;
        Some(Block { text })
    })
}

/// How long the first piece is: a whole set or map, or everything before the next one.
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
    fn what_is_inside() {
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
    fn what_passes_is_left_out() {
        assert_eq!(steady(&table(SEEN)), table(""));
        assert_eq!(steady(&table("")), table(""));
        assert_eq!(passing_elements(&table(SEEN)), Some("bans"));
        assert_eq!(passing_elements(&table("")), None);
    }

    #[test]
    fn what_passes_is_kept_where_it_fits() {
        let check = |wanted: &str, found: &str, expected: &str| {
            assert_eq!(with_elements_of(wanted, found), expected, "{wanted}\n{found}");
        };
        check(&table(""), &table(SEEN), &table(SEEN));
        check(&table(""), &table(""), &table(""));
        check(&table(""), "table inet web {\n}\n", &table(""));
        // A set of that name that holds something else, or that is there no more.
        check(&table(""), &table(SEEN).replace("ipv4_addr", "ipv6_addr"), &table(""));
        check("table inet web {\n}\n", &table(SEEN), "table inet web {\n}\n");
        let steady_bans = table("").replace("dynamic,timeout", "interval");
        check(&steady_bans, &table(SEEN), &steady_bans);
    }
}
