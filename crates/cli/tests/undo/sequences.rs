//! Random runs: their undo restores the tree exactly, or refuses with a reason.

use std::fmt::Write as _;

use super::machine::Machine;

const SEEDS: usize = 30;

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % end
    }

    fn choose<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

#[test]
fn an_undo_restores_the_tree_or_says_why_not() {
    let (mut changed, mut refused) = (0, 0);
    for seed in 1..=SEEDS {
        let mut random = Random((seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let machine = Machine::new();
        prepare(&machine, &mut random);
        let mut trees = vec![machine.tree()];
        for _ in 0..=random.below(2) {
            // Some are rejected, such as a file in a directory that is removed; others fail in part.
            _ = machine.try_apply(&configuration(&mut random));
            let tree = machine.tree();
            if trees.last() != Some(&tree) {
                trees.push(tree);
            }
        }
        changed += usize::from(trees.len() > 1);
        while trees.len() > 1 {
            trees.pop();
            let ran = machine.undo(&[]);
            let is_refused = ran.stderr.contains("Not undone:\n");
            assert!(is_refused || Some(&machine.tree()) == trees.last(), "{seed}: {ran:#?}");
            if is_refused {
                refused += 1;
                break;
            }
        }
    }
    assert!(changed > SEEDS / 2 && refused < changed / 2, "{refused} of {changed} were refused");
}

fn prepare(machine: &Machine, random: &mut Random) {
    for directory in ["/d", "/e"] {
        if random.below(2) == 0 {
            machine.directory(directory);
            if random.below(2) == 0 {
                machine.write(&format!("{directory}/f"), "in it\n");
            }
        }
    }
    for file in ["/a", "/b", "/conf"] {
        if random.below(3) > 0 {
            machine.write(file, format!("{}\n[s]\nk = 1\n", random.choose(&["one", "two"])));
            machine.set_mode(file, 0o600 + u32::try_from(random.below(0o77)).unwrap_or_default());
        }
    }
    if random.below(2) == 0 {
        machine.link("/l", random.choose(&["/a", "nowhere"]));
    }
}

/// Resources that do not conflict with each other.
fn configuration(random: &mut Random) -> String {
    let mut text = String::new();
    for (kind, path) in [
        ("file", "/a"),
        ("file", "/b"),
        ("directory", "/d"),
        ("file", "/d/f"),
        ("directory", "/e"),
        ("file", "/e/f"),
        ("link", "/l"),
    ] {
        let attributes = match (random.below(4), kind) {
            (0, _) => continue,
            (1, _) => "action = \"remove\"".to_owned(),
            (_, "file") => {
                let (content, mode) =
                    (random.choose(&["new", "newer", ""]), random.choose(&["0600", "0644"]));
                format!("content = \"{content}\"\n  mode = \"{mode}\"")
            }
            (_, "directory") => format!("mode = \"{}\"", random.choose(&["0700", "0755"])),
            _ => format!("to = \"{}\"", random.choose(&["/b", "/d"])),
        };
        writeln!(text, "{kind} \"{path}\" {{\n  {attributes}\n}}").expect("a text");
    }
    for number in 0..random.below(3) {
        let line = random.choose(&["x", "one", "y"]);
        writeln!(
            text,
            "line \"{number}\" {{\n  file = \"/conf\"\n  create = true\n  line = \"{line}{number}\"\n}}"
        )
        .expect("a text");
    }
    for (number, section) in ["s", "t"].iter().enumerate() {
        if random.below(2) == 0 {
            let value = random.choose(&["1", "2"]);
            writeln!(
                text,
                "ini \"{number}\" {{\n  file = \"/conf\"\n  create = true\n  section = \"{section}\"\n  key = \"k\"\n  value = \"{value}\"\n}}"
            )
            .expect("a text");
        }
    }
    text
}
