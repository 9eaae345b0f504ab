import VarveEncoding
import VarveStorage

/// Copies values from one property of an object to another.
extension SchemaMigration {
  /// Copies the values of properties in every object of a class.
  func copy(_ copies: [ValueCopy], classID: UInt32) throws(Failure) {
    try forEachID(classID) { (schema, id) throws(Failure) in
      for copy in copies {
        guard let source = schema.property(id: copy.source),
          let target = schema.property(named: copy.target)
        else { continue }
        try copyValue(of: id, schema, source, to: target)
      }
    }
  }

  /// Calls a closure with each object of a class, and then writes the changes that are still in
  /// memory. The ids are read first, which takes 8 bytes for each object.
  func forEachID(
    _ classID: UInt32, _ body: (ClassSchema, UInt64) throws(Failure) -> Void
  ) throws(Failure) {
    let schema = try transaction.classSchema(classID)
    for id in try transaction.objectIDs(of: schema) { try body(schema, id) }
    try transaction.flush()
  }

  /// Copies the value of one property to another property of the same object.
  ///
  /// - Parameter makeDefault: Returns the value to store instead of null, if the target does not
  ///   allow null. If nil, the target is left unchanged.
  func copyValue(
    of id: UInt64, _ schema: ClassSchema, _ source: StoredProperty, to target: StoredProperty,
    insteadOfNull makeDefault: (() -> Value)? = nil
  ) throws(Failure) {
    switch target.kind.collection {
    case .none:
      var value = try transaction.value(schema, id, source) ?? .null
      // The default of an older release, which nothing has made yet.
      if source.lacksDefault(value) { value = .null }
      if !target.kind.accepts(value) {
        guard let makeDefault else { return }
        value = makeDefault()
      }
      guard try transaction.value(schema, id, target) != value else { return }
      try transaction.set(schema, id, target, value)
    case .list:
      let elements = try transaction.elements(
        try transaction.collection(schema, id, source))
      let list = try transaction.collection(schema, id, target)
      try transaction.removeAllElements(list)
      try transaction.insert(elements.map { target.element(for: $0) }, list, at: 0)
    case .dictionary:
      let content = try transaction.content(of: try transaction.collection(schema, id, source))
      let entries = try transaction.storage.dictionaryEntries(content, source)
      try transaction.setValues(
        entries.map { ($0.key, target.element(for: $0.value)) },
        try transaction.collection(schema, id, target), replacing: true)
    case .set:
      let elements = try transaction.setElements(
        try transaction.collection(schema, id, source))
      let set = try transaction.collection(schema, id, target)
      try transaction.removeAllSetElements(set)
      try transaction.insertElements(elements.map { target.element(for: $0) }, set)
    }
  }
}

extension StoredProperty {
  /// The element to store in a collection, which is a zero value if the collection does not allow
  /// null.
  fileprivate func element(for value: Value) -> Value {
    value.isNull && !kind.accepts(.null) ? kind.type.zeroValue : value
  }
}
