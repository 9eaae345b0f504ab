import VarveCore
import VarveEncoding

/// Finds embedded objects that an update with `.modified` changes in place.
extension ObjectAdder {
  /// Finds the stored counterparts of the unmanaged embedded objects of an object that is updated:
  /// the embedded object of the same property, at the same index or for the same key.
  mutating func findPresent(_ addition: Addition) throws(Failure) {
    let (object, binding, schema) = (addition.object, addition.binding, addition.schema)
    let id = addition.id
    guard !addition.isInserted, !addition.boxes.isEmpty || !addition.contents.isEmpty,
      transaction.exists(schema, id)
    else { return }
    for (slot, box) in addition.boxes {
      guard let target = box.object, isUnmanagedEmbedded(target),
        let property = binding.properties[slot]
      else { continue }
      note(target, try transaction.value(schema, id, property))
    }
    for content in addition.contents where Self.embeds(object, content.slot) {
      guard let property = binding.properties[content.slot] else { continue }
      let collection = try transaction.collection(schema, id, property)
      let count = transaction.count(collection)
      for (index, box) in content.elements.enumerated() where index < count {
        guard let object = box.object, isUnmanagedEmbedded(object) else { continue }
        note(object, try transaction.element(collection, at: index))
      }
      for (key, box) in content.entries {
        guard let object = box.object, isUnmanagedEmbedded(object) else { continue }
        note(object, try transaction.value(collection, forKey: key))
      }
    }
  }

  private static func embeds(_ object: ObjectBase, _ slot: Int) -> Bool {
    object.info.properties[slot].type.targetInfo?.description.isEmbedded ?? false
  }

  private func isUnmanagedEmbedded(_ object: ObjectBase) -> Bool {
    !object.handle.isManaged && object.info.description.isEmbedded
  }

  private mutating func note(_ object: ObjectBase, _ value: Value?) {
    if case .link(_, let id) = value { present[ObjectIdentifier(object)] = id }
  }
}
