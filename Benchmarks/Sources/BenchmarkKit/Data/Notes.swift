/// The texts of the full-text workloads: the bodies of issues, with 30 to 50 words.
package enum Notes {
  /// The text of an id.
  package static func text(_ id: Int) -> String { Issue(id: id + 1).body }

  static func texts(_ ids: Range<Int>) -> [String] { ids.map(text) }

  /// Words of different frequency, which check the contents of a store.
  static let checkedWords = [0, 1500, 4000].map(Issue.word)

  /// The ids of the texts that contain each of some words.
  static func ids(withWords words: [String], in texts: [String]) -> [[Int]] {
    var ids = Dictionary(words.map { (Substring($0), [Int]()) }) { first, _ in first }
    for (id, text) in texts.enumerated() {
      for word in Set(text.split(separator: " ")) { ids[word]?.append(id) }
    }
    return words.map { ids[Substring($0)] ?? [] }
  }
}
