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
/// `isInvalidated`; it never traps.
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
}
