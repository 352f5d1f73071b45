//! Kinds that are programs.

use crate::held::Held;

#[test]
fn the_state_of_a_program_kind_is_repaired() {
    let kinds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/external/kinds");
    let site = "git_setting \"user.name\" {\n file = \"DIR/gitconfig\"\n value = \"Ada\"\n}";
    let held = Held::begin(site, &["--kinds", kinds], |_| {});
    held.await_line(r#""type":"watching""#);
    let is_right = |held: &Held| held.read("gitconfig").is_some_and(|text| text.contains("name = Ada"));
    held.repairs("overwritten", |held| held.write("gitconfig", "[user]\n\tname = Eve\n"), is_right);
    held.repairs(
        "removed",
        |held| std::fs::remove_file(held.at("gitconfig")).expect("it was there"),
        is_right,
    );
}
