import VarveCore
import VarveEncoding

/// Stores the collections of added objects.
extension ObjectAdder {
  func storeCollections(of addition: Addition) throws(Failure) {
    for content in addition.lateContents {
      guard let property = addition.binding.properties[content.slot] else { continue }
      try addition.putting(in: property) { () throws(Failure) in
        try store(content, addition, property)
      }
      // Reported as changed even when the contents are equal.
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
    case .list: try storeList(content, collection, addition, property)
    case .dictionary where property.kind.type == .mixed:
      try storeMixedDictionary(content, collection, addition, property)
    case .dictionary: try storeDictionary(content, collection)
    // Elements that the set already contains are no change, whatever the policy.
    case .set: try transaction.replaceElements(try values(content), collection)
    case .none: break
    }
  }

  /// Returns the stored form of the elements.
  func values(_ content: Content) throws(Failure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(content.elements.count)
    for element in content.elements {
      switch element.content {
      case .value(let value): values.append(value)
      case .object, .unset: values.append(try value(of: element) ?? .null)
      case .collection(let collection):
        throw Failure(
          .typeMismatch, "A set cannot contain lists or dictionaries.",
          value: collection.isDictionary ? "a dictionary" : "a list")
      }
    }
    return values
  }

  /// Returns the stored form of the entries.
  func entries(_ content: Content) throws(Failure) -> [(key: String, value: Value)] {
    var entries: [(key: String, value: Value)] = []
    entries.reserveCapacity(content.entries.count)
    for (key, element) in content.entries {
      entries.append((key, try value(of: element) ?? .null))
    }
    return entries
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
    try transaction.setValues(try entries(content), map, replacing: true)
  }

  // MARK: Mixed values

  // Comparing with nested collections may write other collections, so the collection is looked up
  // again afterwards.

  private func storeList(
    _ content: Content, _ list: EditedCollection, _ addition: Addition, _ property: StoredProperty
  ) throws(Failure) {
    var contents: [NestedContent] = []
    contents.reserveCapacity(content.elements.count)
    for element in content.elements { contents.append(try self.content(of: element)) }
    if policy == .modified, try transaction.hasContent(contents, list) { return }
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
        try transaction.hasContent(content, in: value, schema, addition.id, property)
      {
        continue
      }
      map = try transaction.collection(schema, addition.id, property)
      try DictionaryRules.check(key, map)
      try transaction.setValue(try transaction.stored(content, in: map), map, forKey: key)
    }
  }
}
