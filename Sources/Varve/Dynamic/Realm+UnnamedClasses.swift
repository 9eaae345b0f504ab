// What needs the name of a class, refused for `DynamicObject` with one clear message.

extension Realm {
  /// Refuses the type of all objects whose class is only known by its name.
  @available(*, unavailable, message: "name the class: try realm.dynamicObjects(\"Dog\")")
  public func objects(_ type: DynamicObject.Type) -> Results<DynamicObject> {
    preconditionFailure("A dynamic object's class is told by its name.")
  }

  /// Refuses the type of all objects whose class is only known by its name.
  @available(
    *, unavailable,
    message: "name the class: try realm.dynamicObject(ofType: \"Dog\", forPrimaryKey: key)"
  )
  public func object<Key: RealmCollectionValue>(
    ofType type: DynamicObject.Type, forPrimaryKey key: Key
  ) -> DynamicObject? { nil }

  /// Refuses the type of all objects whose class is only known by its name.
  @available(*, unavailable, message: "name the class: realm.dynamicCreate(\"Dog\", value: value)")
  @discardableResult
  public func create(
    _ type: DynamicObject.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> DynamicObject { DynamicObject() }
}
