import VarveCore

/// A class whose properties are members of queries.
///
/// The subscripts are constrained to this protocol instead of the superclass `ObjectBase`: in a
/// chain of members, the compiler (Swift 6.3) accepts any type as a subclass, which would allow
/// `$0.name.count`.
public protocol _QueryRoot: ObjectBase {}
extension ObjectBase: _QueryRoot {}

extension Query where T: _QueryRoot {
  /// The value of a property.
  ///
  /// - Precondition: The key path is a persisted property, not a computed one.
  public subscript<V: _Persistable>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> {
    member(keyPath)
  }
}

extension Query {
  /// The value of a property of a linked object; null when the link is null.
  ///
  /// - Precondition: The key path is a persisted property, not a computed one.
  public subscript<O: _QueryRoot, V: _Persistable>(
    dynamicMember keyPath: KeyPath<O, V>
  ) -> Query<V> where T == O? {
    member(keyPath)
  }

  /// The values of a property of each object in a collection.
  ///
  /// - Precondition: The key path is a persisted property, not a computed one.
  public subscript<O: _QueryRoot, V: _Persistable>(
    dynamicMember keyPath: KeyPath<O, V>
  ) -> Query<V> where T: _QueryCollection, T._$Item == O {
    elements.member(keyPath)
  }

  /// The values of a property of each object in a map; null where the map's value is null.
  ///
  /// - Precondition: The key path is a persisted property, not a computed one.
  public subscript<O: _QueryRoot, V: _Persistable>(
    dynamicMember keyPath: KeyPath<O, V>
  ) -> Query<V> where T: _QueryCollection, T._$Item == O? {
    elements.member(keyPath)
  }

  func member<O: ObjectBase, V>(_ keyPath: KeyPath<O, V>) -> Query<V> {
    appending(ClassInfo.steps(keyPath))
  }
}
