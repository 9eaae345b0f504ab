import VarveCore
import VarveEncoding

/// The content of one property, element or entry of a document.
///
/// It consists of plain values and primary keys, so that it can be applied any number of times, in
/// any realm.
indirect enum PatchContent: Sendable {
  case value(Value)
  /// An object of a class by its primary key.
  case reference(ObjectBase.Type, key: Value)
  /// A nested object.
  case document(PatchDocument)
  /// The elements of a list or a set, or of a list in a mixed value.
  case elements([PatchContent])
  /// The entries of a map, or of a dictionary in a mixed value; nil for null.
  case entries([(key: String, value: PatchContent?)])
  /// Null for a collection.
  case nothing

  /// Returns the content of a decoded value.
  ///
  /// - Parameter depth: The number of nested documents around it.
  /// - Throws: ``PatchDocument/TooDeep``, also for objects that link to each other in a cycle.
  init(_ box: _Boxed, depth: Int) throws {
    switch box.content {
    case .value(let value): self = .value(value)
    case .unset: self = .value(.null)
    case .object(let object):
      if let key = object.referenceKey {
        self = .reference(type(of: object), key: key)
      } else {
        self = .document(try PatchDocument(copying: object, depth: depth + 1))
      }
    case .collection(let collection) where collection.isDictionary:
      self = .entries(
        try collection.unmanagedEntries.map {
          ($0.key, try PatchContent($0.value, depth: depth + 1))
        })
    case .collection(let collection):
      self = .elements(
        try collection.unmanagedElements.map { try PatchContent($0, depth: depth + 1) })
    }
  }

  var isNull: Bool { if case .value(.null) = self { true } else { false } }
}

extension ObjectBase {
  /// The primary key of a managed object, and of an unmanaged one of which nothing else is set;
  /// otherwise nil.
  fileprivate var referenceKey: Value? {
    guard let slot = info.description.primaryKeySlot else { return nil }
    if handle.isManaged { return info.properties[slot].read(self, slot).value }
    let isReference = info.properties.allSatisfy { isUnset($0.slot) == ($0.slot != slot) }
    return isReference ? unmanagedBox(slot).value : nil
  }
}
