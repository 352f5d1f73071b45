//! Which machine a plan is for.

use serde_json::{Value as Json, json};
use uphold_model::Value;
use uphold_resource::Observe;

use super::object::{Damaged, Fields};
use super::salt::Salt;

/// What tells one machine from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    hostname: Option<String>,
    machine_id: Option<String>,
}

impl Machine {
    /// This one. What it cannot tell is left out.
    pub fn of(host: &dyn Observe) -> Self {
        let fact = |name| match host.facts().fact(name) {
            Ok(Value::Text(text)) => Some(text.to_string()),
            _ => None,
        };
        Self { hostname: fact("hostname"), machine_id: fact("machine_id") }
    }

    pub(super) fn saved(&self, salt: &Salt) -> SavedMachine {
        let machine_id = self.machine_id.as_ref().map(|id| salt.digest("machine id", id.as_bytes()));
        SavedMachine { hostname: self.hostname.clone(), machine_id }
    }
}

/// The same in a file. The id of a machine is nobody's business, so it is a digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SavedMachine {
    pub(super) hostname: Option<String>,
    machine_id: Option<String>,
}

impl SavedMachine {
    /// Whether it is this one.
    ///
    /// # Errors
    /// How they differ, in plain words.
    pub(super) fn check(&self, now: &Machine, salt: &Salt) -> Result<(), String> {
        let now = now.saved(salt);
        let name = |hostname: &Option<String>| match hostname {
            Some(name) => format!("`{name}`"),
            None => "a machine without a name".to_owned(),
        };
        if self.hostname != now.hostname {
            return Err(format!("it is for {}, and this is {}", name(&self.hostname), name(&now.hostname)));
        }
        match self.machine_id == now.machine_id {
            true => Ok(()),
            false => Err(format!("it is for another machine that is called {}, too", name(&self.hostname))),
        }
    }

    pub(super) fn to_json(&self) -> Json {
        json!({ "hostname": self.hostname, "machine_id_digest": self.machine_id })
    }

    pub(super) fn from_json(json: &Json) -> Result<Self, Damaged> {
        let fields = Fields::of(json)?;
        let text = |name| Ok(fields.optional_text(name)?.map(str::to_owned));
        Ok(Self { hostname: text("hostname")?, machine_id: text("machine_id_digest")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_its_name_and_its_id() {
        let machine = |name: &str, id: &str| Machine {
            hostname: Some(name.to_owned()),
            machine_id: (!id.is_empty()).then(|| id.to_owned()),
        };
        let salt = Salt::fresh();
        let planned = machine("web1", "4c4b").saved(&salt);
        assert!(!planned.to_json().to_string().contains("4c4b"));
        let planned = SavedMachine::from_json(&planned.to_json()).expect("a machine");
        let check = |now: Machine, expected: Result<(), &str>| {
            assert_eq!(planned.check(&now, &salt).as_ref().map_err(String::as_str).copied(), expected);
        };
        check(machine("web1", "4c4b"), Ok(()));
        check(machine("web2", "4c4b"), Err("it is for `web1`, and this is `web2`"));
        check(machine("web1", "aaaa"), Err("it is for another machine that is called `web1`, too"));
        check(machine("web1", ""), Err("it is for another machine that is called `web1`, too"));
    }
}
