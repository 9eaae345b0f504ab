package import VarveEncoding
import VarveStorage

/// A list, map or set of an object, identified by names, independent of a file or a version.
package struct CollectionIdentity: Sendable {
  /// The class of the object that owns it.
  package let model: ClassDescription
  /// The index of the property in the class.
  package let slot: Int
  package let ownerID: UInt64
  /// The nested collection; nil for the property's own collection.
  package let nested: NestedIdentity?
  /// Indicates whether the write that created the owner was rolled back; another object may then
  /// get its id.
  private let outcome: TransactionOutcome?

  init(
    _ model: ClassDescription, slot: Int, ownerID: UInt64, nested: NestedIdentity?,
    _ outcome: TransactionOutcome?
  ) {
    self.model = model
    self.slot = slot
    self.ownerID = ownerID
    self.nested = nested
    self.outcome = outcome
  }

  package var kind: CollectionKind { nested?.kind ?? model.properties[slot].kind.collection }

  /// Whether the write that created the owner was rolled back.
  var isRolledBack: Bool { outcome?.isRolledBack == true }

  /// The names of the class and the property.
  var description: String { "\(model.name).\(model.properties[slot].name)" }

  /// The class of the elements; nil for values.
  package var elementModel: ClassDescription? { model.linkedClass(of: model.properties[slot]) }

  /// Returns the collection in a file, or nil if the file lacks the class or the property.
  func stored(in file: FileSchema) -> StoredCollection? {
    guard let schema = file.schema(named: model.name),
      let property = schema.property(named: model.properties[slot].name)
    else { return nil }
    return StoredCollection(
      schema: schema, property: nested.map { property.nested($0.kind) } ?? property,
      ownerID: ownerID, nested: nested,
      elementSchema: file.schema(ofClass: property.linkedClassID))
  }
}

/// A list, map or set of a stored object.
struct StoredCollection {
  let schema: ClassSchema
  /// The property, with the kind of the collection.
  let property: StoredProperty
  let ownerID: UInt64
  /// The nested collection; nil for the property's own collection.
  let nested: NestedIdentity?
  /// The class of the elements; nil for values.
  let elementSchema: ClassSchema?

  /// Returns the content in one version, or nil if the owner or the nested collection does not
  /// exist. For a nested collection the count is computed, and the revision is unknown.
  ///
  /// - Complexity: O(log n); for a nested dictionary O(pages of its entries).
  func countedContent(in snapshot: Snapshot) throws(Failure) -> CollectionContent? {
    guard let nested else { return try snapshot.collectionContent(schema, ownerID, property) }
    guard snapshot.hasCollection(nested.id) else { return nil }
    let count =
      nested.kind == .dictionary
      ? snapshot.dictionaryCount(nested.content) : list(nested.content, in: snapshot).count
    return CollectionContent(
      CollectionSlot(id: nested.id, revision: 0, count: UInt32(clamping: count)))
  }

  /// Returns the content in a version or a transaction, or nil if the owner does not exist. For a
  /// nested collection the revision and the count are unknown.
  func content(in reader: any TableReader) throws(Failure) -> CollectionContent? {
    guard let nested else { return try reader.collectionContent(schema, ownerID, property) }
    return reader.find(schema.table, id: ownerID) == nil ? nil : nested.content
  }

  /// Returns the list with some content.
  func list(_ content: CollectionContent, in snapshot: Snapshot) -> ListDirectory {
    ListDirectory(
      content, isNested: nested != nil, snapshot: snapshot,
      format: ListElementFormat(property.kind))
  }
}
