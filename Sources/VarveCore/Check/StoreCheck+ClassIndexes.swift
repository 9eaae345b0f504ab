import VarveEncoding
import VarveStorage

extension StoreCheck {
  /// Verifies that a class index contains exactly the entries that a row requires.
  mutating func checkClassIndex(
    _ index: ClassIndex, _ schema: ClassSchema, _ id: UInt64, _ row: RowReader
  ) {
    let object = name(schema, id)
    let location = place("\(object): \(index.description.text)")
    var values: [Value] = []
    for property in index.properties {
      // A property that cannot be read has already been reported.
      guard let value = try? snapshot.value(of: row, id, property) else { return }
      values.append(value)
    }
    var key = OrderedKey()
    var entry = ByteBuffer()
    guard index.kind == .fullText else {
      _ = index.encode(values, object: id, fileKey: fileKey, key: &key, entry: &entry)
      return checkEntry(key, entry, of: index, location)
    }
    for (word, count) in FullText.words(of: values[0]) {
      TokenKey.encode(
        word, count: count, indexID: index.id, objectID: id, key: &key, entry: &entry)
      checkEntry(key, entry, of: index, location)
    }
  }

  private mutating func checkEntry(
    _ key: OrderedKey, _ entry: ByteBuffer, of index: ClassIndex, _ location: String
  ) {
    guard isExact else { return required.indexes.insert(key, entry) }
    neededClassEntries[index.id, default: 0] += 1
    let found = key.withUnsafeBytes { snapshot.find(.indexes, key: $0) }
    guard let found, entry.withUnsafeBytes({ $0.elementsEqual(found) }) else {
      return note(
        .missingIndexEntry, location, "an entry is missing or belongs to another object")
    }
  }
}
