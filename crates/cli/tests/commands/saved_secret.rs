//! A saved plan contains no secret, and still detects a changed one.

use std::fmt::Write;

use super::sandbox::Sandbox;
use super::saved_plan::{apply, plan, printed};

const SECRET: &str = "hunter2-correct-horse";

const SITE: &str = "param \"token\" { sensitive = true }\nparam \"open\" { default = \"-\" }\n\
                    file \"/t\" { content = \"token=${param.token}\\n\" }\n\
                    file \"/u\" { content = param.token }\n\
                    file \"/s\" {\n  content = \"old=${param.open}\"\n  sensitive = true\n}\n\
                    output \"token\" { value = [param.token, \"plain\"] }\n";

/// The encodings in which a secret could appear.
fn encodings(text: &str) -> Vec<String> {
    let mut hex = String::new();
    for byte in text.bytes() {
        write!(hex, "{byte:02x}").expect("a text can be written");
    }
    let digits: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
    // In base64 a text has one of three alignments; its ends depend on the surrounding bytes.
    let base64 = (0..3).map(|skip| {
        let bits: String = text.bytes().skip(skip).map(|byte| format!("{byte:08b}")).collect();
        let groups = bits.as_bytes().chunks_exact(6).map(|bits| {
            let bits = std::str::from_utf8(bits).expect("bits");
            digits[usize::from_str_radix(bits, 2).expect("bits")]
        });
        groups.collect()
    });
    let reversed: String = text.chars().rev().collect();
    [text.to_owned(), hex.to_uppercase(), hex, reversed].into_iter().chain(base64).collect()
}

#[test]
fn a_secret_is_nowhere_in_the_file() {
    let sandbox = Sandbox::with(SITE);
    // Content that already exists is secret as well, also if it is as declared.
    sandbox.write("root/s", SECRET);
    sandbox.write("root/u", SECRET);
    sandbox.write("params.yaml", format!("open: {SECRET}\n"));
    let param = format!("token={SECRET}");
    let shown = plan(&sandbox, &["-p", &param, "--params", "params.yaml"]);
    assert!(shown.contains("content: (sensitive value)"), "{shown}");
    let json = sandbox.run(&["show", "plan", "--json"]).stdout;
    for text in [sandbox.read("plan"), json] {
        for encoding in encodings(SECRET) {
            assert!(!text.contains(&encoding), "{encoding} in {text}");
        }
    }
    let json: Vec<String> = encodings(SECRET);
    assert_eq!((&*json[4], json.len()), ("aHVudGVyMi1jb3JyZWN0LWhvcnNl", 7), "base64 is looked for as it is");
}

#[test]
fn a_secret_must_be_passed_again_unchanged() {
    let sandbox = Sandbox::with(SITE);
    let param = format!("token={SECRET}");
    plan(&sandbox, &["-p", &param]);
    let missing = "error: the plan does not contain the secret `token`\n  \
                   hint: set it again: in UPHOLD_PARAM_TOKEN, or with `-p token=…`\n";
    let ran = apply(&sandbox);
    assert_eq!((ran.code, printed(&ran)), (Some(1), missing));
    let other = "error: the secret `token` differs from the one of the plan\n  \
                 hint: set the one of the plan, or make a new plan\n";
    let ran = sandbox.run(&["apply", "plan", "-p", "token=x"]);
    assert_eq!((ran.code, printed(&ran)), (Some(1), other));
    let ran = sandbox.run(&["apply", "plan", "-p", &param, "-p", "open=x"]);
    assert!(printed(&ran).contains("hint: set only secrets: `token`"), "{}", ran.stderr);
    assert_eq!(sandbox.machine().len(), 0);
    let command = sandbox.command(&["apply", "plan"]).env("UPHOLD_PARAM_TOKEN", SECRET).output();
    assert_eq!(sandbox.ran(&command.expect("the command starts")).code, Some(0));
    assert_eq!(sandbox.read("root/t"), format!("token={SECRET}\n"));
}

#[test]
fn drift_of_a_secret_is_detected() {
    let sandbox = Sandbox::with(SITE);
    let param = format!("token={SECRET}");
    sandbox.write("root/t", "token=old\n");
    plan(&sandbox, &["-p", &param]);
    sandbox.write("root/t", "token=theirs\n");
    let ran = sandbox.run(&["apply", "plan", "-p", &param]);
    let expected = "  . file[\"/t\"]   (skipped because it differs from the plan: content is a secret, and has changed \
                    since the plan; site.hcl:3:1)\n";
    assert_eq!((ran.code, printed(&ran)), (Some(1), expected));
    assert_eq!(sandbox.read("root/t"), "token=theirs\n");
}
