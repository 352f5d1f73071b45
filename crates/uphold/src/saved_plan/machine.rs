//! Which machine a plan is for.

use uphold_model::Value;
use uphold_resource::Facts;
use uphold_wire::saved_plan::Machine as SavedMachine;

use super::salt::Salt;

/// What tells one machine from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MachineIdentity {
    hostname: Option<String>,
    machine_id: Option<String>,
}

impl MachineIdentity {
    /// This one. What it cannot tell is left out.
    pub(super) fn of(facts: &dyn Facts) -> Self {
        let fact = |name| match facts.fact(name) {
            Ok(Value::Text(text)) => Some(text.to_string()),
            _ => None,
        };
        Self { hostname: fact("hostname"), machine_id: fact("machine_id") }
    }

    /// The same in a file. The id of a machine is private, so it is a digest.
    pub(super) fn saved(&self, salt: &Salt) -> SavedMachine {
        let machine_id_digest = self.machine_id.as_ref().map(|id| salt.digest("machine id", id.as_bytes()));
        SavedMachine { hostname: self.hostname.clone(), machine_id_digest }
    }

    /// Whether a plan for `planned` is for this one.
    ///
    /// # Errors
    /// How they differ, in plain words.
    pub(super) fn check(&self, planned: &SavedMachine, salt: &Salt) -> Result<(), String> {
        let now = self.saved(salt);
        let name = |hostname: &Option<String>| match hostname {
            Some(name) => format!("`{name}`"),
            None => "a machine without a name".to_owned(),
        };
        let planned_name = name(&planned.hostname);
        if planned.hostname != now.hostname {
            return Err(format!("it is for {planned_name}, and this is {}", name(&now.hostname)));
        }
        if planned.machine_id_digest != now.machine_id_digest {
            return Err(format!("it is for another machine that is called {planned_name}, too"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_its_name_and_its_id() {
        let machine = |name: &str, id: &str| MachineIdentity {
            hostname: Some(name.to_owned()),
            machine_id: (!id.is_empty()).then(|| id.to_owned()),
        };
        let salt = Salt::fresh();
        let planned = machine("web1", "4c4b").saved(&salt);
        assert!(!format!("{planned:?}").contains("4c4b"));
        let check = |now: MachineIdentity, expected: Result<(), &str>| {
            assert_eq!(now.check(&planned, &salt).as_ref().map_err(String::as_str).copied(), expected);
        };
        check(machine("web1", "4c4b"), Ok(()));
        check(machine("web2", "4c4b"), Err("it is for `web1`, and this is `web2`"));
        check(machine("web1", "aaaa"), Err("it is for another machine that is called `web1`, too"));
        check(machine("web1", ""), Err("it is for another machine that is called `web1`, too"));
    }
}
