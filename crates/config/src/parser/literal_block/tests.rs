//! Literal blocks are those, and only those, that the general parser reads as the same literals.

use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;
use uphold_model::Sources;

use super::*;
use crate::parser::RootItem;
use crate::source_code::SourceCode;
use crate::tree::{Content, Node, Tree, TreeView};

/// Parses a text in both ways, which must agree. Returns the number of literal blocks.
fn check(text: &str) -> usize {
    let mut sources = Sources::default();
    let id = sources.add("a.hcl", text);
    let code = Arc::new(SourceCode::of(&sources, id, PathBuf::new()));
    let mut trees = Vec::new();
    let expected = Parser::new(&code.text, id).parse(|tree| trees.push(tree));
    let mut names = Names::default();
    let mut reader = LiteralReader::new(&mut names);
    let mut items = Vec::new();
    let problems = Parser::new(&code.text, id).parse_literals(&mut reader, |item| items.push(item));
    assert_eq!(format!("{problems:?}"), format!("{expected:?}"), "{text}");
    assert_eq!(items.len(), trees.len(), "{text}");
    let mut literal = 0;
    for (item, tree) in items.iter().zip(&trees) {
        match item {
            RootItem::Tree(other) => assert_eq!(format!("{other:?}"), format!("{tree:?}"), "{text}"),
            RootItem::Literals(block) => {
                literal += 1;
                compare(block, &code, tree);
            }
        }
    }
    literal
}

fn compare(block: &LiteralBlock, code: &Arc<SourceCode>, tree: &Tree) {
    let view = TreeView::new(code, tree);
    let item = view.items(tree.root).next().expect("a block");
    let Content::Block { labels: labels_of, items } = item.content else { panic!("not a block: {item:?}") };
    let labels: Vec<Span> = view.labels(labels_of).map(|label| label.span).collect();
    assert_eq!((item.name, &labels[..]), (block.kind, &[block.label][..]));
    let name = view.labels(labels_of).map(|label| label.text).collect::<String>();
    assert_eq!((&*block.id.kind, &*block.id.name), (item.key, &*name));
    assert_eq!(block.attributes.len(), items.len());
    for (attribute, item) in block.attributes.iter().zip(view.items(items)) {
        let Content::Expression(node) = item.content else { panic!("no expression: {item:?}") };
        let Node::Known(literal) = view.node(node) else { panic!("no literal: {item:?}") };
        assert_eq!((&*attribute.name, attribute.place), (item.key, Some(view.place(item.name))));
        assert_eq!(attribute.value_place, Some(view.place(item.value)));
        assert!(matches!(&attribute.value, Term::Known(value) if *value == literal.value()));
    }
}

#[test]
fn blocks_of_literals_have_no_tree() {
    let block = |lines: &str| check(&format!("file \"/a\" {{\n{lines}}}\n"));
    for lines in [
        "",
        "  a = \"b\"\n",
        "\n  a = \"b\" # c\n\n  d = true\n",
        "  a = 12\n  b = 0\r\n",
        r#"  a = "b\n\"c\" \u00e9 $${d} $5"
"#,
    ] {
        assert_eq!(block(lines), 1, "{lines}");
    }
    for lines in [
        "  when = true\n",
        "  a = 1\n  a = 2\n",
        "  a = \"${b}\"\n",
        "  a = \"{{ b }}\"\n",
        "  a = \"b\" + \"c\"\n",
        "  a = true ? 1 : 2\n",
        "  a = null\n",
        "  a = 012\n",
        "  a = 99999999999999999999\n",
        "  a = -1\n",
        "  a = \"\\q\"\n",
        "  a = b\n",
        "  a {\n  }\n",
        "  a = 1, b = 2\n",
    ] {
        assert_eq!(block(lines), 0, "{lines}");
    }
    let mixed = "locals {\n  a = 1\n}\nfile \"a\" {\n}\nfile \"b\" {\n  c = local.a\n}\nfile \"d\" {\n}";
    assert_eq!(check(mixed), 2);
    for other in [
        "param \"a\" {\n}\n",
        "if-x \"a\" {\n}\n",
        "file a {\n}\n",
        "file \"a\" \"b\" {\n}\n",
        "file \"a\" {}\n",
    ] {
        assert_eq!(check(other), 0, "{other}");
    }
}

pub(in crate::parser) const LINES: &[&str] = &[
    "file \"/a\" {\n",
    "file \"b\\n\" {\n",
    "file \"/c\" {\n  mode = \"0644\"\n",
    "file \"/d\" {\n  force = true",
    " + 1\n",
    " ? 1 : 2\n",
    "  a = \"b\" c = 1\n",
    "class \"a\" {\n",
    "kind \"a\" {\n",
    "file \"/a\" ",
    "  mode = \"0644\"\n",
    "owner = \"root\"\n",
    "  content = \"a\\tb\\\"c\\\\ \\u00e9$${d}%\"\n",
    "  content = \"a\\xb\"\n",
    "  content = \"a${b}\"\n",
    "  content = \"",
    "  when = true\n",
    "  size = 12\n",
    "  size = 012",
    "  force = true\n",
    "  when = x ? 1 : 2\n",
    "  a = <<END\n",
    "END\n",
    "  # comment\n",
    " /* comment\n */",
    "\r\n",
    "\n",
    "}\n",
    "}",
    ",",
    "-",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_parsers_agree(lines in prop::collection::vec(prop::sample::select(LINES), 0..24)) {
        check(&lines.concat());
    }
}
