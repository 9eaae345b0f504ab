import VarveCore

// Unavailable operations on embedded objects, each with a message that names the alternative.

extension Realm {
  /// Unavailable: an embedded object belongs to a property of another object.
  @available(
    *, unavailable,
    message: "an embedded object is stored by adding it to a property, list or map of its parent"
  )
  public func add(_ object: EmbeddedObject, update: UpdatePolicy = .error) {}

  /// Unavailable: embedded objects belong to properties of other objects.
  @available(
    *, unavailable,
    message: "an embedded object is stored by adding it to a property, list or map of its parent"
  )
  public func add<S: Sequence>(
    _ objects: S, update: UpdatePolicy = .error
  ) where S.Element: EmbeddedObject {}

  /// Unavailable: objects of an embedded class belong to properties of other objects.
  @available(
    *, unavailable,
    message:
      "an embedded object is created by adding a value to a property, list or map of its parent"
  )
  public func create<T: EmbeddedObject>(
    _ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> T { type.init() }

  /// Unavailable: embedded objects are reached through their parents.
  @available(*, unavailable, message: "embedded objects are reached through their parents")
  public func objects<T: EmbeddedObject>(_ type: T.Type) -> Results<T> {
    Misuse.trap("Embedded objects are reached through their parents.")
  }
}
