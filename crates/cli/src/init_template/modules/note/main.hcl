# A text file with these lines.

param "path" {
  description = "Path of the file."
}

param "lines" {
  description = "Lines of the file."
  type        = list(string)
}

file "note" {
  path    = param.path
  content = "${join("\n", param.lines)}\n"
}

output "path" {
  value = file.note.path
}
