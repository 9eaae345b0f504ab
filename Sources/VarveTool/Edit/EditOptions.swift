import ArgumentParser

/// The options of all edits.
struct EditOptions: ParsableArguments {
  @Flag(help: "Write the change.")
  var write = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors and the result.")
  var quiet = false

  @Flag(help: "Print the result as one JSON object.")
  var json = false
}
