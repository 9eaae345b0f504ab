import VarveCore
import VarveEncoding

/// Ids and rows.
extension ObjectAdder {
  /// Stores an unmanaged object that needs no others, or only such that need none, with those.
  ///
  /// - Returns: nil when the object has to be stored the long way.
  mutating func addedFlat(_ object: ObjectBase) throws(Failure) -> Value? {
    guard policy == .error, let classID = try transaction.addedFlat(object, context) else {
      return nil
    }
    return .link(classID: classID, objectID: object.cell.id)
  }

  /// Gives an object its id. One that needs no other is stored at once.
  mutating func reserve(_ taken: Taken) throws(Failure) {
    let object = taken.object
    // Another thread may have added it meanwhile.
    guard !object.cell.isTied else { return }
    if taken.values == nil, storesAtOnce, let link = try addedFlat(object) {
      links[ObjectIdentifier(object)] = link
      return
    }
    let values = taken.values ?? object.unmanagedValues()
    if let failure = values.failure { throw failure }
    let (binding, schema) = try bound(object)
    let key = Self.key(of: object, values)
    let existing = try existing(object, schema, values)
    let id: UInt64
    if let existing {
      id = existing
    } else if key == nil, object.info.description.generatesKeys {
      id = try transaction.generatedObjectID(schema)
    } else {
      id = try newID(schema, key)
    }
    let isNew = reserved.insert(RowKey(classID: schema.id, objectID: id)).inserted
    let isInserted = existing == nil && isNew
    links[ObjectIdentifier(object)] = Value.link(classID: schema.id, objectID: id)
    additions.append(
      Addition(
        object: object, id: id, binding: binding, schema: schema,
        values: isInserted ? values : taken.given ?? values, contents: taken.contents,
        isInserted: isInserted, lateContents: taken.contents))
  }

  /// Has keys that are generated for some of the objects be greater than those that others bring.
  func reserveGivenKeys(_ all: [Taken]) throws(Failure) {
    guard all.count > 1 else { return }
    for taken in all {
      guard let (slot, schema) = try generatedKey(of: taken.object),
        case .int(let key) = taken.values?.boxes[slot].value ?? taken.object.unmanagedValue(slot)
      else { continue }
      try transaction.reserveKey(key, schema)
    }
  }

  /// Where an object has its primary key if that may be generated; else nil.
  private func generatedKey(
    of object: ObjectBase
  ) throws(Failure) -> (slot: Int, schema: ClassSchema)? {
    let model = object.info.description
    guard model.generatesKeys, let slot = model.primaryKeySlot else { return nil }
    return (slot, try bound(object).schema)
  }

  /// The object that is to be updated; nil where a new one is stored, as a linked one without a key
  /// always is.
  func existing(
    _ object: ObjectBase, _ schema: ClassSchema, _ values: UnmanagedValues
  ) throws(Failure) -> UInt64? {
    if let id = present[ObjectIdentifier(object)] { return id }
    guard policy != .error, let key = Self.key(of: object, values) else { return nil }
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
        className: schema.name, propertyName: schema.primaryKey?.name, value: key?.text)
    }
    return id
  }

  /// The object id that an integer key is.
  private func integerID(_ schema: ClassSchema, _ key: Value) -> UInt64? {
    guard schema.hasIntegerPrimaryKey, case .int(let integer) = key else { return nil }
    return ObjectKey.objectID(forInteger: integer)
  }

  /// Stores the row of a new object, with the collections that can be stored before it.
  ///
  /// - Returns: the contents that are still to be stored.
  func insert(_ addition: Addition) throws(Failure) -> [Content] {
    var addition = addition
    // Of an object that existed when the values were taken. Before the row is begun: it may be code of the model.
    for (slot, property) in addition.binding.properties.enumerated() {
      guard let property, property.kind.collection == .none,
        case .unset = addition.values.boxes[slot].content
      else { continue }
      addition.values.boxes[slot] = addition.object.unmanagedBox(slot)
    }
    if let plan = try transaction.insertionPlan(for: .passUnretained(addition.binding.model)) {
      return try insert(addition, plan)
    }
    let (schema, id) = (addition.schema, addition.id)
    transaction.beginRow(schema)
    for (slot, property) in addition.binding.properties.enumerated() {
      guard let property, property.kind.collection == .none else { continue }
      if let value = try value(of: addition.values.boxes[slot], property, addition) {
        try transaction.fill(schema, property, value, object: id)
      }
    }
    try transaction.fillUnknown(schema, addition.binding, object: id)
    try transaction.insertRow(schema, id)
    return addition.contents
  }

  private func insert(
    _ addition: Addition, _ plan: UnsafePointer<InsertionPlan>
  ) throws(Failure) -> [Content] {
    var late: [Content] = []
    var start = 0
    transaction.beginRow(plan)
    for place in 0..<plan.pointee.fieldCount {
      let field = plan.pointee.firstField + place
      let slot = field.pointee.slot
      let content = addition.contents.content(of: slot, after: &start)
      switch (field.pointee.content, content) {
      case (.collection, nil), (.lateCollection, nil): break
      case (.lateCollection, let content?): late.append(content)
      case (.collection, let content?):
        try transaction.fill(field, content, object: addition.id, plan) {
          (box) throws(Failure) in try value(of: box)
        }
      case (.value, _), (.link, _):
        guard let property = addition.binding.properties[slot],
          let value = try value(of: addition.values.boxes[slot], property, addition)
        else { continue }
        try transaction.fill(field, value, object: addition.id, plan)
      }
    }
    try transaction.insertRow(plan, addition.id)
    return late
  }

  func update(_ addition: Addition) throws(Failure) {
    let (schema, id) = (addition.schema, addition.id)
    for (slot, box) in addition.values.boxes.enumerated() {
      guard let property = addition.binding.properties[slot], property.kind.collection == .none,
        !property.isPrimaryKey
      else { continue }
      if case .unset = box.content { continue }
      if policy == .modified, try holds(box, property, addition) { continue }
      let value = try value(of: box, property, addition) ?? .null
      try transaction.set(schema, id, property, value)
    }
  }

  /// Whether a property of an object that exists has the value in a box.
  private func holds(
    _ box: _Boxed, _ property: StoredProperty, _ addition: Addition
  ) throws(Failure) -> Bool {
    guard let value = try transaction.value(addition.schema, addition.id, property) else {
      return false
    }
    return try Failure.putting(in: property.name, of: addition.schema.name) { () throws(Failure) in
      guard property.kind.type == .mixed else { return try self.value(of: box) ?? .null == value }
      return try transaction.holds(
        try content(of: box), in: value, addition.schema, addition.id, property)
    }
  }

  /// The value in a box, for one property; what is nested in a mixed value is stored.
  private func value(
    of box: _Boxed, _ property: StoredProperty, _ addition: Addition
  ) throws(Failure) -> Value? {
    try Failure.putting(in: property.name, of: addition.schema.name) { () throws(Failure) in
      guard case .collection = box.content else { return try value(of: box) }
      return try transaction.stored(
        try content(of: box), addition.schema, addition.id, property)
    }
  }

  /// The value in a box: of an object, the link. Nil for unset ones and collections.
  func value(of box: _Boxed) throws(Failure) -> Value? {
    guard let object = box.object else { return box.value }
    return try link(toTaken: object)
  }
}
