import VarveEncoding
import VarveStorage

/// A path bound to the schema of a file.
///
/// A property that the file does not contain yet reads as its default value, and a collection as
/// empty.
struct BoundPath: Sendable {
  enum Step: Sendable {
    /// The value of a property.
    case property(ClassSchema, StoredProperty)
    /// A whole collection.
    case collection(ClassSchema, StoredProperty)
    /// A property that the file does not contain: its default value, or nil for an empty
    /// collection.
    case constant(Value?)
    /// The objects that link to the object through one of their properties.
    case links(ClassSchema, StoredProperty)
    case key(String)
    case element(QueryPath.Position)
    case elements
    case keys
    case type
  }

  let steps: [Step]
  /// For each step, whether it or a later step may yield more than one value.
  private let isManyFrom: [Bool]
  /// The class at which the path begins, or nil for a path that begins at a value.
  private let schema: ClassSchema?
  private let fileKey: FileKey
  /// The class of the objects at the end of the path, or nil for values.
  let endModel: ClassDescription?
  /// The declared type at the end of the path, or nil if it is only known when a value is read.
  let endType: PropertyType?

  init(
    _ steps: [Step], from schema: ClassSchema?, to endModel: ClassDescription?,
    _ endType: PropertyType?, _ fileKey: FileKey
  ) {
    self.steps = steps
    self.schema = schema
    self.endModel = endModel
    self.endType = endType
    self.fileKey = fileKey
    var isMany = [false]
    for step in steps.reversed() { isMany.append(step.branches || isMany[isMany.count - 1]) }
    isManyFrom = isMany.reversed()
  }

  var isMany: Bool { isManyFrom[0] }

  /// Calls `body` with each value of the path until it returns false. The second argument is the
  /// collection that contains the value, if that collection may contain nested collections.
  ///
  /// - Returns: Whether all values were visited.
  /// - Throws: `.corrupted` if stored bytes are damaged, and any error of `body`.
  /// - Complexity: O(objects and elements along the path).
  @discardableResult
  func forEach(
    _ subject: QuerySubject, _ reader: any TableReader,
    _ body: (Value, StoredProperty?) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    try visit(subject, 0, reader, body)
  }

  /// The value of a path with a single value.
  ///
  /// - Throws: `.corrupted`.
  func value(_ subject: QuerySubject, _ reader: any TableReader) throws(Failure) -> Value {
    var found = Value.null
    try forEach(subject, reader) { value, _ in
      found = value
      return false
    }
    return found
  }

  /// The number of values of the path.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: O(1) for the elements of one collection, otherwise that of ``forEach(_:_:_:)``.
  func count(_ subject: QuerySubject, _ reader: any TableReader) throws(Failure) -> Int {
    var count = 0
    if case .elements? = steps.last, steps.dropLast().allSatisfy({ !$0.branches }) {
      if let current = try self.subject(before: steps.count - 1, subject, reader),
        let (content, property) = Self.collection(current)
      {
        return try reader.elementCount(content, property)
      }
      return 0
    }
    try forEach(subject, reader) { _, _ in
      count += 1
      return true
    }
    return count
  }

  // MARK: Walking

  private func visit(
    _ start: QuerySubject, _ first: Int, _ reader: any TableReader,
    _ body: (Value, StoredProperty?) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    var current = start
    for index in first..<steps.count {
      switch steps[index] {
      case .elements:
        guard let (content, property) = Self.collection(current) else { return true }
        let element = property.nestedOrSelf
        return try reader.forEachElement(content, property) { (value) throws(Failure) in
          try visit(.value(value, element), index + 1, reader, body)
        }
      case .keys:
        guard let (content, property) = Self.collection(current) else { return true }
        return try reader.forEachKey(content, property) { (value) throws(Failure) in
          try visit(.value(value, nil), index + 1, reader, body)
        }
      case .links(let origin, let property):
        guard let target = target(current) else { return true }
        let links = try reader.incomingLinks(
          to: target, from: origin.id, property: property.id)
        for id in try reader.originIDs(of: links, origin, property) {
          let value = Value.link(classID: origin.id, objectID: id)
          guard try visit(.value(value, nil), index + 1, reader, body) else { return false }
        }
        return true
      default:
        guard let next = try next(current, index, reader) else {
          return isManyFrom[index + 1] ? true : try body(.null, nil)
        }
        current = next
      }
    }
    guard case .value(let value, let property) = current else {
      return try body(value(of: current), nil)
    }
    return try body(value, property)
  }

  private func subject(
    before end: Int, _ subject: QuerySubject, _ reader: any TableReader
  ) throws(Failure) -> QuerySubject? {
    var current = subject
    for index in 0..<end {
      guard let next = try next(current, index, reader) else { return nil }
      current = next
    }
    return current
  }

  /// The subject that a step yields, for a step that yields at most one. Nil after null.
  private func next(
    _ current: QuerySubject, _ index: Int, _ reader: any TableReader
  ) throws(Failure) -> QuerySubject? {
    switch steps[index] {
    case .property(let schema, let property):
      if case .row(let row, let id) = current {
        return .value(try reader.comparedValue(of: row, id, property), property)
      }
      guard case .value(.link(_, let id), _) = current,
        let value = try reader.comparedValue(schema, id, property)
      else { return nil }
      return .value(value, property)
    case .collection(let schema, let property):
      if case .row(let row, _) = current {
        guard let field = row.layout.field(forProperty: property.id) else { return .nothing }
        return .collection(row.collectionContent(field), property)
      }
      guard case .value(.link(_, let id), _) = current,
        let content = try reader.collectionContent(schema, id, property)
      else { return nil }
      return .collection(content, property)
    case .constant(let value):
      if case .value(.null, _) = current { return nil }
      return value.map { .value($0, nil) } ?? .nothing
    case .key(let key):
      guard let (content, property) = Self.collection(current) else { return .value(.null, nil) }
      return .value(
        try reader.element(content, property, forKey: key, fileKey), property.nestedOrSelf)
    case .element(let position):
      guard let (content, property) = Self.collection(current) else { return .value(.null, nil) }
      return .value(try reader.element(content, property, at: position), property.nestedOrSelf)
    case .type: return .value(.string(value(of: current).typeName), nil)
    case .elements, .keys, .links: return nil
    }
  }

  /// The collection that a subject is, or nil.
  private static func collection(_ subject: QuerySubject) -> (CollectionContent, StoredProperty)? {
    switch subject {
    case .collection(let content, let property): return (content, property)
    case .value(.nested(let kind, let slot), let property?):
      return (CollectionContent(slot), property.nested(kind))
    case .row, .value, .nothing: return nil
    }
  }

  /// The object that a subject is, or nil.
  private func target(_ subject: QuerySubject) -> RowKey? {
    switch subject {
    case .row(_, let id): schema.map { RowKey(classID: $0.id, objectID: id) }
    case .value(.link(let classID, let id), _): RowKey(classID: classID, objectID: id)
    case .value, .collection, .nothing: nil
    }
  }

  private func value(of subject: QuerySubject) -> Value {
    switch subject {
    case .row(_, let id): .link(classID: schema?.id ?? 0, objectID: id)
    case .value(let value, _): value
    case .collection, .nothing: .null
    }
  }
}

extension BoundPath.Step {
  /// Whether the step may yield many values.
  fileprivate var branches: Bool {
    switch self {
    case .links, .elements, .keys: true
    default: false
    }
  }
}

extension StoredProperty {
  /// The property that describes collections nested in the elements of the collection, or nil if
  /// elements cannot be collections.
  fileprivate var nestedOrSelf: StoredProperty? { kind.type == .mixed ? self : nil }
}

extension Value {
  /// The name of the value's type in predicates.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "binary"
    case .date: "date"
    case .uuid: "uuid"
    case .objectId: "objectid"
    case .decimal: "decimal"
    case .link: "object"
    case .nested(let kind, _): kind == .dictionary ? "dictionary" : "list"
    }
  }
}
