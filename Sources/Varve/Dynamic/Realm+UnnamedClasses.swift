import VarveCore

// Operations that require the name of a class. The overloads are deprecated, not unavailable: the
// compiler would skip an unavailable overload and choose the one for all objects.

extension Realm {
  /// Returns no objects. Use ``dynamicObjects(_:)`` with the name of the class instead.
  ///
  /// Inside a write, the call marks the transaction as failed with `.unknownClass`; outside of one
  /// it is logged.
  ///
  /// - Returns: Empty results.
  @available(*, deprecated, message: "name the class: try realm.dynamicObjects(\"Dog\")")
  public func objects<T: DynamicObject>(_ type: T.Type) -> Results<T> {
    // Generic, because the compiler would otherwise explain a wrong name in a query of another
    // class with this overload.
    func objects<U: Object>(of type: U.Type) -> Results<U> { self.objects(type) }
    return objects(of: type)
  }

  /// Returns nil. Use ``dynamicObject(ofType:forPrimaryKey:)`` with the name of the class instead.
  @available(
    *, deprecated,
    message: "name the class: try realm.dynamicObject(ofType: \"Dog\", forPrimaryKey: key)"
  )
  public func object<Key: RealmCollectionValue>(
    ofType type: DynamicObject.Type, forPrimaryKey key: Key
  ) -> DynamicObject? { nil }

  /// Marks the transaction as failed with `.unknownClass`. Use ``dynamicCreate(_:value:update:)``
  /// with the name of the class instead.
  ///
  /// - Returns: An unmanaged object without properties.
  /// - Precondition: The thread is inside a write.
  @available(*, deprecated, message: "name the class: realm.dynamicCreate(\"Dog\", value: value)")
  @discardableResult
  public func create(
    _ type: DynamicObject.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> DynamicObject {
    func create<T: Object>(_ type: T.Type) -> T { self.create(type, value: value, update: update) }
    return create(type)
  }
}
