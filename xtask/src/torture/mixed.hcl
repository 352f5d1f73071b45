param "at" {
  type = string
}

locals {
  names = ["one", "two", "three"]
}

directory "conf" {
  path  = "${param.at}/conf"
  mode  = "0750"
  purge = true
}

file "plain" {
  path    = "${param.at}/conf/plain"
  content = "new content\n"
  mode    = "0640"
  notifies = {
    immediately = [task.copied_plain.run]
  }
}

file "replaced" {
  path     = "${param.at}/conf/replaced"
  content  = "new content, longer than the old one\n"
  notifies = [task.copied_both.run]
}

file "kept_versions" {
  path    = "${param.at}/versions"
  content = "version 2\n"
  backups = 2
}

file "verified" {
  path    = "${param.at}/verified"
  content = "valid\n"
  verify  = "grep -q valid {}"
}

file "over_directory" {
  path    = "${param.at}/tree"
  content = "a file where a directory was\n"
  force   = true
}

file "obsolete" {
  path   = "${param.at}/obsolete"
  action = "remove"
}

link "link" {
  path = "${param.at}/link"
  to   = file.plain.path
}

line "lines" {
  for_each = local.names
  file     = "${param.at}/lines"
  line     = "line ${each.value}"
}

json_edit "json" {
  file  = "${param.at}/settings.json"
  key   = "a.b"
  value = 2
  notifies = {
    on_success = [task.copied_json.run]
  }
}

ini "ini" {
  file     = "${param.at}/settings.ini"
  section  = "main"
  key      = "level"
  value    = "2"
  notifies = [task.copied_both.run]
}

toml_edit "toml" {
  file  = "${param.at}/settings.toml"
  key   = "a.b"
  value = 2
}

yaml_edit "yaml" {
  file  = "${param.at}/settings.yaml"
  key   = "a.b"
  value = 2
}

archive "unpacked" {
  path   = "${param.at}/unpacked"
  source = "${param.at}/input.tar"
}

tar "packed" {
  path   = "${param.at}/packed.tar"
  inputs = [file.plain.path, file.replaced.path]
}

gzip "compressed" {
  path   = "${param.at}/plain.gz"
  source = file.plain.path
}

task "made" {
  creates = "${param.at}/made"
  apply   = "echo made > ${param.at}/made.new && mv ${param.at}/made.new ${param.at}/made"
}

task "filled" {
  check = "grep -qsx 'second half' ${param.at}/filled"
  apply = "echo 'first half' > ${param.at}/filled && printf 'first half\\nsecond half\\n' > ${param.at}/filled"
}

# Handlers copy what notified them: a lost notification leaves a missing or an old copy.
task "copied_plain" {
  apply  = "cp ${param.at}/conf/plain ${param.at}/.new_copied_plain && mv ${param.at}/.new_copied_plain ${param.at}/copied_plain"
  action = "nothing"
}

task "copied_both" {
  apply  = "cat ${param.at}/conf/replaced ${param.at}/settings.ini > ${param.at}/.new_copied_both && mv ${param.at}/.new_copied_both ${param.at}/copied_both"
  action = "nothing"
}

task "copied_json" {
  apply  = "cp ${param.at}/settings.json ${param.at}/.new_copied_json && mv ${param.at}/.new_copied_json ${param.at}/copied_json"
  action = "nothing"
}
