//! Corner cases, which behave as in Terraform unless noted.

use crate::expression::shown;

#[track_caller]
fn check(table: &[(&str, &str)]) {
    for (call, expected) in table {
        assert_eq!(shown(call), *expected, "{call}");
    }
}

#[test]
fn numbers() {
    check(&[
        ("ceil(9223372036854775807)", "9223372036854775807"),
        ("floor(0.5)", "0"),
        ("log(1000, 10)", "3"),
        ("log(0, 10)", "only positive numbers have a logarithm"),
        ("log(2, 1)", "the base must be positive and not 1"),
        ("max(1, 1.5, 1)", "1.5"),
        ("min(-1, 9223372036854775807)", "-1"),
        ("parseint(\"7fffffffffffffff\", 16)", "9223372036854775807"),
        ("parseint(\"8000000000000000\", 16)", "the result is too large for a number"),
        ("parseint(\"-8000000000000000\", 16)", "-9223372036854775808"),
        ("parseint(\"\", 10)", "\"\" is not a whole number in base 10"),
        ("parseint(\"12\", 2)", "\"12\" is not a whole number in base 2"),
        ("parseint(\"1\", 63)", "the base must be from 2 to 62, not 63"),
        ("pow(2, 62)", "4611686018427387904"),
        ("pow(2, 63)", "the result is too large for a number"),
        ("pow(0, -1)", "the result is too large for a number"),
        ("pow(-1, 0.5)", "a negative number has no such power"),
        ("sum([1, 2.5, 0.5])", "4"),
        ("sum([9223372036854775807, 1])", "the result is too large for a number"),
        (
            "sum([9223372036854775807, 0.5])",
            "a whole number beyond 2 to the power of 53 and a fraction have no exact sum",
        ),
        ("sum([9007199254740992, 0.5, -0.5])", "9007199254740992"),
        ("tonumber(\"18446744073709551615\")", "18446744073709551615 does not fit into 64 bits"),
        ("jsondecode(\"[18446744073709551615]\")", "18446744073709551615 does not fit into 64 bits"),
        (
            "yamldecode(\"a: 18446744073709551615\")",
            "18446744073709551615 does not fit into 64 bits, in line 1",
        ),
        ("sum([\"1\"])", "element 0 must be a number, not a string"),
        ("signum(0.1)", "1"),
    ]);
}

#[test]
fn strings() {
    check(&[
        ("substr(\"hello\", 0, -1)", "\"hello\""),
        ("substr(\"hello\", 9, 1)", "\"\""),
        ("substr(\"hello\", -9, 2)", "\"he\""),
        ("substr(\"hello\", -3, 2)", "\"ll\""),
        ("substr(\"hello\", 1, 9223372036854775807)", "\"ello\""),
        ("split(\"\", \"\")", "[]"),
        ("length(\"noe\u{308}l\")", "4"),
        ("strrev(\"noe\u{308}l\")", "\"le\u{308}on\""),
        ("substr(\"noe\u{308}l\", 0, 3)", "\"noe\u{308}\""),
        ("substr(\"👾🕹️x\", -2, 1)", "\"🕹️\""),
        ("length(\"\\r\\n\")", "1"),
        ("split(\", \", \"a, b\")", "[\"a\", \"b\"]"),
        ("join(\",\", [1, 2.5, true, \"a\"])", "\"1,2.5,true,a\""),
        ("join(\",\", [\"a\"], [], [\"b\"])", "\"a,b\""),
        ("join(\",\", [])", "\"\""),
        ("join(\",\", [null])", "element 0 must be a string, a number or a bool, not null"),
        ("replace(\"abc\", \"\", \"-\")", "\"-a-b-c-\""),
        ("replace(\"a.b\", \".\", \"$0\")", "\"a$0b\""),
        ("replace(\"aXbX\", \"/(?i)x/\", \"<$0>\")", "\"a<X>b<X>\""),
        ("replace(\"john smith\", \"/(?<f>\\\\w+) (?<l>\\\\w+)/\", \"$${l} $f\")", "\"smith john\""),
        ("replace(\"a/b\", \"/\", \"-\")", "\"a-b\""),
        ("title(\"ünder_score don't o'neil\")", "\"Ünder_score Don'T O'Neil\""),
        ("trim(\"\", \"a\")", "\"\""),
        ("trimprefix(\"aab\", \"a\")", "\"ab\""),
        ("indent(2, \"a\\n\\nb\")", "\"a\\n  \\n  b\""),
        ("upper(5)", "\"5\""),
        ("startswith(\"a\", \"\")", "true"),
        ("format(\"%s\")", "the format needs 1 values, not 0"),
        ("format(\"a\", 1)", "the format needs 0 values, not 1"),
        ("format(\"%[1]s-%[1]s\", \"x\")", "\"x-x\""),
        ("format(\"%[2]d %d\", 1, 2, 3)", "\"2 3\""),
        ("formatlist(\"%s\", \"a\")", "[\"a\"]"),
        (
            "formatlist(\"%s%s\", [\"a\"], [\"b\", \"c\"])",
            "this list has 2 elements, but one before it has 1",
        ),
        ("formatlist(\"%s\", [])", "[]"),
        ("regex(\"(a)|(b)\", \"b\")", "[null, \"b\"]"),
        ("regex(\"z\", \"b\")", "the pattern does not match the text"),
        ("regexall(\"(a)(b)?\", \"aba\")", "[[\"a\", \"b\"], [\"a\", null]]"),
    ]);
}

#[test]
fn collections() {
    check(&[
        ("element([1, 2, 3], 7)", "2"),
        ("element([], 0)", "an empty list has no elements"),
        ("chunklist([1, 2, 3], 0)", "[[1, 2, 3]]"),
        ("chunklist([], 2)", "[]"),
        ("chunklist([1], -1)", "-1 is negative"),
        ("flatten([[[[1]]], { a = [2] }])", "[1, { a = [2] }]"),
        ("flatten([sensitive([1, 2, 3])])", "(sensitive value)"),
        ("length(flatten([[1], [sensitive([1, 2, 3])]]))", "(sensitive value)"),
        ("flatten([[sensitive(1)], 2])", "[(sensitive value), 2]"),
        ("concat([], [[1]])", "[[1]]"),
        ("contains([1.0], 1)", "true"),
        ("contains([[1, 2]], [1, 2])", "true"),
        ("distinct([1, 1.0, \"1\", [1], [1]])", "[1, \"1\", [1]]"),
        ("coalesce(\"\", false)", "false"),
        ("coalesce(null, \"\")", "all values are null or empty (add a fallback value)"),
        ("coalescelist(null, [1])", "[1]"),
        ("range(0)", "[]"),
        ("range(-2)", "[0, -1]"),
        ("range(1, 1)", "[]"),
        ("range(0, 1, 0.25)", "[0, 0.25, 0.5, 0.75]"),
        ("range(1, 5, -1)", "the step leads away from the limit"),
        ("range(1, 5, 0)", "the step leads away from the limit"),
        ("range(9223372036854775806, 9223372036854775807, 5)", "[9223372036854775806]"),
        ("range(1e16, 1e17, 0.1)", "the step is too small"),
        ("slice([1, 2], 2, 2)", "[]"),
        ("slice([1, 2], 2, 1)", "the start, 2, is after the end, 1"),
        ("slice([1, 2], 0, 3)", "3 is beyond the 2 elements of the list"),
        ("one([1, 2])", "the list has 2 elements, at most one is expected"),
        ("sort([\"b\", \"B\", \"a\"])", "[\"B\", \"a\", \"b\"]"),
        ("sort([1, \"a\"])", "element 1 must be a number as the first, not a string"),
        ("setproduct([1], [])", "[]"),
        ("setproduct([1, 2])", "[[1], [2]]"),
        ("setunion([2, 1, 2])", "[1, 2]"),
        ("toset([true, \"b\", 3, null, \"b\"])", "[null, true, 3, \"b\"]"),
        ("merge()", "{}"),
        ("merge({ a = { x = 1 } }, null, { a = { y = 2 } })", "{ a = { y = 2 } }"),
        ("lookup({ a = null }, \"a\", 1)", "null"),
        ("lookup({ port = 1 }, \"prot\")", "the map has no key \"prot\" (did you mean \"port\"?)"),
        ("zipmap([1, true], [\"a\", \"b\"])", "{ \"1\" = \"a\", true = \"b\" }"),
        ("zipmap([\"a\"], [])", "there are 0 values for 1 keys"),
        ("transpose({ a = [1], b = [1] })", "{ \"1\" = [\"a\", \"b\"] }"),
        ("matchkeys([1], [], [])", "there are 0 keys for 1 values"),
        ("length(null)", "must be a list, a map or a string, not null"),
        ("index([1], 2)", "the list has no such element"),
    ]);
}

#[test]
fn encodings() {
    check(&[
        ("base64decode(\"//79\")", "(3 bytes)"),
        ("base64encode(base64decode(\"//79\"))", "\"//79\""),
        ("base64decode(\"a\")", "this is not base64: invalid length at 0"),
        ("urldecode(\"%zz\")", "two hexadecimal digits must follow every `%`"),
        ("urldecode(\"%ff\")", "the decoded text is not UTF-8"),
        ("urlencode(\"ü/\")", "\"%C3%BC%2F\""),
        ("jsonencode(\"<a>&\\n\")", "\"\\\"\\\\u003ca\\\\u003e\\\\u0026\\\\n\\\"\""),
        ("jsonencode(1.0)", "\"1\""),
        ("jsondecode(\"[1,]\")", "this is not JSON: trailing comma at line 1 column 4"),
        (
            "jsonencode(base64decode(\"//79\"))",
            "bytes cannot be encoded (use `base64encode` to convert bytes to a string)",
        ),
        ("yamlencode([])", "\"[]\\n\""),
        ("yamlencode(\"<&>\")", "\"\\\"<&>\\\"\\n\""),
        ("base64gunzip(\"SGVsbG8=\")", "this is not gzip: unexpected end of file"),
        ("base64gunzip(\"!\")", "this is not base64: invalid length at 0"),
        ("base64gunzip(base64gzip(base64decode(\"//79\")))", "(3 bytes)"),
        ("textencodebase64(\"é\", \"ISO-8859-1\")", "\"6Q==\""),
        ("textencodebase64(\"é\", \"us-ascii\")", "'é' is not in us-ascii"),
        ("textdecodebase64(\"6Q==\", \"ISO-8859-1\")", "\"é\""),
        ("textdecodebase64(\"6Q==\", \"US-ASCII\")", "the bytes are not valid US-ASCII"),
        ("textdecodebase64(\"AGE=\", \"UTF-16BE\")", "\"a\""),
        ("textdecodebase64(\"AGEA\", \"UTF-16LE\")", "the bytes are not valid UTF-16LE"),
        (
            "textencodebase64(\"a\", \"EBCDIC\")",
            "\"EBCDIC\" is not a known character set (use UTF-8, UTF-16LE, UTF-16BE, US-ASCII or ISO-8859-1)",
        ),
        ("yamlencode({ a = \"x\\ny\\n\" })", "\"\\\"a\\\": |\\n  x\\n  y\\n\""),
        ("csvdecode(\"\")", "the line with the column names is missing"),
        ("csvdecode(\"a,a\")", "there are two columns named \"a\""),
        ("csvdecode(\"a,b\\n1\")", "line 2 has 1 fields, not 2"),
        ("csvdecode(\"a\\n\\n1\\n\")", "[{ a = \"1\" }]"),
    ]);
}

/// Templates with `a` and `m.k` null, and `l` with null in it.
#[test]
fn null_is_never_written_by_a_template() {
    let values = "{ a = null, m = { k = null }, l = [\"x\", null] }";
    let rendered = |template: &str| shown(&format!("templatestring(\"{template}\", {values})"));
    for (template, expression) in [
        ("{{ a }}", "a"),
        ("x\\n{{ m.k }}", "m.k"),
        ("{{ m['k'] | upper }}", "m['k']"),
        ("{{ a | trim | lower }}", "a"),
        ("{{ 'x' ~ a }}", "a"),
        ("{{ a ~ 'x' }}", "a"),
        ("{{ l[1] }}", "l[1]"),
    ] {
        let found = rendered(template);
        let line = 1 + template.matches("\\n").count();
        let expected = format!(
            "line {line} of the template: `{expression}` is null (write `{{{{ {expression} | default(\"…\") }}}}`, or \
             pass `coalesce(…, \"…\")` as its value)"
        );
        assert_eq!(found, expected, "{template}");
    }
    for template in ["{{ l | join(',') }}", "{{ '%s' | format(a) }}"] {
        let found = rendered(template);
        assert!(found.contains("null") && !found.starts_with('"'), "{template}: {found}");
    }
    for (template, expected) in [
        ("{{ a | default('d') }}{{ a | d('e') }}{{ m.k | default('f') | upper }}", "\"deF\""),
        ("{% if a %}x{% else %}y{% endif %}{{ a is none }}{{ a or 'z' }}", "\"ytruez\""),
        ("{% for x in l if x %}{{ x }}{% endfor %}{% set b = a %}{{ b == a }}", "\"xtrue\""),
    ] {
        assert_eq!(rendered(template), expected, "{template}");
    }
}

#[test]
fn files_and_templates() {
    check(&[
        (
            "file(\"nowhere\")",
            "cannot read \"nowhere\": no such file (create it, or correct the path: a relative one begins at the directory of this file)",
        ),
        (
            "file(\"binary.bin\")",
            "\"binary.bin\" is not UTF-8 text (to copy a binary file, write `source = \"…\"` in a \
             `file`; `filebase64` returns it in base64)",
        ),
        ("filebase64(\"binary.bin\")", "\"//4A\""),
        ("file(\"/srv/site/hello.txt\")", "\"Hello\\n\""),
        ("fileexists(\"templates\")", "\"templates\" is a directory"),
        ("fileexists(\"no/where\")", "false"),
        ("fileexists(\".\")", "\".\" is a directory"),
        ("fileexists(\"..\")", "\"..\" is a directory"),
        ("fileexists(\"templates/.\")", "\"templates/.\" is a directory"),
        ("fileexists(\"templates/\")", "\"templates/\" is a directory"),
        ("fileexists(\"/\")", "\"/\" is a directory"),
        ("fileexists(\"\")", "\"\" is a directory"),
        ("fileset(\".\", \"**/*.{bin,txt}\")", "[\"binary.bin\", \"hello.txt\"]"),
        ("fileset(\"templates\", \"m*\")", "[\"motd.j2\"]"),
        (
            "fileset(\"nowhere\", \"*\")",
            "cannot list \"nowhere\": no such directory (create it, or correct the path: a relative one begins at the directory of this file)",
        ),
        (
            "template(\"templates/motd.j2\", {})",
            "line 1 of the template: `host` is not defined (add it to the values, or write `{{ host | \
             default(\"…\") }}`)",
        ),
        (
            "template(\"wrong/child.j2\", { a = {} })",
            "line 2 of the template: `a.missing` is not defined (add it to the values, or write `{{ a.missing | \
             default(\"…\") }}`)",
        ),
        ("template(\"wrong/maybe.j2\", {})", "\"ab\""),
        (
            "templatestring(\"{{ a }} {{ b | default('-') }} {{ c }}\", { a = 1, b = null, c = [1, \"x\"] })",
            "\"1 - [1, 'x']\"",
        ),
        (
            "templatestring(\"{{ a.b }}\", { a = { b = base64decode(\"//79\") } })",
            "`a.b` holds bytes that are not UTF-8 text, which a template cannot write (pass it through `base64encode`)",
        ),
        ("templatestring(\"<{{ a }}>\\n\", { a = \"&\" })", "\"<&>\\n\""),
        ("templatestring(\"{% include 'templates/footer.j2' %}\", {})", "\"-- ops\\n\""),
        (
            "templatestring(\"{{ range(9223372036854775807, -9223372036854775807, -1) }}\", {})",
            "line 1 of the template: invalid operation: the range has too many elements",
        ),
        ("templatestring(\"{{ range(3, 0, -2) }}\", {})", "\"[3, 1]\""),
        (
            "templatestring(\"Hello $${name}!\", { name = \"a\" })",
            "`${name}` is Terraform's syntax, which is not rendered (write `{{ name }}`: templates are Jinja's)",
        ),
        (
            "templatestring(\"%%{ for x in l }x%%{ endfor }\", {})",
            "`%{ for …}` is Terraform's syntax, which is not rendered (write `{% if … %}` or `{% for … %}`: \
             templates are Jinja's)",
        ),
        ("templatestring(\"echo $${HOME} $${names}\", { name = \"a\" })", "\"echo $${HOME} $${names}\""),
        ("templatestring(\"{{ name }} $${name}\", { name = \"a\" })", "\"a $${name}\""),
        ("pathexpand(\"~bob/x\")", "home directories of other users are not available"),
        ("joinpath(\"\", \"\")", "\"\""),
        ("env(\"NOT_SET\", null)", "null"),
    ]);
    let lost = shown("template(\"wrong/lost.j2\", {})");
    assert!(lost.starts_with("line 2 of the template:") && lost.contains("nowhere.j2"), "{lost}");
}

#[test]
fn networks_and_time() {
    check(&[
        ("cidrhost(\"10.0.0.0/24\", 256)", "10.0.0.0/24 has no host 256"),
        ("cidrhost(\"10.0.0.0/24\", -256)", "\"10.0.0.0\""),
        ("cidrhost(\"10.0.0.0/24\", -257)", "10.0.0.0/24 has no host -257"),
        ("cidrhost(\"0.0.0.0/0\", -1)", "\"255.255.255.255\""),
        ("cidrhost(\"::/0\", -1)", "\"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff\""),
        ("cidrnetmask(\"0.0.0.0/0\")", "\"0.0.0.0\""),
        ("cidrnetmask(\"::/0\")", "IPv6 networks have no mask"),
        ("cidrsubnet(\"10.0.0.0/8\", 25, 0)", "10.0.0.0/8 has only 24 bits left"),
        ("cidrsubnet(\"10.0.0.0/8\", 8, 256)", "8 bits are too few for the number 256"),
        ("cidrsubnet(\"10.1.2.240/28\", 1, 1)", "\"10.1.2.248/29\""),
        ("cidrsubnet(\"0.0.0.0/0\", 0, 0)", "\"0.0.0.0/0\""),
        ("cidrsubnet(\"::/0\", 128, 1)", "\"::1/128\""),
        ("cidrsubnets(\"10.0.0.0/8\", 8, 4)", "[\"10.0.0.0/16\", \"10.16.0.0/12\"]"),
        ("cidrsubnets(\"10.0.0.0/31\", 1, 1, 1)", "there is no room left in 10.0.0.0/31"),
        ("cidrsubnets(\"::/0\", 1, 1)", "[\"::/1\", \"8000::/1\"]"),
        ("cidrsubnets(\"::/0\", 0, 0)", "there is no room left in ::/0"),
        ("cidrcontains(\"10.0.0.0/8\", \"::1\")", "IPv4 and IPv6 cannot be compared"),
        ("cidrcontains(\"::/0\", \"::1\")", "true"),
        ("timeadd(\"9999-12-30T00:00:00Z\", \"1000000h\")", "the result is not between the years 0 and 9999"),
        ("timeadd(\"9999-12-31T23:59:59Z\", \"-1h\")", "\"9999-12-31T22:59:59Z\""),
        ("timecmp(\"9999-12-31T23:59:59Z\", \"9999-12-31T23:59:59-01:00\")", "-1"),
        ("timecmp(\"0000-01-01T00:00:00Z\", \"0000-01-01T00:00:00+01:00\")", "1"),
        ("timeadd(\"2024-02-28T23:59:59.5Z\", \"1s\")", "\"2024-02-29T00:00:00Z\""),
        ("timeadd(\"today\", \"1s\")", "\"today\" is not a time such as \"2024-05-01T12:00:00Z\""),
        ("uuidv5(\"x\", \"y\")", "\"x\" is not a namespace (pass `dns`, `url`, `oid`, `x500` or a UUID)"),
        (
            "uuidv5(\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\", \"www.terraform.io\")",
            "\"a5008fae-b28c-5ba5-96cd-82b4c53552d6\"",
        ),
    ]);
}

#[test]
fn types() {
    check(&[
        ("tobool(\"1\")", "\"1\" is not a bool (write `true` or `false`)"),
        ("tobool(1)", "must be a bool or a string, not a number"),
        ("tonumber(\"0x10\")", "\"0x10\" is not a number (use `parseint` for bases other than 10)"),
        ("tonumber(null)", "null"),
        ("tostring([])", "must be a string, a number or a bool, not a list (use `jsonencode` for any value)"),
        ("tostring(1.0)", "\"1\""),
        ("type(null)", "\"null\""),
        ("type({})", "\"map\""),
        ("type(1)", "\"number\""),
        ("nonsensitive(\"a\")", "\"a\""),
        ("issensitive([sensitive(1)])", "true"),
        ("nonsensitive([sensitive(1)])", "[(sensitive value)]"),
    ]);
}
