//! What one rendering may use up.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use minijinja::value::Value as Jinja;
use minijinja::{Error, ErrorKind};

use crate::bounds::LONGEST_TEXT;
use crate::deadline::Deadline;

/// The most bytes that are written at all: what is kept in variables and then thrown away counts too.
const MOST_WRITTEN: usize = 4 * LONGEST_TEXT;

/// The most numbers that all ranges of a rendering have together.
const MOST_NUMBERS: usize = 10_000_000;

/// Counts what the engine's own fuel does not.
#[derive(Debug)]
pub(super) struct Meter {
    deadline: Deadline,
    written: AtomicUsize,
    numbers: AtomicUsize,
}

impl Meter {
    pub(super) fn start() -> Self {
        Self { deadline: Deadline::start(), written: AtomicUsize::new(0), numbers: AtomicUsize::new(0) }
    }

    /// Asks whether a value may be written.
    pub(super) fn write(&self, value: &Jinja) -> Result<(), Error> {
        let size = value.as_str().map_or(1, str::len);
        let written = self.written.fetch_add(size, Ordering::Relaxed).saturating_add(size);
        match (written > MOST_WRITTEN, self.deadline.is_over()) {
            (true, _) => Err(Error::new(ErrorKind::WriteFailure, "more than 64 MiB were written")),
            (_, true) => Err(ErrorKind::OutOfFuel.into()),
            _ => Ok(()),
        }
    }

    /// The numbers from `start` to `end`. The engine's own range overflows where its numbers end.
    pub(super) fn range(&self, start: i64, end: Option<i64>, step: Option<i64>) -> Result<Vec<i64>, Error> {
        let wrong = |detail: &'static str| Error::new(ErrorKind::InvalidOperation, detail);
        let (start, end) = end.map_or((0, start), |end| (start, end));
        let (start, end, step) = (i128::from(start), i128::from(end), i128::from(step.unwrap_or(1)));
        let span = end - start;
        if step == 0 {
            return Err(wrong("a range cannot have a step of 0"));
        }
        let count = if (span > 0) == (step > 0) { (span.abs() + step.abs() - 1) / step.abs() } else { 0 };
        let total = usize::try_from(count).map_or(usize::MAX, |count| {
            self.numbers.fetch_add(count, Ordering::Relaxed).saturating_add(count)
        });
        if total > MOST_NUMBERS {
            return Err(wrong("the range has too many elements"));
        }
        Ok((0..count).filter_map(|i| i64::try_from(start + i * step).ok()).collect())
    }
}

/// Output that refuses to grow too long.
#[derive(Debug, Default)]
pub(super) struct Output(pub(super) Vec<u8>);

impl io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LONGEST_TEXT {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
