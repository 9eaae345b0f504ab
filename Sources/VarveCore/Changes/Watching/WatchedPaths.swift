import VarveEncoding

/// Which changes count as changes of an object: of its own properties, and of the objects that it links to.
///
/// Thread safety: immutable.
package enum WatchedPaths: Hashable, Sendable {
  /// Every property of the object, and of every object up to this many links away: to-one links, lists and
  /// maps, but not linking objects.
  case linked(depth: Int)
  /// These paths and nothing else.
  case paths(WatchedPath)

  /// How far links are followed where nothing else is said.
  package static let usualDepth = 4
  package static let usual = WatchedPaths.linked(depth: usualDepth)
}

/// A tree of key paths from one class.
///
/// Thread safety: immutable.
package final class WatchedPath: Hashable, Sendable {
  /// A step to other objects.
  package struct Step: Hashable, Sendable {
    /// The property that links: of this class, or, for linking objects, of the class of `next`.
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
  /// The ids of the properties that are watched; of links and collections what they hold.
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

  /// Whether each step leads to one object at most.
  var isToOne: Bool {
    steps.allSatisfy { !$0.isLinking && $0.property.kind.collection == .none && $0.next.isToOne }
  }

  /// Whether any object can change along the paths.
  var isEmpty: Bool { propertyIDs.isEmpty && steps.isEmpty }
}

extension WatchedPath {
  /// The tree of paths by names, as far as the file knows the classes and properties; what it does not know
  /// does not change.
  ///
  /// - Parameters:
  ///   - paths: names of links, collections or linking objects, and of a property at the end.
  ///   - model: the class that the paths begin at.
  ///   - file: the schema of the file.
  /// - Returns: nil for a class that the file does not know.
  /// - Throws: `.unknownProperty` for a name that its class does not have, `.invalidInput` for a path that
  ///   goes on after a property that holds no objects.
  package static func tree(
    _ paths: [[String]], of model: ClassDescription, in file: FileSchema
  ) throws(Failure) -> WatchedPath? {
    var split: [[WatchedName]] = []
    for path in paths { split.append(path.map { .property($0) }) }
    return try tree(split, of: model, in: file)
  }

  /// As ``tree(_:of:in:)-([[String]],_,_)``, of what conditions read.
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
          .invalidInput, "The key path goes on after a property that holds no objects.",
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

  /// The step to the objects of a class that link through a property.
  private static func linkingStep(
    _ name: WatchedName, _ rests: [[WatchedName]], _ model: ClassDescription, in file: FileSchema
  ) throws(Failure) -> Step? {
    guard case .links(let className, let property) = name,
      let origin = model.linkingClass(named: className),
      let next = try tree(rests, of: origin, in: file),
      let stored = next.schema.property(named: origin.storedName(property))
    else { return nil }
    return Step(property: stored, isLinking: true, next: next)
  }
}

/// One step of a path that is watched.
private enum WatchedName: Hashable {
  case property(String)
  case links(className: String, property: String)

  /// Of a step of a condition's path; nil for one that leads to what the property before it holds.
  init?(_ step: QueryPath.Step) {
    switch step {
    case .property(let name): self = .property(name)
    case .links(let className, let property):
      self = .links(className: className, property: property)
    case .key, .element, .elements, .keys, .type: return nil
    }
  }
}

extension ClassDescription {
  /// The class with a name, which may link to this one; nil when the program has none.
  func linkingClass(named className: String) -> ClassDescription? {
    closure().first { $0.name == className } ?? KnownClasses.named(className)
  }

  fileprivate func storedName(_ name: String) -> String {
    properties.first { $0.name == name || $0.alias == name }?.name ?? name
  }
}
