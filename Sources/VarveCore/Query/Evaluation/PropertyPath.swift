import VarveEncoding
import VarveStorage

/// A property, or a chain of to-one links that ends in one, as a model declares it and a file stores
/// it.
///
/// Reading along a path gives what reading the properties of the objects gives: where the file does not
/// know a property yet, its default.
///
/// Thread safety: an immutable value.
struct PropertyPath: Sendable {
  private struct Step: Sendable {
    let schema: ClassSchema
    let property: StoredProperty
  }

  /// As far as the file knows the properties.
  private let steps: [Step]
  /// What objects read where the file does not know all of them; nil where it does.
  private let unknown: Value?
  /// The class that the path begins at.
  private let classID: UInt32
  /// Whether the path is one property that the file knows.
  private let isSingle: Bool

  /// Finds the properties that a path names.
  ///
  /// - Parameters:
  ///   - names: those of links, then that of the property. None: the path is the object itself.
  ///   - model: the class that the path begins at.
  ///   - scope: what will be read.
  /// - Throws: as ``ClassDescription/properties(along:)``.
  init(
    _ names: [String], of model: ClassDescription, _ scope: ReadScope
  ) throws(Failure) {
    var steps: [Step] = []
    var unknown: Value?
    for (model, slot) in try model.properties(along: names) {
      let bound = scope.binding(for: model)
      guard let schema = bound.schema, let property = bound.properties[slot] else {
        let isLast = steps.count == names.count - 1
        unknown = isLast ? model.properties[slot].addedConstant : .null
        break
      }
      steps.append(Step(schema: schema, property: property))
    }
    self.steps = steps
    self.unknown = unknown
    classID = scope.binding(for: model).schema?.id ?? 0
    isSingle = steps.count == 1 && unknown == nil
  }

  /// What the path ends in, as the file stores it; nil while the file does not know it.
  var last: (schema: ClassSchema, property: StoredProperty)? {
    unknown == nil ? steps.last.map { ($0.schema, $0.property) } : nil
  }

  /// Whether the path ends in a mixed value.
  var isMixed: Bool { steps.last?.property.kind.type == .mixed }

  /// The value at the end of the path, for the object of a row; null when a link on the way is.
  ///
  /// - Throws: `.corrupted` when bytes on the way are damaged.
  /// - Complexity: O(links of the path).
  func value(
    of row: RowReader, _ id: UInt64, _ reader: any TableReader
  ) throws(Failure) -> Value {
    if steps.isEmpty { return start(id) }
    let first = try reader.value(of: row, id, steps[0].property)
    return isSingle ? first : try follow(first, reader) ?? .null
  }

  /// As ``value(of:_:_:)``, for an object whose row is not at hand; null when it does not exist.
  func value(ofObject id: UInt64, _ reader: any TableReader) throws(Failure) -> Value {
    try reachedValue(ofObject: id, reader) ?? .null
  }

  /// As ``value(ofObject:_:)``, but nil when a link on the way is null.
  func reachedValue(ofObject id: UInt64, _ reader: any TableReader) throws(Failure) -> Value? {
    if steps.isEmpty { return start(id) }
    let first = try reader.value(steps[0].schema, id, steps[0].property) ?? .null
    return isSingle ? first : try follow(first, reader)
  }

  /// The value of a path without stored properties: a default, or the object itself.
  private func start(_ id: UInt64) -> Value {
    unknown ?? .link(classID: classID, objectID: id)
  }

  private func follow(_ start: Value, _ reader: any TableReader) throws(Failure) -> Value? {
    var value = start
    for step in steps.dropFirst() {
      guard case .link(_, let target) = value,
        let next = try reader.value(step.schema, target, step.property)
      else { return nil }
      value = next
    }
    guard let unknown else { return value }
    return value.isNull ? nil : unknown
  }
}

extension ClassDescription {
  /// The property at the end of a path.
  ///
  /// - Throws: as ``properties(along:)``; `.invalidInput` for an empty path.
  func property(along names: [String]) throws(Failure) -> PropertyDescription {
    guard let (owner, slot) = try properties(along: names).last else {
      throw Failure(.invalidInput, "The key path is empty.", className: name)
    }
    return owner.properties[slot]
  }

  /// The properties that a path names, each with its class: links, then what it ends in.
  ///
  /// - Throws: `.unknownProperty` for a name that its class does not have, `.invalidInput` when the path
  ///   goes on after a property that is no to-one link, or has more than ``QueryPath/maximumCount`` steps.
  func properties(along names: [String]) throws(Failure) -> [(model: ClassDescription, slot: Int)] {
    try DottedPath.check(names, of: name)
    var found: [(model: ClassDescription, slot: Int)] = []
    var next: ClassDescription? = self
    for name in names {
      guard let model = next else {
        throw Failure(
          .invalidInput, "The path goes on after a property that is no to-one link.",
          className: self.name, propertyName: names.joined(separator: "."))
      }
      let slot = try model.slot(named: name)
      found.append((model, slot))
      let property = model.properties[slot]
      next = property.kind.collection == .none ? model.linkedClass(of: property) : nil
    }
    return found
  }
}
