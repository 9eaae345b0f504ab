import VarveCore

// What needs the name of a class. An overload that is unavailable would not be chosen: those for all objects would be.

extension Realm {
  /// Gives no objects: use ``dynamicObjects(_:)``, which takes the name of the class.
  ///
  /// Inside a write it dooms the write with `.unknownClass`; outside it is logged.
  ///
  /// - Parameter type: the type of all objects whose class is only known by its name.
  /// - Returns: empty results.
  @available(*, deprecated, message: "name the class: try realm.dynamicObjects(\"Dog\")")
  public func objects(_ type: DynamicObject.Type) -> Results<DynamicObject> {
    func objects<T: Object>(of type: T.Type) -> Results<T> { self.objects(type) }
    return objects(of: type)
  }

  /// Gives no object: use ``dynamicObject(ofType:forPrimaryKey:)``, which takes the name of the class.
  ///
  /// - Parameters:
  ///   - type: the type of all objects whose class is only known by its name.
  ///   - key: the key.
  /// - Returns: nil.
  @available(
    *, deprecated,
    message: "name the class: try realm.dynamicObject(ofType: \"Dog\", forPrimaryKey: key)"
  )
  public func object<Key: RealmCollectionValue>(
    ofType type: DynamicObject.Type, forPrimaryKey key: Key
  ) -> DynamicObject? { nil }

  /// Dooms the write with `.unknownClass`: use ``dynamicCreate(_:value:update:)``, which takes the name of the class.
  ///
  /// - Parameters:
  ///   - type: the type of all objects whose class is only known by its name.
  ///   - value: what the object would be made from.
  ///   - update: what to do when an object with the primary key exists.
  /// - Returns: an unmanaged object without properties.
  /// - Precondition: the thread is inside a write.
  @available(*, deprecated, message: "name the class: realm.dynamicCreate(\"Dog\", value: value)")
  @discardableResult
  public func create(
    _ type: DynamicObject.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> DynamicObject {
    func create<T: Object>(_ type: T.Type) -> T { self.create(type, value: value, update: update) }
    return create(type)
  }
}
