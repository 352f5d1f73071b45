//! Arguments, actions and blocks of other tools, and what to write instead.

use crate::value::Value;

/// Properties by which other tools declare the state of a resource.
const STATES: [&str; 3] = ["ensure", "exists", "state"];

const PACKAGE_STATE: &str = "declared packages are installed; for the newest version, write `version = \"latest\"`; to \
                             remove one, write `action = \"remove\"`";

const REFRESH_ONLY: &str = "write `action = \"nothing\"`: then only notifications run it";

const PRESENT: &str = "declared resources are present; to remove one, write `action = \"remove\"`";

/// A hint for a block with one label, as resources have, that only another tool has.
pub fn foreign_kind(name: &str) -> Option<&'static str> {
    Some(match name {
        "provider" => "remove it: kinds are built in, or files of a `kinds` directory",
        "include" | "include_recipe" | "include_tasks" | "include_role" | "import_tasks"
        | "import_playbook" | "import_role" => {
            "all `*.hcl` files of a directory are read together; call another directory with a `module` block"
        }
        "handler" | "handlers" => {
            "declare a `task` with `action = \"nothing\"`, and name it in `notifies = [task.NAME.run]`"
        }
        "role" | "roles" => "call a module for each: `module \"name\" { source = \"./name\" }`",
        "template" => "write a `file`, with `content = template(\"FILE\", { … })`",
        "synchronize" | "rsync" => "declare a `file` with `for_each = fileset(…)` and `source`",
        "fileset" => "`fileset` is a function: write `for_each = fileset(…)` in a `file`",
        "if" | "else" | "elsif" | "elif" | "unless" | "case" | "switch" => {
            "write `when = CONDITION` in each resource; a value is chosen with `CONDITION ? a : b`"
        }
        "for" | "foreach" => "write `for_each = …` in the resource, and `each.key` or `each.value`",
        "class" | "define" | "bundle" | "recipe" | "playbook" | "formula" => {
            "put it into a directory of its own, and call it: `module \"name\" { source = \"./name\" }`"
        }
        "node" | "pillar" | "hiera" => {
            "values of one machine are params: `--params FILE`; for a part of the machines, write \
             `when = host.hostname == \"web1\"`"
        }
        "function" => "use a value in `locals`, `template(…)` for text, or a module for resources",
        "body" => "write its attributes in the resource itself",
        "promise" | "promises" | "methods" | "states" => {
            "each resource has a block of its own: `file \"/etc/motd\" { … }`"
        }
        "data" => {
            "read a fact such as `host.os.family`, a file with `file(…)`, or a command with a `query` block"
        }
        "variable" | "variables" | "vars" => "write `param \"name\" { … }` for each of them",
        "local" => "named values are in one block: `locals { name = value }`",
        "grains" | "facts" => "facts are read as `host.…`; `uphold facts` lists them",
        "augeas" => "edit one value with `ini`, `json_edit`, `yaml_edit`, `toml_edit` or `line`",
        _ => return None,
    })
}

/// A hint for a word of another tool, wherever it is written.
pub fn foreign_word(name: &str) -> Option<&'static str> {
    foreign_argument(name).or_else(|| foreign_kind(name)).or_else(|| foreign_existence(name))
}

/// A hint for a property that only another tool has, or that has a value of another tool.
pub fn foreign_property(kind: &str, name: &str, value: &Value) -> Option<&'static str> {
    // A version of Puppet, without quotes.
    if kind == "package" && name == "ensure" && !matches!(value, Value::Text(_)) {
        return Some(PACKAGE_STATE);
    }
    let word = if let (true, Value::Text(word)) = (STATES.contains(&name), value) { &**word } else { name };
    Some(match (kind, word) {
        (_, "absent" | "delete" | "deleted" | "remove" | "removed" | "purged" | "uninstalled") => PRESENT,
        ("package", "present" | "installed") => PACKAGE_STATE,
        ("package", "latest" | "newest" | "upgraded" | "upgrade") => "write `version = \"latest\"`",
        (_, "reloaded" | "restarted") | ("service", "reload" | "restart") => {
            "name the action where the change is: `notifies = [service.NAME.reload]`"
        }
        ("service", "started" | "running" | "start") => "write `running = true`",
        ("service", "stopped" | "stop") => "write `running = false`",
        ("service", "enable") => "write `enabled = true`, and `running = true` to start it",
        ("service", "disable") => "write `enabled = false`, and `running = false` to stop it",
        ("task", "refreshonly" | "refresh_only") => REFRESH_ONLY,
        ("task", "logoutput" | "live_stream") => "remove it: the output of a command that fails is shown",
        ("task", "path") => "write `env = { PATH = \"/usr/local/bin:/usr/bin:/bin\" }`",
        ("file", "directory") => "a directory has a kind of its own: write `directory` instead of `file`",
        ("file", "link") => "a symbolic link has a kind of its own: `link`, with its target in `to`",
        ("file", "template" | "variables" | "vars") => "write `content = template(\"FILE\", { … })`",
        ("directory", "source" | "src" | "content") => {
            "a directory has no content: declare a `file` with `for_each = fileset(…)`"
        }
        ("directory", "exclude" | "ignore" | "keep") => {
            "to keep only some of the unmanaged content, write a list of it: `purge = [\"keep.conf\"]`"
        }
        ("directory", "recurse") => {
            "`mode`, `owner` and `group` are those of the directory itself; `recursive` creates missing parents"
        }
        ("ini", "settings" | "entries" | "keys") => {
            "one `ini` sets one `key` to its `value`; for several, write `for_each = { … }`, `each.key` and `each.value`"
        }
        ("file", "recurse") => "`mode`, `owner` and `group` are those of this file only; remove it",
        ("cron", "daily" | "hourly" | "weekly" | "monthly" | "yearly") => "write `schedule = \"@daily\"`",
        ("systemd_timer", "daily" | "hourly" | "weekly" | "monthly" | "yearly") => {
            "write `on_calendar = \"daily\"`"
        }
        ("timer", "daily" | "hourly" | "weekly" | "command" | "calendar" | "schedule") => {
            "a `timer` only notifies, at an interval; use `systemd_timer` or `cron`"
        }
        _ => return None,
    })
}

/// A hint for a property by which other tools declare that a resource exists.
pub fn foreign_existence(name: &str) -> Option<&'static str> {
    (STATES.contains(&name) || name == "present").then_some(PRESENT)
}

/// Our action for the word of another tool.
pub fn foreign_action(word: &str) -> Option<&'static str> {
    Some(match word {
        "absent" | "delete" | "deleted" | "destroy" | "removed" | "purge" | "uninstall" => "remove",
        "present" | "create" | "created" | "install" | "installed" => "converge",
        "none" | "noop" => "nothing",
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
        "notify" | "listen" | "handler" | "handlers" => {
            "write `notifies = […]`, with the resource and the action: `notifies = [service.nginx.reload]`"
        }
        "refreshonly" | "refresh_only" => REFRESH_ONLY,
        "ignore_errors" => "write `ignore_failure = true`",
        "backup" | "backups" => "remove it: `uphold restore FILE` brings the previous content back",
        "unless" => "write `not_if = …`",
        "if" => "write `when = …`, or `only_if = …` for a command",
        "retries" | "tries" | "until" | "try_sleep" => "write `retry = { times = 3, delay = \"5s\" }`",
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
