package import VarveCore
package import VarveEncoding

/// Reads objects in JSON, and stores them in a write transaction. The format is described in
/// `Docs/JSON-Lines.md`.
///
/// Thread safety: none; only the thread that runs the write uses it.
package struct ObjectReader {
  let transaction: Transaction
  /// The offset added to the ids of the text, so that no id of the store is reused; 0 in a new
  /// store.
  let idShift: UInt64
  /// Whether the property being read links to an object that has not been read yet.
  var hasMetUnknown = false
  /// The number of embedded objects that enclose the value being read.
  var embeddedDepth = 0
  /// Whether every object has been read.
  var isComplete = false
  /// Where linked objects must be, for messages.
  private(set) var scopeName = "text"
  /// The properties of inserted objects with links to objects that have not been read yet.
  private var unknown: [UnknownProperty] = []
  /// The classes of the text, by their names.
  var plans: [String: ImportedClass] = [:]

  init(_ transaction: Transaction, idShift: UInt64) {
    self.transaction = transaction
    self.idShift = idShift
  }

  /// Creates a reader of single objects, whose links lead to objects of the store.
  ///
  /// - Parameter isComplete: Whether a link must lead to an object that exists when it is read;
  ///   otherwise when ``finish()`` is called.
  package init(editing transaction: Transaction, isComplete: Bool = true) {
    self.init(transaction, idShift: 0)
    self.isComplete = isComplete
    scopeName = "store"
    for schema in transaction.schema.classes {
      plans[schema.name] = ImportedClass(schema, transaction.schema)
    }
  }

  /// Parses a text.
  ///
  /// - Throws: `.invalidInput`.
  package static func parse(_ line: [UInt8]) throws(Failure) -> JSONValue {
    do throws(JSONReader.Fault) {
      return try JSONReader.read(line)
    } catch {
      throw Failure(
        .invalidInput, "A line is not JSON.", details: ["column \(error.column): \(error.reason)"])
    }
  }

  /// Inserts an object.
  ///
  /// - Parameters:
  ///   - json: The properties by their names, with the primary key among them. It may be omitted if
  ///     the class generates keys.
  ///   - schema: A class that is not embedded.
  /// - Returns: The id of the object.
  /// - Throws: `.invalidInput`, `.typeMismatch`, `.missingValue`, `.unknownProperty`, or
  ///   `.duplicatePrimaryKey`, with the class, the property and the value where known. The
  ///   transaction must then be rolled back.
  package mutating func insert(
    _ json: JSONValue, _ schema: ClassSchema
  ) throws(Failure) -> UInt64 {
    guard case .object(var members) = json else {
      throw Failure(
        .invalidInput, "The values are not a JSON object.", className: schema.name, value: json.text
      )
    }
    return try transaction.operation { () throws(Failure) in
      let (id, key) = try reserve(&members, schema)
      let plan = plan(schema)
      var parts = try properties(.object(members), plan)
      for (index, part) in parts.enumerated() where part.isUnknown {
        let property = schema.properties[index]
        if let member = members.first(where: { $0.name == property.name }) {
          unknown.append(UnknownProperty(schema, id, property, member.value))
        }
        parts[index] = .value(.null)
      }
      if let key, let index = schema.properties.firstIndex(where: \.isPrimaryKey) {
        parts[index] = .value(key)
      }
      try store(parts, plan, id)
      return id
    }
  }

  /// Sets the links to objects that were inserted later than the objects that contain them.
  ///
  /// - Throws: `.invalidInput` for a link to an object that does not exist.
  package mutating func finish() throws(Failure) {
    isComplete = true
    for missing in unknown {
      try set(missing.value, missing.property, of: missing.id, missing.schema)
    }
    unknown.removeAll()
  }

  /// Reserves the id of an object, and removes its key from the members.
  private mutating func reserve(
    _ members: inout [JSONMember], _ schema: ClassSchema
  ) throws(Failure) -> (id: UInt64, key: Value?) {
    guard let property = schema.primaryKey else {
      return (try transaction.newObjectID(schema, primaryKey: nil), nil)
    }
    guard let index = members.firstIndex(where: { $0.name == property.name }) else {
      guard schema.generatesKeys else {
        throw Failure(
          .missingValue, "An object has no key.", className: schema.name,
          propertyName: property.name)
      }
      let id = try transaction.generatedObjectID(schema)
      return (id, .int(ObjectKey.integer(forObjectID: id)))
    }
    let key = try value(members.remove(at: index).value, property, schema)
    return (try transaction.newObjectID(schema, primaryKey: key), key)
  }

  /// Replaces the value of a property of a stored object.
  ///
  /// - Throws: `.primaryKeyChanged` for another primary key; the errors of ``insert(_:_:)``. The
  ///   transaction must then be rolled back.
  package mutating func set(
    _ json: JSONValue, _ property: StoredProperty, of id: UInt64, _ schema: ClassSchema
  ) throws(Failure) {
    try transaction.operation { () throws(Failure) in
      let part = try part(json, property, schema)
      try clear(property, of: id, schema)
      try setPart(part, property, schema, id)
    }
  }

  /// Removes the elements of a collection property.
  private func clear(
    _ property: StoredProperty, of id: UInt64, _ schema: ClassSchema
  ) throws(Failure) {
    guard property.kind.collection != .none else { return }
    let collection = try transaction.collection(schema, id, property)
    switch property.kind.collection {
    case .list: try transaction.removeAllElements(collection)
    case .set: try transaction.removeAllSetElements(collection)
    case .dictionary: try transaction.removeAllEntries(collection)
    case .none: break
    }
  }

  /// Returns the state of a class.
  func plan(_ schema: ClassSchema) -> ImportedClass {
    plans[schema.name] ?? ImportedClass(schema, transaction.schema)
  }

  func plan(named name: String) -> ImportedClass? { plans[name] }
}

/// A property with a link to an object that has not been read yet.
private struct UnknownProperty {
  let schema: ClassSchema
  let id: UInt64
  let property: StoredProperty
  let value: JSONValue

  init(_ schema: ClassSchema, _ id: UInt64, _ property: StoredProperty, _ value: JSONValue) {
    self.schema = schema
    self.id = id
    self.property = property
    self.value = value
  }
}

/// A class whose objects are read.
///
/// Thread safety: none; it belongs to one import.
final class ImportedClass {
  let schema: ClassSchema
  /// The targets of the properties in the rows of new objects.
  let fields: [RowTemplate.Field]
  let indexByName: [String: Int]
  /// The number of objects read so far.
  var count = 0

  init(_ schema: ClassSchema, _ file: FileSchema) {
    self.schema = schema
    fields = RowTemplate.Field.all(of: schema, in: file)
    indexByName = Dictionary(
      schema.properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
