import VarveCore

/// A ``Projected`` property, independent of its type.
protocol ProjectedReading: Sendable {
  /// Returns the value of the property in an object of the model.
  func read(_ root: ObjectBase) -> Any
}

/// A value with further properties behind it. Their names follow the names of the property.
protocol ProjectedPath {
  /// - Throws: `.unknownProperty` when a key path is not a persisted property.
  func innerNames() throws(Failure) -> [String]
}

/// A property of a projection.
struct ProjectedValue: Sendable {
  /// The name in the projection.
  let name: String
  private let projected: any ProjectedReading

  func read(_ root: ObjectBase) -> Any { projected.read(root) }

  /// Returns the properties of a projection in the order of declaration, inherited properties
  /// first.
  static func all(of projection: some ProjectionObservable) -> [ProjectedValue] {
    var values: [ProjectedValue] = []
    var mirror: Mirror? = Mirror(reflecting: projection)
    while let current = mirror {
      let own = current.children.compactMap { label, value in
        // The storage of a wrapped property has the name of the property with an underscore.
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

/// A property of a projection, with the path of stored properties that it refers to.
struct ProjectedProperty: Sendable {
  let value: ProjectedValue
  let path: [String]

  var name: String { value.name }
  var dottedPath: String { path.joined(separator: ".") }
}

extension ProjectionObservable {
  /// Returns the properties of the projection.
  ///
  /// - Throws: `.unknownProperty` for a property that is neither a persisted property nor a chain
  ///   of to-one links that ends in one.
  /// - Complexity: O(n) in the number of properties.
  static func projectedProperties() throws(Failure) -> [ProjectedProperty] {
    var properties: [ProjectedProperty] = []
    for value in ProjectedValue.all(of: Self(projecting: Root())) {
      let path = try path(named: value.name) { value.read($0.rootObject) }
      properties.append(ProjectedProperty(value: value, path: path))
    }
    return properties
  }

  /// Returns the names of the stored properties that a key path of the projection refers to.
  static func path(_ keyPath: PartialKeyPath<Self>) throws(Failure) -> [String] {
    try path(named: "\(keyPath)") { $0[keyPath: keyPath] }
  }

  /// Returns the properties that are read from a recording object.
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
        "A property of a projection can be observed and used for sorting only when it is a "
          + "persisted property of the model, or a chain of to-one links that ends in one.",
        className: "\(Self.self)", propertyName: name)
    }
    let inner = try (value as? any ProjectedPath)?.innerNames() ?? []
    return recorder.reads.map(\.name) + inner
  }

  /// Returns the key paths of the model to watch. Names of the projection's properties are replaced
  /// by their paths; with nil, all projected properties are watched.
  static func watchedPaths(_ names: [String]?) throws(Failure) -> [String] {
    let properties = try projectedProperties()
    guard let names else { return properties.map(\.dottedPath) }
    return names.map { name in properties.first { $0.name == name }?.dottedPath ?? name }
  }
}
