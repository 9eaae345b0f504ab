package import VarveEncoding
import VarveStorage

/// A list, map or set of an object, by names: it knows nothing of a file or a version.
///
/// Thread safety: immutable.
package struct CollectionIdentity: Sendable {
  /// The class of the object that owns it.
  package let model: ClassDescription
  /// The place of the property in the class.
  package let slot: Int
  package let ownerID: UInt64
  /// Which nested collection it is; nil for that of the property itself.
  package let nested: NestedIdentity?
  /// Tells when the owner was made in a write that was rolled back: another object may get its id.
  private let token: TransactionOutcome?

  init(
    _ model: ClassDescription, slot: Int, ownerID: UInt64, nested: NestedIdentity?,
    _ token: TransactionOutcome?
  ) {
    self.model = model
    self.slot = slot
    self.ownerID = ownerID
    self.nested = nested
    self.token = token
  }

  package var kind: CollectionKind { nested?.kind ?? model.properties[slot].kind.collection }

  /// Whether the owner was made in a write that was rolled back.
  var isRolledBack: Bool { token?.isRolledBack == true }

  /// The class and the property.
  var description: String { "\(model.name).\(model.properties[slot].name)" }

  /// The class of the elements; nil for values.
  package var elementModel: ClassDescription? { model.linkedClass(of: model.properties[slot]) }

  /// The collection in a file; nil when the file does not know the class or the property.
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
  /// Which nested collection it is; nil for that of the property itself.
  let nested: NestedIdentity?
  /// The class of the elements; nil for values.
  let elementSchema: ClassSchema?

  /// The slot in one version, with the count of a nested collection too, of which the revision is not known; nil when
  /// the owner, or the nested collection, does not exist.
  ///
  /// - Complexity: O(log n); for a nested dictionary O(pages of its entries).
  func countedSlot(in snapshot: Snapshot) throws(Failure) -> CollectionSlot? {
    guard let nested else { return try snapshot.collectionSlot(schema, ownerID, property) }
    guard snapshot.hasCollection(nested.id) else { return nil }
    let count =
      nested.kind == .dictionary
      ? snapshot.dictionaryCount(nested.slot) : list(nested.slot, in: snapshot).count
    return CollectionSlot(id: nested.id, revision: 0, count: UInt32(clamping: count))
  }

  /// The slot in a version or a transaction; nil when the owner does not exist. Of a nested collection neither the
  /// revision nor the count is known.
  func slot(in reader: any TableReader) throws(Failure) -> CollectionSlot? {
    guard let nested else { return try reader.collectionSlot(schema, ownerID, property) }
    return reader.find(schema.table, id: ownerID) == nil ? nil : nested.slot
  }

  /// The list with a slot.
  func list(_ slot: CollectionSlot, in snapshot: Snapshot) -> ListDirectory {
    ListDirectory(
      slot, isNested: nested != nil, snapshot: snapshot, format: ListElementFormat(property.kind))
  }
}
