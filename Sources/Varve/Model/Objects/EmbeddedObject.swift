/// The superclass of models whose objects belong to another object.
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
/// A managed embedded object has one place: a property, a list or a map of one object. It is stored by
/// putting an unmanaged one there, and is deleted, with what it embeds itself, when its object is deleted
/// or when the place gets another value: its handles are invalidated then. `Realm.add`, `create` and
/// `objects` do not take embedded classes; `Realm.delete` takes an embedded object out of its place. To put
/// a managed one in a second place dooms the write with `.alreadyEmbedded`; to put it where it is changes
/// nothing.
///
/// ``Realm/create(_:value:update:)->T`` and ``ObjectBase/init(value:)`` make embedded objects of nested
/// dictionaries and arrays, and copy managed ones. An update with `.all` replaces the embedded object of a
/// property that is given; one with `.modified` changes the one that is there: in a list the one at the
/// same index, in a map the one under the same key.
///
/// An embedded class has no primary key, and a set cannot hold its objects. A class that breaks one of these
/// rules is refused with `.invalidSchema`. An embedded object may embed others, also of its own class: a tree of
/// any depth. It may link to objects that are not embedded, and ``LinkingObjects`` of it give its parent.
///
/// One `set`, `merge` or assignment of a list or a map may give its embedded objects one another's places.
///
/// Thread safety: as ``Object``.
open class EmbeddedObject: ObjectBase, @unchecked Sendable {
  // Safe because it adds no state.

  /// The root of the slot numbering.
  public enum _$Slot: Int, _SlotEnum {
    case _$end
    /// The class that the enumeration belongs to.
    @inlinable public static var _$owner: ObjectBase.Type { EmbeddedObject.self }
    /// The number of inherited properties.
    @inlinable public static var _$base: Int { 0 }
  }
}
