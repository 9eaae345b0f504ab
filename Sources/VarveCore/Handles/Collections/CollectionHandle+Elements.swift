package import VarveEncoding
import VarveStorage

extension CollectionHandle {
  /// The traits of the elements, for reading them.
  @inline(__always)
  package var traits: ElementTraits {
    owner.bindingReference._withUnsafeGuaranteedRef { $0.elementTraits[slot] }
  }

  /// The elements inside the write transaction of this thread; nil outside of one.
  package var elementsInWrite: [Value]? {
    guard let transaction = context?.transaction else { return nil }
    return transaction.attemptReading { () throws(Failure) in
      try transaction.elements(try edited(in: transaction))
    } ?? []
  }

  /// Returns the index of the first link to an object, at any version of its handle, in the version
  /// that is read now. Nil for an unmanaged object and an object of another store.
  ///
  /// - Complexity: O(n).
  package func firstIndex(of object: borrowing RowHandle) -> Int? {
    guard let context, case .link(_, let id)? = link(to: object) else { return nil }
    if let transaction = context.transaction {
      let found = transaction.attemptReading { () throws(Failure) in
        try transaction.firstIndex(ofBits: id, try edited(in: transaction))
      }
      return found ?? nil
    }
    return pinnedDirectory()?.0.firstIndex(ofBits: id)
  }

  /// Returns a handle to the same collection in another view or version.
  package func moved(to context: ReadContext) -> CollectionHandle {
    CollectionHandle(
      context: context, binding: context.lasting(owner.binding), ownerID: owner.id, slot: slot,
      nested: nested)
  }

  /// Returns whether two handles refer to the same collection in the same state.
  package func isSame(as other: CollectionHandle) -> Bool {
    guard let mine = context, let theirs = other.context else { return false }
    return mine.store === theirs.store && owner.id == other.owner.id && slot == other.slot
      && nested == other.nested && owner.binding.name == other.owner.binding.name
      && mine.frozen?.serial == theirs.frozen?.serial
  }

  /// Hashes the properties that ``isSame(as:)`` compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(owner.id)
    hasher.combine(slot)
    hasher.combine(nested)
  }

  /// Returns the error of a change with an index out of bounds.
  package func outOfBounds(_ what: String) -> Failure {
    Failure(
      .indexOutOfBounds, "The index is out of bounds.", className: className,
      propertyName: propertyDescription.alias, value: what)
  }
}

/// Reads of string-keyed dictionaries.
extension CollectionHandle {
  /// Returns the value for a key, or nil when the key is absent.
  package func dictionaryValue(_ key: String) -> Value? {
    let stored = owner.withContext { context in
      context.readsTransaction ? nil : pinnedDictionaryValue(key, context)
    }
    switch stored {
    case .some(.some(.value(let value))): return value
    case .some(.none): return nil
    // Inside a transaction, in a blob, or damaged: the general path.
    case .none, .some(.some(.blob)):
      if let transaction = context?.transaction {
        return transaction.attemptReading { () throws(Failure) in
          try transaction.value(try edited(in: transaction), forKey: key)
        } ?? nil
      }
      return readingEntries { (reader, content, property, fileKey) throws(Failure) in
        try reader.dictionaryValue(content, key, property, fileKey: fileKey)
      } ?? nil
    }
  }

  /// Looks a key up in the announced snapshot.
  ///
  /// - Returns: Nil when the entry could not be read; a nil value when the key is absent.
  private func pinnedDictionaryValue(_ key: String, _ context: ReadContext) -> StoredValue?? {
    let pinned = owner.pin(context, slot)
    defer { pinned.end() }
    guard let content = content(in: pinned), !content.isEmpty else { return .some(nil) }
    let fileKey = context.hotStore._withUnsafeGuaranteedRef { $0.fileKey }
    return pinned.snapshot._withUnsafeGuaranteedRef { snapshot in
      do throws(FormatError) {
        return try snapshot.dictionaryElement(content, key, fileKey: fileKey)
      } catch {
        return nil
      }
    }
  }

  /// The keys, in order.
  package var dictionaryKeys: [String] {
    readingEntries { (reader, content, _, _) throws(Failure) in
      try reader.dictionaryKeys(content)
    } ?? []
  }

  /// The entries, in the order of their keys.
  package var dictionaryEntries: [(key: String, value: Value)] {
    readingEntries { (reader, content, property, _) throws(Failure) in
      try reader.dictionaryEntries(content, property)
    } ?? []
  }

  /// Returns an iteration over the entries in the version that is read now.
  ///
  /// - Parameter includingValues: Whether values are read in addition to keys.
  /// - Returns: Nil when the owner does not exist.
  package func dictionaryWalk(includingValues: Bool) -> DictionaryWalk? {
    readingEntries { (reader, content, property, _) throws(Failure) in
      try DictionaryWalk(content, includingValues ? property : nil, in: reader)
    }
  }

  /// Calls `body` with the reader, content, property and file key for the entries of a dictionary
  /// or a set, in the version that is read now.
  ///
  /// - Returns: Nil when the owner does not exist, or the entries are damaged.
  func readingEntries<R>(
    _ body: (any TableReader, CollectionContent, StoredProperty, FileKey) throws(Failure) -> R
  ) -> R? {
    guard let context, let property else { return nil }
    if let transaction = context.transaction {
      return transaction.attemptReading { () throws(Failure) in
        let collection = try edited(in: transaction)
        return try body(
          transaction.reader, try transaction.content(of: collection), collection.property,
          context.store.fileKey)
      }
    }
    if context.mustNoteRead { owner.noteRead(slot, context) }
    do throws(Failure) {
      let snapshot = context.snapshot
      guard let content = try content(in: snapshot) else { return nil }
      return try body(snapshot, content, property, context.store.fileKey)
    } catch {
      context.store.markDamaged(error.message)
      return nil
    }
  }
}
