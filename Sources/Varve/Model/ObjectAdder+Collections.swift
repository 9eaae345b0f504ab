import VarveCore
import VarveEncoding

/// Collections of the objects that are added.
extension ObjectAdder {
  func storeCollections(of addition: Addition) throws(Failure) {
    for content in addition.contents {
      guard let property = addition.binding.properties[content.slot] else { continue }
      let collection = try transaction.collection(addition.schema, addition.id, property)
      switch property.kind.collection {
      case .list: try storeList(content, collection)
      case .dictionary: try storeDictionary(content, collection)
      // What is there already is no change, whatever the policy.
      case .set: try transaction.replaceElements(try values(content), collection)
      case .none: break
      }
      // Told as changed even if it holds the same again.
      if policy == .all, !addition.isInserted {
        try transaction.noteSet(addition.schema, addition.id, property)
      }
    }
  }

  private func values(_ content: Content) throws(Failure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(content.elements.count)
    for element in content.elements { values.append(try value(of: element) ?? .null) }
    return values
  }

  private func storeList(_ content: Content, _ list: EditedCollection) throws(Failure) {
    let values = try values(content)
    if policy == .modified, try transaction.holds(values, list) { return }
    try transaction.removeAllElements(list)
    try transaction.insert(values, list, at: 0)
  }

  private func storeDictionary(_ content: Content, _ map: EditedCollection) throws(Failure) {
    let kept = Set(content.entries.map { Array($0.key.utf8) })
    for key in try transaction.keys(map) where !kept.contains(Array(key.utf8)) {
      try transaction.removeValue(map, forKey: key)
    }
    for (key, element) in content.entries {
      try transaction.setValue(try value(of: element) ?? .null, map, forKey: key)
    }
  }
}
