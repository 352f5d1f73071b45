//! The cost of an event in a large graph.

use std::fmt::Write;

use super::stage::Stage;

const MANY: usize = 10_000;

/// Ten thousand notes in a hundred folders, each depending on its folder.
fn many() -> String {
    (0..MANY).fold(String::new(), |mut text, number| {
        let folder = number / 100;
        if number % 100 == 0 {
            writeln!(text, r#"folder "/d/{folder}" {{}}"#).expect("text grows");
        }
        writeln!(text, r#"note "/d/{folder}/{number}" {{ text = "1" }}"#).expect("text grows");
        text
    })
}

#[test]
fn an_event_on_one_leaf_visits_one_node() {
    let transcript = Stage::new()
        .then(|scene| {
            scene.host.forget();
            scene.host.tamper("/d/42/4242", "x");
        })
        .then(|scene| {
            let armed = scene.host.armings();
            assert!(armed.len() <= 2, "{} were armed", armed.len());
        })
        .watch(&many());
    assert_eq!(transcript.later(), ["-", "~ /d/42/4242 because /d/42/4242 changed", "-"]);
    let looks = transcript.asked.iter().filter(|(word, _)| *word == "look").count();
    assert_eq!(looks, 2 * (MANY + MANY / 100) + 2, "the first walk, and one visit");
}
