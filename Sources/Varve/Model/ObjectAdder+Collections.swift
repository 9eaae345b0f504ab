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
      case .set, .none: break
      }
    }
  }

  private func storeList(_ content: Content, _ list: EditedCollection) throws(Failure) {
    var values: [Value] = []
    values.reserveCapacity(content.elements.count)
    for element in content.elements { values.append(try value(of: element) ?? .null) }
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
