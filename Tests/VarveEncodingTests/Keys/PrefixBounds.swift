import VarveEncoding

extension OrderedKey {
  /// The range of the keys that begin with this key followed by a string with the given prefix.
  func prefixBounds(string prefix: String, form: KeyForm = .typed) -> KeyBounds {
    Array(prefix.utf8).lend { prefixBounds(bytes: $0, type: .string, form: form) }
  }
}
