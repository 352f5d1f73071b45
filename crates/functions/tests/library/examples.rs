//! Every example in the documentation is correct.

use uphold_functions::all;

use crate::expression::shown;

#[test]
fn examples_are_correct() {
    let mut wrong = Vec::new();
    for function in all() {
        for example in function.examples {
            let result = shown(example.call);
            if result != example.result {
                wrong.push(format!("{}\n  promised {}\n  given    {result}", example.call, example.result));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
