/// The base class of models. Its `@Persisted` properties are stored in a realm.
///
/// ```swift
/// @Model final class Dog: Object {
///   @Persisted(primaryKey: true) var id: ObjectId
///   @Persisted var name: String
///   @Persisted var age = 0
/// }
/// ```
///
/// An object is unmanaged when it is created, like any Swift object.
/// ``Realm/add(_:update:)-(Object,_)`` stores it; from then on its properties read and write the
/// realm. The properties of a deleted object read as zero values, and its `isInvalidated` is true.
/// Reading them never traps.
///
/// Thread safety: any thread or task may use an object, managed or not. A managed object can be
/// changed only inside a write.
open class Object: ObjectBase, @unchecked Sendable {
  // Safe because the class adds no state.

  /// The root of the slot numbering.
  public enum _$Slot: Int, _SlotEnum {
    case _$end
    /// The class that the enumeration belongs to.
    @inlinable public static var _$owner: ObjectBase.Type { Object.self }
    /// The number of inherited properties.
    @inlinable public static var _$base: Int { 0 }
  }
}
