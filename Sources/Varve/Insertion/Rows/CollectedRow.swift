import VarveCore
import VarveEncoding

/// The values of one new object, which are stored once all of them are known. Reused for row after
/// row.
///
/// Thread safety: none; it belongs to one call of ``Realm/insert(_:update:)``.
final class CollectedRow {
  // Safe because the row owns the memory.

  private let info: ClassInfo
  /// The kinds of collections by property slot.
  private let kinds: [CollectionKind]
  /// The slots of links, of mixed values, and of collections of these.
  private let linkSlots: [Int]
  /// The single values by property slot, and the collections that were given as such.
  private let values: UnsafeMutablePointer<_Boxed>
  /// The elements of lists and sets by slot.
  private var elements: [[_Boxed]]
  /// The entries of maps by slot, in the order of their keys.
  private var entries: [[(key: String, value: _Boxed)]]
  /// The stored form of the elements that are being stored.
  private var stored: [Value] = []

  init(_ info: ClassInfo) {
    self.info = info
    kinds = info.properties.map(\.type.kind.collection)
    linkSlots = info.properties.indices.filter { info.properties[$0].type.kind.type.mayLink }
    let count = info.properties.count
    values = .allocate(capacity: count)
    values.initialize(repeating: .unset, count: count)
    elements = Array(repeating: [], count: count)
    entries = Array(repeating: [], count: count)
  }

  deinit {
    values.deinitialize(count: info.properties.count)
    values.deallocate()
  }

  // MARK: Collecting

  /// Releases the values of the last row.
  func clear() {
    for slot in kinds.indices {
      values[slot] = .unset
      if !elements[slot].isEmpty { elements[slot].removeAll(keepingCapacity: true) }
      if !entries[slot].isEmpty { entries[slot].removeAll(keepingCapacity: true) }
    }
  }

  /// Sets the value of a property, or its content for a collection.
  func set(_ slot: Int, _ box: _Boxed) {
    values[slot] = box
    guard case .collection(let collection) = box.content, kinds[slot] != .none else { return }
    elements[slot] = collection.unmanagedElements
    entries[slot] = collection.unmanagedEntries
  }

  @inline(__always)
  func setList<Element: RealmCollectionValue>(_ slot: Int, _ list: [Element]) {
    elements[slot].append(contentsOf: list.lazy.map(\._$boxed))
  }

  @inline(__always)
  func setSet<Element: RealmCollectionValue>(_ slot: Int, _ set: Set<Element>) {
    var unique = UnmanagedSet(set.map { UnmanagedSet<Element>.Member($0) })
    elements[slot] = _Boxed.boxes(unique.elements)
  }

  @inline(__always)
  func setMap<Key: _MapKey, Value: RealmCollectionValue>(_ slot: Int, _ map: [Key: Value]) {
    let sorted = UnmanagedMap(map.map { (key: $0._$key, value: $1) })
    for (key, value) in sorted.entries { entries[slot].append((key, value._$boxed)) }
  }

  /// The primary key; nil for a class without one, and for a key that is still to be generated.
  var key: Value? {
    guard let slot = info.description.primaryKeySlot else { return nil }
    let key = values[slot].value ?? .null
    return info.description.generatesKeys && key == .int(0) ? nil : key
  }

  /// Whether a mixed value is a list or a dictionary.
  var hasNestedCollections: Bool {
    info.description.mixedSlots.contains { slot in
      if case .collection = values[slot].content { true } else { false }
    }
  }

  /// Makes sure that the object, and the embedded objects in it, link to managed objects only.
  /// Embedded objects are not managed yet.
  ///
  /// - Throws: `.invalidInput`. Nothing is stored.
  func checkLinks() throws(Failure) {
    for slot in linkSlots {
      var unmanaged: [ObjectBase] = []
      values[slot].appendUnmanaged(to: &unmanaged)
      for box in elements[slot] { box.appendUnmanaged(to: &unmanaged) }
      for (_, box) in entries[slot] { box.appendUnmanaged(to: &unmanaged) }
      if !unmanaged.isEmpty { try checkEmbedded(unmanaged, slot) }
    }
  }

  private func checkEmbedded(_ objects: [ObjectBase], _ slot: Int) throws(Failure) {
    let property = info.properties[slot]
    var waiting = objects
    var seen: Set<ObjectIdentifier> = []
    while let object = waiting.popLast() {
      // A mixed value cannot contain an embedded object.
      guard object.info.description.isEmbedded, property.type.kind.type == .link else {
        throw Failure(
          .invalidInput, "Inserted values can link to managed objects only.",
          className: info.name, propertyName: property.name,
          value: "object of class \(object.info.name)")
      }
      guard seen.insert(ObjectIdentifier(object)).inserted else { continue }
      for (_, box) in object.boxesToStore { box.appendUnmanaged(to: &waiting) }
    }
  }

  // MARK: Storing

  /// Creates an object with the values, and adds it.
  func add(
    _ transaction: Transaction, _ context: ReadContext, _ policy: Realm.UpdatePolicy
  ) throws(Failure) {
    let object = info.type.init()
    for property in info.properties where property.originProperty == nil {
      let slot = property.slot
      guard kinds[slot] != .none else {
        if !values[slot].isUnset { object._$setBoxed(slot, values[slot]) }
        continue
      }
      if case .collection(let given) = values[slot].content {
        // Not the collection of the default, which would be evaluated again, and not the given
        // one, which would become managed.
        let collection = type(of: given).init()
        collection.replaceContent(elements[slot], entries[slot])
        object._$setBoxed(slot, _Boxed(.collection(collection)))
      } else if !elements[slot].isEmpty || !entries[slot].isEmpty,
        case .collection(let collection) = property.read(object, slot).content
      {
        collection.replaceContent(elements[slot], entries[slot])
      }
    }
    _ = try ObjectAdder.link(to: object, transaction, context, policy: policy)
  }

  /// Stores the row of a new object, like ``ObjectAdder``: the links and mixed values, the plain
  /// values, and then the collections, so that the length of the row decides which of them are
  /// stored in it.
  func insert(
    _ template: UnsafePointer<RowTemplate>, _ transaction: Transaction
  ) throws(Failure) {
    let id = try transaction.newID(template, values)
    transaction.beginRow(template)
    let first = template.pointee.firstField
    for field in first..<first + template.pointee.fieldCount {
      guard field.pointee.content == .link || field.pointee.content == .linkOrMixed else {
        continue
      }
      let value = try value(of: values[field.pointee.slot], field, transaction)
      if value.isNull, field.pointee.isNullAtFirst { continue }
      try transaction.fill(field, value, object: id, template)
    }
    try transaction.fillPlain(template, values, object: id)
    for field in first..<first + template.pointee.fieldCount
    where field.pointee.content == .collection {
      try fill(field, template, object: id, transaction)
    }
    try transaction.insertRow(template, id)
  }

  private func fill(
    _ field: UnsafePointer<RowTemplate.Field>, _ template: UnsafePointer<RowTemplate>,
    object id: UInt64, _ transaction: Transaction
  ) throws(Failure) {
    let slot = field.pointee.slot
    stored.removeAll(keepingCapacity: true)
    for box in elements[slot] { stored.append(try value(of: box, field, transaction)) }
    var storedEntries: [(key: String, value: Value)] = []
    for (key, box) in entries[slot] {
      storedEntries.append((key, try value(of: box, field, transaction)))
    }
    let stored = stored
    try Failure.putting(in: info.properties[slot].name, of: info.name) { () throws(Failure) in
      if kinds[slot] == .dictionary {
        try transaction.fillEntries(field, storedEntries, object: id, template)
      } else {
        try transaction.fillElements(field, stored, object: id, template)
      }
    }
  }

  /// Returns the stored form of a value, for an object the link to it.
  private func value(
    of box: _Boxed, _ field: UnsafePointer<RowTemplate.Field>, _ transaction: Transaction
  ) throws(Failure) -> Value {
    guard let object = box.object, let context = object.handle.context else {
      return box.value ?? .null
    }
    return try Failure.putting(
      in: info.properties[field.pointee.slot].name, of: info.name
    ) { () throws(Failure) in try transaction.link(toManaged: object, context) }
  }
}
