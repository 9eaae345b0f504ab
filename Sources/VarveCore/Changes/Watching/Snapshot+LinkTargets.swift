import VarveEncoding
import VarveStorage

extension Snapshot {
  /// The ids of the objects that an object links to through one property; none for an object that does not
  /// exist.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: O(links).
  func linkTargets(
    of id: UInt64, _ schema: ClassSchema, _ property: StoredProperty
  ) throws(Failure) -> [UInt64] {
    guard let row = try row(schema, id), let field = row.layout.field(forProperty: property.id)
    else { return [] }
    switch property.kind.collection {
    case .none: return row.link(field).map { [$0] } ?? []
    case .list:
      let list = ListDirectory(
        row.collectionSlot(field), snapshot: self, format: ListElementFormat(property.kind))
      return (0..<list.count).compactMap { list.bits(at: $0) }
    case .dictionary:
      return try dictionaryEntries(row.collectionSlot(field).id, property: property).compactMap {
        if case .link(_, let id) = $0.value { id } else { nil }
      }
    case .set: return []
    }
  }
}
