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
    guard index.kind != .fullText else {
      return checkWords(of: values[0], index.id, id, location)
    }
    _ = index.encode(values, object: id, fileKey: fileKey, key: &key, entry: &entry)
    guard isExact else { return required.indexes.insert(key, entry) }
    neededClassEntries[index.id, default: 0] += 1
    let found = key.withUnsafeBytes { snapshot.find(.indexes, key: $0) }
    guard let found, entry.withUnsafeBytes({ $0.elementsEqual(found) }) else {
      return note(
        .missingIndexEntry, location, "an entry is missing or belongs to another object")
    }
  }
}
