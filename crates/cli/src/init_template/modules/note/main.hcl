# A text file, line by line.

param "path" {
  description = "Where the file is."
}

param "lines" {
  description = "What it contains."
  type        = list(string)
}

file "note" {
  path    = param.path
  content = "${join("\n", param.lines)}\n"
}

output "path" {
  value = file.note.path
}
