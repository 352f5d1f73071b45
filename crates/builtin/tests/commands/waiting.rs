//! Waiting as the engine does, while something happens at the same time.

use std::thread;
use std::time::Duration;

use uphold_resource::{Act, ErrorKind};

use super::block::Block;

/// The maximum number of checks, so that a wait without end fails.
const MOST: usize = 1000;
/// Enough time for several checks.
const LATER: Duration = Duration::from_millis(100);

/// Waits for an action that runs a while after the first check, which fails.
pub(crate) fn ready_after<T: Send + 'static>(
    act: impl FnOnce() -> T + Send + 'static,
    block: &Block,
    host: &Act<'_>,
) -> T {
    assert_eq!(block.error(host).kind(), ErrorKind::NotYet);
    let done = thread::spawn(move || {
        thread::sleep(LATER);
        act()
    });
    until_ready(block, host);
    done.join().expect("the action succeeded")
}

/// Visits until it is ready, and returns the number of visits.
pub(crate) fn until_ready(block: &Block, host: &Act<'_>) -> usize {
    for looks in 1..=MOST {
        let error = match block.visit(host) {
            Ok(visit) => {
                assert!(!visit.changed, "it is read-only");
                return looks;
            }
            Err(error) => error,
        };
        assert_eq!(error.kind(), ErrorKind::NotYet, "{}", error.chain());
        thread::sleep(error.retry_after().unwrap_or(Duration::ZERO));
    }
    panic!("still not ready after {MOST} checks");
}
