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

/// Stores an unmanaged object with everything that it links to.
///
/// Thread safety: none; lives inside one operation of a transaction.
package struct ObjectAdder {
  private let transaction: Transaction
  private let context: ReadContext
  private let policy: Realm.UpdatePolicy
  private let visited = Visited()

  /// The objects on the way, so that cycles end.
  private final class Visited {
    var ids: [ObjectIdentifier: Value] = [:]
  }

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
      return try ObjectAdder(transaction, context).link(to: object)
    case .collection, .unset:
      throw Failure(.typeMismatch, "A collection cannot be an element.")
    }
  }

  /// The link to an object; an unmanaged one is added first.
  package func link(to object: ObjectBase) throws(Failure) -> Value {
    guard let other = object.cell.context else { return try add(object) }
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

  /// Stores an unmanaged object and makes it managed.
  private func add(_ object: ObjectBase) throws(Failure) -> Value {
    if let known = visited.ids[ObjectIdentifier(object)] { return known }
    let info = object.info
    let binding = try transaction.binding(for: info.description)
    guard let schema = binding.schema else {
      throw Failure(.invalidSchema, "The class is not in the file.", className: info.name)
    }
    let taken = object.unmanagedValues(onlySet: false)
    if let failure = taken.failure { throw failure }
    var existing: UInt64?
    if policy != .error {
      guard let slot = info.description.primaryKeySlot else {
        throw Failure(
          .noPrimaryKey, "The class has no primary key and cannot be updated.",
          className: info.name)
      }
      let key = key(taken, slot, object)
      existing = try transaction.object(schema, primaryKey: key)
    }
    let id: UInt64
    if let existing {
      id = existing
      visited.ids[ObjectIdentifier(object)] = .link(classID: schema.id, objectID: id)
      try update(id, binding, schema, taken)
    } else {
      let key = info.description.primaryKeySlot.map { self.key(taken, $0, object) }
      id = try transaction.newObjectID(schema, primaryKey: key)
      visited.ids[ObjectIdentifier(object)] = .link(classID: schema.id, objectID: id)
      try insert(object, id, binding, schema, taken)
    }
    try storeCollections(id, binding, schema, taken)
    publish(object, binding, id, taken, info, isNew: existing == nil)
    return .link(classID: schema.id, objectID: id)
  }

  private func key(_ taken: UnmanagedValues, _ slot: Int, _ object: ObjectBase) -> Value {
    taken.boxes[slot].value ?? object.unmanagedValue(slot)
  }

  private func insert(
    _ object: ObjectBase, _ id: UInt64, _ binding: ClassBinding, _ schema: ClassSchema,
    _ taken: UnmanagedValues
  ) throws(Failure) {
    // What the object links to is added first: there is one row buffer.
    var links: [(Int, Value)] = []
    for (slot, box) in taken.boxes.enumerated() {
      if case .object(let target) = box.content { links.append((slot, try link(to: target))) }
    }
    transaction.beginRow(schema)
    for (slot, property) in binding.properties.enumerated() {
      guard let property, property.kind.collection == .none else { continue }
      var box = taken.boxes[slot]
      if case .unset = box.content { box = object.unmanagedBox(slot) }
      if let value = box.value { try transaction.fill(schema, property, value, object: id) }
    }
    for (slot, link) in links {
      guard let property = binding.properties[slot] else { continue }
      try transaction.fill(schema, property, link, object: id)
    }
    try transaction.fillUnknown(schema, binding)
    try transaction.insertRow(schema, id)
  }

  private func update(
    _ id: UInt64, _ binding: ClassBinding, _ schema: ClassSchema, _ taken: UnmanagedValues
  ) throws(Failure) {
    for (slot, box) in taken.boxes.enumerated() {
      guard let property = binding.properties[slot], property.kind.collection == .none,
        !property.isPrimaryKey
      else { continue }
      if case .unset = box.content { continue }
      let value = try box.object.map { (object) throws(Failure) in try link(to: object) } ?? box.value ?? .null
      if policy == .modified, try transaction.value(schema, id, property) == value { continue }
      try transaction.set(schema, id, property, value)
    }
  }

  private func storeCollections(
    _ id: UInt64, _ binding: ClassBinding, _ schema: ClassSchema, _ taken: UnmanagedValues
  ) throws(Failure) {
    for (slot, box) in taken.boxes.enumerated() {
      guard case .collection(let handle) = box.content, let property = binding.properties[slot]
      else { continue }
      let collection = try transaction.collection(schema, id, property)
      switch property.kind.collection {
      case .list: try storeList(handle, collection)
      case .dictionary: try storeDictionary(handle, collection)
      case .set, .none: break
      }
    }
  }

  private func storeList(
    _ handle: any _CollectionHandle, _ list: EditedCollection
  ) throws(Failure) {
    var values: [Value] = []
    for element in handle.unmanagedElements {
      values.append(try element.object.map { (object) throws(Failure) in try link(to: object) }
        ?? element.value ?? .null)
    }
    if policy == .modified, try transaction.holds(values, list) { return }
    try transaction.removeAllElements(list)
    try transaction.insert(values, list, at: 0)
  }

  private func storeDictionary(
    _ handle: any _CollectionHandle, _ map: EditedCollection
  ) throws(Failure) {
    let entries = handle.unmanagedEntries
    let kept = Set(entries.map { Array($0.key.utf8) })
    for key in try transaction.keys(map) where !kept.contains(Array(key.utf8)) {
      try transaction.removeValue(map, forKey: key)
    }
    for (key, element) in entries {
      let value = try element.object.map { (object) throws(Failure) in try link(to: object) }
        ?? element.value ?? .null
      try transaction.setValue(value, map, forKey: key)
    }
  }

  /// Makes the object and its collections managed.
  private func publish(
    _ object: ObjectBase, _ binding: ClassBinding, _ id: UInt64, _ taken: UnmanagedValues,
    _ info: ClassInfo, isNew: Bool
  ) {
    guard let view = context.view else { return }
    let context = isNew ? transaction.contextForCreated(in: view) : ReadContext(view: view)
    for (slot, box) in taken.boxes.enumerated() {
      guard case .collection(let handle) = box.content, !handle.isManaged else { continue }
      handle.collectionCell.tie(to: context, binding: binding, ownerID: id, slot: slot)
      handle.dropUnmanagedContent()
    }
    object.publish(context, binding, id, taken: taken)
  }
}
