plain_file "/motd" {
  content = "held by a kind in Luau\n"
}

foo_bar_baz "/row" {
  bar = "two"
}

text_file "/seen" {
  content = "${plain_file["/motd"].mode} ${foo_bar_baz["/row"].foo}\n"
}
