//! How fast the reader is: 10,000 blocks with a string of 1 KiB each, on one core, best of 40.
//!
//! `cargo run --release -p uphold-config --example reading_speed`

use std::time::Instant;

use uphold_model::Sources;

#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program that measures and tells")]
fn main() {
    let body = "x".repeat(1024);
    let block = |i: usize| {
        format!(
            "file \"/srv/{i}\" {{\n  content = \"{body}\"\n  mode    = 0o644\n  owner   = \"root\"\n}}\n\n"
        )
    };
    let text: String = (0..10_000).map(block).collect();
    let megabytes = text.len() as f64 / 1e6;
    let mut sources = Sources::default();
    let id = sources.add("generated.hcl", text);
    let times = (0..40).map(|_| {
        let start = Instant::now();
        let reading = uphold_config::read(&sources, &[id]);
        let time = start.elapsed().as_secs_f64() * 1e3;
        assert_eq!(reading.statements.len(), 20_000);
        time
    });
    println!("{megabytes:.1} MB, 10,000 blocks: {:.1} ms", times.fold(f64::MAX, f64::min));
}
