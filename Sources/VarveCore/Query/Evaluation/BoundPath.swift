import VarveEncoding
import VarveStorage

/// A path tied to what a file stores.
///
/// What the file does not know yet reads as its default, a collection as an empty one.
///
/// Thread safety: an immutable value.
struct BoundPath: Sendable {
  enum Step: Sendable {
    /// The value of a property.
    case property(ClassSchema, StoredProperty)
    /// A collection as a whole.
    case collection(ClassSchema, StoredProperty)
    /// What the file does not know: a value, or nothing.
    case constant(Value?)
    /// The objects that link to one through a property of theirs.
    case links(ClassSchema, StoredProperty)
    case key(String)
    case element(QueryPath.Position)
    case elements
    case keys
    case type
  }

  let steps: [Step]
  /// Whether more than one value may follow, from each step on.
  private let isManyFrom: [Bool]
  /// The class that the path begins at; nil for one that begins at a value.
  private let schema: ClassSchema?
  private let fileKey: FileKey
  /// The class of the objects that the path leads to; nil where it leads to values.
  let endModel: ClassDescription?
  /// The type of what the path leads to, as the classes declare it; nil for what is known only when it is read.
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

  /// Calls `body` with each value that the path leads to, and with the collection that holds the value, where it may
  /// hold collections in turn, until it gives false.
  ///
  /// - Returns: whether all were met.
  /// - Throws: `.corrupted` when bytes on the way are damaged, and what `body` throws.
  /// - Complexity: O(objects and elements on the way).
  @discardableResult
  func forEach(
    _ subject: QuerySubject, _ reader: any TableReader,
    _ body: (Value, StoredProperty?) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    try visit(subject, 0, reader, body)
  }

  /// The value that a path leads to that has one.
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

  /// How many values the path leads to.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: O(1) for the elements of one collection, else as ``forEach(_:_:_:)``.
  func count(_ subject: QuerySubject, _ reader: any TableReader) throws(Failure) -> Int {
    var count = 0
    if case .elements? = steps.last, steps.dropLast().allSatisfy({ !$0.branches }) {
      if let place = try place(before: steps.count - 1, subject, reader),
        let (slot, property) = Self.collection(place)
      {
        return try reader.elementCount(slot, property)
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
    var place = start
    for index in first..<steps.count {
      switch steps[index] {
      case .elements:
        guard let (slot, property) = Self.collection(place) else { return true }
        let element = property.nestedOrSelf
        return try reader.forEachElement(slot, property) { (value) throws(Failure) in
          try visit(.value(value, element), index + 1, reader, body)
        }
      case .keys:
        guard let (slot, property) = Self.collection(place) else { return true }
        return try reader.forEachKey(slot, property) { (value) throws(Failure) in
          try visit(.value(value, nil), index + 1, reader, body)
        }
      case .links(let origin, let property):
        guard let target = target(place) else { return true }
        let links = try reader.incomingLinks(
          to: target, from: origin.id, property: property.id)
        for id in try reader.originIDs(of: links, origin, property) {
          let value = Value.link(classID: origin.id, objectID: id)
          guard try visit(.value(value, nil), index + 1, reader, body) else { return false }
        }
        return true
      default:
        guard let next = try next(place, index, reader) else {
          return isManyFrom[index + 1] ? true : try body(.null, nil)
        }
        place = next
      }
    }
    guard case .value(let value, let property) = place else {
      return try body(value(at: place), nil)
    }
    return try body(value, property)
  }

  private func place(
    before end: Int, _ subject: QuerySubject, _ reader: any TableReader
  ) throws(Failure) -> QuerySubject? {
    var place = subject
    for index in 0..<end {
      guard let next = try next(place, index, reader) else { return nil }
      place = next
    }
    return place
  }

  /// Where a step that leads to one place leads; nil after null.
  private func next(
    _ place: QuerySubject, _ index: Int, _ reader: any TableReader
  ) throws(Failure) -> QuerySubject? {
    switch steps[index] {
    case .property(let schema, let property):
      if case .row(let row, let id) = place {
        return .value(try reader.value(of: row, id, property), property)
      }
      guard case .value(.link(_, let id), _) = place,
        let value = try reader.value(schema, id, property)
      else { return nil }
      return .value(value, property)
    case .collection(let schema, let property):
      if case .row(let row, _) = place {
        guard let field = row.layout.field(forProperty: property.id) else { return .nothing }
        return .collection(row.collectionSlot(field), property)
      }
      guard case .value(.link(_, let id), _) = place,
        let slot = try reader.collectionSlot(schema, id, property)
      else { return nil }
      return .collection(slot, property)
    case .constant(let value):
      if case .value(.null, _) = place { return nil }
      return value.map { .value($0, nil) } ?? .nothing
    case .key(let key):
      guard let (slot, property) = Self.collection(place) else { return .value(.null, nil) }
      return .value(
        try reader.element(slot, property, forKey: key, fileKey), property.nestedOrSelf)
    case .element(let position):
      guard let (slot, property) = Self.collection(place) else { return .value(.null, nil) }
      return .value(try reader.element(slot, property, at: position), property.nestedOrSelf)
    case .type: return .value(.string(value(at: place).typeName), nil)
    case .elements, .keys, .links: return nil
    }
  }

  /// The collection at a place; nil where there is none.
  private static func collection(_ place: QuerySubject) -> (CollectionSlot, StoredProperty)? {
    switch place {
    case .collection(let slot, let property): return (slot, property)
    case .value(.nested(let kind, let slot), let property?): return (slot, property.nested(kind))
    case .row, .value, .nothing: return nil
    }
  }

  /// The object at a place; nil where there is none.
  private func target(_ place: QuerySubject) -> RowKey? {
    switch place {
    case .row(_, let id): schema.map { RowKey(classID: $0.id, objectID: id) }
    case .value(.link(let classID, let id), _): RowKey(classID: classID, objectID: id)
    case .value, .collection, .nothing: nil
    }
  }

  private func value(at place: QuerySubject) -> Value {
    switch place {
    case .row(_, let id): .link(classID: schema?.id ?? 0, objectID: id)
    case .value(let value, _): value
    case .collection, .nothing: .null
    }
  }
}

extension BoundPath.Step {
  /// Whether the step may lead to many places.
  fileprivate var branches: Bool {
    switch self {
    case .links, .elements, .keys: true
    default: false
    }
  }
}

extension StoredProperty {
  /// What is known of what an element of the collection holds in turn.
  fileprivate var nestedOrSelf: StoredProperty? { kind.type == .mixed ? self : nil }
}

extension Value {
  /// The name of the value's type, as predicates ask for it.
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
