/* Texts and comments
     of several lines, laid out. */
heredoc  = <<END
  a ${b} %{if c}d%{endif}
	"e" # f
END
indented = <<-END
    a
      b
    ${c}
  END
last     = 1

in_list = [<<A
  a
A
  , <<-B
  b
  B
]

kind "name" {
  nested {
    e = <<-END
      a
    END
    /* one
  two */
    f = 1
  }
}
