//! Processor time.

/// The processor time of this thread in nanoseconds: other work on the machine does not count.
#[expect(clippy::disallowed_methods, reason = "how long it takes is what is tested")]
fn processor_time() -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the kernel counts");
    times.split(' ').next().and_then(|time| time.parse().ok()).expect("a number")
}

/// The processor time of `work` in nanoseconds, and its result.
pub(crate) fn cost<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = processor_time();
    let result = work();
    (processor_time() - start, result)
}
