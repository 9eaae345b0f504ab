/// A property of a ``Projection``, which stands for one that a key path leads to.
///
/// ```swift
/// @Projected(\Person.name) var name
/// @Projected(\Person.address?.city) var city
/// @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
/// ```
///
/// Setting it sets the property of the object, inside a write. A key path that passes through an optional, `?`, cannot
/// be written, and neither can a computed property without a setter: setting those traps.
///
/// Any key path can be read; those that can be observed and sorted by are persisted properties, over to-one links too.
///
/// Thread safety: as the object.
@propertyWrapper
public struct Projected<Root: ObjectBase, Value>: @unchecked Sendable {
  // Safe because a key path does not change, and one that a class declares captures nothing that does.

  private let keyPath: KeyPath<Root, Value>

  /// Projects what a key path leads to.
  ///
  /// - Parameter keyPath: the key path from the model: `\Person.address?.city`.
  public init(_ keyPath: KeyPath<Root, Value>) { self.keyPath = keyPath }

  /// Properties of classes other than projections cannot be projected.
  @available(*, unavailable, message: "@Projected is for the properties of a Projection class")
  public var wrappedValue: Value {
    get { preconditionFailure("A projected property belongs to a projection.") }
    // swift-format-ignore
    set { preconditionFailure("A projected property belongs to a projection.") }
  }

  /// The value of the property in a projection.
  ///
  /// - Precondition: to set it, the key path can be written.
  public static subscript<P: Projection<Root>>(
    _enclosingInstance projection: P,
    wrapped wrapped: ReferenceWritableKeyPath<P, Value>,
    storage storage: ReferenceWritableKeyPath<P, Projected>
  ) -> Value {
    get { projection.rootObject[keyPath: projection[keyPath: storage].keyPath] }
    set {
      let keyPath = projection[keyPath: storage].keyPath
      guard let writable = keyPath as? ReferenceWritableKeyPath<Root, Value> else {
        preconditionFailure(
          "A projected property of \(P.self) cannot be set: its key path passes through an optional, or ends in a "
            + "property that cannot be set. Set it through rootObject.")
      }
      projection.rootObject[keyPath: writable] = newValue
    }
  }
}

extension Projected: ProjectedReading {
  func read(_ root: ObjectBase) -> Any {
    guard let root = root as? Root else {
      preconditionFailure("A projection's properties belong to its model.")
    }
    return root[keyPath: keyPath]
  }
}
