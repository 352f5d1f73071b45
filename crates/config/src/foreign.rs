//! Blocks and references of other tools, and what to write instead.

use uphold_model::foreign_kind;

const NO_DATA: &str = "there are no data sources";

/// A mistake and a hint for a block that only another tool has.
///
/// A resource has exactly one label, so these blocks cannot be meant as one. `uphold_model::foreign_kind` has the words
/// with one label, which a kind of the configuration may have, too.
pub(crate) fn foreign_block(keyword: &str, labels: usize) -> Option<(&'static str, &'static str)> {
    Some(match (keyword, labels) {
        ("data", 2) => (NO_DATA, foreign_kind("data")?),
        ("terraform", 0) => (
            "there is no `terraform` block",
            "remove it: there is no backend; settings of the configuration are in a `settings` block",
        ),
        ("provider", 0) => ("there are no providers", foreign_kind("provider")?),
        ("local", 0) => ("the block of named values is called `locals`", "write `locals {`"),
        ("variables" | "vars" | "params", 0) => ("each param has a block of its own", foreign_kind("vars")?),
        ("outputs", 0) => {
            ("each output has a block of its own", "write `output \"name\" { … }` for each of them")
        }
        ("roles" | "role", 0) => ("there are no roles", foreign_kind("roles")?),
        ("tasks", 0) => ("each task has a block of its own", "write `task \"name\" { … }` for each of them"),
        ("handlers", 0) => ("there are no handlers", foreign_kind("handlers")?),
        ("hosts", 0) => (
            "there is no list of hosts: a configuration is for the machine that it runs on",
            "remove it; for a part of the machines, write `when = host.hostname == \"web1\"` in a block",
        ),
        ("include", 0) => ("there is no `include`", foreign_kind("include")?),
        ("import", 0) => (
            "there is no `import`",
            "declare the resource: if it exists already, only differences are changed",
        ),
        _ => return None,
    })
}

/// A mistake and a hint for a reference that starts with a word of another tool.
pub(crate) fn foreign_reference(root: &str, name: &str) -> Option<(&'static str, String)> {
    Some(match root {
        "var" | "variable" | "variables" | "vars" | "params" => {
            ("Uphold has params instead of variables", format!("write `param.{name}`"))
        }
        "locals" => ("a local is read as `local.name`", format!("write `local.{name}`")),
        "self" => (
            "a block cannot refer to itself",
            "put the value into a local, and write `local.name` in both places".to_owned(),
        ),
        "count" => (
            "there is no `count`",
            "use `for_each = range(n)`, and write `each.key` or `each.value`".to_owned(),
        ),
        "item" => ("there is no `item`", format!("in a block with `for_each`, write `each.value.{name}`")),
        "data" => (NO_DATA, foreign_kind("data")?.to_owned()),
        "node" | "pillar" | "hiera" => (
            "facts are read as `host.…`, values from outside as `param.…`",
            format!("`uphold facts` lists the facts; for a value of your own, write `param.{name}`"),
        ),
        "terraform" => ("there is no `terraform`", "pass the value as a param".to_owned()),
        "ENV" | "env" => ("the environment is read by a function", format!("write `env(\"{name}\")`")),
        "facts" | "ansible_facts" | "grains" => {
            ("facts are read as `host.…`", "`uphold facts` lists them".to_owned())
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use uphold_model::{RESERVED_BLOCKS, RESERVED_ROOTS};

    use super::*;

    #[test]
    fn words_of_the_language_are_not_foreign() {
        for keyword in RESERVED_BLOCKS {
            assert!((0..3).all(|labels| foreign_block(keyword, labels).is_none()), "{keyword}");
        }
        for root in RESERVED_ROOTS {
            assert_eq!(foreign_reference(root, "x"), None, "{root}");
        }
    }

    #[test]
    fn one_label_may_be_a_resource() {
        assert!(
            ["data", "import", "include", "provider"].iter().all(|word| foreign_block(word, 1).is_none())
        );
        assert!(foreign_block("include", 0).is_some() && foreign_block("provider", 0).is_some());
        assert!(foreign_block("data", 2).is_some() && foreign_block("import", 0).is_some());
    }
}
