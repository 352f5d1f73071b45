//! Hints for kinds in Luau that are valid, but do not do what their author means.

use super::luau_kinds::{body, sandbox};

/// A loader that finds what is not there, or sets nothing, is named when the resource still differs.
#[test]
fn a_loader_that_never_converges_has_a_hint() {
    let check = |site: &str, loader: &str, expected: &str| {
        let kind = format!(
            "{}function actions.remove() fs.remove(path) end\nfunction load_current_value(current)\n{loader}\nend\n",
            body("fs.write(path, \"x\")")
        );
        let ran = sandbox(site, &kind).rooted(&["apply"]);
        assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    };
    check(
        "k \"/x\" {\n  action = \"remove\"\n}\n",
        "if not fs.exists(path) then return end",
        "hint: the loader still finds it: if it does not exist, call `current_value_does_not_exist()`",
    );
    check(
        "k \"/x\" {\n  text = \"x\"\n}\n",
        "if not fs.exists(path) then current_value_does_not_exist() end",
        "hint: the loader does not set `text`: `current.text = …`",
    );
}

#[test]
fn two_blocks_on_one_path_name_the_role_for_edits() {
    let kind = "properties.path = { type = \"path\", identity = true }\n\
                function actions.create() fs.write(path, \"x\") end\nfunction actions.remove() fs.remove(path) end\n";
    let hint = "if the kind edits a part of the file, declare the path with `setting = true` in its script, and return \
                it as `edits` in `claims()`";
    for (action, code) in [("converge", "E0502"), ("remove", "E0503")] {
        let site = format!(
            "k \"a\" {{\n  path = \"/x\"\n}}\n\nk \"b\" {{\n  path   = \"/x\"\n  action = \"{action}\"\n}}\n"
        );
        let ran = sandbox(&site, kind).rooted(&["plan"]);
        assert!(ran.stderr.contains(code) && ran.stderr.contains(hint), "{}", ran.stderr);
    }
}

#[test]
fn explain_names_each_action_once() {
    let kind = "properties.x = { type = \"string\", setting = true, required = { \"converge\", \"remove\" } }\n\
                function actions.converge() end\nfunction actions.remove() end\n";
    let page = sandbox("", kind).rooted(&["explain", "k"]).stdout;
    assert!(page.contains("required to `converge` and `remove`"), "{page}");
}
