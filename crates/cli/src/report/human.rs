//! What happens, for people.

use uphold::model::{Action, Diagnostics, ResourceId, Sources, Value};
use uphold::resource::Level;
use uphold::{Change, Event, EventKind, Failure, Mode, Program, Verdict};

use super::heading::Heading;
use super::progress::Progress;
use super::property::{Properties, known_later};
use super::reporter::{Report, Scene};
use super::summary;
use crate::args::Flags;
use crate::diagnostics::{self, count};
use crate::error::CliError;
use crate::paint::{Paint, clean};
use crate::ui::Ui;

/// Prints what people want to see: changes to standard output, what went wrong to standard error.
pub(crate) struct Human {
    quiet: bool,
    verbose: bool,
    mode: Mode,
    progress: Option<Progress>,
    /// Whether an output was shown.
    has_outputs: bool,
}

/// Where a text goes.
enum To {
    Data(String),
    Talk(String),
    Nowhere,
}

impl Human {
    /// As the flags ask.
    pub(crate) fn new(flags: &Flags) -> Self {
        Self {
            quiet: flags.quiet,
            verbose: flags.verbose,
            mode: Mode::Plan,
            progress: None,
            has_outputs: false,
        }
    }

    fn finished(
        &self,
        resource: &ResourceId,
        action: &Action,
        verdict: &Verdict,
        scene: &mut Scene<'_>,
        ui: &Ui,
    ) -> To {
        if self.leaves_out(verdict) {
            return To::Nowhere;
        }
        let heading = Heading::of(verdict, action);
        let at = written_at(resource, verdict, scene);
        let data = Paint::new(ui.is_data_coloured());
        match verdict {
            Verdict::Failed(failure) => {
                To::Talk(self.failed(&resource.to_string(), failure, at.as_deref(), ui))
            }
            Verdict::Skipped(_) => {
                To::Talk(heading.line(resource, at.as_deref(), Paint::new(ui.is_talk_coloured())))
            }
            Verdict::Unchanged | Verdict::NotWanted => To::Data(heading.line(resource, at.as_deref(), data)),
            Verdict::MayChange { because, .. } => {
                let now = because.as_ref().map(|failure| format!("      now: {}\n", clean(&failure.message)));
                To::Data(heading.line(resource, at.as_deref(), data) + &now.unwrap_or_default())
            }
            Verdict::Changed(change) | Verdict::WouldChange(change) => {
                let head = heading.line(resource, at.as_deref(), data);
                To::Data(head + &self.properties(change, data))
            }
        }
    }

    /// What nobody asked to see costs nothing: most of a run is as declared.
    fn leaves_out(&self, verdict: &Verdict) -> bool {
        match verdict {
            Verdict::Failed(_) | Verdict::Skipped(_) => false,
            Verdict::Unchanged | Verdict::NotWanted => self.quiet || !self.verbose,
            _ => self.quiet,
        }
    }

    fn properties(&self, change: &Change, paint: Paint) -> String {
        Properties { paint, verbose: self.verbose }.change(change)
    }

    /// An output, below a heading of its own.
    fn output(
        &mut self,
        name: &str,
        value: &Result<Value, Box<Failure>>,
        scene: &mut Scene<'_>,
        ui: &Ui,
    ) -> To {
        match value {
            Err(failure) => {
                let at = failure.place.map(|place| scene.lines().describe(place));
                To::Talk(self.failed(&format!("output {name}"), failure, at.as_deref(), ui))
            }
            Ok(_) if self.quiet => To::Nowhere,
            Ok(value) => {
                let heading = if self.has_outputs { "" } else { "\nOutputs:\n" };
                self.has_outputs = true;
                To::Data(format!("{heading}  {name} = {}\n", shown(value)))
            }
        }
    }

    fn failed(&self, name: &str, failure: &Failure, at: Option<&str>, ui: &Ui) -> String {
        let paint = Paint::new(ui.is_talk_coloured());
        let at = at.map(|at| format!("   {}", paint.faint(format_args!("({at})")))).unwrap_or_default();
        let message = format!("{}: {}", clean(name), clean(&failure.message));
        let mut text = format!("{}: {message}{at}\n", paint.error("error"));
        text += &reasons(&failure.causes, failure.hint.as_deref(), paint);
        text + &Properties { paint, verbose: self.verbose }.differences(&failure.differences)
    }

    fn message(&self, resource: &ResourceId, level: Level, text: &str, ui: &Ui) -> To {
        let lines = clean(text).trim_end().replace('\n', "\n    ");
        let name = resource.to_string();
        match level {
            Level::Warning if self.quiet => To::Nowhere,
            Level::Warning => {
                let paint = Paint::new(ui.is_talk_coloured());
                To::Talk(format!("{}: {}: {lines}\n", paint.changed("warning"), clean(&name)))
            }
            Level::Debug if !self.verbose => To::Nowhere,
            _ if self.quiet => To::Nowhere,
            _ => To::Data(format!("  {}: {lines}\n", clean(&name))),
        }
    }

    fn print(&self, to: To, ui: &mut Ui) {
        let live = self.mode == Mode::Apply || ui.is_data_terminal();
        let write = || match to {
            To::Data(text) => {
                ui.data(text);
                if live {
                    ui.flush();
                }
            }
            To::Talk(text) => ui.talk(text),
            To::Nowhere => {}
        };
        match &self.progress {
            Some(progress) => progress.aside(write),
            None => write(),
        }
    }

    fn run_started(&mut self, mode: Mode, actions: usize, ui: &Ui) {
        self.mode = mode;
        self.progress = (ui.is_talk_terminal() && !self.quiet).then(|| Progress::new(actions));
    }
}

impl Report for Human {
    fn begin(&mut self, _: &mut Ui) {}

    fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &Sources, ui: &mut Ui) {
        diagnostics::show(diagnostics, sources, !self.quiet, ui);
    }

    fn event(&mut self, event: &Event, scene: &mut Scene<'_>, ui: &mut Ui) {
        match &event.kind {
            EventKind::RunStarted { mode, actions } => self.run_started(*mode, *actions, ui),
            EventKind::Started { resource, .. } => {
                self.progress.iter().for_each(|progress| progress.started(resource));
            }
            EventKind::Message { resource, level, text } => {
                self.print(self.message(resource, *level, text, ui), ui);
            }
            EventKind::Finished { resource, action, verdict, .. } => {
                self.progress.iter().for_each(|progress| progress.finished(resource));
                self.print(self.finished(resource, action, verdict, scene, ui), ui);
            }
            EventKind::Output { name, value } => {
                let to = self.output(name, value, scene, ui);
                self.print(to, ui);
            }
            EventKind::RunFinished(summary) => {
                self.progress.take().into_iter().for_each(Progress::end);
                if !self.quiet {
                    let gap = if summary.changed == 0 && !self.has_outputs { "" } else { "\n" };
                    ui.data(format_args!("{gap}{}\n", summary::sentence(summary, self.mode, event.at)));
                }
            }
            _ => {}
        }
    }

    fn valid(&mut self, program: &Program, ui: &mut Ui) {
        if !self.quiet {
            ui.data(format_args!("{}\n", valid(program)));
        }
    }

    fn refused(&mut self, _: &mut Ui) {}

    fn error(&mut self, error: &CliError, ui: &mut Ui) {
        show_error(error, ui);
    }
}

/// Where to look: at what failed, else at the resource.
fn written_at(resource: &ResourceId, verdict: &Verdict, scene: &mut Scene<'_>) -> Option<String> {
    let failed = match verdict {
        Verdict::Failed(failure) => failure.place,
        _ => None,
    };
    match failed {
        Some(place) => Some(scene.lines().describe(place)),
        None => scene.written_at(resource),
    }
}

/// The whole of a value, as far as it is known and no secret.
fn shown(value: &Value) -> String {
    match value.first_unknown() {
        Some(unknown) if !value.is_sensitive() => known_later(value, &unknown.waits_for),
        _ => clean(&value.to_string()).into_owned(),
    }
}

/// `The configuration is valid: 3 resources.`
pub(crate) fn valid(program: &Program) -> String {
    format!("The configuration is valid: {}.", count(program.set().len(), "resource"))
}

/// An error that ended the command.
pub(crate) fn show_error(error: &CliError, ui: &mut Ui) {
    let paint = Paint::new(ui.is_talk_coloured());
    let reasons = reasons(&error.causes, error.hint.as_deref(), paint);
    ui.talk(format_args!("{}: {}\n{reasons}", paint.error("error"), clean(&error.message)));
}

/// Each cause on its own line, then the advice.
fn reasons(causes: &[String], hint: Option<&str>, paint: Paint) -> String {
    let causes = causes.iter().map(|cause| format!("  because: {}\n", indented(cause)));
    let hint = hint.map(|hint| format!("  {}: {}\n", paint.hint("hint"), indented(hint)));
    causes.chain(hint).collect()
}

fn indented(text: &str) -> String {
    clean(text).trim_end().replace('\n', "\n    ")
}
