import VarveCore
import VarveEncoding

/// Collections of the objects that are added.
extension ObjectAdder {
  func storeCollections(of addition: Addition) throws(Failure) {
    for content in addition.lateContents {
      // A new row has empty collections.
      if addition.isInserted, content.elements.isEmpty, content.entries.isEmpty { continue }
      guard let property = addition.binding.properties[content.slot] else { continue }
      try Failure.putting(in: property.name, of: addition.schema.name) { () throws(Failure) in
        try store(content, addition, property)
      }
      // Told as changed even if it holds the same again.
      if policy == .all, !addition.isInserted {
        try transaction.noteSet(addition.schema, addition.id, property)
      }
    }
  }

  private func store(
    _ content: Content, _ addition: Addition, _ property: StoredProperty
  ) throws(Failure) {
    let collection = try transaction.collection(addition.schema, addition.id, property)
    switch property.kind.collection {
    case .list where property.kind.type == .mixed:
      try storeMixedList(content, collection, addition, property)
    case .dictionary where property.kind.type == .mixed:
      try storeMixedDictionary(content, collection, addition, property)
    case .list: try storeList(content, collection)
    case .dictionary: try storeDictionary(content, collection)
    // What is there already is no change, whatever the policy.
    case .set: try transaction.replaceElements(try values(content), collection)
    case .none: break
    }
  }

  private func values(_ content: Content) throws(Failure) -> [Value] {
    try content.values { (box) throws(Failure) in try value(of: box) }
  }

  private func storeList(_ content: Content, _ list: EditedCollection) throws(Failure) {
    let values = try values(content)
    if policy == .modified, try transaction.holds(values, list) { return }
    try transaction.removeAllElements(list)
    try transaction.insert(values, list, at: 0)
  }

  private func removeOtherKeys(
    than content: Content, _ map: EditedCollection
  ) throws(Failure) {
    let kept = Set(content.entries.map { Array($0.key.utf8) })
    for key in try transaction.keys(map) where !kept.contains(Array(key.utf8)) {
      try transaction.removeValue(map, forKey: key)
    }
  }

  private func storeDictionary(_ content: Content, _ map: EditedCollection) throws(Failure) {
    var entries: [(key: String, value: Value)] = []
    for (key, element) in content.entries {
      entries.append((key, try value(of: element) ?? .null))
    }
    try transaction.setValues(entries, map, replacing: true)
  }

  // MARK: Mixed values

  // What is compared with nested collections may have others written: a collection is asked for again after that.

  private func storeMixedList(
    _ content: Content, _ list: EditedCollection, _ addition: Addition, _ property: StoredProperty
  ) throws(Failure) {
    var contents: [NestedContent] = []
    contents.reserveCapacity(content.elements.count)
    for element in content.elements { contents.append(try self.content(of: element)) }
    if policy == .modified, try transaction.holds(contents, list) { return }
    let list = try transaction.collection(addition.schema, addition.id, property)
    try transaction.removeAllElements(list)
    var values: [Value] = []
    values.reserveCapacity(contents.count)
    for content in contents { values.append(try transaction.stored(content, in: list)) }
    try transaction.insert(values, list, at: 0)
  }

  private func storeMixedDictionary(
    _ content: Content, _ map: EditedCollection, _ addition: Addition, _ property: StoredProperty
  ) throws(Failure) {
    try removeOtherKeys(than: content, map)
    for (key, element) in content.entries {
      let content = try self.content(of: element)
      let schema = addition.schema
      var map = try transaction.collection(schema, addition.id, property)
      if let value = try transaction.value(map, forKey: key),
        try transaction.holds(content, in: value, schema, addition.id, property)
      {
        continue
      }
      map = try transaction.collection(schema, addition.id, property)
      try DictionaryRules.check(key, map)
      try transaction.setValue(try transaction.stored(content, in: map), map, forKey: key)
    }
  }
}

extension ObjectAdder.Content {
  /// The elements as they are stored.
  ///
  /// `value`: gives the link to an object.
  func values(
    _ value: (_Boxed) throws(Failure) -> Value?
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      switch element.content {
      case .value(let value): values.append(value)
      case .object, .unset: values.append(try value(element) ?? .null)
      case .collection(let handle):
        throw Failure(
          .typeMismatch, "A set holds no lists or dictionaries.",
          value: handle.isDictionary ? "a dictionary" : "a list")
      }
    }
    return values
  }
}

extension Transaction {
  /// Stores the content of a collection of the object whose row is being filled.
  ///
  /// `value`: gives the link to an object.
  func fill(
    _ field: UnsafePointer<FlatField>, _ content: ObjectAdder.Content, object id: UInt64,
    _ plan: UnsafePointer<InsertionPlan>, _ value: (_Boxed) throws(Failure) -> Value?
  ) throws(Failure) {
    let model = plan.pointee.description
    try Failure.putting(
      in: model.properties[field.pointee.slot].name, of: model.name
    ) { () throws(Failure) in
      try fillUnnamed(field, content, object: id, plan, value)
    }
  }

  private func fillUnnamed(
    _ field: UnsafePointer<FlatField>, _ content: ObjectAdder.Content, object id: UInt64,
    _ plan: UnsafePointer<InsertionPlan>, _ value: (_Boxed) throws(Failure) -> Value?
  ) throws(Failure) {
    guard !content.entries.isEmpty else {
      return try fillElements(field, try content.values(value), object: id, plan)
    }
    var entries: [(key: String, value: Value)] = []
    entries.reserveCapacity(content.entries.count)
    for (key, box) in content.entries {
      if case .value(let value) = box.content {
        entries.append((key, value))
      } else {
        entries.append((key, try value(box) ?? .null))
      }
    }
    try fillEntries(field, entries, object: id, plan)
  }
}
