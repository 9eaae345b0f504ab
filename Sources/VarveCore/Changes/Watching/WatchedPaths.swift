import VarveEncoding

/// Which changes count as changes of an object: changes of its own properties, and of the objects
/// that it links to.
package enum WatchedPaths: Hashable, Sendable {
  /// Every property of the object, and of every object up to this number of links away: to-one
  /// links, lists and maps, but not linking objects.
  case linked(depth: Int)
  /// Only the given paths.
  case paths(WatchedPath)

  /// The default number of links to follow.
  package static let usualDepth = 4
  package static let usual = WatchedPaths.linked(depth: usualDepth)
}

/// A tree of key paths from one class.
///
/// Thread safety: immutable.
package final class WatchedPath: Hashable, Sendable {
  /// A step of a path to other objects.
  package struct Step: Hashable, Sendable {
    /// The linking property: a property of this class, or, for linking objects, of the class of
    /// `next`.
    let property: StoredProperty
    /// Whether the step leads to the objects that link to this one.
    let isLinking: Bool
    let next: WatchedPath

    package static func == (first: Step, second: Step) -> Bool {
      first.property.id == second.property.id && first.isLinking == second.isLinking
        && first.next == second.next
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(property.id)
      hasher.combine(isLinking)
      hasher.combine(next)
    }
  }

  let schema: ClassSchema
  /// The ids of the watched properties. For a link or a collection its contents are watched.
  let propertyIDs: Set<UInt32>
  let steps: [Step]

  init(_ schema: ClassSchema, propertyIDs: Set<UInt32>, steps: [Step]) {
    self.schema = schema
    self.propertyIDs = propertyIDs
    self.steps = steps
  }

  package static func == (first: WatchedPath, second: WatchedPath) -> Bool {
    first.schema.id == second.schema.id && first.propertyIDs == second.propertyIDs
      && first.steps == second.steps
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(schema.id)
    hasher.combine(propertyIDs)
    hasher.combine(steps)
  }

  /// Whether each step leads to at most one object.
  var isToOne: Bool {
    steps.allSatisfy { !$0.isLinking && $0.property.kind.collection == .none && $0.next.isToOne }
  }

  /// Whether no change is possible along the paths.
  var isEmpty: Bool { propertyIDs.isEmpty && steps.isEmpty }
}

extension WatchedPath {
  /// Builds the tree of paths from names. Classes and properties that the file lacks are skipped,
  /// because they cannot change.
  ///
  /// - Parameters:
  ///   - paths: The declared names of links, collections or linking objects, followed by the name
  ///     of a property.
  ///   - model: The class at which the paths begin.
  ///   - file: The schema of the file.
  /// - Returns: The tree, or nil for a class that the file lacks.
  /// - Throws: `.unknownProperty` for a name that its class lacks, `.invalidInput` for a path that
  ///   continues after a property that contains no objects.
  package static func tree(
    _ paths: [[String]], of model: ClassDescription, in file: FileSchema
  ) throws(Failure) -> WatchedPath? {
    var split: [[WatchedName]] = []
    for path in paths { split.append(path.map { .property($0) }) }
    return try tree(split, of: model, in: file)
  }

  /// Builds the tree of the paths that conditions read. See ``tree(_:of:in:)-([[String]],_,_)``.
  static func tree(
    _ paths: [QueryPath], of model: ClassDescription, in file: FileSchema
  ) throws(Failure) -> WatchedPath? {
    try tree(paths.map { $0.steps.compactMap { WatchedName($0) } }, of: model, in: file)
  }

  private static func tree(
    _ paths: [[WatchedName]], of model: ClassDescription, in file: FileSchema
  ) throws(Failure) -> WatchedPath? {
    var named: [WatchedName: [[WatchedName]]] = [:]
    var names: [WatchedName] = []
    for path in paths {
      guard let name = path.first else { continue }
      if named[name] == nil { names.append(name) }
      named[name, default: []].append(Array(path.dropFirst()))
    }
    let schema = file.schema(named: model.name)
    var propertyIDs: Set<UInt32> = []
    var steps: [Step] = []
    for name in names {
      let rests = (named[name] ?? []).filter { !$0.isEmpty }
      guard case .property(let plainName) = name else {
        if let step = try linkingStep(name, rests, model, in: file) { steps.append(step) }
        continue
      }
      let property = model.properties[try model.slot(named: plainName)]
      let stored = schema?.property(named: property.name)
      if let stored { propertyIDs.insert(stored.id) }
      guard !rests.isEmpty || !property.isStored else { continue }
      guard let target = model.targetClass(of: property) else {
        throw Failure(
          .invalidInput, "The key path continues after a property that contains no objects.",
          className: model.name, propertyName: plainName)
      }
      let next = try tree(rests, of: target, in: file)
      guard let next else { continue }
      if property.isStored {
        if let stored { steps.append(Step(property: stored, isLinking: false, next: next)) }
      } else if let origin = property.originPropertyName,
        let stored = next.schema.property(named: origin)
      {
        steps.append(Step(property: stored, isLinking: true, next: next))
      }
    }
    guard let schema else { return nil }
    return WatchedPath(schema, propertyIDs: propertyIDs, steps: steps)
  }

  /// Returns the step to the objects of a class that link through a property.
  private static func linkingStep(
    _ name: WatchedName, _ rests: [[WatchedName]], _ model: ClassDescription, in file: FileSchema
  ) throws(Failure) -> Step? {
    guard case .links(let className, let property) = name,
      let origin = model.linkingClass(named: className),
      let next = try tree(rests, of: origin, in: file),
      let stored = next.schema.property(
        named: origin.properties[try origin.slot(named: property)].name)
    else { return nil }
    return Step(property: stored, isLinking: true, next: next)
  }
}

/// One step of a watched path.
private enum WatchedName: Hashable {
  case property(String)
  case links(className: String, property: String)

  /// Creates the step of a condition's path, or nil for a step into the contents of the previous
  /// property.
  init?(_ step: QueryPath.Step) {
    switch step {
    case .property(let name): self = .property(name)
    case .links(let className, let property):
      self = .links(className: className, property: property)
    case .key, .element, .elements, .keys, .type: return nil
    }
  }
}
