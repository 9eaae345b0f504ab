import VarveEncoding
import VarveStorage

extension SchemaMigration {
  /// Renames a property: a declared property takes over the values of a property of the old class.
  /// The old name is the stored one, the new name the declared one.
  ///
  /// Values assigned to the new property earlier in the migration are lost, except in objects that
  /// the migration created.
  ///
  /// - Throws: `.unknownClass`. `.unknownProperty`. `.invalidInput` if the class still declares the
  ///   old name or already had the new one. `.typeMismatch` if the types differ in more than
  ///   whether null is allowed.
  package func renameProperty(
    ofClass name: String, from old: String, to new: String
  ) throws(Failure) {
    let id = try classID(named: name)
    let schema = try transaction.classSchema(id)
    guard let model = model(of: schema) else {
      throw Failure(
        .invalidInput, "The configuration does not contain the class among its types.",
        className: name)
    }
    let new = model.properties[try model.slot(named: new)].name
    let source = try oldProperty(old, of: schema, model)
    let target = try newProperty(new, of: schema)
    try checkKinds(source, target, old, new, schema)
    let created = try createdIDs(of: schema)
    guard source.kind == target.kind, !source.isIntegerKey || model.isKey(new) else {
      // The stored forms differ, so the values are copied.
      let property = model.properties.first { $0.name == new }
      return try copyValues(schema, source, target, except: created) {
        property?.makeDefault() ?? target.constant
      }
    }
    let isEmbedding = self.schema.schema(ofClass: source.linkedClassID)?.record.isEmbedded ?? false
    guard
      created.isEmpty
        || !source.isPrimaryKey && !isEmbedding && source.kind.type != .mixed
    else {
      throw Failure(
        .invalidInput,
        "A primary key, or a property of embedded objects or mixed values, must be renamed before objects of its class are created.",
        className: name, propertyName: old)
    }
    for id in created { try copyValue(of: id, schema, target, to: source) }
    try exchange(source, target, new, schema, isKey: model.isKey(new))
  }

  private func copyValues(
    _ schema: ClassSchema, _ source: StoredProperty, _ target: StoredProperty,
    except created: Set<UInt64>, insteadOfNull makeDefault: @escaping () -> Value
  ) throws(Failure) {
    try forEachID(schema.id) { (schema, id) throws(Failure) in
      if created.contains(id) { return }
      try copyValue(of: id, schema, source, to: target, insteadOfNull: makeDefault)
    }
  }

  /// Hides the new property, and restores the old property under the new name.
  private func exchange(
    _ source: StoredProperty, _ target: StoredProperty, _ name: String, _ schema: ClassSchema,
    isKey: Bool
  ) throws(Failure) {
    var record = schema.record
    guard let from = record.propertyIndex(of: source.id),
      let to = record.propertyIndex(of: target.id)
    else {
      return
    }
    hide(to, &record)
    record.properties[from].name = name
    // Rows of layouts without the property read its constant: the old class had the property from
    // the beginning, or has the constant.
    hiddenNames[QualifiedProperty(classID: schema.id, propertyID: source.id)] = nil
    if source.isPrimaryKey {
      if isKey {
        record.primaryKeyPropertyID = source.id
        newKeys.remove(schema.id)
        formerIntegerKeys.remove(schema.id)
      } else {
        try transaction.deleteIndex(source.indexID)
        record.properties[from].isPrimaryKey = false
        record.properties[from].indexID = 0
      }
    }
    try transaction.save(record)
    transaction.classes.removeAll()
  }

  private func oldProperty(
    _ name: String, of schema: ClassSchema, _ model: ClassDescription
  ) throws(Failure) -> StoredProperty {
    let found = schema.properties.first { property in
      hiddenNames[QualifiedProperty(classID: schema.id, propertyID: property.id)] == name
        && oldSchema.schema(ofClass: schema.id)?.property(id: property.id) != nil
    }
    if model.properties.contains(where: { $0.name == name }) {
      throw Failure(
        .invalidInput, "A property that the class still declares cannot be renamed.",
        className: schema.name, propertyName: name)
    }
    guard let found else { throw .unknownProperty(name, schema.name) }
    return found
  }

  private func newProperty(
    _ name: String, of schema: ClassSchema
  ) throws(Failure) -> StoredProperty {
    guard let property = schema.property(named: name), !property.isHidden else {
      throw .unknownProperty(name, schema.name)
    }
    guard oldSchema.schema(ofClass: schema.id)?.property(id: property.id) == nil else {
      throw Failure(
        .invalidInput, "A property cannot be renamed to one that the class already had.",
        className: schema.name, propertyName: name)
    }
    return property
  }

  private func checkKinds(
    _ source: StoredProperty, _ target: StoredProperty, _ old: String, _ new: String,
    _ schema: ClassSchema
  ) throws(Failure) {
    let isSameTarget = source.linkedClassID == target.linkedClassID
    guard isSameTarget,
      source.kind == target.kind || source.kind.differsInNullability(from: target.kind)
    else {
      let (from, to) = (source.typeName(in: self.schema), target.typeName(in: self.schema))
      throw Failure(
        .typeMismatch, "A property cannot be renamed to one of another type.",
        className: schema.name,
        propertyName: new, value: "'\(old)' of type '\(from)' to type '\(to)'")
    }
  }

  /// The objects of a class that the migration created.
  ///
  /// - Complexity: O(objects of the class).
  private func createdIDs(of schema: ClassSchema) throws(Failure) -> Set<UInt64> {
    try transaction.flush()
    var created: Set<UInt64> = []
    var old = transaction.base.cursor(schema.table)
    var hasOld = old.next()
    for id in transaction.storage.objectIDs(of: schema) {
      while hasOld, old.id < id { hasOld = old.next() }
      if !hasOld || old.id != id { created.insert(id) }
    }
    return created
  }
}

extension StoredProperty {
  /// Whether the property is the object id.
  fileprivate var isIntegerKey: Bool { isPrimaryKey && kind.isIntegerKey }

  /// The type as shown in messages.
  fileprivate func typeName(in file: FileSchema) -> String {
    kind.typeName(target: file.schema(ofClass: linkedClassID)?.name)
  }
}

extension ClassDescription {
  /// Whether a property is the primary key.
  func isKey(_ name: String) -> Bool {
    primaryKeySlot.map { properties[$0].name == name } ?? false
  }
}
