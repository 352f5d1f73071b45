//! Resource limits of one rendering.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use minijinja::value::{DynObject, Value as Jinja, ValueKind};
use minijinja::{Error, ErrorKind};

use crate::bounds::{DEEPEST, LONGEST_TEXT, MOST_ELEMENTS};
use crate::patterns::Deadline;

/// The maximum number of bytes written in total, including output that is captured in variables and discarded.
const MOST_WRITTEN: usize = 4 * LONGEST_TEXT;

/// The maximum total size of strings that operators and filters create.
const MOST_MADE: usize = 16 * LONGEST_TEXT;

/// The maximum number of list and map parts that are read.
const MOST_PARTS: usize = 50_000_000;

/// The maximum total length of all ranges of a rendering.
const MOST_NUMBERS: usize = 10_000_000;

/// Counts resources that the engine's own fuel does not.
#[derive(Debug)]
pub(super) struct Meter {
    deadline: Deadline,
    written: AtomicUsize,
    made: AtomicUsize,
    parts: AtomicUsize,
    numbers: AtomicUsize,
}

impl Meter {
    pub(super) fn start() -> Self {
        let zero = || AtomicUsize::new(0);
        Self { deadline: Deadline::start(), written: zero(), made: zero(), parts: zero(), numbers: zero() }
    }

    /// Charges written output.
    pub(super) fn write(&self, length: usize) -> Result<(), Error> {
        let written = add(&self.written, length);
        match (written > MOST_WRITTEN, self.deadline.is_over()) {
            (true, _) => Err(too_large("more than 64 MiB are written")),
            (_, true) => Err(ErrorKind::OutOfFuel.into()),
            _ => Ok(()),
        }
    }

    /// Charges a new value, and rejects one that is too large.
    pub(super) fn part(&self, value: &Jinja) -> Result<(), Error> {
        if self.deadline.is_over() {
            return Err(ErrorKind::OutOfFuel.into());
        }
        bytes(self.length(value)?)?;
        match value.as_str().map(|text| add(&self.made, text.len())) {
            Some(made) if made > MOST_MADE => Err(too_large("strings of more than 256 MiB are made")),
            _ => Ok(()),
        }
    }

    /// Charges an operand of `+`.
    pub(super) fn addend(&self, value: &Jinja) -> Result<(), Error> {
        match value.kind() {
            ValueKind::Seq | ValueKind::Iterable => elements(value.len().unwrap_or(0)),
            _ => self.part(value),
        }
    }

    /// The minimum number of bytes of a value when it is written. Shared parts count each time.
    pub(super) fn length(&self, value: &Jinja) -> Result<usize, Error> {
        match value.as_str() {
            Some(text) => Ok(text.len()),
            None => self.walk(value, &mut 0, 0),
        }
    }

    fn walk(&self, value: &Jinja, seen: &mut usize, depth: usize) -> Result<usize, Error> {
        *seen += 1;
        elements(*seen)?;
        if depth > DEEPEST {
            return Err(too_large("a value is nested more than 128 levels deep"));
        }
        if add(&self.parts, 1) > MOST_PARTS {
            return Err(ErrorKind::OutOfFuel.into());
        }
        let mut length = 1_usize;
        match value.kind() {
            ValueKind::String => length = value.as_str().map_or(1, str::len),
            ValueKind::Seq | ValueKind::Iterable => {
                for item in value.try_iter()? {
                    length = length.saturating_add(self.walk(&item, seen, depth + 1)?);
                }
            }
            ValueKind::Map => {
                for (key, item) in value.as_object().and_then(DynObject::try_iter_pairs).into_iter().flatten()
                {
                    length = length.saturating_add(self.walk(&key, seen, depth + 1)?);
                    length = length.saturating_add(self.walk(&item, seen, depth + 1)?);
                }
            }
            _ => {}
        }
        Ok(length)
    }

    /// The numbers from `start` to `end`. The engine's own range overflows at the limits of its numbers.
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

/// Rejects a string that is too long.
pub(super) fn bytes(length: usize) -> Result<(), Error> {
    if length > LONGEST_TEXT { Err(too_large("a value is larger than 16 MiB")) } else { Ok(()) }
}

/// Rejects a list that is too long.
pub(super) fn elements(count: usize) -> Result<(), Error> {
    if count > MOST_ELEMENTS { Err(too_large("a value has more than 1000000 elements")) } else { Ok(()) }
}

/// The detail of the error about null in a string.
pub(super) const NULL: &str = "null cannot be part of a string";

/// Rejects null, which the engine would write as `None`.
pub(super) fn not_null(value: &Jinja) -> Result<(), Error> {
    if value.is_none() { Err(Error::new(ErrorKind::InvalidOperation, NULL)) } else { Ok(()) }
}

fn add(counter: &AtomicUsize, more: usize) -> usize {
    counter.fetch_add(more, Ordering::Relaxed).saturating_add(more)
}

fn too_large(detail: &'static str) -> Error {
    Error::new(ErrorKind::WriteFailure, detail)
}

/// Output that cannot grow beyond the limit.
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
