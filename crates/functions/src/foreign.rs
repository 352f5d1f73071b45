//! Names of functions in other languages, and functions of Terraform that do not exist here.

/// A hint for an unknown function that exists in another language.
pub fn foreign_function_hint(name: &str) -> Option<String> {
    let called = || CALLED.iter().find(|(names, _)| names.contains(&name)).map(|(_, ours)| *ours);
    let written =
        || WRITTEN.iter().find(|(names, _)| names.contains(&name)).map(|(_, fix)| (*fix).to_owned());
    written().or_else(|| called().map(|ours| format!("it is called `{ours}` here")))
}

/// Names in Ruby, Python, Go, Jinja, Ansible and Puppet, and ours.
const CALLED: &[(&[&str], &str)] = &[
    (&["upcase", "toupper", "uppercase", "to_upper", "toUpperCase"], "upper"),
    (&["downcase", "tolower", "lowercase", "to_lower", "toLowerCase"], "lower"),
    (&["capitalize", "titlecase", "camelcase"], "title"),
    (&["strip", "trimws", "trim_space"], "trimspace"),
    (&["rstrip", "chop"], "chomp"),
    (&["lstrip", "removeprefix", "delete_prefix"], "trimprefix"),
    (&["removesuffix", "delete_suffix"], "trimsuffix"),
    (&["starts_with", "start_with", "startsWith", "hasprefix"], "startswith"),
    (&["ends_with", "end_with", "endsWith", "hassuffix"], "endswith"),
    (&["reverse_string"], "strrev"),
    (&["substring", "slice_string"], "substr"),
    (&["sprintf", "printf", "ljust", "rjust", "center"], "format"),
    (&["gsub", "regex_replace", "regsubst", "replace_all", "sub"], "replace"),
    (&["regex_search", "match", "regexp", "regex_match"], "regex"),
    (&["regex_findall", "findall", "scan"], "regexall"),
    (&["len", "size", "count", "strlen"], "length"),
    (&["str", "string", "to_s", "to_string", "String"], "tostring"),
    (&["int", "float", "number", "to_i", "to_f", "to_number", "Integer"], "tonumber"),
    (&["bool", "boolean", "to_bool"], "tobool"),
    (&["set"], "toset"),
    (&["append", "push", "extend"], "concat"),
    (&["include", "includes", "has", "in_array", "member"], "contains"),
    (&["uniq", "unique"], "distinct"),
    (&["union"], "setunion"),
    (&["intersect", "intersection"], "setintersection"),
    (&["difference", "subtract", "except"], "setsubtract"),
    (&["product", "cartesian"], "setproduct"),
    (&["sorted"], "sort"),
    (&["any"], "anytrue"),
    (&["all"], "alltrue"),
    (&["zip", "dict", "hash_from_arrays"], "zipmap"),
    (&["combine", "deep_merge", "update"], "merge"),
    (&["fetch", "get", "dig"], "lookup"),
    (&["default", "ifnull", "nvl", "pick"], "coalesce"),
    (&["to_json", "tojson", "json_encode", "json", "dumps"], "jsonencode"),
    (&["from_json", "fromjson", "json_decode", "parsejson", "loads"], "jsondecode"),
    (&["to_yaml", "toyaml", "yaml_encode"], "yamlencode"),
    (&["from_yaml", "fromyaml", "yaml_decode", "parseyaml"], "yamldecode"),
    (&["b64encode", "base64_encode"], "base64encode"),
    (&["b64decode", "base64_decode"], "base64decode"),
    (&["quote_url", "uriencode"], "urlencode"),
    (&["hash", "digest", "fqdn_hash"], "sha256"),
    (&["path_join", "join_path", "file_join"], "joinpath"),
    (&["realpath", "expanduser", "expand_path"], "pathexpand"),
    (&["getenv", "lookup_env", "environment"], "env"),
    (&["readfile", "read_file", "slurp", "file_content"], "file"),
    (&["glob", "listdir"], "fileset"),
    (&["exists", "file_exists", "exist"], "fileexists"),
    (&["render", "erb", "epp", "inline_template"], "template"),
    (&["strftime", "date_format", "date"], "formatdate"),
    (&["now", "time", "current_time"], "timestamp"),
    (&["floordiv", "truncate", "trunc"], "floor"),
    (&["ceiling"], "ceil"),
    (&["typeof", "type_of", "class"], "type"),
    (&["unwrap", "reveal"], "nonsensitive"),
];

/// Functions that are replaced by syntax, or that do not exist for a reason.
const WRITTEN: &[(&[&str], &str)] = &[
    (&["templatefile"], "write `template(…)`, with a Jinja template"),
    (&["plantimestamp"], "write `timestamp()`, which is the same during the whole run"),
    (&["list", "array", "tuple"], "write `[…]`"),
    (&["map", "object", "hash_of"], "write `{ … }`; for each element of a list, `[for x in list : …]`"),
    (&["filter", "select", "reject", "where", "collect"], "write `[for x in list : x if …]`"),
    (&["first", "head"], "write `list[0]`"),
    (&["last", "tail"], "write `element(list, -1)`"),
    (&["if", "ternary", "iif"], "write `condition ? a : b`"),
    (&["round"], "write `floor(x + 0.5)`"),
    (
        &["uuid", "uuidv4", "random", "random_uuid"],
        "a random value differs in every run; use `uuidv5(…)`, or generate it once with a `task`",
    ),
    (
        &["bcrypt", "htpasswd"],
        "its salt differs in every run; compute the hash outside, and pass it as a param",
    ),
    (&["rsadecrypt"], "decrypt it outside, and pass it as a sensitive param"),
    (&["print", "puts", "echo", "debug"], "declare a `log` resource"),
    (&["convert"], "write `tostring`, `tonumber`, `tobool`, `tolist`, `tomap` or `toset`"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::find;

    #[test]
    fn suggestions_exist_and_are_needed() {
        let mut seen = std::collections::BTreeSet::new();
        for (names, ours) in CALLED {
            assert!(find(ours).is_some(), "{ours}");
            for name in *names {
                assert!(find(name).is_none(), "{name} is a function");
                assert!(seen.insert(*name), "{name} is listed twice");
            }
        }
        for name in WRITTEN.iter().flat_map(|(names, _)| *names) {
            assert!(find(name).is_none(), "{name} is a function");
        }
        assert_eq!(foreign_function_hint("upcase").as_deref(), Some("it is called `upper` here"));
        assert_eq!(foreign_function_hint("list").as_deref(), Some("write `[…]`"));
        assert_eq!(foreign_function_hint("nothing"), None);
    }
}
