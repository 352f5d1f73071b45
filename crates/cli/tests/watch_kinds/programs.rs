//! Kinds that are programs.

use super::watched::Watched;

#[test]
fn the_state_of_a_program_kind_is_repaired() {
    let kinds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/external/kinds");
    let site = "git_setting \"user.name\" {\n file = \"DIR/gitconfig\"\n value = \"Ada\"\n}";
    let watch = Watched::begin(site, &["--kinds", kinds], |_| {});
    watch.await_line(r#""type":"watching""#);
    let is_right = |watch: &Watched| watch.read("gitconfig").is_some_and(|text| text.contains("name = Ada"));
    watch.repairs("overwritten", |watch| watch.write("gitconfig", "[user]\n\tname = Eve\n"), is_right);
    watch.repairs(
        "removed",
        |watch| std::fs::remove_file(watch.at("gitconfig")).expect("it existed"),
        is_right,
    );
}
