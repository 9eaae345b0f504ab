import VarveCore

/// The keys of a map in a document.
enum DecodedKeys {
  /// Refuses the keys that no map of a store can have, so that the document is reported, and not
  /// the write.
  ///
  /// - Throws: `DecodingError.dataCorrupted`, with the key at the end of the path.
  static func check(_ keys: some Sequence<String>, at path: [any CodingKey]) throws {
    guard let key = keys.filter({ !DictionaryRules.isAllowed($0) }).min() else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: path + [PropertyKey(key)], debugDescription: DictionaryRules.text))
  }
}
