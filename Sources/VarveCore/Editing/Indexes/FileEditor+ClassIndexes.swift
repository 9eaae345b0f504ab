import VarveEncoding
import VarveStorage

// The indexes of classes: compound, unique and full-text indexes.

extension FileEditor {
  /// Inserts the row in `scratchRow` into the indexes of its class.
  ///
  /// - Throws: `.duplicateValue` when another object has the values of a unique index; no index is
  ///   changed then.
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

  /// Removes an object from the indexes of its class, before it is deleted.
  func leaveClassIndexes(_ schema: ClassSchema, _ id: UInt64) throws(Failure) {
    for index in schema.indexes {
      guard let values = try values(of: index, schema, id) else { continue }
      try leave(index, values, object: id)
    }
  }

  /// Updates the index of a property, and the indexes of its class, for an object whose value
  /// changes. The row still has the values of the other properties.
  ///
  /// - Throws: `.duplicateValue`; see ``enterNewRow(_:_:)``.
  func changeIndexes(
    _ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty, from old: Value, to new: Value
  ) throws(Failure) {
    var changes: [(index: ClassIndex, old: [Value], new: [Value])] = []
    for index in schema.indexes where index.contains(property) {
      guard var values = try values(of: index, schema, id),
        let position = index.properties.firstIndex(where: { $0.id == property.id })
      else { continue }
      values[position] = old
      let before = values
      values[position] = new
      try checkUnique(index, values, object: id, in: schema)
      changes.append((index, before, values))
    }
    for change in changes {
      if change.index.kind == .fullText {
        try changeText(change.index.id, object: id, from: old, to: new)
      } else {
        try leave(change.index, change.old, object: id)
        try enter(change.index, change.new, object: id)
      }
    }
    // Removes the old entry first: dates that differ may have one key, as -0.0 and 0.0 do.
    try leaveIndex(property, old, object: id)
    try enterIndex(property, new, object: id, in: schema)
  }

  /// Inserts every stored object into a new index of its class.
  ///
  /// - Throws: `.duplicateValue` with the class, properties and values.
  /// - Complexity: O(objects of the class).
  func buildClassIndex(_ index: ClassIndex, of schema: ClassSchema) throws(Failure) {
    guard index.kind != .fullText else { return try buildTextIndex(index, of: schema) }
    for id in try objectIDs(of: schema) {
      guard let values = try values(of: index, schema, id) else { continue }
      try checkUnique(index, values, object: id, in: schema)
      try enter(index, values, object: id)
    }
  }

  /// Returns the values of an index's properties, or nil if the object does not exist.
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
    let lacks = zip(index.properties, values).contains { $0.lacksDefault($1) }
    throw Failure(
      .duplicateValue,
      lacks
        ? "Another object lacks the same default, which a newer release of the program makes and has not stored yet, in a unique index."
        : "Another object has the same values in a unique index.",
      className: schema.name,
      propertyName: index.properties.map(schema.declaredName).joined(separator: ", "),
      value: zip(index.properties, values)
        .map { text(of: $0.lacksDefault($1) ? .null : $1) }.joined(separator: ", "))
  }

  private func enter(_ index: ClassIndex, _ values: [Value], object id: UInt64) throws(Failure) {
    guard index.kind != .fullText else {
      return try changeText(index.id, object: id, from: .null, to: values[0])
    }
    encode(index, values, object: id)
    try putScratch(.indexes)
  }

  private func leave(_ index: ClassIndex, _ values: [Value], object id: UInt64) throws(Failure) {
    guard index.kind != .fullText else {
      return try changeText(index.id, object: id, from: values[0], to: .null)
    }
    encode(index, values, object: id)
    try deleteScratchKey(.indexes)
  }

  /// Builds an entry in `scratchKey` and `scratchValue`.
  ///
  /// - Returns: Whether the key contains the object's id.
  @discardableResult
  private func encode(_ index: ClassIndex, _ values: [Value], object id: UInt64) -> Bool {
    index.encode(
      values, object: id, fileKey: fileKey, key: &scratchKey, entry: &scratchValue)
  }
}

extension ClassIndex {
  /// Builds the entry of an object in an index other than a full-text index.
  ///
  /// - Returns: Whether the key contains the object's id.
  func encode(
    _ values: [Value], object id: UInt64, fileKey: FileKey, key: inout OrderedKey,
    entry: inout ByteBuffer
  ) -> Bool {
    CompoundKey.encode(
      zip(values, properties).map { ($0, $1.kind.type) }, indexID: self.id, objectID: id,
      isUnique: kind == .unique, fileKey: fileKey, key: &key, entry: &entry)
  }
}
