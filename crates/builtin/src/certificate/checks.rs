//! Validation of the properties of a certificate.

use std::net::IpAddr;

use uphold_resource::Value;

pub(super) fn is_name(value: &Value) -> bool {
    matches!(value, Value::Text(text) if (1..=64).contains(&text.chars().count()) && !text.contains(char::is_control))
}

pub(super) fn are_hosts(value: &Value) -> bool {
    matches!(value, Value::List(names)
        if names.iter().all(|name| matches!(name, Value::Text(name) if is_host(name))))
}

/// Whether `name` is a host name, optionally with a wildcard, or an IP address.
pub(super) fn is_host(name: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    let labels = name.strip_prefix("*.").unwrap_or(name);
    name.parse::<IpAddr>().is_ok() || (name.len() <= 253 && labels.split('.').all(is_label))
}

pub(super) fn is_true(value: &Value) -> bool {
    *value == Value::Bool(true)
}
