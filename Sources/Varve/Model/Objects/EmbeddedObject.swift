/// The base class of embedded objects, each of which is owned by one property of another object.
///
/// ```swift
/// @Model final class Address: EmbeddedObject {
///   @Persisted var street: String
///   @Persisted var city: String
/// }
///
/// @Model final class Person: Object {
///   @Persisted var home: Address?
///   @Persisted var others: List<Address>
///   @Persisted var byName: Map<String, Address?>
/// }
/// ```
///
/// A managed embedded object is owned by one property, list or map of a single parent. It is stored
/// by assigning an unmanaged object to that property or collection. It is deleted, together with
/// the objects embedded in it, when its parent is deleted or when another value replaces it. Its
/// instances are then invalidated. `Realm.add`, `create` and `objects` do not accept embedded
/// classes. `Realm.delete` removes an embedded object from its parent. Assigning a managed embedded
/// object to a second parent or property marks the transaction as failed with `.alreadyEmbedded`;
/// assigning it to its own property changes nothing.
///
/// ``Realm/create(_:value:update:)->T`` and ``ObjectBase/init(value:)`` create embedded objects
/// from nested dictionaries and arrays, and copy managed ones. An update with `.all` replaces the
/// embedded objects of the given properties. An update with `.modified` changes the existing
/// embedded object, in a list the one at the same index and in a map the one for the same key.
///
/// An embedded class with a primary key, and a set of embedded objects, are rejected with
/// `.invalidSchema`. Embedded objects can be nested to any depth, also within their own class. An
/// embedded object can link to objects that are not embedded, and its ``LinkingObjects`` contain
/// its parent.
///
/// A single `set`, `merge` or assignment of a list or a map can exchange the positions of its
/// embedded objects.
///
/// Thread safety: see ``Object``.
open class EmbeddedObject: ObjectBase, @unchecked Sendable {
  // Safe because the class adds no state.

  /// The root of the slot numbering.
  public enum _$Slot: Int, _SlotEnum {
    case _$end
    /// The class that the enumeration belongs to.
    @inlinable public static var _$owner: ObjectBase.Type { EmbeddedObject.self }
    /// The number of inherited properties.
    @inlinable public static var _$base: Int { 0 }
  }
}
