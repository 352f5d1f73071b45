nulls "blah" {
  a = null # Refused: it must be text.
  b = null
  c = null
}
