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
    let wide = EditedLine("日本語x")
    #expect(wide.visible(20).cursor == 7 && wide.visible(4).text == "語x")
  }
}
