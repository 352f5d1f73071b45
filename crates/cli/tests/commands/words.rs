//! The pages about words of the language are correct.

use std::fs;

use uphold::functions::{self, Function, Topic};
use uphold::model::{BLOCKS, META, SENSITIVE};

use super::sandbox::Sandbox;

/// A module for the examples that use one.
const WEB: &str =
    "param \"port\" { type = number }\noutput \"url\" { value = \"http://localhost:${param.port}\" }\n";

fn sandbox(text: &str) -> Sandbox {
    let sandbox = Sandbox::with(text);
    fs::create_dir(sandbox.path("web")).expect("a folder");
    sandbox.write("web/main.hcl", WEB);
    fs::create_dir(sandbox.path("root/etc")).expect("a folder");
    sandbox.write("root/etc/os-release", "ID=debian\n");
    sandbox
}

#[test]
fn the_examples_of_meta_arguments_are_valid() {
    for meta in META {
        let ran = sandbox(meta.example).rooted(&["validate"]);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{}", meta.name);
    }
}

#[test]
fn the_examples_of_blocks_are_valid() {
    for block in BLOCKS {
        let ran = sandbox(block.example).rooted(&["validate"]);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{}", block.name);
    }
}

#[test]
fn blocks_have_the_attributes_that_are_listed() {
    for block in BLOCKS {
        for attribute in block.attributes {
            let text =
                format!("{} {{\n  {} = [0]\n}}\n", block.head.replace("\"kind\"", "\"log\""), attribute.name);
            let printed = sandbox(&text).rooted(&["validate"]).stderr;
            let unknown = format!("no `{}`", attribute.name);
            assert!(
                !printed.contains("unknown attribute") || !printed.contains(&unknown),
                "{}: {printed}",
                block.name
            );
        }
    }
}

#[test]
fn examples_are_formatted() {
    let examples = META.iter().map(|meta| meta.example).chain(BLOCKS.iter().map(|block| block.example));
    for example in examples {
        assert_eq!(uphold::format::format(example).as_deref(), Ok(&*format!("{example}\n")));
    }
}

#[test]
fn the_examples_of_functions_are_true_on_this_machine() {
    let steady = |function: &&&Function| function.topic != Topic::Files && !MOVING.contains(&function.name);
    let examples = functions::all().iter().filter(steady).flat_map(|function| function.examples);
    let examples: Vec<_> = examples.filter(|example| example.result != SENSITIVE).collect();
    let mut arguments = vec!["console", "--json"];
    examples.iter().for_each(|example| arguments.extend(["-e", example.call, "-e", example.result]));
    let ran = Sandbox::new().run(&arguments);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), examples.len() * 2);
    for (pair, example) in lines.chunks(2).zip(examples) {
        assert_eq!(pair[0], pair[1], "{}", example.call);
    }
}

/// Functions that depend on the machine or the time.
const MOVING: [&str; 4] = ["abspath", "env", "pathexpand", "timestamp"];
