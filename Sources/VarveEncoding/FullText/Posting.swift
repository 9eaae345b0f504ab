/// A text that contains a word.
package struct Posting: Sendable, Hashable {
  /// The object id.
  package var id: UInt64
  /// The number of occurrences of the word in the text.
  package var count: UInt32

  package init(id: UInt64, count: UInt32) {
    self.id = id
    self.count = count
  }
}
