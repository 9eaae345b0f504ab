import VarveCore

/// A property of a ``Projection`` that reads and writes a property of the model.
///
/// ```swift
/// @Projected(\Person.name) var name
/// @Projected(\Person.address?.city) var city
/// @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
/// ```
///
/// Setting the property sets the property of the model's object, inside a write. A key path that
/// passes through an optional (`?`) and a computed property without a setter are read-only: setting
/// such a property traps.
///
/// Any key path can be read. Only persisted properties, also over to-one links, can be observed and
/// used for sorting.
///
/// Thread safety: that of the object.
@propertyWrapper
public struct Projected<Root: ObjectBase, Value>: @unchecked Sendable {
  // Safe because a key path is immutable, and one declared by a class captures no mutable state.

  private let keyPath: KeyPath<Root, Value>

  /// Projects the property at a key path.
  ///
  /// - Parameter keyPath: The key path from the model, such as `\Person.address?.city`.
  public init(_ keyPath: KeyPath<Root, Value>) { self.keyPath = keyPath }

  /// Unavailable: only the properties of projections can be projected.
  @available(*, unavailable, message: "@Projected is for the properties of a Projection class")
  public var wrappedValue: Value {
    get { Misuse.trap("A projected property belongs to a projection.") }
    // swift-format-ignore
    set { Misuse.trap("A projected property belongs to a projection.") }
  }

  /// The value of the property in a projection.
  ///
  /// - Precondition: The key path is writable when the value is set.
  public static subscript<P: Projection<Root>>(
    _enclosingInstance projection: P,
    wrapped wrapped: ReferenceWritableKeyPath<P, Value>,
    storage storage: ReferenceWritableKeyPath<P, Projected>
  ) -> Value {
    get { projection.rootObject[keyPath: projection[keyPath: storage].keyPath] }
    set {
      let keyPath = projection[keyPath: storage].keyPath
      guard let writable = keyPath as? ReferenceWritableKeyPath<Root, Value> else {
        Misuse.trap(
          "A projected property of \(P.self) cannot be set: its key path passes through an "
            + "optional, or ends in a property that cannot be set. Set it through rootObject.")
      }
      projection.rootObject[keyPath: writable] = newValue
    }
  }
}

extension Projected: ProjectedReading {
  func read(_ root: ObjectBase) -> Any {
    guard let root = root as? Root else {
      Misuse.trap("A projection's properties belong to its model.")
    }
    return root[keyPath: keyPath]
  }
}
