import Synchronization
import VarveCore
package import VarveEncoding

extension ObjectBase {
  /// Returns whether this and another object refer to the same stored object of one store, or are
  /// the same unmanaged object.
  ///
  /// A live and a frozen object, or two objects frozen at different versions, are not the same.
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
  /// Returns whether two objects are equal.
  ///
  /// Objects of classes with a primary key, and frozen objects, are equal when they refer to the
  /// same stored object, as determined by ``isSameObject(as:)``, and it exists. All others are
  /// equal only to themselves: unmanaged objects, live objects of classes without a key, and
  /// deleted objects.
  public static func == (left: ObjectBase, right: ObjectBase) -> Bool {
    if left === right { return true }
    guard type(of: left) == type(of: right),
      left.handle.context?.isFrozen == true || left.info.description.primaryKeySlot != nil,
      left.isSameObject(as: right)
    else { return false }
    return left.handle.exists && right.handle.exists
  }

  /// Hashes the class and the primary key, or the identity of the object. See ``==(_:_:)``.
  ///
  /// Adding the object does not change its hash, unless its key is generated: insert such an object
  /// into a set or a dictionary only after adding it. Deleting an object that was hashed before
  /// does not change its hash.
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

  /// The hash of the primary key, which is kept after the object is deleted; nil when
  /// ``primaryKeyValue`` is nil.
  private var hashOfKey: UInt32? {
    let description = info.description
    guard description.primaryKeySlot != nil else { return nil }
    let isKept = handle.isManaged && !description.hasIntegerPrimaryKey
    if isKept, !handle.exists { return keyHash.load(ordering: .relaxed) }
    guard let key = primaryKeyValue else { return nil }
    let hash = UInt32(truncatingIfNeeded: key.hashValue)
    // Deleted while the key was read.
    if isKept, !handle.exists { return keyHash.load(ordering: .relaxed) }
    keyHash.store(hash, ordering: .relaxed)
    return hash
  }

  /// The primary key; nil for a class without one and for a key that is not generated yet. A
  /// deleted object keeps an integer key.
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
