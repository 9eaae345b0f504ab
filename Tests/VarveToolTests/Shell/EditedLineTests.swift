import Testing

@testable import VarveTool

@Suite struct EditedLineTests {
  /// Applies the keys that a terminal sends.
  private func line(_ keys: String) -> EditedLine {
    var bytes = Array(keys.utf8)[...]
    let reader = KeyReader { bytes.popFirst() }
    var line = EditedLine()
    while let key = reader.next() { line.apply(key) }
    return line
  }

  @Test(arguments: [
    ("abc", "abc", 3), ("abc\u{7F}", "ab", 2), ("abc\u{1B}[Dx", "abxc", 3),
    ("abc\u{1B}[H\u{1B}[3~", "bc", 0), ("abc\u{1}x\u{5}y", "xabcy", 5), ("abc\u{1B}OHx", "xabc", 1),
    ("ab cd  \u{17}", "ab ", 3), ("ab cd\u{15}", "", 0), ("ab cd\u{1}\u{B}", "", 0),
    ("é→🐶", "é→🐶", 3), ("e\u{301}", "é", 1), ("ab\u{2}\u{2}\u{2}\u{6}x", "axb", 2),
    ("a\u{1B}[1;5Cb", "ab", 2), ("\u{4}\u{7F}", "", 0),
  ])
  func keysChangeLine(_ keys: String, _ text: String, _ cursor: Int) {
    let line = line(keys)
    #expect(line.text == text && line.cursor == cursor)
  }

  @Test func visiblePartContainsCursor() {
    var line = EditedLine("0123456789")
    #expect(line.visible(20).text == "0123456789" && line.visible(20).cursor == 10)
    #expect(line.visible(4).text == "789" && line.visible(4).cursor == 3)
    line.moveToStart()
    #expect(line.visible(4).text == "0123" && line.visible(4).cursor == 0)
  }
}

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

  @Test(arguments: ["Cat", ".mode xml", ".timer", ".bogus", "get 'a", "get a\\", "export"])
  func wrongLineFails(_ text: String) {
    #expect(throws: ToolError.self) { try parse(text) }
  }

  @Test func wordsAreSplit() throws {
    #expect(try ShellLine.split(#"a 'b c' "d \" e" f\ g ''"#) == ["a", "b c", "d \" e", "f g", ""])
    #expect(try ShellLine.split("  ") == [])
  }
}

@Suite struct ShellWordsTests {
  private let words = ShellWords([
    .init(name: "Dog", targets: ["name": nil, "age": nil, "owner": "Person"]),
    .init(name: "Person", targets: ["name": nil, "dogs": "Dog"]),
  ])

  private func candidates(_ text: String) -> [String] {
    words.complete(EditedLine(text)).candidates
  }

  @Test func classesAndCommandsAreCompleted() {
    #expect(candidates("D") == ["Dog", "diff"])
    #expect(candidates(".m") == [".mode"])
    #expect(candidates("query P") == ["Person"])
    #expect(candidates(".mode j") == ["json"])
  }

  @Test func propertiesAndKeywordsAreCompleted() {
    #expect(candidates("Dog a") == ["ALL", "AND", "ANY", "ASC", "age"])
    #expect(candidates("Dog (ag") == ["age"])
    #expect(candidates("query Dog 'na") == ["name"])
    #expect(candidates("Dog owner.") == ["owner.dogs", "owner.name"])
    #expect(candidates("Dog owner.dogs.ow") == ["owner.dogs.owner"])
    #expect(candidates("Dog age.x") == [])
  }

  @Test func sharedPartIsInserted() {
    #expect(Completion(of: "na", among: ["name"]).insertion == "name ")
    #expect(Completion(of: "SO", among: ["SORT("]).insertion == "SORT(")
    #expect(Completion(of: "n", among: ["name", "names"]).insertion == "name")
    #expect(Completion(of: "name", among: ["name", "names"]).insertion == nil)
    #expect(Completion(of: "x", among: ["name"]).insertion == nil)
  }
}
