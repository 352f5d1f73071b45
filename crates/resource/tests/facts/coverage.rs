//! Checks that each fact in `docs/facts-chef.md` is tested where the table says.

const FILES: [(&str, &str); 25] = [
    ("`builtin/tests/commands/facts.rs`", include_str!("../../../builtin/tests/commands/facts.rs")),
    ("`builtin/tests/files/directory.rs`", include_str!("../../../builtin/tests/files/directory.rs")),
    ("`builtin/tests/files/file_facts.rs`", include_str!("../../../builtin/tests/files/file_facts.rs")),
    ("`builtin/tests/files/link.rs`", include_str!("../../../builtin/tests/files/link.rs")),
    ("`builtin/tests/files/obstacles.rs`", include_str!("../../../builtin/tests/files/obstacles.rs")),
    ("`builtin/tests/packages/facts.rs`", include_str!("../../../builtin/tests/packages/facts.rs")),
    ("`builtin/tests/services/behaviour.rs`", include_str!("../../../builtin/tests/services/behaviour.rs")),
    ("`cli/tests/commands/facts.rs`", include_str!("../../../cli/tests/commands/facts.rs")),
    ("`config/tests/reader/facts.rs`", include_str!("../../../config/tests/reader/facts.rs")),
    (
        "`engine/tests/engine/facts_collection.rs`",
        include_str!("../../../engine/tests/engine/facts_collection.rs"),
    ),
    ("`engine/tests/engine/facts_guards.rs`", include_str!("../../../engine/tests/engine/facts_guards.rs")),
    (
        "`engine/tests/engine/facts_notifications.rs`",
        include_str!("../../../engine/tests/engine/facts_notifications.rs"),
    ),
    ("`engine/tests/engine/facts_run.rs`", include_str!("../../../engine/tests/engine/facts_run.rs")),
    ("`facts/converge.rs`", include_str!("converge.rs")),
    ("`facts/identity.rs`", include_str!("identity.rs")),
    ("`facts/load.rs`", include_str!("load.rs")),
    ("`facts/property.rs`", include_str!("property.rs")),
    ("`facts/prototype.rs`", include_str!("prototype.rs")),
    ("`facts/validation.rs`", include_str!("validation.rs")),
    ("`functions/tests/library/facts.rs`", include_str!("../../../functions/tests/library/facts.rs")),
    ("`script/tests/script/facts_actions.rs`", include_str!("../../../script/tests/script/facts_actions.rs")),
    (
        "`script/tests/script/facts_immediate.rs`",
        include_str!("../../../script/tests/script/facts_immediate.rs"),
    ),
    ("`script/tests/script/facts_inner.rs`", include_str!("../../../script/tests/script/facts_inner.rs")),
    ("`script/tests/script/facts_load.rs`", include_str!("../../../script/tests/script/facts_load.rs")),
    ("`script/tests/script/facts_notices.rs`", include_str!("../../../script/tests/script/facts_notices.rs")),
];

/// Whether the id is in the text of a table, or in the name of a test.
fn mentions(source: &str, id: &str) -> bool {
    source.contains(id) || source.contains(&format!("fn {}_", id.to_lowercase().replace('-', "_")))
}

/// Whether the row names no test, a file that must not compile, or a test of something else, too.
fn is_elsewhere(place: &str) -> bool {
    const OTHERS: [&str; 1] = ["`types/collection.rs`"];
    let ui = place.strip_prefix("`ui/").and_then(|rest| rest.strip_suffix('`'));
    let mistakes = include_str!("../../../../docs/authoring.md");
    place == "—" || OTHERS.contains(&place) || ui.is_some_and(|name| mistakes.contains(name))
}

#[test]
fn each_id_is_in_the_file_of_its_row() {
    let table = include_str!("../../../../docs/facts-chef.md");
    let mut rows = 0;
    for line in table.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let is_fact = cells[1].len() == 6 && cells[1].as_bytes()[3] == b'-';
        match FILES.iter().find(|(name, _)| cells.get(3) == Some(name)) {
            Some((_, source)) => assert!(mentions(source, cells[1]), "{} is not in {}", cells[1], cells[3]),
            None if is_fact => assert!(is_elsewhere(cells[3]), "{}: there is no {}", cells[1], cells[3]),
            None => continue,
        }
        rows += 1;
    }
    assert!(rows > 170, "{rows} rows");
}

#[test]
fn each_id_of_a_test_has_a_row() {
    let table = include_str!("../../../../docs/facts-chef.md");
    let groups = [
        "CIC", "LCV", "PRP", "VAL", "IDS", "PRO", "COL", "FIL", "DIR", "LNK", "EXE", "NOT", "GRD", "REP",
        "FMT", "ACT", "RES", "DSL", "WHY", "PAR", "TPL", "PKG", "UNI", "ACC", "LWR",
    ];
    for (name, source) in FILES {
        let words = source.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        for id in words.filter(|word| word.len() == 6 && groups.iter().any(|group| word.starts_with(group))) {
            assert!(table.contains(&format!("| {id} |")), "{id} of {name} has no row");
        }
    }
}
