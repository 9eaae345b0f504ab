import Foundation
import Synchronization
package import VarveEncoding
package import VarveStorage

/// The attachment of a collection handle to a property of a stored object, or to a collection
/// nested in its value.
///
/// Thread safety: that of ``RowHandle``.
package final class CollectionHandle: Sendable {
  /// The object that owns the collection.
  package let owner = RowHandle()
  /// The property slot in the model; set before the owner is attached.
  private let slotBits = Atomic<Int>(0)
  /// The nested collection; 0 for the collection of the property itself. Set before the owner is
  /// attached.
  private let nestedBits = Atomic<UInt64>(0)

  private let directory = DirectoryCache()

  /// The transaction's state of the collection, cached for the next operation.
  private let editedSerial = Atomic<UInt64>(0)
  // Safe because only the thread of the transaction with this serial number uses it.
  @exclusivity(unchecked) nonisolated(unsafe) private var edited: EditedCollection?

  package init() {}

  package convenience init(
    context: ReadContext, binding: ClassBinding, ownerID: UInt64, slot: Int,
    nested: NestedIdentity? = nil
  ) {
    self.init()
    if let nested { nestedBits.store(nested.bits, ordering: .relaxed) }
    attach(to: context, binding: binding, ownerID: ownerID, slot: slot)
  }

  package func attach(to context: ReadContext, binding: ClassBinding, ownerID: UInt64, slot: Int) {
    slotBits.store(slot, ordering: .relaxed)
    owner.attach(to: context, binding: binding, id: ownerID)
  }

  package var isManaged: Bool { owner.isManaged }
  package var context: ReadContext? { owner.context }
  package var slot: Int { slotBits.load(ordering: .relaxed) }
  /// The nested collection; nil for the collection of the property itself.
  package var nested: NestedIdentity? { NestedIdentity(bits: nestedBits.load(ordering: .relaxed)) }
  package var className: String { owner.binding.name }
  package var propertyDescription: PropertyDescription { owner.binding.model.properties[slot] }

  /// The stored property; nil while it is not in the file.
  package var property: StoredProperty? {
    let property =
      owner.binding.properties[slot] ?? context.flatMap { owner.stored(slot, $0)?.property }
    guard let nested else { return property }
    return property?.nested(nested.kind)
  }

  // MARK: Reading

  /// The number of elements; 0 when the owner does not exist.
  ///
  /// - Complexity: O(1); for a nested dictionary O(pages of its entries).
  package var count: Int {
    guard let context else { return 0 }
    if let transaction = context.transaction {
      return transaction.attemptReading { () throws(Failure) in
        transaction.count(try edited(in: transaction))
      } ?? 0
    }
    let pinned = owner.pin(context, slot)
    defer { pinned.end() }
    guard let content = content(in: pinned.row) else { return 0 }
    guard let nested else { return content.count }
    return pinned.snapshot._withUnsafeGuaranteedRef { snapshot in
      if nested.kind == .dictionary { return snapshot.dictionaryCount(nested.content) }
      if let list = directory.find(in: snapshot) {
        return list._withUnsafeGuaranteedRef { $0.count }
      }
      return openDirectory(snapshot)?.count ?? 0
    }
  }

  /// Whether the collection exists in the version that the handle reads.
  package var exists: Bool {
    guard owner.exists else { return false }
    guard let nested, let context else { return true }
    return context.reader.hasCollection(nested.id)
  }

  /// Returns whether the collection exists in the version that a context reads, which may differ
  /// from the handle's own.
  func exists(in context: ReadContext) -> Bool {
    guard owner.exists(in: context) else { return false }
    return nested.map { context.reader.hasCollection($0.id) } ?? true
  }

  /// Returns the content in the owner's row. For a nested collection only the id is known.
  private func content(in row: UnsafeRawPointer?) -> CollectionContent? {
    guard let row else { return nil }
    if let nested { return nested.content }
    let access = owner.access(slot, in: row)
    guard access.offset > 0 else { return CollectionContent.none }
    return CollectionContent(row: row, offset: Int(access.offset))
  }

  /// Returns the content in the pinned row, or nil when the owner does not exist.
  func content(in pinned: PinnedRow) -> CollectionContent? { content(in: pinned.row) }

  /// Returns the content in the version that the handle reads, or nil when the owner does not
  /// exist.
  package func content(in reader: any TableReader) throws(Failure) -> CollectionContent? {
    guard let context, let (schema, property) = owner.stored(slot, context) else {
      return CollectionContent.none
    }
    if owner.isRolledBack { return nil }
    if let nested {
      return reader.find(schema.table, id: owner.id) == nil ? nil : nested.content
    }
    return try reader.collectionContent(schema, owner.id, property)
  }

  /// Returns the bits of a packed element of at most eight bytes, from the directory of the
  /// snapshot.
  ///
  /// - Returns: `.outOfBounds` also when the owner does not exist; `.null` for a null element.
  package func bits(at index: Int) -> ElementBits {
    owner.withContext { context in
      if context.readsTransaction { return transactionBits(at: index) }
      let announcement = context.announce { owner.noteRead(slot, context) }
      defer { announcement.end() }
      return announcement.snapshot._withUnsafeGuaranteedRef { snapshot in
        if let list = directory.find(in: snapshot) {
          return list._withUnsafeGuaranteedRef { Self.bits($0, at: index) }
        }
        return openDirectory(snapshot).map { Self.bits($0, at: index) } ?? .outOfBounds
      }
    }
  }

  @inline(__always)
  private static func bits(_ list: ListDirectory, at index: Int) -> ElementBits {
    guard index >= 0, index < list.count else { return .outOfBounds }
    return list.bits(at: index).map(ElementBits.bits) ?? .null
  }

  private func transactionBits(at index: Int) -> ElementBits {
    guard let transaction = context?.transaction else { return .outOfBounds }
    return transaction.attemptReading { () throws(Failure) in
      let value = try transaction.element(try edited(in: transaction), at: index)
      return value.elementBits.map(ElementBits.bits) ?? .null
    } ?? .outOfBounds
  }

  /// Returns an element of any type.
  package func element(at index: Int) -> ElementRead {
    guard let context else { return .outOfBounds }
    if let transaction = context.transaction {
      return transaction.attemptReading { () throws(Failure) in
        .value(try transaction.element(try edited(in: transaction), at: index))
      } ?? .outOfBounds
    }
    guard let (stored, snapshot) = storedElement(at: index, context), let property else {
      return .outOfBounds
    }
    do throws(Failure) {
      return .value(try snapshot.resolve(stored, property: property))
    } catch {
      context.store.markDamaged(error.message)
      return .value(.null)
    }
  }

  /// Returns the stored form of an element, and the snapshot that contains it, or nil out of
  /// bounds.
  private func storedElement(
    at index: Int, _ context: ReadContext
  ) -> (StoredValue, Snapshot)? {
    guard let property else { return nil }
    let announcement = context.announce { owner.noteRead(slot, context) }
    defer { announcement.end() }
    // Retained while it is announced: a blob is looked up after the announcement ends.
    let snapshot = announcement.snapshot.takeUnretainedValue()
    guard
      let list = directory.find(in: snapshot)?.takeUnretainedValue() ?? openDirectory(snapshot),
      index >= 0, index < list.count
    else { return nil }
    return (property.stored(list, at: index), snapshot)
  }

  /// Opens the list in the announced snapshot, and caches it. Nil when the owner does not exist.
  private func openDirectory(_ snapshot: Snapshot) -> ListDirectory? {
    guard let content = content(in: owner.row(in: snapshot)) else { return nil }
    let list = ListDirectory(
      content, isNested: nested != nil, snapshot: snapshot, format: traits.format,
      retainsSnapshot: false)
    directory.remember(list, in: snapshot)
    return list
  }

  /// Returns a directory that retains its snapshot, for iterations. Nil when the owner does not
  /// exist.
  package func pinnedDirectory() -> (ListDirectory, Snapshot)? {
    guard let context, let property else { return nil }
    if context.mustNoteRead { owner.noteRead(slot, context) }
    let snapshot = context.snapshot
    do throws(Failure) {
      guard let content = try content(in: snapshot) else { return nil }
      let list = ListDirectory(
        content, isNested: nested != nil, snapshot: snapshot,
        format: ListElementFormat(property.kind))
      return (list, snapshot)
    } catch {
      context.store.markDamaged(error.message)
      return nil
    }
  }

  // MARK: Changing

  /// Runs one change inside the write transaction of this thread. An error marks the transaction as
  /// failed.
  ///
  /// - Returns: Nil when the change was refused.
  /// - Precondition: The thread is inside a write of the store.
  @discardableResult
  package func edit<R>(
    _ body: (Transaction, EditedCollection) throws(Failure) -> R
  ) -> R? {
    guard let (context, transaction) = owner.writing(slot) else { return nil }
    return transaction.attempt(inMemory: true) { () throws(Failure) in
      try Failure.putting(in: owner.propertyName(slot), of: className) { () throws(Failure) in
        try body(transaction, try editedCollection(context, transaction, isChanging: true))
      }
    }
  }

  /// Appends one packed element whose type the caller has checked, if this handle has already
  /// changed the collection in the running transaction. No lookup is then necessary, and no
  /// references are counted.
  ///
  /// - Returns: False when nothing was appended, and ``edit(_:)`` has to append.
  package func tryAppend(bits: UInt64) -> Bool {
    guard let context = owner.contextReference,
      let transaction = context._withUnsafeGuaranteedRef({ $0.transactionReference })
    else { return false }
    return transaction._withUnsafeGuaranteedRef { tryAppend(bits: bits, in: $0) }
  }

  private func tryAppend(bits: UInt64, in transaction: Transaction) -> Bool {
    guard editedSerial.load(ordering: .relaxed) == transaction.collectionsSerial, let edited,
      edited.isChanged, transaction.beginOperation()
    else { return false }
    do throws(Failure) {
      try transaction.append(bits: bits, edited)
    } catch {
      transaction.fail(error.put(in: owner.propertyName(slot), of: className))
    }
    return true
  }

  /// Returns the collection in a transaction. Must be called again after user code of a model has
  /// run, which may have flushed the collection.
  package func edited(in transaction: Transaction) throws(Failure) -> EditedCollection {
    guard let context else { throw owner.invalidatedFailure(slot) }
    return try editedCollection(context, transaction)
  }

  private func editedCollection(
    _ context: ReadContext, _ transaction: Transaction, isChanging: Bool = false
  ) throws(Failure) -> EditedCollection {
    if editedSerial.load(ordering: .relaxed) == transaction.collectionsSerial, let edited {
      return edited
    }
    if let collection = lastCollection(context, transaction) { return collection }
    let (schema, property) = try owner.writable(slot, context, transaction)
    // The slot is then read from the buffered row.
    if isChanging { try transaction.bufferRow(schema, owner.id) }
    let collection = try transaction.collection(schema, owner.id, property, nested: nested)
    keep(collection, of: transaction)
    return collection
  }

  /// Returns the collection, if it is the one that was last used in the transaction, for example by
  /// another handle.
  private func lastCollection(
    _ context: ReadContext, _ transaction: Transaction
  ) -> EditedCollection? {
    guard let collection = transaction.collections.last,
      nestedBits.load(ordering: .relaxed) == 0, !context.isInvalidated,
      owner.bindingReference._withUnsafeGuaranteedRef({
        collection.isOf($0.table, owner.id, $0.elementTraits[slot].propertyID)
      })
    else { return nil }
    keep(collection, of: transaction)
    return collection
  }

  private func keep(_ collection: EditedCollection, of transaction: Transaction) {
    edited = collection
    editedSerial.store(transaction.collectionsSerial, ordering: .relaxed)
  }
}

/// The result of reading an element.
package enum ElementRead {
  case value(Value)
  case outOfBounds
}

/// The result of reading a packed element of at most eight bytes.
package enum ElementBits {
  case bits(UInt64)
  case null
  case outOfBounds
}

extension Value {
  /// The bits of a value that a packed list stores in at most eight bytes; nil for null.
  package var elementBits: UInt64? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .int(let value): UInt64(bitPattern: value)
    case .float(let value): UInt64(value.bitPattern)
    case .double(let value): value.bitPattern
    case .date(let value): value.timeIntervalSinceReferenceDate.bitPattern
    case .link(_, let id): id
    default: nil
    }
  }
}
