//! `examples/luau`: each example of the two documents that scripts come from, on a machine in memory.

use uphold_engine::Mode::{Apply, Plan};

use crate::bench::Bench;

macro_rules! example {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../examples/luau/", $name)))
    };
}

macro_rules! kinds {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../examples/luau/kinds/", $name, ".luau")))),*]
    };
}

const KINDS: &[(&str, &str)] = kinds![
    "aws",
    "aws_instance",
    "bag_item",
    "by_hand",
    "by_inline",
    "by_recipe",
    "chef_config",
    "encrypted_thing",
    "file_mode",
    "foo_bar_baz",
    "load_balancer",
    "machine",
    "my_instance",
    "nulls",
    "plain_file",
    "readable",
    "shirt",
    "split_file",
    "text_file",
];

const RECIPES: &[(&str, &str)] = &[
    example!("balancer.luau"),
    example!("by_hand.luau"),
    example!("by_inline.luau"),
    example!("by_recipe.luau"),
    example!("coercion.luau"),
    example!("hello.luau"),
    example!("lazy.luau"),
    example!("nested.luau"),
    example!("read.luau"),
    example!("refused/null.hcl"),
    example!("seen.luau"),
    example!("split.luau"),
];

fn text(name: &str) -> &'static str {
    let all = KINDS.iter().chain(RECIPES);
    all.clone().find(|(other, _)| *other == name).map(|(_, text)| *text).expect("an example")
}

/// The lines of an example in Ruby, by its heading, and what it is here.
const LINES: &[(&str, usize, &[&str])] = &[
    ("`load_current_value`: in-place resource load", 24, &["plain_file", "hello.luau"]),
    ("Non-existence", 7, &["file_mode"]),
    ("Handling Multi-Key Resources", 11, &["bag_item"]),
    ("`converge_if_changed`: automatic test-and-set", 15, &["text_file"]),
    ("Side-by-side: old", 25, &["foo_bar_baz"]),
    ("Desired value = actual value", 24, &["plain_file", "hello.luau"]),
    ("Compound Resource Convergence", 20, &["split_file"]),
    ("Stage 1: Resource Structure", 21, &["by_hand", "by_hand.luau"]),
    ("Actions as recipes", 17, &["by_recipe", "by_recipe.luau"]),
    ("`inline_block`", 18, &["by_inline", "by_inline.luau"]),
    ("Nested Resource Types", 31, &["aws", "aws_instance", "nested.luau"]),
    ("Stage 2: Property", 6, &["my_instance"]),
    ("Null Handling", 11, &["nulls", "refused/null.hcl"]),
    ("Validation", 1, &["shirt"]),
    ("Coercion", 15, &["encrypted_thing", "coercion.luau"]),
    ("Collection Types: laziness", 10, &["machine", "lazy.luau"]),
    ("Collection Types: coercion", 11, &["load_balancer", "balancer.luau"]),
    ("Path Type", 2, &["chef_config"]),
    ("Read API", 12, &["readable", "read.luau"]),
    ("Converging Differences", 21, &["split_file", "split.luau"]),
];

/// The lines of an example without an empty action: some originals are only the properties of a resource, and a kind
/// here needs an action.
fn counted_lines(name: &str) -> usize {
    text(name).trim_end_matches("\n\nfunction actions.create() end\n").lines().count()
}

#[test]
fn no_example_is_longer_than_its_original() {
    for (heading, original, files) in LINES {
        let ours: usize = files.iter().map(|name| counted_lines(name)).sum();
        assert!(ours <= *original, "{heading}: {ours} lines for {original}");
    }
    // The new way of "Side-by-side" is 7 lines: the body of the action.
    let body = text("foo_bar_baz").split_once("    converge_if_changed").expect("it converges").1;
    assert!(body.lines().take_while(|line| *line != "end").count() <= 7);
}

#[test]
fn the_readme_names_each_with_its_lines() {
    let readme = include_str!("../../../../examples/luau/README.md");
    for (heading, original, files) in LINES {
        let ours: usize = files.iter().map(|name| counted_lines(name)).sum();
        let row = readme.lines().find(|line| line.starts_with(&format!("| {heading} |")));
        let row = row.unwrap_or_else(|| panic!("no row for {heading}"));
        assert!(row.ends_with(&format!("| {original} | {ours} |")), "{row}: {original}, {ours}");
    }
}

fn bench() -> Bench {
    let bench = Bench::new(KINDS);
    bench.world(|host| {
        let host = host.directory("/bag", 0o755).file("/bag/ada", "countess", 0o644);
        host.file("/x.txt", "old\n", 0o600).file("/bootstrap", "boot", 0o644)
    })
}

/// A plan shows the changes, an apply makes them, and a second apply changes nothing.
#[track_caller]
fn check(recipe: &str, expected: &str, path: &str, content: &str) {
    let bench = bench();
    let text = text(recipe).replace("param.user", "\"ada\"");
    let before = bench.host.snapshot();
    let output = |mode, word: &str| {
        let output = bench.recipe(mode, &text);
        let (first, rest) = output.split_once('\n').unwrap_or((&output, ""));
        assert!(first.ends_with(word), "{output}");
        rest.lines().map(|line| line.trim().to_owned() + "\n").collect::<String>()
    };
    assert_eq!(output(Plan, " would change"), expected, "{recipe}");
    assert_eq!(before.diff(&bench.host.snapshot()), Vec::<String>::new(), "a plan writes nothing");
    assert_eq!(output(Apply, " changed"), expected, "{recipe}");
    assert_eq!(bench.content(path), content);
    assert_eq!(output(Apply, " unchanged"), "");
}

#[test]
fn each_recipe_makes_the_planned_changes() {
    check(
        "hello.luau",
        "plain_file[\"/x.txt\"].content: \"old\\n\" -> \"Hello World\\n\"\n",
        "/x.txt",
        "Hello World\n",
    );
    check(
        "split.luau",
        "split_file[\"/x.txt\"].mode: \"0600\" -> \"0666\"\nsplit_file[\"/x.txt\"].content: \"old\\n\" -> \"Hello World\\n\"\n",
        "/x.txt",
        "Hello World\n",
    );
    check(
        "by_hand.luau",
        "by_hand[\"/x.txt\"].file[\"/x.txt\"].content: \"old\\n\" -> \"by hand\\n\"\nby_hand[\"/x.txt\"].file[\"/x.txt\"].mode: \"0600\" -> \"0640\"\n",
        "/x.txt",
        "by hand\n",
    );
    check(
        "by_recipe.luau",
        "by_recipe[\"/x.txt\"].inline[\"Update content of /x.txt\"]: - -> \"run\"\n",
        "/x.txt",
        "by recipe\n",
    );
    check(
        "by_inline.luau",
        "by_inline[\"/x.txt\"].inline[\"Update content of /x.txt\"]: - -> \"run\"\nby_inline[\"/x.txt\"].file[\"/x.txt\"].mode: \"0600\" -> \"0644\"\n",
        "/x.txt",
        "inline\n",
    );
    check(
        "coercion.luau",
        "encrypted_thing.blah.file[\"/blah\"].content: - -> \"abcdef X\\n\"\n",
        "/blah",
        "abcdef X\n",
    );
    check(
        "lazy.luau",
        "machine.blah.file[\"/blah\"].content: - -> \"ada: boot\\n\"\n",
        "/blah",
        "ada: boot\n",
    );
    check(
        "balancer.luau",
        "load_balancer.lb.file[\"/lb\"].content: - -> \"web1,web2,web3\\n\"\n",
        "/lb",
        "web1,web2,web3\n",
    );
    check(
        "read.luau",
        "file[\"/copy\"].content: - -> \"old\\n\"\nfile[\"/copy\"].mode: - -> \"0644\"\n",
        "/copy",
        "old\n",
    );
}

#[test]
fn children_are_reached_through_their_parent() {
    let bench = bench();
    bench.recipe(Apply, text("nested.luau"));
    assert_eq!(bench.content("/us-east-1/i-45964586"), "none");
    assert_eq!(bench.content("/us-west-1/i-13423432"), "blah");
    assert!(bench.recipe(Apply, text("nested.luau")).ends_with(" unchanged\n"));
    let output = bench.recipe(Apply, text("seen.luau"));
    assert_eq!(bench.content("/modes"), "0644 true", "{output}");
    assert_eq!(bench.content("/seen"), "countess", "{output}");
}
