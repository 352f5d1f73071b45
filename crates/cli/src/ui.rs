//! Standard output and standard error.

use std::fmt::Display;
use std::io::{BufWriter, ErrorKind, IsTerminal, Write};

use anstream::AutoStream;
use anstream::ColorChoice as Colours;
use clap::ColorChoice;
use serde::Serialize;

use crate::Paint;
use crate::printer::{Printer, To};

/// Writes data to standard output and messages (talk) to standard error.
///
/// Writing never fails here: a closed pipe ends the output, not the run, and [`Ui::close`] returns any other error.
/// Unless [detached](Ui::detach), writing blocks on a slow reader.
pub(crate) struct Ui {
    out: Stream,
    err: Stream,
    printer: Option<Printer>,
}

/// One of the two streams.
struct Stream {
    to: Target,
    coloured: bool,
    terminal: bool,
    failed: Option<std::io::Error>,
}

enum Target {
    /// Writing blocks on the reader.
    Direct(Box<dyn Write + Send>),
    /// A thread writes; the buffer contains text that was not flushed yet.
    Printer(Printer, To, Vec<u8>),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Target::Direct(to) => to.write(bytes),
            Target::Printer(_, _, text) => text.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Target::Direct(to) => to.flush(),
            Target::Printer(printer, to, text) => {
                printer.print(*to, std::mem::take(text));
                Ok(())
            }
        }
    }
}

impl Stream {
    fn new(to: impl Write + Send + 'static, choice: Colours, terminal: bool) -> Self {
        let coloured = !matches!(choice, Colours::Never);
        Self { to: Target::Direct(Box::new(BufWriter::new(to))), coloured, terminal, failed: None }
    }

    fn write(&mut self, text: &dyn Display) {
        if self.failed.is_none() {
            self.failed = write!(self.to, "{text}").err();
        }
    }

    fn flush(&mut self) {
        if self.failed.is_none() {
            self.failed = self.to.flush().err();
        }
    }
}

impl Ui {
    /// The standard streams. The colour choice `auto` depends on the terminal, `NO_COLOR`, `CLICOLOR_FORCE` and the like.
    pub(crate) fn new(color: ColorChoice) -> Self {
        let (out, err) = (std::io::stdout(), std::io::stderr());
        let out_choice = choice(color, AutoStream::choice(&out));
        let err_choice = choice(color, AutoStream::choice(&err));
        let (out_terminal, err_terminal) = (out.is_terminal(), err.is_terminal());
        Self {
            out: Stream::new(out, out_choice, out_terminal),
            err: Stream::new(err, err_choice, err_terminal),
            printer: None,
        }
    }

    /// From now on writing never blocks: a thread writes, and text that does not fit its buffer is dropped and counted.
    pub(crate) fn detach(&mut self) -> std::io::Result<()> {
        self.flush();
        let printer = Printer::start(Box::new(std::io::stdout()), Box::new(std::io::stderr()))?;
        self.out.to = Target::Printer(printer.clone(), To::Out, Vec::new());
        self.err.to = Target::Printer(printer.clone(), To::Err, Vec::new());
        self.printer = Some(printer);
        Ok(())
    }

    /// From now on nothing is dropped, because the end of a run is short.
    pub(crate) fn keep_all(&self) {
        if let Some(printer) = &self.printer {
            printer.keep_all();
        }
    }

    /// Writes a line of JSON, with invisible characters escaped.
    pub(crate) fn json(&mut self, json: impl Display) {
        self.data(format_args!("{}\n", uphold_wire::visible(json.to_string())));
    }

    /// Writes a document as one line of JSON.
    pub(crate) fn json_line(&mut self, document: &impl Serialize) {
        self.data(format_args!("{}\n", uphold_wire::line(document)));
    }

    /// Writes to standard output; no line end is added.
    pub(crate) fn data(&mut self, text: impl Display) {
        self.out.write(&text);
    }

    /// Writes to standard error, after all data so far, so that both are in order on a terminal.
    pub(crate) fn talk(&mut self, text: impl Display) {
        self.out.flush();
        self.err.write(&text);
        self.err.flush();
    }

    /// Flushes standard output.
    pub(crate) fn flush(&mut self) {
        self.out.flush();
    }

    /// The colours of standard output.
    pub(crate) fn data_paint(&self) -> Paint {
        Paint::new(self.out.coloured)
    }

    /// The colours of standard error.
    pub(crate) fn talk_paint(&self) -> Paint {
        Paint::new(self.err.coloured)
    }

    pub(crate) fn is_data_terminal(&self) -> bool {
        self.out.terminal
    }

    pub(crate) fn is_talk_terminal(&self) -> bool {
        self.err.terminal
    }

    /// Whether the reader of standard output is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.out.failed.is_some() || self.printer.as_ref().is_some_and(Printer::has_failed)
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// If data could not be written, unless the reader closed its pipe.
    pub(crate) fn close(&mut self) -> std::io::Result<()> {
        self.out.flush();
        let printed = self.printer.as_ref().and_then(Printer::finish);
        match self.out.failed.take().or(printed) {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }
}

fn choice(asked: ColorChoice, automatic: Colours) -> Colours {
    match asked {
        ColorChoice::Auto => automatic,
        ColorChoice::Always => Colours::Always,
        ColorChoice::Never => Colours::Never,
    }
}
