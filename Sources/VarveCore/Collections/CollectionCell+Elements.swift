package import VarveEncoding
package import VarveStorage

extension ElementRead {
  package func map<R>(_ transform: (T) -> R) -> ElementRead<R> {
    switch self {
    case .value(let value): .value(transform(value))
    case .null: .null
    case .outOfBounds: .outOfBounds
    }
  }
}

extension CollectionCell {
  /// Whether elements are packed in at most eight bytes.
  package var holdsBits: Bool { ListElementFormat(propertyDescription.kind).holdsBits }

  /// The value behind packed bits.
  package func elementValue(_ bits: UInt64) -> Value {
    property?.elementValue(bits: bits) ?? .null
  }

  /// The bits of a value that is stored packed and needs no more checks than its type; nil for others.
  package func bits(of value: Value) -> UInt64? {
    let kind = propertyDescription.kind
    switch (kind.type, value) {
    case (.int64, .int), (.double, .double), (.float, .float), (.bool, .bool), (.date, .date):
      return value.elementBits
    default: return nil
    }
  }

  /// An element of a pinned list.
  package func value(
    _ list: ListDirectory, at index: Int, in snapshot: Snapshot
  ) -> Value {
    guard let property, let context else { return .null }
    do throws(Failure) {
      return try snapshot.resolve(property.stored(list, at: index), property: property)
    } catch {
      context.store.markDamaged(error.message)
      return .null
    }
  }

  /// Whether two cells stand for the same collection in the same state.
  package func isSame(as other: CollectionCell) -> Bool {
    guard let mine = context, let theirs = other.context else { return false }
    return mine.store === theirs.store && owner.id == other.owner.id && slot == other.slot
      && owner.binding.name == other.owner.binding.name
      && mine.frozen?.serial == theirs.frozen?.serial
  }

  /// What a change with an index out of bounds throws.
  package func outOfBounds(_ what: String) -> Failure {
    Failure(
      .indexOutOfBounds, "The index is out of bounds.", className: className,
      propertyName: propertyDescription.name, value: what)
  }
}

/// Reads of string-keyed dictionaries.
extension CollectionCell {
  /// The value under a key; nil when the key is absent.
  package func dictionaryValue(_ key: String) -> Value? {
    readingDictionary { (reader, slot, property, fileKey) throws(Failure) in
      try reader.dictionaryValue(slot.id, key, property, fileKey: fileKey)
    } ?? nil
  }

  /// The keys, in order.
  package var dictionaryKeys: [String] {
    readingDictionary { (reader, slot, _, _) throws(Failure) in
      try reader.dictionaryKeys(slot.id)
    } ?? []
  }

  /// The entries, in the order of their keys.
  package var dictionaryEntries: [(key: String, value: Value)] {
    readingDictionary { (reader, slot, property, _) throws(Failure) in
      try reader.dictionaryEntries(slot.id, property: property)
    } ?? []
  }

  private func readingDictionary<R>(
    _ body: (any TableReader, CollectionSlot, StoredProperty, FileKey) throws(Failure) -> R
  ) -> R? {
    guard let context, let property else { return nil }
    if let transaction = context.transaction {
      return transaction.attemptReading { () throws(Failure) in
        let collection = try editedForReading(transaction)
        return try body(
          transaction.reader, collection.slot, collection.property, context.store.fileKey)
      }
    }
    do throws(Failure) {
      let snapshot = context.snapshot
      guard let slot = try currentSlot(in: snapshot) else { return nil }
      return try body(snapshot, slot, property, context.store.fileKey)
    } catch {
      context.store.markDamaged(error.message)
      return nil
    }
  }
}
