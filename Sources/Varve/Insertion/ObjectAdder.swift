package import VarveCore
package import VarveEncoding

/// Options for ``Realm/add(_:update:)`` and ``Realm/create(_:value:update:)``.
extension Realm {
  /// The action to take when an object with the same primary key exists.
  public enum UpdatePolicy: Sendable {
    /// The write fails with `.duplicatePrimaryKey`.
    case error
    /// Only properties whose values differ are set. Nothing is written when no value differs.
    case modified
    /// Every given property is set, and reported as changed even when the values are equal.
    case all
  }
}

/// Stores unmanaged objects, together with all objects reachable from them by links.
///
/// 1. Collect: evaluates defaults and copies the links, mixed values and contents of collections of
///    every object that can be reached. The objects are processed iteratively, so that long chains
///    and cycles do not nest calls. Only this stage runs code of the model, which may itself write.
/// 2. Reserve: assigns an id to every object.
/// 3. Store: stores the rows, each after those of its collections that can be stored before a row,
///    and then the other collections.
/// 4. Publish: makes the objects managed. An error before this stage leaves all of them unmanaged,
///    and fails the transaction.
///
/// An object whose properties are all plain values links to no others. All four stages run at once
/// for it, under its lock.
///
/// Plain values are not copied but read when the row is stored. Assignments by other threads or by
/// the model between collecting and publishing are recorded, and repeated when the object is
/// managed.
///
/// Thread safety: none. An adder is used within one operation of a transaction.
package struct ObjectAdder {
  /// An object that is being added.
  struct Addition {
    let object: ObjectBase
    var binding: ClassBinding
    var schema: ClassSchema
    /// The values that were set, which update an existing row; nil with the policy `.error`.
    let updates: UnmanagedValues?
    /// The links and mixed values.
    var boxes: [(slot: Int, box: _Boxed)] = []
    var contents: [Content] = []
    /// The contents to store after the rows of all objects.
    var lateContents: [Content] = []
    /// The object id; 0 for a new object before the id is assigned.
    var id: UInt64
    /// The primary key; nil for a class without one, and for a generated key.
    var key: Value?
    /// Whether a row is inserted. Otherwise an existing row is updated.
    var isInserted: Bool

    /// Runs a body whose failures name a property as the class declares it.
    @inline(__always)
    func putting<R>(
      in property: StoredProperty, _ body: () throws(Failure) -> R
    ) throws(Failure) -> R {
      try Failure.putting(in: schema.declaredName(of: property), of: schema.name, body)
    }
  }

  /// The content of a collection of an unmanaged object.
  struct Content {
    let slot: Int
    let collection: any _AnyCollection
    /// The number of changes to the collection before it was collected.
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
  /// The collected objects, in the order in which they were reached.
  var additions: [Addition] = []
  /// The links to the collected objects, which end the recursion of cycles.
  var links: [ObjectIdentifier: Value] = [:]
  /// The rows that are about to be inserted.
  var reserved: Set<RowKey> = []
  /// The stored embedded objects that unmanaged ones update instead of replacing them.
  var present: [ObjectIdentifier: UInt64] = [:]

  private init(
    _ transaction: Transaction, _ context: ReadContext, _ policy: Realm.UpdatePolicy
  ) {
    self.transaction = transaction
    self.context = context
    self.policy = policy
  }

  /// Returns the value of a box as an element of a managed collection. An unmanaged object is
  /// added, and collections nested in a mixed value are stored.
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

  /// Returns the values of several elements. See ``value(of:in:_:)``.
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

  /// Returns the link to an object. An unmanaged object is added first.
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
    // Code of the model may have added some of the objects.
    additions.removeAll { $0.object.handle.isManaged }
    if additions.count > 1 { try reserveGivenKeys() }
    for index in additions.indices { try reserve(index) }
    for index in additions.indices { try store(index) }
    for addition in additions { try storeCollections(of: addition) }
    // Values set since they were collected may link to any of the objects.
    for setAgain in additions.flatMap(publish) { setAgain() }
    return try link(toCollected: object)
  }

  /// Returns the link to an object that is managed or was collected.
  func link(toCollected object: ObjectBase) throws(Failure) -> Value {
    if let link = links[ObjectIdentifier(object)] { return link }
    guard let other = object.handle.context else {
      throw Failure(
        .unmanaged, "An object was linked while it was being added.", className: object.info.name)
    }
    return try transaction.link(toManaged: object, other)
  }

  /// Returns the current class of an object, which is registered at its first use.
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
  /// - Returns: Closures that repeat the changes made since the values were collected.
  private func publish(_ addition: Addition) -> [() -> Void] {
    guard let view = context.view else { return [] }
    // An updated object, too, may have been created by this write.
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
  /// Returns the link to a managed object.
  func link(
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

  /// Returns the current class of a managed object. In a migration, its name may differ from the
  /// name when the object was read.
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
