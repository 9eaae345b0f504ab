// What embedded objects cannot do, refused with one clear message.

extension Realm {
  /// Refuses an embedded object, which belongs to a property of another object.
  @available(
    *, unavailable,
    message: "an embedded object is stored by putting it in a property, list or map of its parent"
  )
  public func add(_ object: EmbeddedObject, update: UpdatePolicy = .error) {}

  /// Refuses embedded objects, which belong to properties of other objects.
  @available(
    *, unavailable,
    message: "an embedded object is stored by putting it in a property, list or map of its parent"
  )
  public func add<S: Sequence>(
    _ objects: S, update: UpdatePolicy = .error
  ) where S.Element: EmbeddedObject {}

  /// Refuses an embedded class, whose objects belong to properties of other objects.
  @available(
    *, unavailable,
    message:
      "an embedded object is made by putting a value in a property, list or map of its parent"
  )
  public func create<T: EmbeddedObject>(
    _ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> T { type.init() }

  /// Refuses an embedded class: its objects are reached through their parents.
  @available(*, unavailable, message: "embedded objects are reached through their parents")
  public func objects<T: EmbeddedObject>(_ type: T.Type) -> Results<T> {
    preconditionFailure("Embedded objects are reached through their parents.")
  }
}
