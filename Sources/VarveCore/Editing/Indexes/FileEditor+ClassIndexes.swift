import VarveEncoding
import VarveStorage

// The indexes of classes: over several properties, unique, and of words.

extension FileEditor {
  /// Enters the row that `scratchRow` holds into the indexes of its class.
  ///
  /// - Throws: `.duplicateValue` when another object has the values that a unique index allows once; nothing is
  ///   entered then.
  func enterNewRow(_ schema: ClassSchema, _ id: UInt64) throws(Failure) {
    var all: [[Value]] = []
    for index in schema.indexes {
      var values: [Value] = []
      for property in index.properties {
        values.append(try storage.value(of: scratchRow.reader, id, property))
      }
      try checkUnique(index, values, object: id, in: schema)
      all.append(values)
    }
    for (index, values) in zip(schema.indexes, all) { try enter(index, values, object: id) }
  }

  /// Takes an object out of the indexes of its class, before it is deleted.
  func leaveClassIndexes(_ schema: ClassSchema, _ id: UInt64) throws(Failure) {
    for index in schema.indexes {
      guard let values = try values(of: index, schema, id) else { continue }
      try leave(index, values, object: id)
    }
  }

  /// Has the index of a property, and those of its class, follow an object from one value to another. The row still has
  /// the values of the other properties.
  ///
  /// - Throws: `.duplicateValue` as ``enterNewRow(_:_:)``.
  func changeIndexes(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty, from old: Value, to new: Value
  ) throws(Failure) {
    var changes: [(index: ClassIndex, old: [Value], new: [Value])] = []
    for index in schema.indexes where index.holds(property) {
      guard var values = try values(of: index, schema, id),
        let place = index.properties.firstIndex(where: { $0.id == property.id })
      else { continue }
      values[place] = old
      let before = values
      values[place] = new
      try checkUnique(index, values, object: id, in: schema)
      changes.append((index, before, values))
    }
    for change in changes {
      try leave(change.index, change.old, object: id)
      try enter(change.index, change.new, object: id)
    }
    // Leaves first: dates that differ may have one key, as -0.0 and 0.0 have.
    try leaveIndex(property, old, object: id)
    try enterIndex(property, new, object: id, in: schema)
  }

  /// Enters every stored object into a new index of its class.
  ///
  /// - Throws: `.duplicateValue` naming class, properties and values.
  /// - Complexity: O(objects of the class).
  func buildClassIndex(_ index: ClassIndex, of schema: ClassSchema) throws(Failure) {
    for id in try objectIDs(of: schema) {
      guard let values = try values(of: index, schema, id) else { continue }
      try checkUnique(index, values, object: id, in: schema)
      try enter(index, values, object: id)
    }
  }

  /// The values of an index's properties; nil when the object does not exist.
  private func values(
    of index: ClassIndex, _ schema: ClassSchema, _ id: UInt64
  ) throws(Failure) -> [Value]? {
    var values: [Value] = []
    for property in index.properties {
      guard let value = try value(schema, id, property) else { return nil }
      values.append(value)
    }
    return values
  }

  private func checkUnique(
    _ index: ClassIndex, _ values: [Value], object id: UInt64, in schema: ClassSchema
  ) throws(Failure) {
    guard index.kind == .unique, !encode(index, values, object: id),
      let entry = scratchKey.withUnsafeBytes({ storage.find(.indexes, key: $0) }),
      IndexKey.objectID(inValue: entry) != id
    else { return }
    throw Failure(
      .duplicateValue, "Another object has the values that a unique index allows once.",
      className: schema.name, propertyName: index.properties.map(\.name).joined(separator: ", "),
      value: values.map { text(of: $0) }.joined(separator: ", "))
  }

  private func enter(_ index: ClassIndex, _ values: [Value], object id: UInt64) throws(Failure) {
    guard index.kind == .fullText else {
      encode(index, values, object: id)
      return try putScratch(.indexes)
    }
    for (word, count) in FullText.words(of: values[0]) {
      TokenKey.encode(
        word, count: count, indexID: index.id, objectID: id, key: &scratchKey,
        entry: &scratchValue)
      try putScratch(.indexes)
    }
  }

  private func leave(_ index: ClassIndex, _ values: [Value], object id: UInt64) throws(Failure) {
    guard index.kind == .fullText else {
      encode(index, values, object: id)
      try deleteScratchKey(.indexes)
      return
    }
    for (word, count) in FullText.words(of: values[0]) {
      TokenKey.encode(
        word, count: count, indexID: index.id, objectID: id, key: &scratchKey,
        entry: &scratchValue)
      try deleteScratchKey(.indexes)
    }
  }

  /// Builds an entry in `scratchKey` and `scratchValue`.
  ///
  /// - Returns: whether the key holds the object's id.
  @discardableResult
  private func encode(_ index: ClassIndex, _ values: [Value], object id: UInt64) -> Bool {
    index.encode(
      values, object: id, fileKey: fileKey, key: &scratchKey, entry: &scratchValue)
  }
}

extension ClassIndex {
  /// Builds the entry of an object in an index that is not of words.
  ///
  /// - Returns: whether the key holds the object's id.
  func encode(
    _ values: [Value], object id: UInt64, fileKey: FileKey, key: inout OrderedKey,
    entry: inout ByteBuffer
  ) -> Bool {
    CompoundKey.encode(
      zip(values, properties).map { ($0, $1.kind.type) }, indexID: self.id, objectID: id,
      isUnique: kind == .unique, fileKey: fileKey, key: &key, entry: &entry)
  }
}
