import Testing

@testable import VarveTool

@Suite struct ShellLineTests {
  private func parse(_ text: String) throws(ToolError) -> ShellLine {
    try ShellLine(text, file: "f", mode: .json) { $0 == "Dog" }
  }

  @Test func classIsQueried() throws {
    #expect(try parse("Dog") == .command(["query", "--as", "json", "--", "f", "Dog"]))
    #expect(
      try parse("  Dog  age > 3 ")
        == .command(["query", "--as", "json", "--", "f", "Dog", "age > 3"]))
  }

  @Test func fileIsInsertedIntoCommand() throws {
    #expect(try parse("get Dog 'a b' x") == .command(["get", "f", "Dog", "a b", "x"]))
    #expect(
      try parse("query Dog --count") == .command(["query", "f", "--as", "json", "Dog", "--count"]))
    #expect(try parse("query Dog --as csv") == .command(["query", "f", "Dog", "--as", "csv"]))
    #expect(
      try parse("edit set Dog a=1 --all") == .command(["edit", "set", "f", "Dog", "a=1", "--all"]))
  }

  @Test func shellCommandsAreParsed() throws {
    #expect(try parse("") == .empty)
    #expect(try parse("# Dog") == .empty)
    #expect(try parse(".mode csv") == .mode(.csv))
    #expect(try parse(".timer off") == .timer(false))
    #expect(try parse(".quit") == .quit)
    #expect(try parse(".help") == .help)
  }

  @Test(arguments: ["Cat", ".mode xml", ".timer", ".bogus", "get 'a", "get a\\", "bogus"])
  func wrongLineFails(_ text: String) {
    #expect(throws: ToolError.self) { try parse(text) }
  }

  @Test func wordsAreSplit() throws {
    #expect(try ShellLine.split(#"a 'b c' "d \" e" f\ g ''"#) == ["a", "b c", "d \" e", "f g", ""])
    #expect(try ShellLine.split("  ") == [])
  }
}
