package import VarveEncoding
package import VarveStorage

/// A property, or a chain of to-one links that ends in a property, bound to the schema of a file.
///
/// Reading a path yields the same value as reading the properties of the objects, and null for a
/// default that has not been made yet: a property that the file does not contain yet has its constant.
package struct PropertyPath: Sendable {
  private struct Step: Sendable {
    let schema: ClassSchema
    let property: StoredProperty
  }

  /// The steps up to the first property that the file does not contain.
  private let steps: [Step]
  /// The value of the path if the file lacks one of its properties, otherwise nil.
  private let unknown: Value?
  /// The class at which the path begins.
  private let classID: UInt32
  /// Whether the path is a single property that the file contains.
  private let isSingle: Bool

  /// Resolves the names of a path.
  ///
  /// - Parameters:
  ///   - names: The names of links, followed by the name of the property. Empty for the object
  ///     itself.
  ///   - model: The class at which the path begins.
  /// - Throws: The errors of ``ClassDescription/properties(along:)``.
  package init(
    _ names: [String], of model: ClassDescription, _ scope: ReadScope
  ) throws(Failure) {
    var steps: [Step] = []
    var unknown: Value?
    for (model, slot) in try model.properties(along: names) {
      let bound = scope.binding(for: model)
      guard let schema = bound.schema, let property = bound.properties[slot] else {
        let isLast = steps.count == names.count - 1
        unknown = isLast ? model.properties[slot].unstoredConstant : .null
        break
      }
      steps.append(Step(schema: schema, property: property))
    }
    self.steps = steps
    self.unknown = unknown
    classID = scope.binding(for: model).schema?.id ?? 0
    isSingle = steps.count == 1 && unknown == nil
  }

  /// The last property of the path as the file stores it, or nil if the file does not contain it
  /// yet.
  package var last: (schema: ClassSchema, property: StoredProperty)? {
    unknown == nil ? steps.last.map { ($0.schema, $0.property) } : nil
  }

  /// Whether the path ends in a mixed value.
  var isMixed: Bool { steps.last?.property.kind.type == .mixed }

  /// The value at the end of the path for the object of a row, or null if a link on the path is
  /// null.
  ///
  /// - Throws: `.corrupted` if stored bytes are damaged.
  /// - Complexity: O(links of the path).
  package func value(
    of row: RowReader, _ id: UInt64, _ reader: any TableReader
  ) throws(Failure) -> Value {
    if steps.isEmpty { return start(id) }
    let first = try reader.comparedValue(of: row, id, steps[0].property)
    return isSingle ? first : try follow(first, reader) ?? .null
  }

  /// The value at the end of the path, with the checksums of the rows on the path, and of a blob,
  /// verified. See ``value(of:_:_:)``.
  package func verifiedValue(
    of row: RowReader, _ id: UInt64, _ reader: any TableReader
  ) throws(Failure) -> Value {
    guard let first = steps.first else { return start(id) }
    var value = try reader.comparedValue(of: row, id, first.property, isVerified: true)
    for step in steps.dropFirst() {
      guard case .link(_, let target) = value,
        let next = try reader.verifiedRow(step.schema, target)
      else { return .null }
      value = try reader.comparedValue(of: next, target, step.property, isVerified: true)
    }
    guard let unknown else { return value }
    return value.isNull ? .null : unknown
  }

  /// The value at the end of the path for an object whose row has not been read, or null if the
  /// object does not exist. See ``value(of:_:_:)``.
  func value(ofObject id: UInt64, _ reader: any TableReader) throws(Failure) -> Value {
    try reachedValue(ofObject: id, reader) ?? .null
  }

  /// The value at the end of the path, or nil if a link on the path is null. See
  /// ``value(ofObject:_:)``.
  func reachedValue(ofObject id: UInt64, _ reader: any TableReader) throws(Failure) -> Value? {
    if steps.isEmpty { return start(id) }
    let first = try reader.comparedValue(steps[0].schema, id, steps[0].property) ?? .null
    return isSingle ? first : try follow(first, reader)
  }

  /// The value of a path without stored properties: a default value, or the object itself.
  private func start(_ id: UInt64) -> Value {
    unknown ?? .link(classID: classID, objectID: id)
  }

  private func follow(_ start: Value, _ reader: any TableReader) throws(Failure) -> Value? {
    var value = start
    for step in steps.dropFirst() {
      guard case .link(_, let target) = value,
        let next = try reader.comparedValue(step.schema, target, step.property)
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
  /// - Throws: The errors of ``properties(along:)``, and `.invalidInput` for an empty path.
  func property(along names: [String]) throws(Failure) -> PropertyDescription {
    guard let (owner, slot) = try properties(along: names).last else {
      throw Failure(.invalidInput, "The key path is empty.", className: name)
    }
    return owner.properties[slot]
  }

  /// The properties of a path, each with its class: links, then the last property.
  ///
  /// - Throws: `.unknownProperty` for a name that its class lacks. `.invalidInput` if the path
  ///   continues after a property that is not a to-one link, or has more than
  ///   ``QueryPath/maximumCount`` steps.
  func properties(along names: [String]) throws(Failure) -> [(model: ClassDescription, slot: Int)] {
    try DottedPath.check(names, of: name)
    var found: [(model: ClassDescription, slot: Int)] = []
    var next: ClassDescription? = self
    for name in names {
      guard let model = next else {
        throw Failure(
          .invalidInput, "The path continues after a property that is not a to-one link.",
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
