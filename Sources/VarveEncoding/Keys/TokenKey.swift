/// Entries of the table `indexes` for a full-text index: one for each word of each text.
///
/// Byte layout: Docs/Format.md, "Indexes of classes".
package enum TokenKey {
  /// Starts the keys of a word, or of all words with a prefix.
  package static func begin(
    _ key: inout OrderedKey, indexID: UInt32, word: String, isWhole: Bool
  ) {
    IndexKey.begin(&key, indexID: indexID)
    var word = word
    word.withUTF8 { key.appendEscapes(UnsafeRawBufferPointer($0)) }
    guard isWhole else { return }
    key.append(byte: OrderedKey.endMark.0)
    key.append(byte: OrderedKey.endMark.1)
  }

  /// Encodes an entry: its key, and the number of occurrences of the word in the text.
  package static func encode(
    _ word: String, count: UInt32, indexID: UInt32, objectID: UInt64, key: inout OrderedKey,
    entry: inout ByteBuffer
  ) {
    begin(&key, indexID: indexID, word: word, isWhole: true)
    key.append(uint64: objectID)
    entry.removeAll()
    entry.append(count)
  }

  /// Returns the number of occurrences of an entry's word in the text; nil for a damaged entry.
  package static func count(inValue value: UnsafeRawBufferPointer) -> UInt32? {
    value.count == 4 ? value.uint32(at: 0) : nil
  }
}
