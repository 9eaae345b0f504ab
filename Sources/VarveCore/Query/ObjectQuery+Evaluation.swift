import VarveEncoding
package import VarveStorage

extension ObjectQuery {
  /// The ids of the objects, in order.
  ///
  /// `limit`: stop after this many; only for queries without sort keys.
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have, or
  ///   `.corrupted`.
  /// - Complexity: O(objects of the source), plus the sort.
  package func objectIDs(
    in reader: any TableReader, schema file: FileSchema, store: Store, limit: Int = .max
  ) throws(Failure) -> [UInt64] {
    guard let schema = store.schema(of: model, in: file, reader) else { return [] }
    let limit = sortKeys.isEmpty && distinct.isEmpty ? limit : .max
    var ids: [UInt64] = []
    switch source {
    case .all:
      ids = try scan(schema, reader, try evaluator(reader, store), limit: limit)
    case .list(let cell):
      ids = try filtered(try Self.listIDs(cell, reader, store), schema, reader, store, limit)
    case .dictionary(let cell):
      ids = try filtered(try Self.dictionaryIDs(cell, reader), schema, reader, store, limit)
    case .set(let cell):
      ids = try filtered(try Self.setIDs(cell, reader), schema, reader, store, limit)
    case .linking(let source):
      ids = try filtered(try linkingIDs(source, schema, reader), schema, reader, store, limit)
    }
    for distinct in distinct { try distinct.apply(to: &ids, of: self, reader, store) }
    if !sortKeys.isEmpty { try sort(&ids, reader, store) }
    return ids
  }

  /// What asks the condition; nil for a query without one.
  private func evaluator(
    _ reader: any TableReader, _ store: Store
  ) throws(Failure) -> ConditionEvaluator? {
    if condition.isAlways { return nil }
    return try ConditionEvaluator(condition, on: model, reader: reader, store: store)
  }

  private func scan(
    _ schema: ClassSchema, _ reader: any TableReader, _ evaluator: ConditionEvaluator?, limit: Int
  ) throws(Failure) -> [UInt64] {
    if evaluator == nil, limit == .max { return reader.objectIDs(of: schema) }
    var ids: [UInt64] = []
    var cursor = reader.cursor(schema.table)
    var isPresent = cursor.seekFirst()
    while isPresent, ids.count < limit {
      if let evaluator {
        let row: RowReader
        do throws(FormatError) {
          row = try schema.reader(for: cursor.value)
        } catch {
          throw Failure(error, message: "A row is damaged.", className: schema.name)
        }
        if try evaluator.matches(row, id: cursor.id) { ids.append(cursor.id) }
      } else {
        ids.append(cursor.id)
      }
      isPresent = cursor.next()
    }
    return ids
  }

  private func filtered(
    _ ids: [UInt64], _ schema: ClassSchema, _ reader: any TableReader, _ store: Store, _ limit: Int
  ) throws(Failure) -> [UInt64] {
    guard let evaluator = try evaluator(reader, store) else {
      return ids.count > limit ? Array(ids.prefix(limit)) : ids
    }
    var kept: [UInt64] = []
    for id in ids where kept.count < limit {
      guard let row = try reader.row(schema, id) else { continue }
      if try evaluator.matches(row, id: id) { kept.append(id) }
    }
    return kept
  }

  private static func listIDs(
    _ cell: CollectionCell, _ reader: any TableReader, _ store: Store
  ) throws(Failure) -> [UInt64] {
    // Frozen results of a live list read their snapshot, inside a write too.
    if !(reader is Snapshot), let transaction = cell.context?.transaction {
      return try transaction.elementBits(of: cell)
    }
    guard let snapshot = reader as? Snapshot, let property = cell.property,
      let slot = try cell.currentSlot(in: snapshot)
    else { return [] }
    return snapshot.listTargets(of: slot, property)
  }

  private static func dictionaryIDs(
    _ cell: CollectionCell, _ reader: any TableReader
  ) throws(Failure) -> [UInt64] {
    guard let property = cell.property, let slot = try cell.currentSlot(in: reader) else {
      return []
    }
    return try reader.dictionaryTargets(of: slot, property)
  }

  private static func setIDs(
    _ cell: CollectionCell, _ reader: any TableReader
  ) throws(Failure) -> [UInt64] {
    guard let property = cell.property, let slot = try cell.currentSlot(in: reader) else {
      return []
    }
    return try reader.setTargets(of: slot, property)
  }

  private func linkingIDs(
    _ source: LinkingSource, _ schema: ClassSchema, _ reader: any TableReader
  ) throws(Failure) -> [UInt64] {
    guard !source.target.isRolledBack, let target = source.target.binding.schema,
      let property = schema.property(named: source.originPropertyName)
    else { return [] }
    let links = try reader.incomingLinks(
      to: RowKey(classID: target.id, objectID: source.target.id), from: schema.id,
      property: property.id)
    return try reader.originIDs(of: links, schema, property)
  }
}
