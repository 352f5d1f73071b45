//! Tables of expressions and their trees.

use super::print::printed;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(printed(text), expected, "{text}");
}

#[test]
fn operators() {
    check("1 + 2 * 3", "(Add 1 (Multiply 2 3))");
    check("1 * 2 + 3", "(Add (Multiply 1 2) 3)");
    check("1 - 2 - 3", "(Subtract (Subtract 1 2) 3)");
    check("(1 - 2) - -3", "(Subtract (Subtract 1 2) -3)");
    check("1 - (2 - 3)", "(Subtract 1 (Subtract 2 3))");
    check("a || b && c == d < e + f % g", "(Or a (And b (Equal c (Less d (Add e (Remainder f g))))))");
    check("a / b >= c != d && e || f", "(Or (And (Unequal (GreaterOrEqual (Divide a b) c) d) e) f)");
    check("a == b == c", "(Equal (Equal a b) c)");
    check("a<=b", "(LessOrEqual a b)");
    check("a>b", "(Greater a b)");
    check("!a && !b.c", "(And (! a) (! (. b c)))");
    check("!!a", "(! (! a))");
    check("-a", "(- a)");
    check("- -a", "(- (- a))");
    check("--5", "(- -5)");
    check("-5", "-5");
    check("-5 + 1", "(Add -5 1)");
    check("a -5", "(Subtract a 5)");
    check("a - 5", "(Subtract a 5)");
    check("a-5", "a-5");
    check("1-5", "(Subtract 1 5)");
    check("1 -5", "(Subtract 1 5)");
    check("-a.b[0]", "(- ([] (. a b) 0))");
    check("-(1 + 2)", "(- (Add 1 2))");
    check("\"a\" + \"b\"", "(Add \"a\" \"b\")");
    check("(a\n+ b)", "(Add a b)");
}

#[test]
fn conditionals() {
    check("a ? b : c", "(? a b c)");
    check("a ? b : c ? d : e", "(? a b (? c d e))");
    check("a ? b ? c : d : e", "(? a (? b c d) e)");
    check("a || b ? c + 1 : d", "(? (Or a b) (Add c 1) d)");
    check("(a\n ? b\n : c)", "(? a b c)");
    check("a ? {b: c} : [d]", "(? a (object \"b\" c) (list d))");
    check("true ? null : false", "(? true null false)");
}

#[test]
fn calls() {
    check("f()", "(call f)");
    check("f(a)", "(call f a)");
    check("f (a, b)", "(call f a b)");
    check("f(a, b,)", "(call f a b)");
    check("f(\n  a,\n  b...\n)", "(call f a b...)");
    check("f(g(x))[0].y", "(. ([] (call f (call g x)) 0) y)");
    check("true(1)", "(call true 1)");
    check("f(a ? b : c, !d)", "(call f (? a b c) (! d))");
}

#[test]
fn members() {
    check("a.b.c", "(. (. a b) c)");
    check("a[\"b c\"].d", "(. ([] a \"b c\") d)");
    check("a[b.c]", "([] a (. b c))");
    check("a[1 + 2]", "([] a (Add 1 2))");
    check("a.0", "([] a 0)");
    check("a.0.1", "([] ([] a 0) 1)");
    check("a.0.1.b", "(. ([] ([] a 0) 1) b)");
    check("a.b.0.c", "(. ([] (. a b) 0) c)");
    check("[1, 2][0]", "([] (list 1 2) 0)");
    check("{a = 1}.a", "(. (object \"a\" 1) a)");
    check("\"${a}\".b", "(. (text a) b)");
    check("(a).b", "(. a b)");
    check("a[-1]", "([] a -1)");
    check("a[\n1\n]", "([] a 1)");
    check("true.x", "(. true x)");
    check("a.0-1", "(Subtract ([] a 0) 1)");
    check("a.0[1]", "([] ([] a 0) 1)");
}

#[test]
fn splats() {
    check("a[*]", "(* a @)");
    check("a[*].b", "(* a (. @ b))");
    check("a[*].b[0]", "(* a ([] (. @ b) 0))");
    check("a[*].b[*].c", "(* a (* (. @ b) (. @ c)))");
    check("a[*][*]", "(* a (* @ @))");
    check("a.*", "(* a @)");
    check("a.*.b", "(* a (. @ b))");
    check("a.*.b.c", "(* a (. (. @ b) c))");
    check("a.*.0.b", "(* a (. ([] @ 0) b))");
    check("a.*.b[0]", "([] (* a (. @ b)) 0)");
    check("a.*.b[0].c", "(. ([] (* a (. @ b)) 0) c)");
    check("a.*.b[*].c", "(* (* a (. @ b)) (. @ c))");
    check("a[*].b + 1", "(Add (* a (. @ b)) 1)");
    check("a[b[*].c].d", "(. ([] a (* b (. @ c))) d)");
}

#[test]
fn loops() {
    check("[for x in xs : x]", "(for x xs [x])");
    check("[for k, v in m : v if k != \"a\"]", "(for k v m [v] if (Unequal k \"a\"))");
    check("{for k, v in m : k => v}", "(for k v m {k v})");
    check("{for k, v in m : v => k... if k}", "(for k v m {v k...} if k)");
    check("{\n for k,\n v\n in m\n :\n k\n =>\n v\n if c\n }", "(for k v m {k v} if c)");
    check("[\n for x in xs :\n x\n if c\n]", "(for x xs [x] if c)");
    check("[for x in a ? b : c : x]", "(for x (? a b c) [x])");
    check("[for x in [for y in ys : y] : {for z in x : z => z}]", "(for x (for y ys [y]) [(for z x {z z})])");
    check("{for x in xs : \"a${x}\" => {b = x}}", "(for x xs {(text \"a\" x) (object \"b\" x)})");
    check("[for if in xs : if]", "(for if xs [if])");
    check("{ for = 3 }", "(object \"for\" 3)");
    check("{ for : 3 }", "(object \"for\" 3)");
}

#[test]
fn objects() {
    check("{}", "(object)");
    check("{ a = 1, \"b\" : 2, 3 = 4, (c) = 5 }", "(object \"a\" 1 \"b\" 2 3 4 c 5)");
    check("{\n a = 1\n b = 2\n\n c = 3,\n}", "(object \"a\" 1 \"b\" 2 \"c\" 3)");
    check("{ \"a${b}\" = 1, (c.d) = 2 }", "(object (text \"a\" b) 1 (. c d) 2)");
    check("{ true = 1, null = 2 }", "(object \"true\" 1 \"null\" 2)");
    check("{ f(x) = 1 }", "(object (call f x) 1)");
    check("{ a + 1 = 1 }", "(object (Add a 1) 1)");
    check("{ a ? b : c = 1 }", "(object (? a b c) 1)");
    check("{ a = b ? c : d }", "(object \"a\" (? b c d))");
    check("{ a.b = 1 }", "! ambiguous key");
    check("{ a[0] = 1 }", "! ambiguous key");
    check("{ a = (1 +\n 2) }", "(object \"a\" (Add 1 2))");
}

#[test]
fn templates() {
    check(r#""""#, r#""""#);
    check(r#""a\tb""#, r#""a\tb""#);
    check(r#""${x}""#, "(text x)");
    check(r#""${"a"}""#, "(text \"a\")");
    check(r#""a${x}b""#, r#"(text "a" x "b")"#);
    check(r#"" ${~ x ~} ""#, r#"(text x "")"#);
    check(r#""a ${~x~} b""#, r#"(text "a" x "b")"#);
    check(r#""a\n ${~ x ~}\t\n b""#, r#"(text "a" x " b")"#);
    check(r#""${x ~} ${~ y}""#, r#"(text x y)"#);
    check(r#""$${x} %%{y} $x""#, r#""${x} %{y} $x""#);
    check(r#""%{ if c }a%{ endif }""#, r#"(? c "a" "")"#);
    check(r#""%{ if c }a%{ else }b%{ endif }!""#, r#"(text (? c "a" "b") "!")"#);
    check(r#""%{ if c }${x}%{ endif }""#, r#"(? c (text x "") "")"#);
    check(r#""%{if c~} a %{~else~} b %{~endif~} !""#, r#"(text (? c "a" "b") "!")"#);
    check(r#""%{ for x in xs }${x},%{ endfor }""#, r#"(for x xs (text x ","))"#);
    check(
        r#""%{ for k, v in m }%{ if k }a${v}%{ endif }%{ endfor }""#,
        r#"(for k v m (? k (text "a" v) ""))"#,
    );
    check(r#""%{ if a }%{ if b }1%{ endif }%{ else }2%{ endif }""#, r#"(? a (? b "1" "") "2")"#);
    check(r#""%{ if c }%{ endif }""#, r#"(? c "" "")"#);
    check(r#""%{ if x == "a" }b%{ endif }""#, r#"(? (Equal x "a") "b" "")"#);
    check(r#""${{ a = "}" }.a}""#, r#"(text (. (object "a" "}") a))"#);
    check("\"${\n  a\n}\"", "(text a)");
    check(r#""${"a${"b${c}"}"}""#, r#"(text (text "a" (text "b" c)))"#);
    check(r#""a${"%{ if c }x%{ endif }"}b""#, r#"(text "a" (? c "x" "") "b")"#);
}

#[test]
fn heredocs() {
    check("<<A\n  a\n b\nA", r#""  a\n b\n""#);
    check("<<-A\n    a\n      b\n\n    A", r#""a\n  b\n\n""#);
    check("<<A\n${x}\nA", r#"(text x "\n")"#);
    check("<<A\n${\n  x\n}%{ if\n c }y%{ endif }\nA", r#"(text x (? c "y" "") "\n")"#);
    check("[<<A\na\nA\n, 1]", r#"(list "a\n" 1)"#);
    check(
        "<<-A\n    %{ if c ~}\n      a\n    %{~ endif }\n  b\n  A",
        r#"(text "  " (? c "    a" "") "\nb\n")"#,
    );
    check("<<A\n${x ~}\nA", r#"(text x "")"#);
    check(
        "<<-A\n  a\n  %{ for x in xs ~}\n    - ${x}\n  %{ endfor ~}\n  b\nA",
        r#"(text "a\n" (for x xs (text "  - " x "\n")) "b\n")"#,
    );
    check("<<-A\n  a\n    %{~ if c }\n  b\n  %{ endif }\n  A", r#"(text "a" (? c "\nb\n" "") "\n")"#);
    check(
        "<<A\na $${b}\n%{ if c }\nd\n%{ else ~}\ne\n%{ endif ~}\nA",
        r#"(text "a ${b}\n" (? c "\nd\n" "e\n"))"#,
    );
}
