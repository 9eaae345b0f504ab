import VarveCore
import VarveEncoding
import VarveStorage

/// Storing parsed and checked values.
extension ObjectReader {
  /// Stores an object under its reserved id.
  func store(
    _ parts: [ImportedPart], _ plan: ImportedClass, _ id: UInt64
  ) throws(Failure) {
    let schema = plan.schema
    // Embedded objects first: the transaction fills one row at a time.
    var values: [Value] = []
    for (property, part) in zip(schema.properties, parts) {
      let isSingle = property.kind.collection == .none
      values.append(isSingle ? try stored(part, property, schema, id) : .null)
    }
    transaction.beginRow(schema)
    for field in plan.fields where field.content.isSingle {
      try transaction.fill(field, values[field.index], object: id, in: schema)
    }
    // The collections of a new row are empty. They come last, so that the length of the row decides
    // which of them are stored in it.
    var late: [Int] = []
    for field in plan.fields where !field.content.isSingle {
      if try !fill(field, parts[field.index], schema, id) { late.append(field.index) }
    }
    try transaction.insertRow(schema, id)
    for index in late { try setPart(parts[index], schema.properties[index], schema, id) }
  }

  /// Fills a collection of the new row.
  ///
  /// - Returns: false for a collection that must be set once the row is stored: one whose elements
  ///   are stored themselves.
  private func fill(
    _ field: RowTemplate.Field, _ part: ImportedPart, _ schema: ClassSchema, _ id: UInt64
  ) throws(Failure) -> Bool {
    let property = schema.properties[field.index]
    guard field.content == .collection else { return false }
    switch part {
    case .elements(let parts):
      let elements = try stored(parts, property, schema, id)
      let count = try transaction.fillElements(field, elements, object: id, in: schema)
      guard count == elements.count else { throw twice(elements, property, schema) }
    case .entries(let entries):
      let values = try stored(entries.map(\.part), property, schema, id)
      try transaction.fillEntries(
        field, zip(entries, values).map { ($0.key, $1) }, object: id, in: schema)
    case .value, .embedded, .nested, .unknown: break
    }
    return true
  }

  /// Stores the embedded object or the nested collections of a single property, and returns the
  /// value of the property.
  private func stored(
    _ part: ImportedPart, _ property: StoredProperty, _ schema: ClassSchema, _ id: UInt64
  ) throws(Failure) -> Value {
    guard case .nested(let content) = part else { return try stored(part) }
    return try transaction.stored(content, schema, id, property)
  }

  /// Stores an embedded object, and returns the value that refers to it.
  private func stored(_ part: ImportedPart) throws(Failure) -> Value {
    switch part {
    case .value(let value): return value
    case .embedded(let plan, let parts):
      let id = try transaction.newObjectID(plan.schema, primaryKey: nil)
      try store(parts, plan, id)
      return .link(classID: plan.schema.id, objectID: id)
    case .elements, .entries, .nested, .unknown: return .null
    }
  }

  /// Sets a property of a stored object. A collection has no elements yet.
  func setPart(
    _ part: ImportedPart, _ property: StoredProperty, _ schema: ClassSchema, _ id: UInt64
  ) throws(Failure) {
    switch part {
    case .elements(let parts):
      try setElements(parts, property, schema, id)
    case .entries(let entries):
      guard !entries.isEmpty else { return }
      let values = try stored(entries.map(\.part), property, schema, id)
      let collection = try transaction.collection(schema, id, property)
      try transaction.setValues(
        zip(entries, values).map { ($0.key, $1) }, collection, replacing: false)
    case .value, .embedded, .nested, .unknown:
      guard property.kind.collection == .none else { return }
      try transaction.set(schema, id, property, try stored(part, property, schema, id))
    }
  }

  private func setElements(
    _ parts: [ImportedPart], _ property: StoredProperty, _ schema: ClassSchema, _ id: UInt64
  ) throws(Failure) {
    guard !parts.isEmpty else { return }
    let values = try stored(parts, property, schema, id)
    let collection = try transaction.collection(schema, id, property)
    guard property.kind.collection == .set else {
      return try transaction.insert(values, collection, at: transaction.count(collection))
    }
    try transaction.insertElements(values, collection)
    guard transaction.count(collection) == values.count else {
      throw twice(values, property, schema)
    }
  }

  /// The error for elements of a set that are not all different.
  private func twice(
    _ elements: [Value], _ property: StoredProperty, _ schema: ClassSchema
  ) -> Failure {
    Failure(
      .invalidInput, "A set has an element twice.", className: schema.name,
      propertyName: property.name, value: "\(elements.count) elements")
  }

  /// Stores the embedded objects and nested collections of elements, and returns the elements.
  private func stored(
    _ parts: [ImportedPart], _ property: StoredProperty, _ schema: ClassSchema, _ id: UInt64
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(parts.count)
    for part in parts {
      if case .nested(let content) = part {
        let collection = try transaction.collection(schema, id, property)
        values.append(try transaction.stored(content, in: collection))
      } else {
        values.append(try stored(part))
      }
    }
    return values
  }
}
