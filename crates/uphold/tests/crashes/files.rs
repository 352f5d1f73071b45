//! Files that are put in place together.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use uphold::journal::Records;
use uphold_memory::MemoryHost;

use super::Dice;
use super::site::Site;

/// So many that some of them wait for others.
const FILES: usize = 100;

fn path(number: usize) -> String {
    format!("/srv/f{number:03}")
}

#[test]
fn each_file_has_a_line_before_it_is_in_place() {
    let text = (0..FILES).fold(String::new(), |mut text, number| {
        writeln!(text, "file \"{}\" {{ content = \"{number}\" }}", path(number))
            .expect("a String takes any text");
        text
    });
    let mut written = Vec::new();
    for crash in 0.. {
        let mut site = Site::new(MemoryHost::new().directory("/srv", 0o755));
        site.is_only_killed = true;
        let ran = site.apply(&text, Some(crash), &mut Dice(0));
        let run = Records::on(Arc::new(site.disk.clone())).runs().get(ran.number).expect("it is read");
        let actions = run.map(|run| run.actions).unwrap_or_default();
        let host = site.host.reading();
        let in_place =
            |number: &usize| host.files().look(Path::new(&path(*number))).is_ok_and(|one| one.is_some());
        let files: Vec<String> = (0..FILES).filter(in_place).map(path).collect();
        for file in &files {
            assert!(
                actions.iter().any(|action| action.begin.key.identity == *file),
                "{file} at write {crash}"
            );
        }
        written.push(files.len());
        if ran.summary.is_some() {
            break;
        }
    }
    assert_eq!(written.last(), Some(&FILES));
    assert!(written.len() < FILES, "{} writes: a write for each file", written.len());
    assert!(written.iter().any(|count| (1..FILES).contains(count)), "killed between two writes: {written:?}");
}
