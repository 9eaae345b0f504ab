import VarveEncoding
import VarveStorage

extension SchemaMigration {
  /// A property whose values are copied to another property if they are valid there.
  struct ValueCopy {
    let source: UInt32
    let target: String
  }

  /// The changes of one class.
  private struct ClassChange {
    var record: StoredClass
    var added: [PropertyDescription] = []
    var copies: [ValueCopy] = []
  }

  /// Updates a class of the file to the properties that the program declares.
  func change(_ model: ClassDescription) throws(Failure) {
    guard let old = schema.schema(named: model.name) else { return }
    var change = ClassChange(record: old.record)
    // A class that becomes embedded is only marked at the end, when each object has its owner.
    if !model.isEmbedded { change.record.isEmbedded = false }
    try changeKey(model, old, &change)
    let names = Set(model.properties.filter(\.isStored).map(\.name))
    for property in old.properties where !names.contains(property.name) {
      hide(property.id, &change)
    }
    for property in model.properties where property.isStored {
      try self.change(property, old, &change)
    }
    guard change.record != old.record else { return }
    try transaction.deleteIndexes(of: &change.record)
    if change.record.properties != old.record.properties { try change.record.addLayout() }
    try transaction.save(change.record)
    try transaction.fillAdded(change.added, model.name)
    if !change.copies.isEmpty { try copy(change.copies, classID: old.id) }
  }

  private func change(
    _ property: PropertyDescription, _ old: ClassSchema, _ change: inout ClassChange
  ) throws(Failure) {
    guard let stored = old.property(named: property.name) else {
      return add(property, &change)
    }
    let target = schema.schema(ofClass: stored.linkedClassID)?.name
    let isSameTarget = stored.kind.type != .link || target == property.targetClassName
    guard stored.kind == property.kind, isSameTarget else {
      hide(stored.id, &change)
      add(property, &change)
      if isSameTarget, stored.kind.differsInNullability(from: property.kind) {
        change.copies.append(ValueCopy(source: stored.id, target: property.name))
      }
      return
    }
    guard stored.isPrimaryKey, !property.isPrimaryKey else { return }
    if stored.kind.isIntegerKey {
      // The key is not stored in rows: the object ids are the keys.
      hide(stored.id, &change)
      add(property, &change)
      change.copies.append(ValueCopy(source: stored.id, target: property.name))
    } else if let index = change.record.propertyIndex(of: stored.id) {
      try transaction.deleteIndex(stored.indexID)
      change.record.properties[index].isPrimaryKey = false
      change.record.properties[index].indexID = 0
    }
  }

  /// Removes the primary key of a class that gets another key, or none.
  private func changeKey(
    _ model: ClassDescription, _ old: ClassSchema, _ change: inout ClassChange
  ) throws(Failure) {
    let key = model.properties.first(where: \.isPrimaryKey)
    if let former = old.primaryKey, let key, former.name == key.name, former.kind == key.kind {
      return
    }
    if old.hasIntegerPrimaryKey { formerIntegerKeys.insert(old.id) }
    if key != nil { newKeys.insert(old.id) }
    change.record.primaryKeyPropertyID = nil
  }

  /// Adds a property. Its primary key and index are set up at the end.
  private func add(_ property: PropertyDescription, _ change: inout ClassChange) {
    var plain = property
    plain.isPrimaryKey = false
    plain.isAutoIncremented = false
    plain.isIndexed = false
    transaction.addProperty(plain, to: &change.record)
    change.added.append(plain)
  }

  private func hide(_ id: UInt32, _ change: inout ClassChange) {
    guard let index = change.record.propertyIndex(of: id) else { return }
    hide(index, &change.record)
  }

  /// Hides a property until the end of the migration.
  func hide(_ index: Int, _ record: inout StoredClass) {
    let property = record.properties[index]
    hiddenNames[QualifiedProperty(classID: record.id, propertyID: property.id)] = property.name
    record.properties[index].name = StoredProperty.hiddenName(property.id)
  }
}

extension PropertyKind {
  /// Whether another kind differs only in whether null is allowed.
  func differsInNullability(from other: PropertyKind) -> Bool {
    type == other.type && collection == other.collection && isNullable != other.isNullable
  }
}

extension StoredClass {
  /// The index of a property in the record.
  func propertyIndex(of id: UInt32) -> Int? { properties.firstIndex { $0.id == id } }

  /// The index of the property with a name.
  func propertyIndex(named name: String) -> Int? { properties.firstIndex { $0.name == name } }
}
