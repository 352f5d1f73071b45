# Tests of the configuration beside them: `uphold test` runs each on a machine in memory.

test "a new machine gets all pages" {
  params = { directory = "/srv/pages" }

  expect {
    creates = [directory.pages, file.page, module.contents.file.note]
    outputs = { pages = ["/srv/pages/about.txt", "/srv/pages/index.txt"] }

    file "/srv/pages/index.txt" {
      content = "${param.greeting}: ${local.pages.index}.\n"
      mode    = "0644"
    }
  }
}

test "a page that somebody changed is mended" {
  params = { directory = "/srv/pages", greeting = "Hi" }

  given {
    file "/srv/pages/index.txt" {
      content = "mine\n"
    }
  }

  expect {
    updates   = [file.page["index"]]
    creates   = [file.page["about"], module.contents.file.note]
    unchanged = [directory.pages]
  }
}
