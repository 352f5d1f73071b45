//! A text that is read in parts has the same items, attributes and mistakes as one that is read whole.

use proptest::prelude::*;
use uphold_model::Sources;

use super::*;
use crate::parser::literal_block::tests::LINES;

/// Everything that is read from a text that is cut at these places, as text.
fn read_parts(text: &str, cuts: &[usize]) -> Vec<String> {
    let source = Sources::default().add("a.hcl", text);
    let mut all = Vec::new();
    let take = |item| all.push(format!("{item:?}"));
    let problems = parse_in_parts(cuts, (text, source), &mut Names::default(), take);
    all.extend(problems.iter().map(|problem| format!("{problem:?}")));
    all
}

/// Reads a text that is cut at these places, and whole. Returns the number of blocks that were read ahead and taken.
fn check(text: &str, cuts: &[usize]) -> usize {
    let parts = read_parts(text, cuts);
    assert_eq!(parts, read_parts(text, &[]), "{cuts:?} of {text}");
    let source = Sources::default().add("a.hcl", text);
    let ends = cuts.iter().skip(1).copied().chain([text.len()]);
    let ahead = cuts.iter().zip(ends).flat_map(|(from, to)| read(text, source, *from..to));
    let literals: Vec<String> = ahead.map(|read| format!("{:?}", RootItem::Literals(read.block))).collect();
    literals.iter().filter(|literal| parts.contains(literal)).count()
}

#[test]
fn blocks_are_read_ahead_wherever_a_text_is_cut() {
    let text = "file \"a\" {\n  x = 1\n}\nfile \"b\" {\n  x = 2\n}\n\nfile \"c\" {\n  x = 3\n}\n";
    let ahead: Vec<usize> = (0..text.len()).map(|cut| check(text, &[cut])).collect();
    assert_eq!(ahead[text.find("\nfile \"b\"").expect("b")], 2);
    assert_eq!(ahead[text.find("x = 1").expect("a")], 2);
    assert_eq!(ahead[text.find("x = 2").expect("b")], 1);
    let after = |name| text.find(name).expect("a block") - 1;
    assert_eq!(check(text, &[after("file \"b\""), after("\nfile \"c\"")]), 2);
}

#[test]
fn a_block_that_only_seems_to_be_one_is_not_taken() {
    let block = "x\n}\nfile \"b\" {\n  x = 2\n}\n";
    for text in [
        format!("file \"a\" {{\n  x = <<END\n{block}END\n}}\n"),
        format!("/*\n{block}*/\n"),
        format!("file \"a\" {{\n  x = 1 {block}"),
        format!("file \"a\" {{\n  x = \"{block}"),
        format!("a: b\n{block}"),
    ] {
        let cut = text.find("x\n}").expect("a cut") + 3;
        check(&text, &[cut]);
        check(&text, &[1, cut]);
    }
    let nested = format!("file \"a\" {{\n  x = <<END\n{block}END\n}}\nfile \"c\" {{\n}}\n");
    assert_eq!(check(&nested, &[nested.find("x\n}").expect("a cut") + 3]), 1);
}

#[test]
fn reading_goes_on_after_other_blocks() {
    let text =
        "file \"a\" {\n}\nfile \"b\" {\n  x = local.y\n}\nlocals {\n  y = 1\n}\nfile \"c\" {\n}\n".repeat(3);
    assert_eq!(check(&text, &[12]), 5);
}

#[test]
fn a_long_text_is_cut_after_blocks() {
    let text = "file \"a\" {\n}\n".repeat(100);
    let found = cuts(&text, 4);
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|cut| text[..*cut].ends_with("\n}")));
    assert!(cuts(&"é".repeat(100), 4).is_empty());
    assert!(cuts("", 0).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parts_and_the_whole_agree(
        lines in prop::collection::vec(prop::sample::select(LINES), 0..32),
        cuts in prop::collection::vec(0_usize..400, 1..4),
    ) {
        let text = lines.concat();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| text.floor_char_boundary(*cut)).collect();
        cuts.sort_unstable();
        check(&text, &cuts);
    }
}
