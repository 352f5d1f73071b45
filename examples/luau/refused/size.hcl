shirt "blue" {
  size = "huge"
}

my_instance "x" {
  number_of_users = "many"
  base_path       = "relative"
}
