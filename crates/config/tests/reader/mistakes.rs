//! Several mistakes at once.

use crate::print::{diagnostics, read_text, statements};

#[test]
fn one_mistake_does_not_hide_the_next() {
    let text = "a = 1\n\
        k \"n\" {\n  v = 0644\n  w = [1 2]\n  x = \"a\n  y = foo\n  z 5\n  v = 2\n}\n\
        l {\n}\n\
        m \"o\" {\n  a = upper(\"x\")\n";
    let (sources, reading) = read_text(text);
    let lines = diagnostics(&sources, &reading);
    let heads: Vec<_> = lines.lines().map(|line| line.split(" | ").next().unwrap_or_default()).collect();
    assert_eq!(
        heads,
        [
            "1:1 attribute outside a block",
            "3:7 number with a leading zero",
            "4:10 unexpected text",
            "5:7 unclosed string",
            "6:7 not a reference",
            "7:5 neither a block nor an attribute",
            "8:3 duplicate attribute",
            "10:1 block without a label",
            "12:7 unclosed block",
            "13:7 function call not available yet",
        ]
    );
}

#[test]
fn what_could_be_read_is_there() {
    let (_, reading) =
        read_text("k \"n\" {\n  a = [\n  b = 1\n  c = 0644\n  e {\n    d = 'x'\n    f = 2\n  }\n}\n");
    let unknown = "(known after apply)";
    let expected =
        format!("k.n\n  a = {unknown}\n  c = {unknown}\n  e = {{ d = {unknown}, f = 2 }}\nconverge k.n");
    assert_eq!(statements(&reading), expected);
}
