import VarveCore
package import VarveEncoding

/// The superclass of models: a class whose `@Persisted` properties are stored in a realm.
///
/// ```swift
/// @Model final class Dog: Object {
///   @Persisted(primaryKey: true) var id: ObjectId
///   @Persisted var name: String
///   @Persisted var age = 0
/// }
/// ```
///
/// An object begins unmanaged, as any Swift object. ``Realm/add(_:update:)-(Object,_)`` stores it; from
/// then on it reads and writes the realm. A deleted object reads as zero values and says so by
/// ``isInvalidated``; it never traps.
///
/// Thread safety: any thread or task may use an object, managed or not. A managed one can be changed
/// only inside a write.
open class Object: ObjectBase, @unchecked Sendable {
  // Safe because it adds no state.

  /// The root of the slot numbering.
  public enum _$Slot: Int, _SlotEnum {
    case _$end
    /// The class that the enumeration belongs to.
    @inlinable public static var _$owner: ObjectBase.Type { Object.self }
    /// The number of inherited properties.
    @inlinable public static var _$base: Int { 0 }
  }

  /// Makes an unmanaged object from a dictionary, an array in the order of the properties, or another
  /// object.
  ///
  /// Nested dictionaries, arrays and objects make nested objects, to any depth. What the value lacks
  /// keeps its default. What does not fit is remembered, and the write that adds the object throws it;
  /// to have it thrown at once use ``init(validating:)``.
  ///
  /// - Parameter value: `[String: Any]`, `[Any]`, what `JSONSerialization` gives, or an object of this
  ///   class or of one derived from it.
  /// - Complexity: O(parts of the value).
  public convenience init(value: Any) {
    self.init()
    ValueReader.fill(self, from: value)
  }

  /// As ``init(value:)``, but throws at once.
  ///
  /// - Parameter value: as for ``init(value:)``.
  /// - Throws: `Realm.Error` naming class, property and value when something does not fit.
  public convenience init(validating value: Any) throws {
    self.init(value: value)
    if let failure = notedFailure { throw Realm.Error(failure) }
  }

  /// The name under which the class is stored.
  public class func className() -> String { String(describing: self) }

  /// The realm of a managed object; nil for an unmanaged one.
  public var realm: Realm? { cell.context.map { Realm(context: $0) } }

  /// Whether the object was deleted, or added in a write that was rolled back. False for an unmanaged
  /// object.
  public var isInvalidated: Bool { cell.isTied && !cell.exists }

  /// Whether the object is pinned to one version; see ``freeze()``.
  public var isFrozen: Bool { cell.context?.isFrozen ?? false }

  /// Whether this and another handle stand for the same stored object of one store, or are the same
  /// unmanaged object. A live and a frozen handle, or two frozen at different versions, do not.
  ///
  /// - Parameter object: the other handle; nil gives false.
  /// - Returns: whether they stand for the same stored, or are the same unmanaged, object.
  public func isSameObject(as object: Object?) -> Bool {
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
  /// and by class and object id when frozen.
  public static func == (left: ObjectBase, right: ObjectBase) -> Bool {
    if left === right { return true }
    guard type(of: left) == type(of: right) else { return false }
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

  /// The primary key; nil for a class without one. A deleted object keeps an integer key.
  package var primaryKeyValue: Value? {
    let info = info
    guard let slot = info.description.primaryKeySlot else { return nil }
    if cell.isTied, info.description.hasIntegerPrimaryKey {
      return .int(ObjectKey.integer(forObjectID: cell.id))
    }
    return info.properties[slot].read(self, slot).value
  }
}

extension ObjectBase: CustomStringConvertible {
  /// The class with its properties; links and collections are shown by their class and count.
  public var description: String {
    let info = info
    if cell.isTied, !cell.exists { return "\(info.name) (invalidated)" }
    let lines = info.properties.map { property in
      "  \(property.name) = \(text(of: property))"
    }
    return "\(info.name) {\n" + lines.joined(separator: "\n") + "\n}"
  }

  private func text(of property: PropertyDescriptor) -> String {
    switch property.read(self, property.slot).content {
    case .value(let value): value.text
    case .object(let object): object.info.name
    case .collection(let handle):
      "\(property.type.kind.typeName(target: property.type.target.map { String(describing: $0) })) "
        + "(\(handle.isManaged ? handle.collectionCell.count : handle.unmanagedCount))"
    case .unset:
      "LinkingObjects<\(property.type.target.map { String(describing: $0) } ?? "Object")> "
        + "(\(linkingObjects(property.slot)?.count ?? 0))"
    }
  }
}

extension ObjectBase {
  /// Whether both handles stand for one stored object, at whatever versions, or are one object.
  func isSameRow(as other: ObjectBase) -> Bool {
    if self === other { return true }
    guard let mine = cell.context, let theirs = other.cell.context, mine.store === theirs.store,
      !cell.isRolledBack, !other.cell.isRolledBack
    else { return false }
    return cell.id == other.cell.id && cell.binding.schema?.id == other.cell.binding.schema?.id
  }
}
