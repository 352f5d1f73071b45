//! A fake `ip` whose kernel is a directory: one file for each link and route.

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};
use uphold_resource::{Access, FileEdits, Files, NewFile, Output, Result};
use uphold_testkit::{Call, MemoryHost};

/// The directory of links and routes.
const KERNEL: &str = "/kernel";

/// A machine with this `ip` and a hardware link.
pub(crate) fn world(host: MemoryHost) -> MemoryHost {
    let card = r#"{"ifname": "eth0", "flags": ["UP"], "mtu": 1500, "address": "02:00:00:00:00:01", "addr_info": []}"#;
    let host = host.directory(KERNEL, 0o755).file(format!("{KERNEL}/eth0"), card, 0o600);
    host.program("ip", |call| {
        let words: Vec<&str> = call.command.args.iter().map(String::as_str).collect();
        run(&words, call).unwrap_or_else(|error| call.fail(1, error.chain()))
    })
}

fn run(words: &[&str], call: &Call<'_>) -> Result<Output> {
    let host = call.host;
    match words {
        ["-json", "-details", "address", "show", "dev", name] => Ok(match read(name, host) {
            Some(link) => call.succeed(json!([link]).to_string()),
            None => call.fail(1, format!("Device \"{name}\" does not exist.\n")),
        }),
        ["link", "add", rest @ ..] => add(rest, host).map(|()| call.succeed("")),
        ["link", "set", "dev", name, rest @ ..] => change(name, rest, host).map(|()| call.succeed("")),
        ["link", "delete", "dev", name] => host.remove_file(&at(name)).map(|()| call.succeed("")),
        ["address", verb, address, "dev", name] => {
            readdress(name, verb, address, host).map(|()| call.succeed(""))
        }
        ["-json", "-details", _, "route", "show", "exact", network, "table", table] => {
            let route = read(&route_name(network, table), host);
            Ok(call.succeed(Json::Array(route.into_iter().collect()).to_string()))
        }
        [_, "route", "replace", kind, network, "metric", metric, "table", table, rest @ ..] => {
            let mut route = json!({ "type": kind, "metric": metric.parse::<u64>().unwrap_or(0) });
            for (key, word) in [("gateway", "inet"), ("dev", "dev"), ("prefsrc", "src")] {
                if let Some(value) = after(word, rest) {
                    route[key] = json!(value);
                }
            }
            // Every gateway is reachable through the card.
            if route["dev"].is_null() && !route["gateway"].is_null() {
                route["dev"] = json!("eth0");
            }
            write(&route_name(network, table), &route, host).map(|()| call.succeed(""))
        }
        [_, "route", "delete", _, network, "metric", _, "table", table] => {
            host.remove_file(&at(&route_name(network, table))).map(|()| call.succeed(""))
        }
        _ => Ok(call.fail(255, format!("Command {words:?} is unknown, try \"ip help\".\n"))),
    }
}

/// The file of a route; its metric is in the file.
fn route_name(network: &str, table: &str) -> String {
    format!("{}-{table}", network.replace('/', "_"))
}

fn at(name: &str) -> PathBuf {
    Path::new(KERNEL).join(name)
}

fn read(name: &str, host: &MemoryHost) -> Option<Json> {
    serde_json::from_slice(&host.read(&at(name), 0).ok()?).ok()
}

fn write(name: &str, what: &Json, host: &MemoryHost) -> Result<()> {
    let (content, access) = (what.to_string(), Access::default());
    let file = NewFile::new(content.as_bytes(), access);
    host.write(&at(name), &file)
}

/// The word after this one.
fn after<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    words.iter().position(|at| *at == word).and_then(|at| words.get(at + 1)).copied()
}

fn add(words: &[&str], host: &MemoryHost) -> Result<()> {
    let name = after("name", words).unwrap_or_default();
    let mut link = json!({
        "ifname": name, "flags": [], "mtu": 1500, "address": "02:00:00:00:00:02", "addr_info": [],
        "linkinfo": { "info_kind": after("type", words), "info_data": {} },
    });
    if let Some(parent) = after("link", words) {
        link["link"] = json!(parent);
    }
    if let Some(id) = after("id", words).and_then(|id| id.parse::<u64>().ok()) {
        link["linkinfo"]["info_data"]["id"] = json!(id);
    }
    set(&mut link, words);
    write(name, &link, host)
}

fn change(name: &str, words: &[&str], host: &MemoryHost) -> Result<()> {
    let mut link = read(name, host).unwrap_or_default();
    set(&mut link, words);
    write(name, &link, host)
}

fn set(link: &mut Json, words: &[&str]) {
    if let Some(mtu) = after("mtu", words).and_then(|mtu| mtu.parse::<u64>().ok()) {
        link["mtu"] = json!(mtu);
    }
    if let Some(address) = after("address", words) {
        link["address"] = json!(address);
    }
    if words.contains(&"nomaster") {
        link["master"] = Json::Null;
    } else if let Some(master) = after("master", words) {
        link["master"] = json!(master);
    }
    if words.contains(&"up") {
        link["flags"] = json!(["UP"]);
    } else if words.contains(&"down") {
        link["flags"] = json!([]);
    }
}

fn readdress(name: &str, verb: &str, address: &str, host: &MemoryHost) -> Result<()> {
    let mut link = read(name, host).unwrap_or_default();
    let (local, bits) = address.split_once('/').unwrap_or((address, ""));
    if let Some(addresses) = link["addr_info"].as_array_mut() {
        addresses.retain(|old| old["local"] != local);
        if verb == "replace" {
            addresses.push(json!({ "local": local, "prefixlen": bits.parse::<u64>().unwrap_or(0) }));
        }
    }
    write(name, &link, host)
}
