import VarveCore

/// A class whose properties queries reach by their names.
///
/// Subscripts ask for this protocol and not for its superclass: where one member follows another, the
/// compiler (Swift 6.3) lets any type pass for a subclass, `$0.name.count` too.
public protocol _QueryRoot: ObjectBase {}
extension ObjectBase: _QueryRoot {}

extension Query where T: _QueryRoot {
  /// A property.
  ///
  /// - Precondition: the key path is a persisted property, not a computed one.
  public subscript<V: _Persistable>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> {
    member(keyPath)
  }
}

extension Query {
  /// A property of a linked object; null when the link is.
  ///
  /// - Precondition: the key path is a persisted property, not a computed one.
  public subscript<O: _QueryRoot, V: _Persistable>(
    dynamicMember keyPath: KeyPath<O, V>
  ) -> Query<V> where T == O? {
    member(keyPath)
  }

  /// A property of each object of a collection.
  ///
  /// - Precondition: the key path is a persisted property, not a computed one.
  public subscript<O: _QueryRoot, V: _Persistable>(
    dynamicMember keyPath: KeyPath<O, V>
  ) -> Query<V> where T: _QueryCollection, T._$Item == O {
    elements.member(keyPath)
  }

  /// A property of each object of a map; null where the value is.
  ///
  /// - Precondition: the key path is a persisted property, not a computed one.
  public subscript<O: _QueryRoot, V: _Persistable>(
    dynamicMember keyPath: KeyPath<O, V>
  ) -> Query<V> where T: _QueryCollection, T._$Item == O? {
    elements.member(keyPath)
  }

  func member<O: ObjectBase, V>(_ keyPath: KeyPath<O, V>) -> Query<V> {
    appending(ClassInfo.path(keyPath).map { .property($0) })
  }
}
