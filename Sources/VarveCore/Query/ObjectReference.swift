package import VarveEncoding

/// A stored object as a constant of a condition, valid for one store.
///
/// A reference neither keeps the store open nor pins a version.
package final class ObjectReference: Sendable {
  private let identity: StoreIdentity
  /// The outcome of the write that created the object.
  private let outcome: TransactionOutcome?
  let className: String
  private let key: RowKey
  /// Whether the primary key is the object's id.
  private let hasIntegerKey: Bool

  /// Creates a reference to an object of a class.
  ///
  /// - Parameter outcome: The outcome of the write that created the object, from its handle.
  init(
    _ id: UInt64, of schema: ClassSchema, in store: StoreFile, _ outcome: TransactionOutcome?
  ) {
    identity = store.identity
    self.outcome = outcome
    className = schema.name
    key = RowKey(classID: schema.id, objectID: id)
    hasIntegerKey = schema.hasIntegerPrimaryKey
  }

  /// The value of links to the object in `store`.
  ///
  /// - Returns: ``nowhere``, which equals no stored link, if the store does not contain the object.
  func value(in store: StoreFile) -> Value {
    guard identity === store.identity, outcome?.isRolledBack != true else {
      return ObjectReference.nowhere
    }
    return .link(classID: key.classID, objectID: key.objectID)
  }

  /// A link to an object that no store contains. Class ids begin at 1.
  package static let nowhere = Value.link(classID: 0, objectID: 0)
}

extension ObjectReference: Equatable {
  /// Whether both references are to the same object of the same store, unless its write is rolled
  /// back.
  package static func == (left: ObjectReference, right: ObjectReference) -> Bool {
    left.identity === right.identity && left.outcome === right.outcome && left.key == right.key
  }
}

extension ObjectReference: CustomStringConvertible {
  /// The class, with the primary key if it is an integer, otherwise the object's id.
  package var description: String {
    let id = hasIntegerKey ? "\(ObjectKey.integer(forObjectID: key.objectID))" : "\(key.objectID)"
    return "\(className)(\(id))"
  }
}
