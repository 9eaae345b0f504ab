import VarveEncoding
import VarveStorage

/// Primary keys that the store generates, where a migration begins or ends that.
extension SchemaMigration {
  /// Has a class whose primary key stays generate keys exactly if the program's class does.
  func setAutoIncrement(_ model: ClassDescription) throws(Failure) {
    guard let schema = schema.schema(named: model.name), let key = schema.primaryKey,
      model.isKey(key.name), key.kind.isIntegerKey, schema.generatesKeys != model.generatesKeys
    else { return }
    var record = schema.record
    record.setAutoIncrement(model.generatesKeys)
    try transaction.save(record)
    transaction.classes.removeAll()
  }

  /// Forgets the keys of deleted objects where a class generates none any more, or those of another property.
  func forgetLastKey(_ model: ClassDescription) throws(Failure) {
    guard let schema = schema.schema(named: model.name),
      let former = oldSchema.schema(ofClass: schema.id)?.primaryKey, former.isAutoIncremented
    else { return }
    let isSame = schema.primaryKey?.id == former.id || model.isKey(former.name)
    if !model.generatesKeys || !isSame { try transaction.forgetLastKey(ofClass: schema.id) }
  }

  /// Gives the objects whose key is 0 the next ones, in their order.
  ///
  /// - Throws: `.valueTooLarge` when the type has too few.
  func numberObjects(
    _ moves: inout [ObjectMove], _ schema: ClassSchema, _ property: StoredProperty
  ) throws(Failure) {
    let unassigned = ObjectKey.objectID(forInteger: 0)
    let deleted = ObjectKey.objectID(
      forInteger: try transaction.reader.lastKey(ofClass: schema.id) ?? 0)
    var last = moves.reduce(deleted) { max($0, $1.to) }
    for place in moves.indices where moves[place].to == unassigned {
      last = try transaction.nextKey(after: last, property, schema)
      moves[place].to = last
    }
  }
}
