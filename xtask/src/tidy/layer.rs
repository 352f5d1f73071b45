//! Dependencies between crates point down only, by the layers table of the architecture.

use super::finding::Finding;
use super::manifest::{Dependency, Manifest, Use};
use crate::workspace::Source;

/// The third-party crates that a crate may use.
#[derive(Debug, PartialEq, Eq)]
enum Foreign {
    /// None.
    None,
    /// None that access the operating system without `Machine`.
    Pure,
    /// Any that it needs.
    Any,
}

/// A row of the layers table.
struct Layer {
    package: &'static str,
    may_use: &'static [&'static str],
    foreign: Foreign,
    because: &'static str,
}

const LAYERS: &[Layer] = &[
    Layer {
        package: "uphold-model",
        may_use: &[],
        foreign: Foreign::None,
        because: "it is plain data that everything depends on: std only",
    },
    Layer {
        package: "uphold-derive",
        may_use: &[],
        foreign: Foreign::Any,
        because: "a macro writes names of siblings but knows none of them",
    },
    Layer {
        package: "uphold-yaml",
        may_use: &["uphold-model"],
        foreign: Foreign::Pure,
        because: "functions, manifests and edits read YAML with it, and each gives it its own meaning",
    },
    Layer {
        package: "uphold-resource",
        may_use: &["uphold-model", "uphold-derive"],
        foreign: Foreign::Pure,
        because: "authors see it, so it knows neither the engine nor configuration",
    },
    Layer {
        package: "uphold-kit",
        may_use: &["uphold-resource", "uphold-derive", "uphold-yaml"],
        foreign: Foreign::Pure,
        because: "an author's kinds and those that ship share it, and both see only the API",
    },
    Layer {
        package: "uphold-format",
        may_use: &["uphold-model"],
        foreign: Foreign::Pure,
        because: "it moves white space between tokens, and knows neither expressions nor kinds",
    },
    Layer {
        package: "uphold-functions",
        may_use: &["uphold-model", "uphold-yaml"],
        foreign: Foreign::Pure,
        because: "a function takes values and gives one, and knows no expression and no kind",
    },
    Layer {
        package: "uphold-config",
        may_use: &["uphold-model", "uphold-functions"],
        foreign: Foreign::Pure,
        because: "it turns text into declarations, and knows neither kinds nor the engine",
    },
    Layer {
        package: "uphold-engine",
        may_use: &["uphold-model", "uphold-resource"],
        foreign: Foreign::Pure,
        because: "it knows no HCL, no terminal, no real machine and no kind",
    },
    Layer {
        package: "uphold-memory",
        may_use: &["uphold-model", "uphold-resource"],
        foreign: Foreign::Pure,
        because: "it implements the machine traits without a real machine",
    },
    Layer { package: "uphold-lease", may_use: &[], foreign: Foreign::Any, because: "it is one system call" },
    Layer {
        package: "uphold-host",
        may_use: &["uphold-lease", "uphold-model", "uphold-resource", "uphold-memory"],
        foreign: Foreign::Any,
        because: "it implements the machine traits for the local machine, and does not know its callers",
    },
    Layer {
        package: "uphold-builtin",
        may_use: &["uphold-resource", "uphold-derive", "uphold-kit"],
        foreign: Foreign::Pure,
        because: "the kinds that ship use nothing that a third party cannot use",
    },
    Layer {
        package: "uphold-script",
        may_use: &["uphold-model", "uphold-functions", "uphold-resource", "uphold-engine"],
        foreign: Foreign::Any,
        because: "it runs Luau, whose only door to the machine is the host",
    },
    Layer {
        package: "uphold-external",
        may_use: &["uphold-model", "uphold-resource", "uphold-yaml"],
        foreign: Foreign::Pure,
        because: "it turns programs into kinds, and reaches them only through the host",
    },
    Layer {
        package: "uphold-wire",
        may_use: &["uphold-model"],
        foreign: Foreign::Pure,
        because: "a format is a promise, and the engine's own types are not",
    },
    Layer {
        package: "uphold-journal",
        may_use: &["uphold-model", "uphold-resource"],
        foreign: Foreign::Any,
        because: "it stores records in its own directory, and knows neither the engine nor configuration",
    },
    Layer {
        package: "uphold",
        may_use: &[
            "uphold-model",
            "uphold-derive",
            "uphold-resource",
            "uphold-kit",
            "uphold-format",
            "uphold-functions",
            "uphold-config",
            "uphold-engine",
            "uphold-memory",
            "uphold-host",
            "uphold-journal",
            "uphold-builtin",
            "uphold-external",
            "uphold-script",
            "uphold-testkit",
            "uphold-wire",
        ],
        foreign: Foreign::Pure,
        because: "it is the facade of the library, and never uses the terminal",
    },
    Layer {
        package: "uphold-lsp",
        may_use: &["uphold"],
        foreign: Foreign::Any,
        because: "an editor sees what every client of the library sees, and the binary passes in the rest",
    },
    Layer {
        package: "uphold-status",
        may_use: &["uphold-model", "uphold-resource", "uphold-engine", "uphold-wire"],
        foreign: Foreign::Any,
        because: "it reads the engine's events and serves sockets, and uses neither HCL nor the terminal",
    },
    Layer {
        package: "uphold-dashboard",
        may_use: &["uphold", "uphold-status"],
        foreign: Foreign::Any,
        because: "it draws the status model, and uses neither the engine nor the configuration",
    },
    Layer {
        package: "uphold-cli",
        may_use: &["uphold", "uphold-dashboard", "uphold-lsp", "uphold-status", "uphold-wire"],
        foreign: Foreign::Any,
        because: "the binary is one client of the library, like any other",
    },
    Layer {
        package: "uphold-testkit",
        may_use: &["uphold-model", "uphold-resource", "uphold-engine", "uphold-memory"],
        foreign: Foreign::Any,
        because: "it tests any author's kinds, so it needs no kind and no real machine",
    },
    Layer {
        package: "uphold-testbed",
        may_use: &[],
        foreign: Foreign::Any,
        because: "it makes machines for tests, and knows the product only as a program that it runs",
    },
    Layer {
        package: "xtask",
        may_use: &[],
        foreign: Foreign::Any,
        because: "it must build and check the others even when they are broken",
    },
];

/// Third-party crates that access the operating system.
const SYSTEM: &[&str] = &["libc", "linux-raw-sys", "mio", "nix", "rustix", "tempfile", "tokio"];

/// No crate may use the binary, not even in tests.
const TOP: &str = "uphold-cli";

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    sources.iter().filter(|source| is_member(&source.path)).flat_map(manifest).collect()
}

/// A member's manifest; those below `tests/` are test data.
pub(crate) fn is_member(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(parts[..], ["crates", _, "Cargo.toml"] | ["xtask", "Cargo.toml"])
}

fn manifest(source: &Source) -> Vec<Finding> {
    let manifest = Manifest::parse(&source.text);
    let package = manifest.get("package", "name").unwrap_or_default();
    let Some(layer) = LAYERS.iter().find(|layer| layer.package == package) else {
        let message =
            format!("`{package}` is not in the layers table: give it a row in xtask/src/tidy/layer.rs");
        return vec![Finding::new(&source.path, 0, message)];
    };
    let wrong = |dependency: &Dependency| Some((dependency.line, fault(layer, dependency)?));
    manifest
        .dependencies()
        .iter()
        .filter_map(wrong)
        .map(|(line, message)| Finding::new(&source.path, line, message))
        .collect()
}

fn fault(layer: &Layer, dependency: &Dependency) -> Option<String> {
    let Layer { package, may_use, because, .. } = layer;
    let other = dependency.package.as_str();
    if other == TOP {
        return Some(format!(
            "`{package}` may not use `{TOP}`, not even in tests: it is the top of the stack"
        ));
    }
    if dependency.used == Use::Dev || may_use.contains(&other) {
        return None;
    }
    if is_ours(other) {
        return Some(format!("`{package}` may not use `{other}`: {because}"));
    }
    match layer.foreign {
        Foreign::None => Some(format!("`{package}` has no dependencies, and so not `{other}`: {because}")),
        Foreign::Pure if SYSTEM.contains(&other) => Some(format!(
            "`{package}` may not use `{other}`: only `uphold-host` touches the operating system"
        )),
        _ => None,
    }
}

fn is_ours(package: &str) -> bool {
    package == "uphold" || package == "xtask" || package.starts_with("uphold-")
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    fn check_edge(package: &str, list: &str, other: &str, expected: &[&str]) {
        let text = format!("[package]\nname = \"{package}\"\n[{list}]\n{other}.workspace = true\n");
        assert_eq!(found(check, &[("crates/x/Cargo.toml", &text)]), expected, "{package} -> {other}");
    }

    #[test]
    fn edges_that_point_up_fire_with_their_reason() {
        let table = [
            ("uphold-model", "uphold-derive", "it is plain data that everything depends on: std only"),
            ("uphold-derive", "uphold-model", "a macro writes names of siblings but knows none of them"),
            (
                "uphold-yaml",
                "uphold-resource",
                "functions, manifests and edits read YAML with it, and each gives it its own meaning",
            ),
            (
                "uphold-resource",
                "uphold-engine",
                "authors see it, so it knows neither the engine nor configuration",
            ),
            (
                "uphold-kit",
                "uphold-builtin",
                "an author's kinds and those that ship share it, and both see only the API",
            ),
            (
                "uphold-format",
                "uphold-config",
                "it moves white space between tokens, and knows neither expressions nor kinds",
            ),
            (
                "uphold-functions",
                "uphold-config",
                "a function takes values and gives one, and knows no expression and no kind",
            ),
            (
                "uphold-config",
                "uphold-resource",
                "it turns text into declarations, and knows neither kinds nor the engine",
            ),
            ("uphold-engine", "uphold-host", "it knows no HCL, no terminal, no real machine and no kind"),
            ("uphold-memory", "uphold-host", "it implements the machine traits without a real machine"),
            ("uphold-lease", "uphold-resource", "it is one system call"),
            (
                "uphold-host",
                "uphold-engine",
                "it implements the machine traits for the local machine, and does not know its callers",
            ),
            (
                "uphold-builtin",
                "uphold-model",
                "the kinds that ship use nothing that a third party cannot use",
            ),
            (
                "uphold-external",
                "uphold-engine",
                "it turns programs into kinds, and reaches them only through the host",
            ),
            (
                "uphold-journal",
                "uphold-engine",
                "it stores records in its own directory, and knows neither the engine nor configuration",
            ),
            ("uphold", "uphold-testbed", "it is the facade of the library, and never uses the terminal"),
            (
                "uphold-lsp",
                "uphold-engine",
                "an editor sees what every client of the library sees, and the binary passes in the rest",
            ),
            (
                "uphold-status",
                "uphold-config",
                "it reads the engine's events and serves sockets, and uses neither HCL nor the terminal",
            ),
            (
                "uphold-dashboard",
                "uphold-engine",
                "it draws the status model, and uses neither the engine nor the configuration",
            ),
            ("uphold-cli", "uphold-engine", "the binary is one client of the library, like any other"),
            (
                "uphold-testkit",
                "uphold-builtin",
                "it tests any author's kinds, so it needs no kind and no real machine",
            ),
            (
                "uphold-testbed",
                "uphold",
                "it makes machines for tests, and knows the product only as a program that it runs",
            ),
            ("uphold-script", "uphold-config", "it runs Luau, whose only door to the machine is the host"),
            ("uphold-wire", "uphold-resource", "a format is a promise, and the engine's own types are not"),
            ("xtask", "uphold", "it must build and check the others even when they are broken"),
        ];
        for (package, other, because) in table {
            let message = format!("crates/x/Cargo.toml:4: `{package}` may not use `{other}`: {because}");
            check_edge(package, "dependencies", other, &[&message]);
            check_edge(package, "build-dependencies", other, &[&message]);
            check_edge(package, "dev-dependencies", other, &[]);
        }
        assert_eq!(table.len(), LAYERS.len(), "every layer has an edge that it must refuse");
    }

    #[test]
    fn edges_that_point_down_are_fine() {
        for layer in LAYERS {
            for other in layer.may_use {
                check_edge(layer.package, "dependencies", other, &[]);
            }
        }
    }

    #[test]
    fn nothing_uses_the_binary_even_in_tests() {
        let message = "crates/x/Cargo.toml:4: `uphold` may not use `uphold-cli`, not even in tests: \
                       it is the top of the stack";
        check_edge("uphold", "dev-dependencies", "uphold-cli", &[message]);
    }

    #[test]
    fn foreign_code_is_limited_where_purity_is_promised() {
        let message = "crates/x/Cargo.toml:4: `uphold-engine` may not use `rustix`: \
                       only `uphold-host` touches the operating system";
        check_edge("uphold-engine", "dependencies", "rustix", &[message]);
        let message = "crates/x/Cargo.toml:4: `uphold-model` has no dependencies, and so not `serde`: \
                       it is plain data that everything depends on: std only";
        check_edge("uphold-model", "dependencies", "serde", &[message]);
        check_edge("uphold-host", "dependencies", "rustix", &[]);
        check_edge("uphold-engine", "dependencies", "crossbeam-channel", &[]);
        check_edge("uphold-model", "dev-dependencies", "proptest", &[]);
    }

    #[test]
    fn a_crate_without_a_row_fires() {
        let message = "crates/x/Cargo.toml: `uphold-new` is not in the layers table: \
                       give it a row in xtask/src/tidy/layer.rs";
        check_edge("uphold-new", "dependencies", "syn", &[message]);
    }
}
