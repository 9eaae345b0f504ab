import VarveCore

/// A ``Projected`` property, whatever its type.
protocol ProjectedReading: Sendable {
  /// Its value in an object of the model.
  func read(_ root: ObjectBase) -> Any
}

/// A value that holds what lies behind more than one property: its names follow those of the property.
protocol ProjectedPath {
  /// - Throws: `.unknownProperty` where a key path is no persisted property.
  func innerNames() throws(Failure) -> [String]
}

/// What one property of a projection shows.
struct ProjectedValue: Sendable {
  /// The name in the projection.
  let name: String
  private let projected: any ProjectedReading

  func read(_ root: ObjectBase) -> Any { projected.read(root) }

  /// The properties of a projection, in their order, inherited ones first.
  static func all(of projection: some ProjectionObservable) -> [ProjectedValue] {
    var values: [ProjectedValue] = []
    var mirror: Mirror? = Mirror(reflecting: projection)
    while let current = mirror {
      let own = current.children.compactMap { label, value in
        // The storage of a wrapped property has its name with an underscore.
        (value as? any ProjectedReading).map {
          ProjectedValue(name: String(label?.dropFirst() ?? ""), projected: $0)
        }
      }
      values.insert(contentsOf: own, at: 0)
      mirror = current.superclassMirror
    }
    return values
  }
}

/// A property of a projection, and the stored properties that lead to it.
struct ProjectedProperty: Sendable {
  let value: ProjectedValue
  let path: [String]

  var name: String { value.name }
  var dottedPath: String { path.joined(separator: ".") }
}

extension ProjectionObservable {
  /// The properties of the projection.
  ///
  /// - Throws: `.unknownProperty` for one that is no persisted property, nor a chain of to-one links that ends in one.
  /// - Complexity: a walk over the properties.
  static func projectedProperties() throws(Failure) -> [ProjectedProperty] {
    var properties: [ProjectedProperty] = []
    for value in ProjectedValue.all(of: Self(projecting: Root())) {
      let path = try path(named: value.name) { value.read($0.rootObject) }
      properties.append(ProjectedProperty(value: value, path: path))
    }
    return properties
  }

  /// The stored properties that a key path of the projection leads over.
  static func path(_ keyPath: PartialKeyPath<Self>) throws(Failure) -> [String] {
    try path(named: "\(keyPath)") { $0[keyPath: keyPath] }
  }

  /// What a projection of an object that records reads.
  private static func path(
    named name: String, _ read: (Self) -> Any
  ) throws(Failure) -> [String] {
    let recorder = _KeyPathRecorder()
    let root = Root()
    root.recorder = recorder
    let value = read(Self(projecting: root))
    guard recorder.isChain, !recorder.reads.isEmpty else {
      throw Failure(
        .unknownProperty,
        "A property of a projection can be observed, and sorted by, when it is a persisted property of the model, or a "
          + "chain of to-one links that ends in one.",
        className: "\(Self.self)", propertyName: name)
    }
    let inner = try (value as? any ProjectedPath)?.innerNames() ?? []
    return recorder.reads.map(\.columnName) + inner
  }

  /// The key paths of the model to watch, for key paths that may be names of the projection: of what is projected,
  /// where none are given.
  static func watchedPaths(_ names: [String]?) throws(Failure) -> [String] {
    let properties = try projectedProperties()
    guard let names else { return properties.map(\.dottedPath) }
    return names.map { name in properties.first { $0.name == name }?.dottedPath ?? name }
  }
}
