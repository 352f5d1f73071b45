//! Arguments and blocks of other tools, and what to write instead.

/// A hint for a block with one label, as resources have, that only another tool has.
pub fn foreign_kind(name: &str) -> Option<&'static str> {
    Some(match name {
        "provider" => "remove it: kinds are built in, or files of a `kinds` directory",
        "include" => {
            "all `*.hcl` files of a directory are read together; call another directory with a `module` block"
        }
        _ => return None,
    })
}

/// A hint for an argument or nested block of a resource that only another tool has.
pub fn foreign_argument(name: &str) -> Option<&'static str> {
    Some(match name {
        "count" => "write `for_each = range(n)`, and `each.key` in the block",
        "with_items" | "with_list" | "with_dict" | "loop" | "foreach" => {
            "write `for_each = …`, and `each.key` or `each.value` in the block"
        }
        "lifecycle" => "remove it: only properties that are set are managed",
        "provider" | "providers" => "remove it: a kind needs no provider",
        "provisioner" | "connection" => "declare a `task`, and name it in `notifies`",
        "dynamic" => "write the property as a list: `[for x in xs : { … }]`",
        "register" => "remove it: other blocks refer to the resource as `kind.name.property`",
        "require" | "requires" | "wants" => "write `depends_on = […]`",
        "before" => "write `depends_on = […]` in the other resource",
        "notify" | "listen" => {
            "write `notifies = […]`, with the resource and the action: `notifies = [service.nginx.reload]`"
        }
        "unless" => "write `not_if = …`",
        "if" => "write `when = …`, or `only_if = …` for a command",
        "become" | "become_user" | "sudo" => "remove it: Uphold runs as the user that starts it",
        "tags" => "remove it: `--target` selects resources",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta_schema::META_ARGUMENTS;

    #[test]
    fn meta_arguments_are_not_foreign() {
        assert!(META_ARGUMENTS.iter().all(|name| foreign_argument(name).is_none()));
        assert_eq!(
            foreign_argument("count"),
            Some("write `for_each = range(n)`, and `each.key` in the block")
        );
    }
}
