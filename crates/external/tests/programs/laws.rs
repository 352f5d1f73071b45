//! The laws of kinds, on a program in memory: a correct one meets them all, and each mistake breaks its law.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};
use uphold_model::Value;
use uphold_resource::{Access, Definition, NewFile, Output, Result};
use uphold_testkit::laws::{Broken, broken_by};
use uphold_testkit::{Call, MemoryHost, Subject, Wish};

use super::stage::{KINDS, input_of, kind, manifest};

/// Mistakes of a program.
#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    None,
    GetWrites,
    GetRepeatsTheWish,
    GetTellsTheTime,
    GetGrowsStale,
    SetForgetsTheColour,
    SetClearsWhatItIsNotTold,
    SetWritesAll,
    DeleteDoesNothing,
    WatchIsForgotten,
}

/// Stores a text and a colour in two files.
struct Keeper<'a> {
    host: &'a MemoryHost,
    input: Map<String, Json>,
    mistake: Mistake,
}

impl Keeper<'_> {
    fn file(&self, property: &str) -> PathBuf {
        format!("{}.{property}", self.input["path"].as_str().expect("text")).into()
    }

    fn there(&self, property: &str) -> Option<String> {
        let content = self.host.act().files().read(&self.file(property), 0).ok()?;
        String::from_utf8(content).ok()
    }

    fn put(&self, path: &Path, content: &str) -> Result<()> {
        let content = content.as_bytes();
        let file = NewFile::new(content, Access::default());
        self.host.act().edits().write(path, &file)
    }

    fn get(&self) -> Result<Json> {
        if self.mistake == Mistake::GetWrites {
            self.put(Path::new("/srv/seen"), "")?;
        }
        let Some(mut text) = self.there("text") else { return Ok(json!({ "_exist": false })) };
        let mut size = text.len() as u64;
        let now = self.host.act().clock().elapsed().as_secs();
        match self.mistake {
            Mistake::GetRepeatsTheWish => {
                text = self.input.get("text").and_then(Json::as_str).map_or(text, str::to_owned);
            }
            Mistake::GetTellsTheTime => size = now,
            Mistake::GetGrowsStale if now > 60 => text = "stale".to_owned(),
            _ => {}
        }
        Ok(json!({ "path": self.input["path"], "text": text, "colour": self.there("colour"), "size": size }))
    }

    fn set(&self) -> Result<()> {
        ["text", "colour"].iter().try_for_each(|property| self.set_one(property))
    }

    fn set_one(&self, property: &str) -> Result<()> {
        let (file, there) = (self.file(property), self.there(property));
        let wanted = match self.input.get(property) {
            None if self.mistake == Mistake::SetClearsWhatItIsNotTold && there.is_some() => &json!(""),
            None => return Ok(()),
            Some(_) if self.mistake == Mistake::SetForgetsTheColour && property == "colour" => return Ok(()),
            Some(wanted) => wanted,
        };
        match wanted.as_str() {
            Some(text) if there.as_deref() == Some(text) && self.mistake != Mistake::SetWritesAll => Ok(()),
            Some(text) => self.put(&file, text),
            None if there.is_some() => self.host.act().edits().remove_file(&file),
            None => Ok(()),
        }
    }

    fn delete(&self) -> Result<()> {
        let there = ["text", "colour"].into_iter().filter(|property| self.there(property).is_some());
        let mut gone = there.filter(|_| self.mistake != Mistake::DeleteDoesNothing);
        gone.try_for_each(|property| self.host.act().edits().remove_file(&self.file(property)))
    }
}

fn run(call: &Call<'_>, mistake: Mistake) -> Output {
    let Json::Object(input) = input_of(call.command) else { return call.fail(2, "no object") };
    let keeper = Keeper { host: call.host, input, mistake };
    let printed = match call.command.args[0].as_str() {
        "get" => keeper.get().map(|state| state.to_string()),
        "set" => keeper.set().map(|()| String::new()),
        _ => keeper.delete().map(|()| String::new()),
    };
    printed.map_or_else(|error| call.fail(1, error.chain()), |printed| call.succeed(printed))
}

fn keeper(mistake: Mistake) -> Arc<dyn Definition> {
    let properties = json!({
        "path": { "type": "string" },
        "text": { "type": "string" },
        "colour": { "type": ["string", "null"] },
        "size": { "type": "integer", "readOnly": true },
        "_exist": { "type": "boolean" },
    });
    let watch = json!(["path:{path}.text", "path:{path}.colour"]);
    let watch = if mistake == Mistake::WatchIsForgotten { json!([]) } else { watch };
    let mut manifest = manifest(json!({
        "delete": { "executable": "tool", "args": ["delete"], "input": "stdin" },
        "metadata": { "uphold": { "watch": watch } },
    }));
    manifest["schema"]["embedded"] = json!({ "required": ["path", "text"], "properties": properties });
    kind(&manifest, Path::new(KINDS), &MemoryHost::new().act())
}

fn world(host: MemoryHost, mistake: Mistake) -> MemoryHost {
    let host = host.directory(KINDS, 0o755).directory("/srv", 0o755);
    host.program("tool", move |call| run(call, mistake))
}

fn subject(mistake: Mistake) -> Subject {
    Subject::defined(keeper(mistake))
        .world(move |host| world(host, mistake))
        .wish(Wish::named("/srv/a").set("text", "hello").set("colour", "red"))
        .wish(Wish::named("/srv/a").set("text", "other"))
        .wish(Wish::named("/srv/a").set("text", "hello").set("colour", "blue"))
        .drift(|host| host.tamper("/srv/a.text", "x"))
}

#[test]
fn a_mistake_of_a_program_breaks_its_law() {
    let check = |mistake: Mistake, expected: Option<&str>| {
        let broken = broken_by(&subject(mistake));
        let names: Vec<_> = broken.iter().map(|broken| broken.law).collect();
        let report = broken.iter().map(Broken::to_string).collect::<Vec<_>>().join("\n");
        match expected {
            Some(law) => assert!(names.contains(&law), "{law} is kept, but:\n{report}"),
            None => assert!(broken.is_empty(), "{report}"),
        }
    };
    check(Mistake::None, None);
    check(Mistake::GetWrites, Some("check_writes_nothing"));
    check(Mistake::GetRepeatsTheWish, Some("an_outside_change_wakes_it"));
    check(Mistake::GetTellsTheTime, Some("exports_are_stable"));
    check(Mistake::GetGrowsStale, Some("a_second_apply_changes_nothing"));
    check(Mistake::SetForgetsTheColour, Some("apply_then_check_is_converged"));
    check(Mistake::SetClearsWhatItIsNotTold, Some("an_unset_property_survives"));
    check(Mistake::SetWritesAll, Some("only_changed_properties_are_touched"));
    check(Mistake::DeleteDoesNothing, Some("load_finds_nothing_after_remove"));
    check(Mistake::WatchIsForgotten, Some("an_outside_change_wakes_it"));
}

mod right {
    use super::*;

    uphold_testkit::laws! {
        defined: keeper(Mistake::None),
        world: |host| world(host, Mistake::None),
        wishes: [
            { "/srv/a", text = "hello", colour = "red" },
            { "/srv/a", text = "other" },
            { "/srv/a", text = "hello", colour = Value::Null },
        ],
        drift: [|host| host.tamper("/srv/a.text", "x")],
    }
}
