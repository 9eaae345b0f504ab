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
    guard let mine = cell.context, let other = object.cell.context, mine.store === other.store,
      mine.isFrozen == other.isFrozen, mine.frozenSerial == other.frozenSerial,
      cell.isRolledBack == object.cell.isRolledBack
    else { return false }
    return cell.id == object.cell.id && cell.binding.schema?.id == object.cell.binding.schema?.id
  }
}

extension ObjectBase: Hashable {
  /// Whether two objects are the same.
  ///
  /// Classes with a primary key compare by class and key, managed or not, so that the hash does not
  /// change when an object is added. Others compare by identity while they are live or unmanaged,
  /// and by class and object id when frozen. An object that waits for a generated key compares by identity, too,
  /// until it is added: put it into a set or a dictionary after that.
  public static func == (left: ObjectBase, right: ObjectBase) -> Bool {
    if left === right { return true }
    guard type(of: left) == type(of: right), left.isOfClass(of: right) else { return false }
    if let key = left.primaryKeyValue { return key == right.primaryKeyValue }
    guard let mine = left.cell.context?.frozenSerial,
      let other = right.cell.context?.frozenSerial
    else { return false }
    return left.cell.context?.store === right.cell.context?.store && left.cell.id == right.cell.id
      && mine == other
  }

  /// Hashes class and primary key, or the identity; see ``==(_:_:)``.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: self)))
    if let key = primaryKeyValue {
      hasher.combine(key)
    } else if cell.context?.isFrozen == true {
      hasher.combine(cell.id)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
  }

  /// Whether two objects of one type are of one class: a ``DynamicObject`` may be of any.
  private func isOfClass(of other: ObjectBase) -> Bool {
    let info = info
    return !info.description.isDynamic || info.name == other.info.name
  }

  /// The primary key; nil for a class without one, and for one that is yet to be generated. A deleted object keeps
  /// an integer key.
  package var primaryKeyValue: Value? {
    let info = info
    guard let slot = info.description.primaryKeySlot else { return nil }
    if cell.isTied, info.description.hasIntegerPrimaryKey {
      return .int(ObjectKey.integer(forObjectID: cell.id))
    }
    let value = info.properties[slot].read(self, slot).value
    return info.description.generatesKeys && value == .int(0) ? nil : value
  }
}
