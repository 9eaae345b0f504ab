import VarveCore
import VarveEncoding

/// Stages 2 and 3: reserves ids and stores rows.
extension ObjectAdder {
  /// Assigns an id to an object.
  mutating func reserve(_ index: Int) throws(Failure) {
    let object = additions[index].object
    // The code of a default may have changed the class since the object was collected.
    let (binding, schema) = try bound(object)
    let key = Self.key(of: object, additions[index].updates)
    let existing = try existing(object, schema, key)
    let id: UInt64
    if let existing {
      id = existing
    } else if key == nil, object.info.description.generatesKeys {
      id = try transaction.generatedObjectID(schema)
    } else {
      id = try newID(schema, key)
    }
    var isInserted = existing == nil
    if additions.count > 1 || policy != .error {
      let isNew = reserved.insert(RowKey(classID: schema.id, objectID: id)).inserted
      isInserted = isInserted && isNew
    }
    links[ObjectIdentifier(object)] = .link(classID: schema.id, objectID: id)
    additions[index].binding = binding
    additions[index].schema = schema
    additions[index].id = id
    additions[index].key = key
    additions[index].isInserted = isInserted
  }

  /// Makes sure that generated keys are greater than the keys that other collected objects set
  /// explicitly.
  func reserveGivenKeys() throws(Failure) {
    for addition in additions where addition.object.info.description.generatesKeys {
      guard case .int(let key)? = Self.key(of: addition.object, addition.updates) else { continue }
      try transaction.reserveKey(key, addition.schema)
    }
  }

  /// Returns the id of the object to update, or nil when a new object is stored. A linked object
  /// without a primary key is always new.
  func existing(
    _ object: ObjectBase, _ schema: ClassSchema, _ key: Value?
  ) throws(Failure) -> UInt64? {
    if let id = present[ObjectIdentifier(object)] { return id }
    guard policy != .error, let key else { return nil }
    if let id = integerID(schema, key),
      reserved.contains(RowKey(classID: schema.id, objectID: id))
    {
      return id
    }
    return try transaction.object(schema, primaryKey: key)
  }

  private func newID(_ schema: ClassSchema, _ key: Value?) throws(Failure) -> UInt64 {
    let id = try transaction.newObjectID(schema, primaryKey: key)
    guard !reserved.contains(RowKey(classID: schema.id, objectID: id)) else {
      throw Failure(
        .duplicatePrimaryKey, "An object with this primary key exists already.",
        className: schema.name, propertyName: schema.primaryKey.map(schema.declaredName),
        value: key?.text)
    }
    return id
  }

  /// Converts an integer primary key to an object id.
  private func integerID(_ schema: ClassSchema, _ key: Value) -> UInt64? {
    guard schema.hasIntegerPrimaryKey, case .int(let integer) = key else { return nil }
    return ObjectKey.objectID(forInteger: integer)
  }

  /// Inserts the row of a new object, with the collections that can be stored before the row, or
  /// updates an existing row.
  mutating func store(_ index: Int) throws(Failure) {
    let addition = additions[index]
    if addition.isInserted {
      additions[index].lateContents = try insert(addition)
    } else {
      additions[index].lateContents = addition.contents
      try update(addition)
    }
  }

  /// - Returns: The contents of the collections that must be stored after the row.
  private func insert(_ addition: Addition) throws(Failure) -> [Content] {
    let template = try transaction.rowTemplate(
      for: .passUnretained(addition.object.info.description))
    var late: [Content] = []
    transaction.beginRow(template)
    // Copied values are stored without the object's lock.
    for (slot, box) in addition.boxes {
      guard let field = template.pointee.field(of: slot) else { continue }
      try fill(field, box, addition, template)
    }
    if template.pointee.hasUnknownProperties {
      try transaction.fillUnknown(addition.schema, addition.binding, object: addition.id)
    }
    try addition.object.withValues { (values) throws(Failure) in
      try transaction.fillPlain(template, values, object: addition.id, key: addition.key)
    }
    // The collections of a new row are empty. They come last, so that the length of the row decides
    // which of them are stored in it.
    for content in addition.contents where !content.isEmpty {
      guard let field = template.pointee.field(of: content.slot) else { continue }
      if field.pointee.content == .lateCollection {
        late.append(content)
      } else {
        try fill(field, content, addition, template)
      }
    }
    try transaction.insertRow(template, addition.id)
    return late
  }

  private func update(_ addition: Addition) throws(Failure) {
    let (schema, id) = (addition.schema, addition.id)
    let boxes = addition.updates?.boxes ?? []
    for (slot, box) in boxes.enumerated() {
      guard let property = addition.binding.properties[slot], property.kind.collection == .none,
        !property.isPrimaryKey
      else { continue }
      if case .unset = box.content { continue }
      if policy == .modified, try hasContent(box, property, addition) { continue }
      let value = try value(of: box, property, addition) ?? .null
      try transaction.set(schema, id, property, value)
    }
  }

  /// Whether a property of an existing object has the value in a box.
  private func hasContent(
    _ box: _Boxed, _ property: StoredProperty, _ addition: Addition
  ) throws(Failure) -> Bool {
    guard let value = try transaction.value(addition.schema, addition.id, property) else {
      return false
    }
    return try addition.putting(in: property) { () throws(Failure) in
      guard property.kind.type == .mixed else { return try self.value(of: box) ?? .null == value }
      return try transaction.hasContent(
        try content(of: box), in: value, addition.schema, addition.id, property)
    }
  }

  private func fill(
    _ field: UnsafePointer<RowTemplate.Field>, _ box: _Boxed, _ addition: Addition,
    _ template: UnsafePointer<RowTemplate>
  ) throws(Failure) {
    guard let property = addition.binding.properties[field.pointee.slot],
      let value = try value(of: box, property, addition)
    else { return }
    try transaction.fill(field, value, object: addition.id, template)
  }

  /// Returns the value in a box for a property. Collections nested in a mixed value are stored.
  private func value(
    of box: _Boxed, _ property: StoredProperty, _ addition: Addition
  ) throws(Failure) -> Value? {
    try addition.putting(in: property) { () throws(Failure) in
      guard case .collection = box.content else { return try value(of: box) }
      return try transaction.stored(
        try content(of: box), addition.schema, addition.id, property)
    }
  }

  /// Returns the value in a box, and for an object the link to it. Returns nil for unset values and
  /// collections.
  func value(of box: _Boxed) throws(Failure) -> Value? {
    guard let object = box.object else { return box.value }
    return try link(toCollected: object)
  }

  private func fill(
    _ field: UnsafePointer<RowTemplate.Field>, _ content: Content, _ addition: Addition,
    _ template: UnsafePointer<RowTemplate>
  ) throws(Failure) {
    guard let property = addition.binding.properties[field.pointee.slot] else { return }
    try addition.putting(in: property) { () throws(Failure) in
      if property.kind.collection == .dictionary {
        try transaction.fillEntries(
          field, try entries(content), object: addition.id, template)
      } else {
        try transaction.fillElements(
          field, try values(content), object: addition.id, template)
      }
    }
  }
}
