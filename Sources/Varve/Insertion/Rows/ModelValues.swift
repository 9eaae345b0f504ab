/// The values of a new object of a model class: a structure `New`, which ``Model()`` generates.
///
/// ``Realm/insert(_:update:)`` stores the values without creating the object.
///
/// ```swift
/// realm.insert(people.lazy.map { Person.New(id: $0.id, name: $0.name) })
/// ```
public protocol ModelValues: Sendable {
  /// The class of the object.
  associatedtype _$Model: Object
  /// The number of values.
  static var _$count: Int { get }
  /// Passes the values to a row.
  func _$store(in row: inout _NewRow)
}
