/// A line of input with a cursor, changed key by key.
struct EditedLine: Equatable {
  private(set) var characters: [Character] = []
  /// The number of characters before the cursor.
  private(set) var cursor = 0

  init() {}

  /// Creates a line with the cursor at its end.
  init(_ text: String) {
    characters = Array(text)
    cursor = characters.count
  }

  var text: String { String(characters) }

  /// The text before the cursor.
  var textBeforeCursor: String { String(characters[..<cursor]) }

  /// Inserts text before the cursor. A combining mark joins the character before it.
  mutating func insert(_ text: String) {
    var new = Array(text)
    if cursor > 0, let first = new.first {
      let joined = Array(String(characters[cursor - 1]) + String(first))
      if joined.count == 1 {
        characters[cursor - 1] = joined[0]
        new.removeFirst()
      }
    }
    characters.insert(contentsOf: new, at: cursor)
    cursor += new.count
  }

  /// Replaces the last characters before the cursor.
  mutating func replace(last count: Int, with text: String) {
    let start = max(0, cursor - count)
    characters.removeSubrange(start..<cursor)
    cursor = start
    insert(text)
  }

  mutating func deleteBackward() {
    guard cursor > 0 else { return }
    cursor -= 1
    characters.remove(at: cursor)
  }

  mutating func deleteForward() {
    if cursor < characters.count { characters.remove(at: cursor) }
  }

  /// Deletes the word before the cursor, with the spaces after it.
  mutating func deleteWord() {
    var start = cursor
    while start > 0, characters[start - 1].isWhitespace { start -= 1 }
    while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
    characters.removeSubrange(start..<cursor)
    cursor = start
  }

  mutating func deleteToStart() {
    characters.removeSubrange(..<cursor)
    cursor = 0
  }

  mutating func deleteToEnd() { characters.removeSubrange(cursor...) }

  mutating func move(by distance: Int) {
    cursor = min(max(0, cursor + distance), characters.count)
  }

  mutating func moveToStart() { cursor = 0 }
  mutating func moveToEnd() { cursor = characters.count }

  /// Returns the part of the line that fits a number of columns, with the cursor in it.
  ///
  /// - Returns: The visible text, and the number of its columns before the cursor.
  func visible(_ width: Int) -> (text: String, cursor: Int) {
    let width = max(1, width)
    var start = cursor
    var before = 0
    while start > 0, before + characters[start - 1].width < width {
      start -= 1
      before += characters[start].width
    }
    var end = cursor
    var used = before
    while end < characters.count, used + characters[end].width <= width {
      used += characters[end].width
      end += 1
    }
    return (String(characters[start..<end]), before)
  }
}
