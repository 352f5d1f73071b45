# Everything that HCL has, laid out.
// A comment of another sort,
/* and of a third. */
number   = 1
fraction = 1.5e-3
text     = "a\tb \"c\" \u00e9 $${d} %%{e} 100% $5"
nothing  = null
yes      = true

filled  = "a ${b.c} d ${upper("e ${f["g"]}")} ${~h~}"
guided  = "%{if a}b%{else}c%{endif} %{for d in e~} ${d} %{endfor~}"
objects = "${{ a = 1 }["a"]}"

sums      = 1 + 2 * 3 / 4 % 5 - -6
logic     = !a && b || c == d && e != f
compared  = a < b && c <= d || e > f && g >= h
choice    = a ? b : c ? d : -e
grouped   = (a + b) * -(c - d)
with-dash = a-b - c

list        = [1, "two", [3], { four = 4 }, ]
object      = { a = 1, "b c" = 2, (d) = 3, e : 4 }
empty_list  = []
empty_thing = {}

call     = f(1, g(), [2]...)
path     = a.b.c[0]["d"].e
splat    = a[*].b
old      = a.*.b
computed = a[b + 1][f(c)]

plain    = [for a in b : a]
indexed  = [for a, b in c : "${a}=${b}" if b != null]
mapped   = { for a, b in c : a => b }
together = { for a in b : a.c => a... if a.d }

over_lines = [
  1, # one
  2, # two

  # the last
  3333, # three
]

members = {
  a    = 1
  long = "2" # two
  deep = { b = 1 }
  deeper = {
    c = [
      1,
      2,
    ]
    list = [{
      d = 1
    }]
  }
  # the end
}

for_lines = {
  for a, b in c :
  a => {
    name  = b
    other = 1
  }
  if b != ""
}

called = f(
  a,
  b ? [
    1,
  ] : [],
)

wide = (
  a
  + b
  - c
)

kind "name" {}

kind "name" { a = 1 }

kind name "other" { # why
  a   = 1           # one
  bcd = [2, 3]      // two

  nested {
    e = 1
  }

  /* about g */
  g "h" {
    i = 1 /* j */ + 2
  }
} # end
