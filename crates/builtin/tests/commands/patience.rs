//! Waiting as the engine does it, and something that happens meanwhile.
#![expect(clippy::disallowed_methods, reason = "there is no engine here that waits")]

use std::thread;
use std::time::Duration;

use uphold_resource::{Act, ErrorKind};

use crate::block::Block;

/// More looks than any test needs, so that one that waits for nothing ends.
const MOST: usize = 1000;
/// Several looks go by until then.
const LATER: Duration = Duration::from_millis(100);

/// Waits for something that is done a while after the first look, which does not find it.
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
    done.join().expect("it was done")
}

/// Visits until it is ready, and says how many visits that took.
pub(crate) fn until_ready(block: &Block, host: &Act<'_>) -> usize {
    for looks in 1..=MOST {
        let error = match block.visit(host) {
            Ok(visit) => {
                assert!(!visit.changed, "it only looks");
                return looks;
            }
            Err(error) => error,
        };
        assert_eq!(error.kind(), ErrorKind::NotYet, "{}", error.chain());
        thread::sleep(error.again_after().unwrap_or(Duration::ZERO));
    }
    panic!("still not ready after {MOST} looks");
}
