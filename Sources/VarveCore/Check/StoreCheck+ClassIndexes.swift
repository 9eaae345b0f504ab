import VarveEncoding
import VarveStorage

extension StoreCheck {
  /// Verifies that an index of a class has exactly the entries that a row calls for.
  mutating func checkClassIndex(
    _ index: ClassIndex, _ schema: ClassSchema, _ id: UInt64, _ row: RowReader
  ) {
    let place = "\(schema.name) \(id): \(index.description.text)"
    var values: [Value] = []
    for property in index.properties {
      // What cannot be read was noted with its property.
      guard let value = try? snapshot.value(of: row, id, property) else { return }
      values.append(value)
    }
    var key = OrderedKey()
    var entry = ByteBuffer()
    guard index.kind == .fullText else {
      _ = index.encode(values, object: id, fileKey: fileKey, key: &key, entry: &entry)
      return checkEntry(key, entry, of: index, place)
    }
    for (word, count) in FullText.words(of: values[0]) {
      TokenKey.encode(
        word, count: count, indexID: index.id, objectID: id, key: &key, entry: &entry)
      checkEntry(key, entry, of: index, place)
    }
  }

  private mutating func checkEntry(
    _ key: OrderedKey, _ entry: ByteBuffer, of index: ClassIndex, _ place: String
  ) {
    neededClassEntries[index.id, default: 0] += 1
    let found = key.withUnsafeBytes { snapshot.find(.indexes, key: $0) }
    guard let found, entry.withUnsafeBytes({ $0.elementsEqual(found) }) else {
      return note(.missingIndexEntry, place, "an entry is missing, or another object's")
    }
  }
}
