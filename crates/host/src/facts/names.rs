//! The names of the machine.

use rustix::system::uname;
use uphold_resource::{Result, Value};

use super::machine::{Machine, nullable};

pub(super) fn hostname(machine: &Machine<'_>) -> Result<Value> {
    own_name(machine).map(nullable)
}

pub(super) fn fqdn(machine: &Machine<'_>) -> Result<Value> {
    let Some(name) = own_name(machine)? else { return Ok(Value::Null) };
    Ok(Value::from(full_name(machine, &name)?))
}

pub(super) fn domain(machine: &Machine<'_>) -> Result<Value> {
    let Some(name) = own_name(machine)? else { return Ok(Value::Null) };
    Ok(nullable(full_name(machine, &name)?.split_once('.').map(|(_, domain)| domain)))
}

/// Null for an image before its first start, whose file is empty or `uninitialized`.
pub(super) fn machine_id(machine: &Machine<'_>) -> Result<Value> {
    let text = machine.file("/etc/machine-id")?;
    let id = text.as_deref().map(str::trim);
    Ok(nullable(id.filter(|id| !id.is_empty() && *id != "uninitialized")))
}

fn own_name(machine: &Machine<'_>) -> Result<Option<String>> {
    if machine.is_running() {
        return Ok(Some(uname().nodename().to_string_lossy().into_owned()));
    }
    let text = machine.file("/etc/hostname")?.unwrap_or_default();
    Ok(words(&text).next().map(str::to_owned))
}

fn full_name(machine: &Machine<'_>, name: &str) -> Result<String> {
    if name.contains('.') {
        return Ok(name.to_owned());
    }
    if let Some(full) = in_hosts(&machine.file("/etc/hosts")?.unwrap_or_default(), name) {
        return Ok(full);
    }
    let domain = in_resolver(&machine.file("/etc/resolv.conf")?.unwrap_or_default());
    Ok(domain.map_or_else(|| name.to_owned(), |domain| format!("{name}.{domain}")))
}

/// The full name of `name` in `/etc/hosts`.
fn in_hosts(hosts: &str, name: &str) -> Option<String> {
    let begins = format!("{name}.");
    let lines = hosts.lines().filter_map(|line| {
        let names: Vec<&str> = words(line).skip(1).collect();
        let full = names.iter().find(|full| full.starts_with(&begins))?;
        Some(full.trim_end_matches('.').to_owned())
    });
    lines.into_iter().find(|full| full.contains('.'))
}

/// The domain in `/etc/resolv.conf`: `domain`, or the first of `search`, whichever comes last.
fn in_resolver(resolver: &str) -> Option<String> {
    let mut domain = None;
    for line in resolver.lines() {
        let mut words = words(line);
        if let (Some("domain" | "search"), Some(word)) = (words.next(), words.next()) {
            domain = Some(word.trim_end_matches('.').to_owned());
        }
    }
    domain.filter(|domain| !domain.is_empty())
}

/// The words before a comment.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let content = text.lines().map(|line| line.split(['#', ';']).next().unwrap_or_default());
    content.flat_map(str::split_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_full_names_in_hosts() {
        let check = |hosts: &str, expected: Option<&str>| {
            assert_eq!(in_hosts(hosts, "web").as_deref(), expected, "{hosts}");
        };
        check("127.0.0.1 localhost\n127.0.1.1 web.example.org web\n", Some("web.example.org"));
        check("127.0.1.1 web web.example.org.\n", Some("web.example.org"));
        check("127.0.1.1\tother web\n", None);
        check("10.0.0.1 webshop.example.org\n", None);
        check("# 127.0.1.1 web.example.org\n", None);
        check("127.0.1.1 web.\n", None);
    }

    #[test]
    fn finds_the_domain_of_the_resolver() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(in_resolver(text).as_deref(), expected, "{text}");
        };
        check("nameserver 192.0.2.1\nsearch a.example b.example\n", Some("a.example"));
        check("domain a.example\nsearch b.example\n", Some("b.example"));
        check("search .\n", None);
        check("; search a.example\nnameserver 192.0.2.1\n", None);
    }
}
