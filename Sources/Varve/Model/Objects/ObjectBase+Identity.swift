import Synchronization
import VarveCore
package import VarveEncoding

extension ObjectBase {
  /// Whether this and another handle stand for the same stored object of one store, or are the same
  /// unmanaged object. A live and a frozen handle, or two frozen at different versions, do not.
  ///
  /// - Parameter object: the other handle; nil gives false.
  /// - Returns: whether they stand for the same stored, or are the same unmanaged, object.
  public func isSameObject(as object: ObjectBase?) -> Bool {
    guard let object else { return false }
    if self === object { return true }
    guard let mine = handle.context, let other = object.handle.context, mine.store === other.store,
      mine.isFrozen == other.isFrozen, mine.frozenSerial == other.frozenSerial,
      handle.isRolledBack == object.handle.isRolledBack
    else { return false }
    return handle.id == object.handle.id
      && handle.binding.schema?.id == object.handle.binding.schema?.id
  }
}

extension ObjectBase: Hashable {
  /// Whether two objects are the same.
  ///
  /// Handles of classes with a primary key, and frozen ones, are equal when they stand for the same stored object, as
  /// ``isSameObject(as:)`` says, and it exists. All others are equal to themselves only: unmanaged ones, live ones of
  /// classes without a key, and those of deleted objects.
  public static func == (left: ObjectBase, right: ObjectBase) -> Bool {
    if left === right { return true }
    guard type(of: left) == type(of: right),
      left.handle.context?.isFrozen == true || left.info.description.primaryKeySlot != nil,
      left.isSameObject(as: right)
    else { return false }
    return left.handle.exists && right.handle.exists
  }

  /// Hashes class and primary key, or the identity; see ``==(_:_:)``.
  ///
  /// The hash stays when an object is added, and when one that was hashed before is deleted. An object that waits for a
  /// generated key has another one until it is added: put it into a set or a dictionary after that.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: self)))
    if let key = hashOfKey {
      hasher.combine(key)
    } else if handle.context?.isFrozen == true {
      hasher.combine(handle.id)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
  }

  /// The hash of the primary key, remembered for the time after the object; nil where ``primaryKeyValue`` is.
  private var hashOfKey: UInt32? {
    let description = info.description
    guard description.primaryKeySlot != nil else { return nil }
    let isKept = handle.isManaged && !description.hasIntegerPrimaryKey
    if isKept, !handle.exists { return keyHash.load(ordering: .relaxed) }
    guard let key = primaryKeyValue else { return nil }
    let hash = UInt32(truncatingIfNeeded: key.hashValue)
    // Deleted while it was read.
    if isKept, !handle.exists { return keyHash.load(ordering: .relaxed) }
    keyHash.store(hash, ordering: .relaxed)
    return hash
  }

  /// The primary key; nil for a class without one, and for one that is yet to be generated. A deleted object keeps
  /// an integer key.
  package var primaryKeyValue: Value? {
    let info = info
    guard let slot = info.description.primaryKeySlot else { return nil }
    if handle.isManaged, info.description.hasIntegerPrimaryKey {
      return .int(ObjectKey.integer(forObjectID: handle.id))
    }
    let value = info.properties[slot].read(self, slot).value
    return info.description.generatesKeys && value == .int(0) ? nil : value
  }
}
