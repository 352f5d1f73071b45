//! From a manifest to a kind.

use std::sync::Arc;

use serde_json::Value as Json;
use uphold_resource::{Definition, Observe, Result};

use super::definition::External;
use super::shelf;
use crate::document::Fault;
use crate::manifest::{Manifest, Method, SchemaSource};
use crate::program::{Call, Operation, Printed, Runner};
use crate::schema::{Checker, Layout};

/// A kind, and the manifest that defines it.
pub struct Made<'a> {
    /// The manifest.
    pub manifest: &'a Manifest,
    /// The kind, to be put into a registry.
    pub definition: Arc<dyn Definition>,
}

/// The kinds that these manifests define, and what is wrong with the others. If a schema has to be asked for, its
/// program is run, by looking alone.
///
/// An adapter is no kind; it has to be among the manifests if another one needs it. The same manifest at the same place
/// gives the same kind again, so that reading it often costs no memory.
pub fn define<'a>(manifests: &'a [Manifest], host: &dyn Observe) -> (Vec<Made<'a>>, Vec<Fault>) {
    let (mut made, mut faults) = (Vec::new(), Vec::new());
    for manifest in manifests {
        match manifest
            .with_adapter(manifests)
            .and_then(|whole| whole.map(|whole| make(&whole, host)).transpose())
        {
            Ok(Some(definition)) => made.push(Made { manifest, definition }),
            Ok(None) => {}
            Err(fault) => faults.push(fault),
        }
    }
    (made, faults)
}

fn make(manifest: &Manifest, host: &dyn Observe) -> std::result::Result<Arc<dyn Definition>, Fault> {
    let runner = Runner::default();
    let (schema, path) = match &manifest.schema {
        Some(SchemaSource::Command(method)) => {
            let path = ["schema", "command"];
            let asked = ask(manifest, method, &runner, host).map_err(|error| {
                let fix = error.advice().unwrap_or("run it by hand to see why").to_owned();
                manifest.fault(&path, error.chain(), fix)
            });
            (asked?, path)
        }
        Some(SchemaSource::Embedded(schema)) => (schema.clone(), ["schema", "embedded"]),
        None => (Json::Null, ["schema", "embedded"]),
    };
    shelf::take(manifest, &schema, || {
        let layout = Layout::read(manifest, &schema).map_err(|flaw| {
            let inside = flaw.path.iter().map(String::as_str);
            let full: Vec<&str> = path.into_iter().chain(inside).collect();
            manifest.fault(&full, format!("{}: {}", manifest.type_name, flaw.what), flaw.fix)
        })?;
        let checker = Checker::new(&schema);
        Ok(Arc::new(External { manifest: manifest.clone(), layout, checker, runner }))
    })
}

/// The schema that a program prints.
fn ask(manifest: &Manifest, method: &Method, runner: &Runner, host: &dyn Observe) -> Result<Json> {
    let call = Call { operation: Operation::Schema, method, input: Default::default(), secret: false };
    let output = runner.run(manifest, &call, host, &|command| host.probes().probe(command))?;
    Printed::of(&call, &output, &manifest.type_name).object().map(Json::Object)
}
