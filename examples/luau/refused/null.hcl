nulls "blah" {
  a = null # Refused: it must be a string.
  b = null
  c = null
}
