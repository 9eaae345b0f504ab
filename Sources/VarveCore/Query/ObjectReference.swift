package import VarveEncoding

/// A stored object as a constant of a condition: of one store, and of no other.
///
/// It neither keeps the store open nor pins a version.
///
/// Thread safety: immutable.
package final class ObjectReference: Sendable {
  private let home: StoreIdentity
  /// Tells when the object was made in a write that was rolled back.
  private let token: TransactionOutcome?
  let className: String
  private let key: RowKey
  /// Whether the primary key is the object's id.
  private let hasIntegerKey: Bool

  /// Refers to an object of a class; `token`: that of its handle.
  init(_ id: UInt64, of schema: ClassSchema, in store: StoreFile, _ token: TransactionOutcome?) {
    home = store.identity
    self.token = token
    className = schema.name
    key = RowKey(classID: schema.id, objectID: id)
    hasIntegerKey = schema.hasIntegerPrimaryKey
  }

  /// The value of links to the object in `store`.
  ///
  /// - Returns: a value that equals none, for an object that the store does not have.
  func value(in store: StoreFile) -> Value {
    guard home === store.identity, token?.isRolledBack != true else {
      return ObjectReference.nowhere
    }
    return .link(classID: key.classID, objectID: key.objectID)
  }

  /// What stands for objects that no store has; class ids begin at 1.
  package static let nowhere = Value.link(classID: 0, objectID: 0)
}

extension ObjectReference: Equatable {
  /// Whether both refer to one object of one store, in every write that is not rolled back.
  package static func == (left: ObjectReference, right: ObjectReference) -> Bool {
    left.home === right.home && left.token === right.token && left.key == right.key
  }
}

extension ObjectReference: CustomStringConvertible {
  /// The class, and the primary key where it is an integer; else the object's id.
  package var description: String {
    let id = hasIntegerKey ? "\(ObjectKey.integer(forObjectID: key.objectID))" : "\(key.objectID)"
    return "\(className)(\(id))"
  }
}
