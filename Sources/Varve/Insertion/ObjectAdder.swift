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
/// 1. Collect: defaults are evaluated, and links, mixed values and contents of collections are copied, of every object
///    that can be reached, one after another, so that a chain of any length and cycles do not nest calls. This and
///    nothing later runs code of the model, which may itself write.
/// 2. Reserve: every object gets its id.
/// 3. Store: the rows, each after those of its collections that a row can be stored after; then the other collections.
/// 4. Publish: the objects become managed. An error before that leaves all of them unmanaged, and fails the transaction.
///
/// An object whose properties are all plain values needs no others: it goes through the four steps at once, under its
/// lock.
///
/// Plain values are not copied but read when the row is stored. What another thread, or the model, sets between
/// collecting and publishing is noted, and set once more when the object is managed.
///
/// Thread safety: none; lives inside one operation of a transaction.
package struct ObjectAdder {
  /// An object that is being added.
  struct Addition {
    let object: ObjectBase
    var binding: ClassBinding
    var schema: ClassSchema
    /// The values that were set, which update a row that exists; nil with the policy `.error`.
    let given: UnmanagedValues?
    /// Its links and mixed values.
    var boxes: [(slot: Int, box: _Boxed)] = []
    var contents: [Content] = []
    /// The contents that are stored once the rows of all objects are.
    var lateContents: [Content] = []
    /// 0 before a new object has got its id.
    var id: UInt64
    /// The primary key; nil for a class without one, and for one that is generated.
    var key: Value?
    /// Whether its row is inserted, or one that exists is updated.
    var isInserted: Bool
  }

  /// What a collection of an unmanaged object holds.
  struct Content {
    let slot: Int
    let collection: any _AnyCollection
    /// How often it had been changed before it was collected.
    let changes: Int
    var elements: [_Boxed]
    var entries: [(key: String, value: _Boxed)]

    init(_ collection: any _AnyCollection, _ slot: Int) {
      self.slot = slot
      self.collection = collection
      changes = collection.unmanagedChanges
      elements = collection.unmanagedElements
      entries = collection.unmanagedEntries
    }

    var isEmpty: Bool { elements.isEmpty && entries.isEmpty }
  }

  let transaction: Transaction
  let context: ReadContext
  let policy: Realm.UpdatePolicy
  /// In the order in which the objects are reached.
  var additions: [Addition] = []
  /// The links to the objects on the way, so that cycles end.
  var links: [ObjectIdentifier: Value] = [:]
  /// The rows that are about to be inserted.
  var reserved: Set<RowKey> = []
  /// The stored embedded objects that unmanaged ones are to change, and not to replace.
  var present: [ObjectIdentifier: UInt64] = [:]

  private init(
    _ transaction: Transaction, _ context: ReadContext, _ policy: Realm.UpdatePolicy
  ) {
    self.transaction = transaction
    self.context = context
    self.policy = policy
  }

  /// The value of a box as an element of a managed collection; an unmanaged object is added, and what is nested
  /// in a mixed value is stored.
  package static func value(
    of box: _Boxed, in handle: CollectionHandle, _ transaction: Transaction
  ) throws(Failure) -> Value {
    switch box.content {
    case .value(let value): return value
    case .object(let object):
      guard let context = handle.context else { return .null }
      return try link(to: object, transaction, context)
    case .collection where handle.traits.isMixed:
      guard let context = handle.context else { return .null }
      let content = try content(of: box, transaction, context)
      return try transaction.stored(content, in: try handle.edited(in: transaction))
    case .collection, .unset:
      throw Failure(.typeMismatch, "A collection cannot be an element.")
    }
  }

  /// As ``value(of:in:_:)``, of several elements.
  static func values<C: Collection>(
    of elements: C, in handle: CollectionHandle, _ transaction: Transaction
  ) throws(Failure) -> [Value] where C.Element: RealmCollectionValue {
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      values.append(try value(of: element._$boxed, in: handle, transaction))
    }
    return values
  }

  /// The link to an object; an unmanaged one is added first.
  static func link(
    to object: ObjectBase, _ transaction: Transaction, _ context: ReadContext,
    policy: Realm.UpdatePolicy = .error
  ) throws(Failure) -> Value {
    if let other = object.handle.context { return try transaction.link(toManaged: object, other) }
    if policy == .error {
      if let link = try transaction.storePlain(object, context) { return link }
    } else if object.info.description.primaryKeySlot == nil {
      throw Failure(
        .noPrimaryKey, "The class has no primary key and cannot be updated.",
        className: object.info.name)
    }
    var adder = ObjectAdder(transaction, context, policy)
    return try adder.addAll(from: object)
  }

  private mutating func addAll(from object: ObjectBase) throws(Failure) -> Value {
    try collectAll(from: object)
    // Code of the model may have added some of them.
    additions.removeAll { $0.object.handle.isManaged }
    if additions.count > 1 { try reserveGivenKeys() }
    for place in additions.indices { try reserve(place) }
    for place in additions.indices { try store(place) }
    for addition in additions { try storeCollections(of: addition) }
    // What was set since the values were collected may link to any of the objects.
    for setAgain in additions.flatMap(publish) { setAgain() }
    return try link(toCollected: object)
  }

  /// The link to an object that is managed, or was collected.
  func link(toCollected object: ObjectBase) throws(Failure) -> Value {
    if let link = links[ObjectIdentifier(object)] { return link }
    guard let other = object.handle.context else {
      throw Failure(
        .unmanaged, "An object was linked while it was being added.", className: object.info.name)
    }
    return try transaction.link(toManaged: object, other)
  }

  /// The class of an object, as it is now; registered at its first use.
  func bound(_ object: ObjectBase) throws(Failure) -> (binding: ClassBinding, schema: ClassSchema) {
    let binding = try transaction.binding(for: object.info.description)
    guard let schema = binding.schema else {
      throw Failure(.invalidSchema, "The class is not in the file.", className: object.info.name)
    }
    return (binding, schema)
  }

  // MARK: Publication

  /// Makes an object and its collections managed.
  ///
  /// - Returns: what sets once more what was set since the values were collected.
  private func publish(_ addition: Addition) -> [() -> Void] {
    guard let view = context.view else { return [] }
    // An update, too, may be one of an object that this write created.
    let (context, binding) =
      addition.isInserted
      ? (transaction.contextForCreated(in: view), addition.binding)
      : transaction.attachment(
        forObject: addition.id, addition.binding.model, in: ReadContext(view: view))
    let changed = addition.contents.compactMap { content in
      content.collection.publish(
        context, binding, ownerID: addition.id, slot: content.slot, changes: content.changes)
    }
    return changed + [addition.object.publish(context, binding, addition.id)].compactMap(\.self)
  }
}

extension Transaction {
  /// The link to an object that is managed.
  fileprivate func link(
    toManaged object: ObjectBase, _ other: ReadContext
  ) throws(Failure) -> Value {
    guard other.store === store else {
      throw Failure(
        .foreignObject, "The object belongs to another store; create a copy instead.",
        className: object.info.name)
    }
    guard !other.isInvalidated, let stored = storedClass(of: object),
      exists(stored, object.handle.id)
    else { throw .invalidatedObject(object.info.name) }
    return .link(classID: stored.id, objectID: object.handle.id)
  }

  /// The class of a managed object, as it is now. In a migration it may have another name than when the object was read.
  private func storedClass(of object: ObjectBase) -> ClassSchema? {
    if let read = object.handle.binding.schema,
      let current = schema.schema(ofClass: read.id),
      current === read || current.name == read.name || object is DynamicObject
    {
      return current
    }
    return object is DynamicObject ? nil : schema.schema(named: object.info.name)
  }
}
