import VarveEncoding
import VarveStorage

/// Enables or disables generated primary keys in a migration.
extension SchemaMigration {
  /// Updates whether a class whose primary key is unchanged generates keys, as the program
  /// declares.
  func setAutoIncrement(_ model: ClassDescription) throws(Failure) {
    guard let schema = schema.schema(named: model.name), let key = schema.primaryKey,
      model.isKey(key.name), key.kind.isIntegerKey, schema.generatesKeys != model.generatesKeys
    else { return }
    var record = schema.record
    record.setAutoIncrement(model.generatesKeys)
    try transaction.save(record)
    transaction.classes.removeAll()
  }

  /// Deletes the record of the last key if a class no longer generates keys, or generates those of
  /// another property.
  func forgetLastKey(_ model: ClassDescription) throws(Failure) {
    guard let schema = schema.schema(named: model.name),
      let former = oldSchema.schema(ofClass: schema.id)?.primaryKey, former.isAutoIncremented
    else { return }
    let isSame = schema.primaryKey?.id == former.id || model.isKey(former.name)
    if !model.generatesKeys || !isSame { try transaction.forgetLastKey(ofClass: schema.id) }
  }

  /// Assigns the next keys to the objects whose key is 0, in order.
  ///
  /// - Throws: `.valueTooLarge` if the type has too few values.
  func numberObjects(
    _ moves: inout [ObjectMove], _ schema: ClassSchema, _ property: StoredProperty
  ) throws(Failure) {
    let unassigned = ObjectKey.objectID(forInteger: 0)
    let deleted = ObjectKey.objectID(
      forInteger: try transaction.reader.lastKey(ofClass: schema.id) ?? 0)
    var last = moves.reduce(deleted) { max($0, $1.to) }
    for index in moves.indices where moves[index].to == unassigned {
      last = try transaction.nextKey(after: last, property, schema)
      moves[index].to = last
    }
  }
}
