//! Concurrency of programs of one type.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use super::stage::{Block, Stage, manifest};

/// The maximum number of concurrent programs while four resources are loaded.
fn most_at_a_time(parallel: bool) -> usize {
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (counted, seen) = (running, most.clone());
    let stage = Stage::new(move |call| {
        seen.fetch_max(counted.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        // Long enough for the others to start, if they may.
        std::thread::sleep(Duration::from_millis(100));
        counted.fetch_sub(1, Ordering::SeqCst);
        call.succeed("{}")
    });
    let kind = stage.kind(&manifest(json!({ "metadata": { "uphold": { "parallel": parallel } } })));
    std::thread::scope(|scope| {
        for name in ["/a", "/b", "/c", "/d"] {
            let block = Block::of(&kind, name);
            let host = &stage.host;
            scope.spawn(move || block.observe(&host.act()).map(drop).expect("it loads"));
        }
    });
    most.load(Ordering::SeqCst)
}

#[test]
fn one_program_of_a_type_runs_at_a_time_unless_it_says_otherwise() {
    assert_eq!(most_at_a_time(false), 1);
    assert!(most_at_a_time(true) > 1);
}
