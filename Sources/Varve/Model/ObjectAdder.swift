package import VarveCore
package import VarveEncoding

/// How ``Realm/add(_:update:)`` and ``Realm/create(_:value:update:)`` treat an object whose primary
/// key exists.
extension Realm {
  /// What to do when an object with the primary key exists.
  public enum UpdatePolicy: Sendable {
    /// The write fails with `.duplicatePrimaryKey`.
    case error
    /// Only properties that differ are set; nothing is written when none do.
    case modified
    /// Every given property is set, and reported as changed even if equal.
    case all
  }
}

/// Stores unmanaged objects with everything that they link to.
///
/// First every object that can be reached gets its id, one after another, so that a chain of any length
/// and cycles do not nest calls; then the rows are stored, then the collections, and at last the
/// objects become managed.
///
/// Thread safety: none; lives inside one operation of a transaction.
package struct ObjectAdder {
  /// An object that is being stored.
  private struct Addition {
    let object: ObjectBase
    let id: UInt64
    let binding: ClassBinding
    let schema: ClassSchema
    let taken: UnmanagedValues
    /// The contents of its collections.
    let contents: [Content]
    /// Whether its row is inserted, or one that exists is updated.
    let isInserted: Bool
  }

  /// What a collection of an unmanaged object holds.
  private struct Content {
    let property: StoredProperty
    let slot: Int
    let handle: any _CollectionHandle
    let elements: [_Boxed]
    let entries: [(key: String, value: _Boxed)]
  }

  private let transaction: Transaction
  private let context: ReadContext
  private let policy: Realm.UpdatePolicy
  /// The links to the objects on the way, so that cycles end.
  private var visited: [ObjectIdentifier: Value] = [:]
  private var additions: [Addition] = []
  /// The rows that are about to be inserted.
  private var reserved: Set<RowKey> = []

  package init(
    _ transaction: Transaction, _ context: ReadContext, policy: Realm.UpdatePolicy = .error
  ) {
    self.transaction = transaction
    self.context = context
    self.policy = policy
  }

  /// The value of a box as it is stored; an unmanaged object is added.
  package static func value(
    of box: _Boxed, _ transaction: Transaction, _ context: ReadContext?
  ) throws(Failure) -> Value {
    switch box.content {
    case .value(let value): return value
    case .object(let object):
      guard let context else { return .null }
      var adder = ObjectAdder(transaction, context)
      return try adder.link(to: object)
    case .collection, .unset:
      throw Failure(.typeMismatch, "A collection cannot be an element.")
    }
  }

  /// The link to an object; an unmanaged one is added first.
  package mutating func link(to object: ObjectBase) throws(Failure) -> Value {
    if policy != .error, !object.cell.isTied, object.info.description.primaryKeySlot == nil {
      throw Failure(
        .noPrimaryKey, "The class has no primary key and cannot be updated.",
        className: object.info.name)
    }
    let link = try prepare(object)
    guard !additions.isEmpty else { return link }
    var place = 0
    while place < additions.count {
      for target in Self.targets(of: additions[place]) { _ = try prepare(target) }
      place += 1
    }
    for addition in additions {
      if addition.isInserted { try insert(addition) } else { try update(addition) }
    }
    for addition in additions { try storeCollections(of: addition) }
    for addition in additions { publish(addition) }
    additions.removeAll()
    return link
  }

  /// The objects that an object links to.
  private static func targets(of addition: Addition) -> [ObjectBase] {
    addition.taken.boxes.compactMap(\.object)
      + addition.contents.filter { $0.property.kind.type == .link }.flatMap { content in
        content.elements.compactMap(\.object) + content.entries.compactMap(\.value.object)
      }
  }

  // MARK: Ids

  /// The link to an object; an unmanaged one gets its id, and waits for being stored.
  private mutating func prepare(_ object: ObjectBase) throws(Failure) -> Value {
    if let other = object.cell.context { return try link(toManaged: object, other) }
    if let known = visited[ObjectIdentifier(object)] { return known }
    let info = object.info
    let binding = try transaction.binding(for: info.description)
    guard let schema = binding.schema else {
      throw Failure(.invalidSchema, "The class is not in the file.", className: info.name)
    }
    if policy == .error, let fields = binding.flatFields, let view = context.view {
      return try addFlat(object, fields, binding, schema, view)
    }
    let taken = object.unmanagedValues(onlySet: false)
    if let failure = taken.failure { throw failure }
    let key = info.description.primaryKeySlot.map { slot in
      taken.boxes[slot].value ?? object.unmanagedValue(slot)
    }
    let existing = try existing(schema, key)
    let id: UInt64
    if let existing { id = existing } else { id = try newID(schema, key) }
    let isInserted = reserved.insert(RowKey(classID: schema.id, objectID: id)).inserted
    let link = Value.link(classID: schema.id, objectID: id)
    visited[ObjectIdentifier(object)] = link
    additions.append(
      Addition(
        object: object, id: id, binding: binding, schema: schema, taken: taken,
        contents: Self.contents(taken, binding), isInserted: existing == nil && isInserted))
    return link
  }

  private func link(
    toManaged object: ObjectBase, _ other: ReadContext
  ) throws(Failure) -> Value {
    guard other.store === transaction.store else {
      throw Failure(
        .foreignObject, "The object belongs to another store; create a copy instead.",
        className: object.info.name)
    }
    guard other.token?.isRolledBack != true,
      let schema = transaction.schema.schema(named: object.info.name),
      transaction.exists(schema, object.cell.id)
    else {
      throw Failure(
        .invalidatedObject, "The object has been deleted or invalidated.",
        className: object.info.name)
    }
    return .link(classID: schema.id, objectID: object.cell.id)
  }

  /// The object that is to be updated; nil where a new one is stored, as a linked one without a key
  /// always is.
  private func existing(_ schema: ClassSchema, _ key: Value?) throws(Failure) -> UInt64? {
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
        className: schema.name, propertyName: schema.primaryKey?.name, value: key?.text)
    }
    return id
  }

  /// The object id that an integer key is.
  private func integerID(_ schema: ClassSchema, _ key: Value) -> UInt64? {
    guard schema.hasIntegerPrimaryKey, case .int(let integer) = key else { return nil }
    return ObjectKey.objectID(forInteger: integer)
  }

  private static func contents(_ taken: UnmanagedValues, _ binding: ClassBinding) -> [Content] {
    var contents: [Content] = []
    for (slot, box) in taken.boxes.enumerated() {
      guard case .collection(let handle) = box.content, let property = binding.properties[slot]
      else { continue }
      contents.append(
        Content(
          property: property, slot: slot, handle: handle, elements: handle.unmanagedElements,
          entries: handle.unmanagedEntries))
    }
    return contents
  }

  // MARK: Rows

  /// Stores an object without links and collections.
  private mutating func addFlat(
    _ object: ObjectBase, _ fields: [FlatField], _ binding: ClassBinding, _ schema: ClassSchema,
    _ view: View
  ) throws(Failure) -> Value {
    let keySlot = binding.model.primaryKeySlot
    let transaction = transaction
    let context = transaction.contextForCreated(in: view)
    let isStored = try object.storeFlat(context, binding) { (values) throws(Failure) in
      let id = try transaction.newObjectID(
        schema, primaryKey: keySlot.map { values.box($0).value ?? .null })
      transaction.beginRow(schema)
      for field in fields {
        try transaction.fill(field, values.box(field.slot).value ?? .null, object: id, in: schema)
      }
      try transaction.insertRow(schema, id)
      return id
    }
    guard isStored else { return try prepare(object) }
    return .link(classID: schema.id, objectID: object.cell.id)
  }

  private func insert(_ addition: Addition) throws(Failure) {
    let (schema, id) = (addition.schema, addition.id)
    transaction.beginRow(schema)
    for (slot, property) in addition.binding.properties.enumerated() {
      guard let property, property.kind.collection == .none else { continue }
      var box = addition.taken.boxes[slot]
      if case .unset = box.content { box = addition.object.unmanagedBox(slot) }
      if let value = try value(of: box) {
        try transaction.fill(schema, property, value, object: id)
      }
    }
    try transaction.fillUnknown(schema, addition.binding, object: id)
    try transaction.insertRow(schema, id)
  }

  private func update(_ addition: Addition) throws(Failure) {
    let (schema, id) = (addition.schema, addition.id)
    for (slot, box) in addition.taken.boxes.enumerated() {
      guard let property = addition.binding.properties[slot], property.kind.collection == .none,
        !property.isPrimaryKey
      else { continue }
      if case .unset = box.content { continue }
      let value = try value(of: box) ?? .null
      if policy == .modified, try transaction.value(schema, id, property) == value { continue }
      try transaction.set(schema, id, property, value)
    }
  }

  /// The value in a box: of an object, the link that was prepared. Nil for unset ones and collections.
  private func value(of box: _Boxed) throws(Failure) -> Value? {
    guard let object = box.object else { return box.value }
    if let link = visited[ObjectIdentifier(object)] { return link }
    guard let other = object.cell.context else {
      throw Failure(
        .unmanaged, "An object was linked while it was being added.", className: object.info.name)
    }
    return try link(toManaged: object, other)
  }

  // MARK: Collections

  private func storeCollections(of addition: Addition) throws(Failure) {
    for content in addition.contents {
      let collection = try transaction.collection(
        addition.schema, addition.id, content.property)
      switch content.property.kind.collection {
      case .list: try storeList(content, collection)
      case .dictionary: try storeDictionary(content, collection)
      case .set, .none: break
      }
    }
  }

  private func storeList(_ content: Content, _ list: EditedCollection) throws(Failure) {
    var values: [Value] = []
    values.reserveCapacity(content.elements.count)
    for element in content.elements { values.append(try value(of: element) ?? .null) }
    if policy == .modified, try transaction.holds(values, list) { return }
    try transaction.removeAllElements(list)
    try transaction.insert(values, list, at: 0)
  }

  private func storeDictionary(_ content: Content, _ map: EditedCollection) throws(Failure) {
    let kept = Set(content.entries.map { Array($0.key.utf8) })
    for key in try transaction.keys(map) where !kept.contains(Array(key.utf8)) {
      try transaction.removeValue(map, forKey: key)
    }
    for (key, element) in content.entries {
      try transaction.setValue(try value(of: element) ?? .null, map, forKey: key)
    }
  }

  // MARK: Publication

  /// Makes the object and its collections managed.
  private func publish(_ addition: Addition) {
    guard let view = context.view else { return }
    // An update, too, may be one of an object that this write created.
    let (context, binding) =
      addition.isInserted
      ? (transaction.contextForCreated(in: view), addition.binding)
      : transaction.ties(
        forObject: addition.id, addition.binding.model, in: ReadContext(view: view))
    for content in addition.contents where !content.handle.isManaged {
      content.handle.collectionCell.tie(
        to: context, binding: binding, ownerID: addition.id, slot: content.slot)
      content.handle.dropUnmanagedContent()
    }
    addition.object.publish(context, binding, addition.id)
  }
}
