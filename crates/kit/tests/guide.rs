//! Checks that `docs/authoring.md` shows code that compiles, every mistake that does not, and every example program.

/// Each Rust block of the guide is in a test or an example, word for word, and the smallest kind is small.
#[test]
fn the_guide_shows_what_compiles() {
    let guide = include_str!("../../../docs/authoring.md");
    let unindented = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let sources = [
        include_str!("authoring.rs"),
        include_str!("../../resource/tests/attributes/shared_state.rs"),
        include_str!("../../../examples/own-kind/src/main.rs"),
    ];
    let sources = sources.map(unindented);
    let blocks: Vec<&str> =
        guide.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 5, "the guide has lost its examples");
    assert!(blocks[0].lines().filter(|line| !line.is_empty()).count() <= 25, "the smallest kind has grown");
    for block in blocks {
        let block = unindented(block);
        let quoted = sources.iter().any(|source| source.contains(block.trim()));
        assert!(quoted, "not in tests/authoring.rs or another source:\n{block}");
    }
}

/// Each example program has a row in the guide.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test reads its own files")]
fn the_guide_lists_every_example() {
    let guide = include_str!("../../../docs/authoring.md");
    let folder = "crates/uphold/examples";
    let files = std::fs::read_dir(format!("{}/../../{folder}", env!("CARGO_MANIFEST_DIR")));
    for file in files.expect("the examples") {
        let name = file.expect("an example").file_name().into_string().expect("its name");
        assert!(guide.contains(&format!("| `{folder}/{name}` |")), "not in docs/authoring.md: {name}");
    }
}

/// Each file of `tests/ui` has a row in the guide, with the message of the compiler.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test reads its own files")]
fn the_guide_lists_every_mistake() {
    let guide = include_str!("../../../docs/authoring.md");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../resource/tests/ui");
    let files = std::fs::read_dir(folder).expect("the ui files");
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut count = 0;
    for name in names.filter_map(|name| name.strip_suffix(".stderr").map(str::to_owned)) {
        let answer = std::fs::read_to_string(format!("{folder}/{name}.stderr")).expect("the answer");
        let first = answer.lines().next().and_then(|line| line.split_once(": ")).expect("an error").1;
        let row = format!(" {} | `{name}` |", first.trim_start_matches("evaluation panicked: "));
        assert!(guide.contains(&row), "not in docs/authoring.md: |{row}");
        count += 1;
    }
    assert!(count > 60, "{count} files");
}
