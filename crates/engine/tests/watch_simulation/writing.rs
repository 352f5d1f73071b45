//! Prints a plot as a configuration.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::plot::{HANDLERS, Kind, LAMP, Plot, Prop, Text, Thing, path_of};

impl Plot {
    /// The configuration.
    pub(crate) fn write(&self) -> String {
        let mut text = format!("lamp {LAMP} {{}}\n");
        for handler in HANDLERS {
            writeln!(text, "note \"{handler}\" {{\n  text = \"h\"\n  action = \"nothing\"\n}}")
                .expect("text grows");
        }
        for thing in 0..self.props.len() {
            if let Some(group) = self.group.as_ref().filter(|group| group.first == thing) {
                writeln!(text, "{} {{\n  {}", group.word, group.meta.join("\n  ")).expect("text grows");
            }
            if let Some(prop) = self.get(thing) {
                self.write_prop(&mut text, thing, prop).expect("text grows");
            }
            if self.group.as_ref().is_some_and(|group| group.end == thing + 1) {
                text += "}\n";
            }
        }
        text
    }

    fn write_prop(&self, text: &mut String, thing: Thing, prop: &Prop) -> std::fmt::Result {
        writeln!(text, "{} \"{}\" {{", self.word(thing), path_of(thing))?;
        match &prop.kind {
            Kind::Folder => {}
            Kind::Gone => writeln!(text, "  text = \"gone\"\n  action = \"remove\"")?,
            Kind::Copy(other) => writeln!(text, "  from = \"{}\"", path_of(*other))?,
            Kind::Note(Text::Fixed(number)) => writeln!(text, "  text = \"t{number}\"")?,
            Kind::Note(Text::Colour) => writeln!(text, "  text = \"it is ${{lamp.{LAMP}.colour}}\"")?,
            Kind::Note(Text::Quotes(other)) => {
                writeln!(text, "  text = \"it says ${{{}.content}}\"", self.name(*other))?;
            }
        }
        if let Some((other, holds)) = prop.only_if {
            let sign = if holds { "!=" } else { "==" };
            writeln!(text, "  only_if = {}.content {sign} \"never\"", self.name(other))?;
        }
        let source = if let Kind::Copy(other) = prop.kind { Some(other) } else { None };
        let needed = prop.depends_on.iter().copied().filter(|other| Some(*other) != source).chain(source);
        let names: Vec<String> = needed.map(|other| self.name(other)).collect();
        if !names.is_empty() {
            writeln!(text, "  depends_on = [{}]", names.join(", "))?;
        }
        write_notifies(text, prop)?;
        prop.meta.iter().try_for_each(|line| writeln!(text, "  {line}"))?;
        writeln!(text, "}}")
    }

    /// The address of a resource.
    fn name(&self, thing: Thing) -> String {
        format!("{}[\"{}\"]", self.word(thing), path_of(thing))
    }
}

/// Groups notifications by timing.
fn write_notifies(text: &mut String, prop: &Prop) -> std::fmt::Result {
    let mut moments: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (handler, moment) in &prop.notifies {
        moments.entry(moment.word()).or_default().push(format!("note[\"{}\"].shout", HANDLERS[*handler]));
    }
    let transcript: Vec<String> =
        moments.iter().map(|(moment, all)| format!("{moment} = [{}]", all.join(", "))).collect();
    if transcript.is_empty() {
        Ok(())
    } else {
        writeln!(text, "  notifies = {{ {} }}", transcript.join(", "))
    }
}
