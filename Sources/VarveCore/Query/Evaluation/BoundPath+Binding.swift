import VarveEncoding
import VarveStorage

extension BoundPath {
  /// Resolves the names of a path.
  ///
  /// - Parameters:
  ///   - model: The class at which the path begins, or nil for a path that begins at a value.
  ///   - entersEnd: Whether a path that ends in a whole collection stands for its elements. If
  ///     false, such a path has no value.
  /// - Throws: `.unknownProperty` for a name that its class lacks, or `.invalidInput` for a step
  ///   that does not apply to the previous step.
  init(
    _ path: QueryPath, of model: ClassDescription?, _ scope: ReadScope, entersEnd: Bool = false
  ) throws(Failure) {
    guard path.steps.count <= QueryPath.maximumCount else {
      throw Failure(
        .invalidInput, "A path has more than \(QueryPath.maximumCount) steps.",
        className: model?.name, propertyName: "\(path)".prefix(100) + "…")
    }
    var binder = BoundPathBinder(model, scope)
    for step in path.steps { try binder.add(step, of: path) }
    if entersEnd { binder.enter() }
    self.init(
      binder.steps, from: model.flatMap { scope.binding(for: $0).schema }, to: binder.endModel,
      binder.endType, scope.store.fileKey)
  }
}

/// Binds the steps of a path one after the other.
private struct BoundPathBinder {
  /// The result of the steps so far.
  private enum End {
    case object(ClassDescription)
    /// A collection of objects of a class, or of values of a type.
    case collection(PropertyKind, ClassDescription?)
    /// Linking objects. An `elements` step may follow, and has no effect.
    case linking(ClassDescription)
    case value(PropertyType?)
  }

  private let model: ClassDescription?
  private let scope: ReadScope
  private var end: End
  private(set) var steps: [BoundPath.Step] = []

  init(_ model: ClassDescription?, _ scope: ReadScope) {
    self.model = model
    self.scope = scope
    end = model.map { .object($0) } ?? .value(nil)
  }

  var endModel: ClassDescription? {
    switch end {
    case .object(let model), .linking(let model): model
    case .collection, .value: nil
    }
  }

  var endType: PropertyType? {
    switch end {
    case .object, .linking: .link
    case .collection(let kind, _): kind.type
    case .value(let type): type
    }
  }

  /// Enters the elements of a whole collection.
  mutating func enter() {
    guard case .collection(let kind, let target) = end else { return }
    steps.append(.elements)
    end = element(of: kind, target)
  }

  mutating func add(_ step: QueryPath.Step, of path: QueryPath) throws(Failure) {
    switch (step, end) {
    case (.property(let name), .object(let model)), (.property(let name), .linking(let model)):
      try add(name, of: model)
    case (.links(let className, let property), .object(let model)),
      (.links(let className, let property), .linking(let model)):
      try addLinks(className, property, to: model)
    case (.elements, .linking(let model)): end = .object(model)
    case (.elements, .collection): enter()
    case (.elements, .value(.mixed)), (.elements, .value(nil)):
      steps.append(.elements)
      end = .value(.mixed)
    case (.keys, .collection(let kind, _)) where kind.collection == .dictionary:
      steps.append(.keys)
      end = .value(.string)
    case (.keys, .value(.mixed)), (.keys, .value(nil)):
      steps.append(.keys)
      end = .value(.string)
    case (.key(let key), .collection(let kind, let target)) where kind.collection == .dictionary:
      steps.append(.key(key))
      end = element(of: kind, target)
    case (.key(let key), .value(.mixed)), (.key(let key), .value(nil)):
      steps.append(.key(key))
      end = .value(.mixed)
    case (.element(let position), .collection(let kind, let target))
    where kind.collection == .list:
      steps.append(.element(position))
      end = element(of: kind, target)
    case (.element(let position), .value(.mixed)), (.element(let position), .value(nil)):
      steps.append(.element(position))
      end = .value(.mixed)
    case (.type, .value), (.type, .object):
      steps.append(.type)
      end = .value(.string)
    case (.property, .value(nil)) where steps.isEmpty:
      throw Failure(
        .invalidInput, "Values have no properties.", propertyName: path.description)
    default:
      throw Failure(
        .invalidInput, message(step), className: model?.name, propertyName: path.description)
    }
  }

  private func message(_ step: QueryPath.Step) -> String {
    switch step {
    case .property: "The path continues after a property that is not a to-one link."
    case .links: "The path reads linking objects of a value that is not an object."
    case .key, .keys: "The path reads keys of a value that is not a dictionary."
    case .element: "The path reads a position of a value that is not a list."
    case .elements: "The path reads elements of a value that is not a collection."
    case .type: "The path reads the type of a collection."
    }
  }

  private func element(of kind: PropertyKind, _ target: ClassDescription?) -> End {
    target.map { .object($0) } ?? .value(kind.type)
  }

  private mutating func add(_ name: String, of model: ClassDescription) throws(Failure) {
    let slot = try model.slot(named: name)
    let property = model.properties[slot]
    let target = model.targetClass(of: property)
    if let origin = property.originPropertyName, let target {
      guard let slot = target.properties.firstIndex(where: { $0.name == origin }) else {
        throw .unknownProperty(origin, target.name)
      }
      return addLinks(target, slot)
    }
    let bound = scope.binding(for: model)
    let isCollection = property.kind.collection != .none
    if let schema = bound.schema, let stored = bound.properties[slot] {
      steps.append(isCollection ? .collection(schema, stored) : .property(schema, stored))
    } else {
      steps.append(.constant(isCollection ? nil : property.unstoredConstant))
    }
    if isCollection {
      end = .collection(property.kind, target)
    } else {
      end = target.map { .object($0) } ?? .value(property.kind.type)
    }
  }

  private mutating func addLinks(
    _ className: String, _ property: String, to model: ClassDescription
  ) throws(Failure) {
    guard let origin = model.linkingClass(named: className) else {
      throw Failure(.unknownProperty, "There is no class of this name.", className: className)
    }
    let slot = try origin.slot(named: property)
    guard origin.properties[slot].isLink, origin.properties[slot].targetClassName == model.name
    else {
      throw Failure(
        .invalidInput, "The property does not link to '\(model.name)'.", className: className,
        propertyName: property)
    }
    addLinks(origin, slot)
  }

  private mutating func addLinks(_ origin: ClassDescription, _ slot: Int) {
    let bound = scope.binding(for: origin)
    if let schema = bound.schema, let stored = bound.properties[slot] {
      steps.append(.links(schema, stored))
    } else {
      steps.append(.constant(nil))
      steps.append(.elements)
    }
    end = .linking(origin)
  }
}
