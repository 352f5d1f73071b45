use crate::print::*;
#[test]
fn probe() {
    let text = std::fs::read_to_string("/tmp/probe.hcl").unwrap();
    let t = std::time::Instant::now();
    let (s, r) = read_text(&text);
    let e = t.elapsed();
    let d = diagnostics(&s, &r);
    println!(
        "{}\n{}\n{:?} {} statements",
        &d[..d.len().min(3000)],
        {
            let x = statements(&r);
            x[..x.len().min(1500)].to_owned()
        },
        e,
        r.statements.len()
    );
}
