//! Downloads, checkouts and archives on a disposable host, from plan to removal.

mod archives;
mod checkouts;
mod servers;

/// A block with these attributes, one on each line.
fn block(head: &str, attributes: &[&str]) -> String {
    format!("{head} {{\n{}\n}}\n", attributes.join("\n"))
}
