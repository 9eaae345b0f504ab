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
/// First the values of every object that can be reached are taken, one after another, so that a chain of
/// any length and cycles do not nest calls. The defaults of properties that were not set are evaluated
/// then and never later: they are code of the model, which may itself write. Then the objects get their
/// ids, the rows are stored, each after those of its collections that a row can be stored after, then the other
/// collections, and at last the objects become managed. New objects without links and collections are stored and managed
/// when they would get their ids.
///
/// Thread safety: none; lives inside one operation of a transaction.
package struct ObjectAdder {
  /// An object whose values were taken.
  struct Taken {
    let object: ObjectBase
    /// What a row that exists is updated with; nil for an object that is stored as soon as its turn comes.
    let given: UnmanagedValues?
    /// What a new row gets: with the defaults of what was not given.
    let values: UnmanagedValues?
    /// The contents of its collections.
    let contents: [Content]
  }

  /// An object that is being stored.
  struct Addition {
    let object: ObjectBase
    let id: UInt64
    let binding: ClassBinding
    let schema: ClassSchema
    var values: UnmanagedValues
    let contents: [Content]
    /// Whether its row is inserted, or one that exists is updated.
    let isInserted: Bool
    /// The contents that are stored once the rows of all objects are.
    var lateContents: [Content]
  }

  /// What a collection of an unmanaged object holds.
  struct Content {
    let slot: Int
    let handle: any _CollectionHandle
    /// How often it had been changed before it was taken.
    let changes: Int
    var elements: [_Boxed]
    var entries: [(key: String, value: _Boxed)]
  }

  let transaction: Transaction
  let context: ReadContext
  let policy: Realm.UpdatePolicy
  /// Whether objects without links and collections are stored as soon as their turn comes. They would be void if others
  /// were refused then.
  var storesAtOnce = true
  /// The links to the objects on the way, so that cycles end.
  var links: [ObjectIdentifier: Value] = [:]
  var additions: [Addition] = []
  /// The rows that are about to be inserted.
  var reserved: Set<RowKey> = []
  /// The stored embedded objects that unmanaged ones are to change, and not to replace.
  var present: [ObjectIdentifier: UInt64] = [:]

  package init(
    _ transaction: Transaction, _ context: ReadContext, policy: Realm.UpdatePolicy = .error
  ) {
    self.transaction = transaction
    self.context = context
    self.policy = policy
  }

  /// The value of a box as an element of a managed collection; an unmanaged object is added, and what is nested
  /// in a mixed value is stored.
  package static func value(
    of box: _Boxed, in cell: CollectionCell, _ transaction: Transaction
  ) throws(Failure) -> Value {
    switch box.content {
    case .value(let value): return value
    case .object(let object):
      guard let context = cell.context else { return .null }
      var adder = ObjectAdder(transaction, context)
      return try adder.link(to: object)
    case .collection where cell.traits.isMixed:
      guard let context = cell.context else { return .null }
      let content = try content(of: box, transaction, context)
      return try transaction.stored(content, in: try cell.edited(in: transaction))
    case .collection, .unset:
      throw Failure(.typeMismatch, "A collection cannot be an element.")
    }
  }

  /// Adds an object that stands for itself.
  ///
  /// `isTried`: as of ``link(to:isTried:)``.
  /// - Throws: `.invalidInput` for an embedded object; what ``link(to:isTried:)`` throws.
  mutating func add(_ object: ObjectBase, isTried: Bool = false) throws(Failure) {
    guard !object.info.description.isEmbedded else {
      throw Failure(
        .invalidInput, "An embedded object is made by putting a value in a property of its parent.",
        className: object.info.name)
    }
    _ = try link(to: object, isTried: isTried)
  }

  /// The link to an object; an unmanaged one is added first.
  ///
  /// `isTried`: whether it is known that the object has to be stored the long way.
  package mutating func link(
    to object: ObjectBase, isTried: Bool = false
  ) throws(Failure) -> Value {
    if let other = object.cell.context { return try link(toManaged: object, other) }
    if policy != .error, object.info.description.primaryKeySlot == nil {
      throw Failure(
        .noPrimaryKey, "The class has no primary key and cannot be updated.",
        className: object.info.name)
    }
    if !isTried, let link = try addedFlat(object) { return link }
    let all = try takeAll(from: object)
    storesAtOnce = all.allSatisfy(Self.contentsFit)
    try reserveGivenKeys(all)
    for taken in all { try reserve(taken) }
    for index in additions.indices {
      if additions[index].isInserted {
        additions[index].lateContents = try insert(additions[index])
      } else {
        try update(additions[index])
      }
    }
    for addition in additions { try storeCollections(of: addition) }
    // What was changed since the values were taken may link to any of the objects.
    for storeAgain in additions.flatMap(publish) { storeAgain() }
    return try link(toTaken: object)
  }

  /// The link to an object that is managed, or was taken.
  func link(toTaken object: ObjectBase) throws(Failure) -> Value {
    if let link = links[ObjectIdentifier(object)] { return link }
    guard let other = object.cell.context else {
      throw Failure(
        .unmanaged, "An object was linked while it was being added.", className: object.info.name)
    }
    return try link(toManaged: object, other)
  }

  private func link(
    toManaged object: ObjectBase, _ other: ReadContext
  ) throws(Failure) -> Value {
    guard other.store === transaction.store else {
      throw Failure(
        .foreignObject, "The object belongs to another store; create a copy instead.",
        className: object.info.name)
    }
    guard !other.isVoid, let schema = storedClass(of: object),
      transaction.exists(schema, object.cell.id)
    else {
      throw Failure(
        .invalidatedObject, "The object has been deleted or invalidated.",
        className: object.info.name)
    }
    return .link(classID: schema.id, objectID: object.cell.id)
  }

  /// The class of a managed object, as it is now. In a migration it may have another name than when the object was read.
  private func storedClass(of object: ObjectBase) -> ClassSchema? {
    if object is DynamicObject, let id = object.cell.binding.schema?.id {
      return transaction.schema.schema(ofClass: id)
    }
    return transaction.schema.schema(named: object.info.name)
  }

  /// The class of an object, as it is now; registered at its first use.
  func bound(_ object: ObjectBase) throws(Failure) -> (binding: ClassBinding, schema: ClassSchema) {
    let binding = try transaction.binding(for: object.info.description)
    guard let schema = binding.schema else {
      throw Failure(.invalidSchema, "The class is not in the file.", className: object.info.name)
    }
    return (binding, schema)
  }

  // MARK: Values

  /// Takes the values of an unmanaged object and of all that it links to, each before those that it
  /// links to.
  private mutating func takeAll(from root: ObjectBase) throws(Failure) -> [Taken] {
    var all: [Taken] = []
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(root)]
    var waiting = [root]
    while all.count < waiting.count {
      let taken = try take(waiting[all.count])
      all.append(taken)
      if policy == .modified { try findPresent(in: taken) }
      for target in Self.targets(of: taken)
      where !target.cell.isTied && seen.insert(ObjectIdentifier(target)).inserted {
        waiting.append(target)
      }
    }
    return all
  }

  private func take(_ object: ObjectBase) throws(Failure) -> Taken {
    if policy == .error, context.view != nil, try bound(object).binding.isFlat {
      if let failure = object.notedFailure { throw failure }
      object.evaluateDefaults()
      return Taken(object: object, given: nil, values: nil, contents: [])
    }
    let given = object.unmanagedValues()
    if let failure = given.failure { throw failure }
    var values = given
    // Made from a value: what it lacks is left alone in an object that exists.
    if given.hasUnset, try existing(object, try bound(object).schema, given) == nil {
      object.evaluateDefaults()
      values = object.unmanagedValues()
    }
    return Taken(
      object: object, given: try given.copyingNested(object.info),
      values: try values.copyingNested(object.info), contents: try Self.contents(object, values))
  }

  /// The primary key; nil for a class without one, and for one that is to be generated.
  static func key(of object: ObjectBase, _ values: UnmanagedValues) -> Value? {
    let model = object.info.description
    guard let slot = model.primaryKeySlot else { return nil }
    let value = values.boxes[slot].value ?? object.unmanagedValue(slot)
    return model.generatesKeys && value == .int(0) ? nil : value
  }

  private static func contents(
    _ object: ObjectBase, _ values: UnmanagedValues
  ) throws(Failure) -> [Content] {
    var contents: [Content] = []
    for (slot, box) in values.boxes.enumerated() {
      guard case .collection(let handle) = box.content else { continue }
      let property = object.info.description.properties[slot]
      guard property.isStored, property.kind.collection != .none else { continue }
      var content = Content(handle, slot)
      if property.kind.type == .mixed {
        try Failure.putting(in: property.name, of: object.info.name) { () throws(Failure) in
          try content.copyNested()
        }
      }
      contents.append(content)
    }
    return contents
  }

  /// Whether the collections of an object hold nothing that will be refused; links are not looked at.
  private static func contentsFit(_ taken: Taken) -> Bool {
    let properties = taken.object.info.description.properties
    return taken.contents.allSatisfy { $0.fits(properties[$0.slot].kind) }
  }

  /// The objects that an object links to.
  private static func targets(of taken: Taken) -> [ObjectBase] {
    guard let values = taken.values else { return [] }
    let properties = taken.object.info.description.properties
    var targets: [ObjectBase] = []
    for (slot, box) in values.boxes.enumerated() where properties[slot].kind.collection == .none {
      box.appendObjects(to: &targets)
    }
    for content in taken.contents where properties[content.slot].kind.type.mayLink {
      for box in content.elements { box.appendObjects(to: &targets) }
      for (_, box) in content.entries { box.appendObjects(to: &targets) }
    }
    return targets
  }

  // MARK: Publication

  /// Makes the object and its collections managed.
  ///
  /// - Returns: what stores once more what a default or another thread has changed since it was taken.
  private func publish(_ addition: Addition) -> [() -> Void] {
    guard let view = context.view else { return [] }
    // An update, too, may be one of an object that this write created.
    let (context, binding) =
      addition.isInserted
      ? (transaction.contextForCreated(in: view), addition.binding)
      : transaction.ties(
        forObject: addition.id, addition.binding.model, in: ReadContext(view: view))
    let changed = addition.contents.compactMap { content in
      content.handle.publish(
        context, binding, ownerID: addition.id, slot: content.slot, changes: content.changes)
    }
    return changed + [addition.object.publish(context, binding, addition.id)].compactMap(\.self)
  }
}
