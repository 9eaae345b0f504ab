import VarveEncoding
import VarveStorage

extension TableReader {
  /// Returns the ids of the objects in a dictionary, in key order; nulls are skipped.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: O(entries).
  func dictionaryTargets(
    of content: CollectionContent, _ property: StoredProperty
  ) throws(Failure) -> [UInt64] {
    try dictionaryEntries(content, property).compactMap {
      if case .link(_, let id) = $0.value { id } else { nil }
    }
  }

  /// Returns the ids of the objects in a set, ascending.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: O(n).
  func setTargets(
    of content: CollectionContent, _ property: StoredProperty
  ) throws(Failure) -> [UInt64] {
    try setElements(content, property).compactMap {
      if case .link(_, let id) = $0 { id } else { nil }
    }
  }
}

extension Snapshot {
  /// Returns the ids of the objects in a list, in its order.
  ///
  /// - Complexity: O(n).
  func listTargets(of content: CollectionContent, _ property: StoredProperty) -> [UInt64] {
    let list = ListDirectory(content, snapshot: self, format: ListElementFormat(property.kind))
    return (0..<list.count).compactMap { list.bits(at: $0) }
  }

  /// Returns the ids of the objects to which an object links through one property, or none if the
  /// object does not exist.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: O(links).
  func linkTargets(
    of id: UInt64, _ schema: ClassSchema, _ property: StoredProperty
  ) throws(Failure) -> [UInt64] {
    guard let row = try row(schema, id), let field = row.layout.field(forProperty: property.id)
    else { return [] }
    return switch property.kind.collection {
    case .none: row.link(field).map { [$0] } ?? []
    case .list: listTargets(of: row.collectionContent(field), property)
    case .dictionary: try dictionaryTargets(of: row.collectionContent(field), property)
    case .set: try setTargets(of: row.collectionContent(field), property)
    }
  }
}
